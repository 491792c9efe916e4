// What all views share: elements from plain descriptions, patched in place so that the focus stays where it is.

function h(tag, attributes, ...kids) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "do") el.dataset.do = JSON.stringify(value);
    else el.setAttribute(name, value === true ? "" : String(value));
  }
  el.append(...kids.flat(9).filter((kid) => kid !== null && kid !== undefined && kid !== false));
  return el;
}

function patch(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
    old.replaceWith(fresh);
    settle(fresh);
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (!old.hasAttribute("data-html")) {
    const before = [...old.childNodes], after = [...fresh.childNodes];
    after.forEach((kid, i) => { if (i < before.length) patch(before[i], kid); else { old.append(kid); settle(kid); } });
    before.slice(after.length).forEach((kid) => kid.remove());
  }
  settle(old, false);
}

// Bring properties, which attributes do not change, in line with them; a field that is being typed in is left alone.
function settle(el, deep = true) {
  if (el.nodeType !== Node.ELEMENT_NODE) return;
  const busy = el.getRootNode().activeElement === el;
  const value = el.getAttribute("data-value");
  if (value !== null && !(busy && el.matches("input:not([type=checkbox]), textarea")) && el.value !== value) el.value = value;
  if (el.matches("input[type=checkbox]")) el.checked = el.hasAttribute("data-on");
  const html = el.getAttribute("data-html");
  if (html !== null && el.shown !== html) { el.innerHTML = html; el.shown = html; }
  if (deep) [...el.children].forEach((kid) => settle(kid));
}

// Draw `view(state, ui)` whenever the model's trait `view` changes; pass clicks and input on as messages.
function mount({ model, el }, name, view) {
  const root = h("div", { class: `bz-root bz-${name}` });
  const ui = { redraw: () => draw(), send: (message) => model.send(message), model, root };
  let typing = 0, unsent = null;
  const flush = () => { clearTimeout(typing); if (unsent) { const message = unsent; unsent = null; model.send(message); } };
  const send = (message) => { flush(); model.send(message); };
  const draw = () => {
    const state = model.get("view");
    if (!Object.keys(state).length) return; // it sleeps
    const fresh = h("div", { class: root.className }, view(state, ui));
    patch(root, fresh);
  };
  root.addEventListener("click", (event) => {
    const at = event.target.closest("[data-do]");
    if (!at || !root.contains(at) || at.getAttribute("aria-disabled") === "true") return;
    const message = JSON.parse(at.dataset.do);
    if (message.ui) { ui.act(message, at); draw(); } else send(message);
  });
  root.addEventListener("input", (event) => {
    const field = event.target.dataset.field;
    if (!field || !event.target.matches("input[type=text], textarea")) return;
    flushOther(field);
    unsent = { do: "set", field, text: event.target.value, typing: true };
    clearTimeout(typing);
    typing = setTimeout(flush, 150);
  });
  const flushOther = (field) => { if (unsent && unsent.field !== field) flush(); };
  root.addEventListener("change", (event) => {
    const { field } = event.target.dataset;
    if (!field) return;
    if (event.target.matches("select")) send({ do: "set", field, text: event.target.value });
    else if (event.target.matches("input[type=checkbox]")) send({ do: "set", field, text: event.target.checked ? "yes" : "" });
    else flush();
  });
  root.addEventListener("focusin", (event) => ui.focus?.(event.target));
  root.addEventListener("keydown", (event) => {
    if (event.target.closest(".bz-keys") && rove(event)) return;
    if (event.target.matches("input, textarea, select")) event.stopPropagation(); // the notebook has keys of its own
  });
  model.on("change:view", draw);
  model.on("msg:custom", (message) => { if (message.do === "download") download(message); ui.hear?.(message); });
  el.append(root);
  draw();
  // While a page is loading, what the kernel says about a new widget can get lost: ask again as long as it knows nothing.
  let asked = 0;
  const ask = setInterval(() => { if (Object.keys(model.get("view")).length || ++asked > 20) clearInterval(ask); else model.send({ do: "hello" }); }, 700);
  return () => { clearInterval(ask); flush(); model.off("change:view", draw); root.remove(); };
}

// Arrow keys move between the buttons of a grid; it is one stop for the tab key. Plus and minus work anywhere in it.
function rove(event) {
  const grid = event.target.closest(".bz-keys"), all = [...grid.querySelectorAll("button")];
  const at = all.indexOf(event.target), width = Number(grid.dataset.width) || 1;
  if (at < 0) return false;
  const cell = event.target.closest(".bz-cell");
  const sign = { "+": "more", "=": "more", "-": "less" }[event.key];
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: width, ArrowUp: -width, Home: -at, End: all.length - 1 - at }[event.key];
  if (sign && cell) cell.querySelector(`.bz-${sign}`).click();
  else if (step !== undefined) stopAt(grid, all[Math.min(Math.max(at + step, 0), all.length - 1)]).focus();
  else return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

function stopAt(grid, button) {
  grid.querySelectorAll("button").forEach((one) => { one.tabIndex = one === button ? 0 : -1; });
  grid.dataset.stop = button.dataset.key;
  return button;
}

function download({ name, text, type }) {
  const url = URL.createObjectURL(new Blob([text], { type: type || "application/json" }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function openFile(send, what, most = 1_000_000) {
  const input = h("input", { type: "file", accept: ".json,application/json" });
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    send(file.size > most ? { do: "fail", text: `the file ${file.name} is too big to be a ${what}` } : { do: "json", text: await file.text() });
  });
  input.click();
}

// Letters for cards: a chip, and how many.
function chip([code, name, colour, ink], n = 1) {
  return h("span", { class: "bz-chip", style: `background:${colour};color:${ink}`, title: `${n > 1 ? n + " " : ""}${name}` }, n > 1 ? `${n}×${code}` : code);
}

function chips(deck, counts) {
  const found = deck.filter((_, i) => counts[i] > 0);
  return found.length ? h("span", { class: "bz-chips" }, deck.map((kind, i) => counts[i] > 0 && chip(kind, counts[i]))) : h("em", {}, "no cards");
}

// A grid of the 25 kinds with plus and minus. `counts`: how many lie here; `room`: how many more can; `left`: unseen.
function cardGrid(deck, { counts, room, left, where, act, grid }) {
  const stop = grid || "more-0";
  const button = (i, sign, word, off) => h("button", {
    type: "button", class: `bz-step bz-${sign}`, "data-key": `${sign}-${i}`, tabindex: stop === `${sign}-${i}` ? 0 : -1,
    "aria-label": `${word} ${deck[i][1]}: ${counts[i]} in ${where}${left ? `, ${Math.max(left[i], 0)} unseen` : ""}`,
    "aria-disabled": off ? "true" : "false", do: act(deck[i][0], sign === "more" ? 1 : -1),
  }, sign === "more" ? "+" : "−");
  const cell = (i) => h("div", { class: `bz-cell${counts[i] ? " bz-has" : ""}${left && left[i] < 0 ? " bz-bad" : ""}`, "data-code": deck[i][0] },
    chip(deck[i]),
    h("span", { class: "bz-count" }, counts[i] ? `×${counts[i]}` : ""),
    button(i, "less", "remove", counts[i] <= 0),
    button(i, "more", "add", room[i] <= 0),
    left && h("span", { class: "bz-left" }, left[i] < 0 ? `${-left[i]} too many` : `${left[i]} unseen`));
  return h("div", { class: "bz-grid bz-keys", role: "group", "aria-label": `cards for ${where}`, "data-width": 8, "data-stop": stop }, deck.map((_, i) => cell(i)));
}

function figureTitle(state) {
  return h("div", { class: "bz-figure-title", hidden: !state.figure }, h("div", { "data-html": state.figure || "" }), h("p", { "data-html": state.below || "" }));
}

// Figures beside a view: they fill their box, have a text alternative, and the kernel knows whether the page is dark.
function tend(model, el) {
  const seen = new WeakMap();
  let frame = 0, panel = null, added = null, left = 20;
  // Plotly pins the width of a figure whose height is changed, and lets no window resize it from then on.
  const unpin = () => panel?.querySelectorAll(".js-plotly-plot").forEach(({ layout }) => { if (layout) delete layout.width; });
  const fire = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => { unpin(); window.dispatchEvent(new Event("resize")); });
  };
  const sizes = new ResizeObserver((entries) => {
    let changed = false;
    for (const entry of entries) {
      const width = Math.round(entry.contentRect.width);
      if (width > 0 && seen.get(entry.target) !== width) { seen.set(entry.target, width); changed = true; }
    }
    if (changed) fire();
  });
  const fix = (settled) => panel?.querySelectorAll(".bz-figure").forEach((figure) => {
    if (!seen.has(figure)) { seen.set(figure, -1); sizes.observe(figure); }
    const drawn = figure.querySelector(".main-svg")?.clientWidth, room = figure.clientWidth, state = `${drawn} ${room}`;
    if (figure.dataset.tried !== state) { figure.dataset.tried = state; left = 20; } // plotly may not listen yet
    if (settled === true && drawn && room && Math.abs(drawn - room) > 2 && left-- > 0) fire();
    figure.setAttribute("role", "img");
    figure.setAttribute("aria-label", model.get("words"));
  });
  let want, since = 0, patience = 3000;
  const look = setInterval(() => {
    fix(true);
    // A page that was busy may have missed the figure, or what it holds: ask for it again.
    const plot = panel?.querySelector(".bz-figure.js-plotly-plot, .bz-figure .js-plotly-plot"), { stamp, live } = model.get("view");
    if (!live || !panel?.offsetParent || plot?.layout?.meta?.stamp === stamp) { want = undefined; return; }
    if (want === undefined || (plot && want !== stamp)) { want = stamp; since = performance.now(); }
    if (performance.now() - since < patience) return;
    since = performance.now(); patience = Math.min(2 * patience, 60000);
    model.send({ do: "figure" });
  }, 500);
  const theme = () => {
    const light = document.body.dataset.jpThemeLight;
    const dark = light ? light === "false" : document.body.classList.contains("theme-dark") || matchMedia("(prefers-color-scheme: dark)").matches;
    if (model.get("dark") !== dark) { model.set("dark", dark); model.save_changes(); }
  };
  const themes = new MutationObserver(theme);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "class"] });
  theme();
  const search = setInterval(() => {
    panel = el.closest(".bz-panel");
    if (!panel) return;
    clearInterval(search);
    added = new MutationObserver(fix);
    added.observe(panel, { childList: true, subtree: true });
    fix();
  }, 50);
  model.on("change:words", fix);
  return () => { clearInterval(search); clearInterval(look); sizes.disconnect(); themes.disconnect(); added?.disconnect(); model.off("change:words", fix); };
}
