// The table: cards and slots to scale, the hand, and the buttons. Draws the trait "view" and sends messages back;
// it knows no rules. Elements are patched in place, so that the focus stays where it is.

const SVG = "http://www.w3.org/2000/svg";
const STEP = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function make(parent, space, tag, attributes) {
  const el = space ? document.createElementNS(space, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, value);
  parent.append(el);
  return el;
}

function put(el, name, value) {
  if (value === null || value === undefined || value === false) el.removeAttribute(name);
  else if (el.getAttribute(name) !== String(value)) el.setAttribute(name, String(value));
}

function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

function keyed(parent, keys, build) {
  // one child a key, in this order; children that are there already are kept
  const old = new Map([...parent.children].map((el) => [el.dataset.key, el]));
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const wanted = keys.map((key) => old.get(key) || build(key));
  for (const [key, el] of old) if (!keys.includes(key)) el.remove();
  wanted.forEach((el, i) => { if (parent.children[i] !== el) parent.insertBefore(el, parent.children[i] || null); });
  if (focused && parent.contains(focused)) focused.focus();
  return wanted;
}

function render({ model, el }) {
  const send = (message) => model.send(message);
  const root = make(el, null, "section", { class: "bt-root", "aria-label": "Byzantium" });
  const summary = make(root, null, "p", { class: "bt-summary" });
  const table = make(root, SVG, "svg", { class: "bt-table", role: "group", "aria-label": "Tableau" });
  const cards = make(table, SVG, "g", {});
  const slots = make(table, SVG, "g", {});
  const why = make(root, null, "p", { class: "bt-why" });
  const live = make(root, null, "p", { class: "bt-message", role: "status", "aria-live": "polite" });
  const hand = make(root, null, "div", { class: "bt-hand", role: "group", "aria-label": "Your hand" });
  const bar = make(root, null, "div", { class: "bt-bar", role: "group", "aria-label": "Actions" });
  const setup = make(root, null, "div", { class: "bt-bar", role: "group", "aria-label": "Next deal" });
  const choice = (name) => make(make(setup, null, "label", {}), null, "select", { "aria-label": name });
  const players = choice("Players of the next deal"), policy = choice("How the others play");
  players.before("Next deal: ");
  policy.before("against ");
  for (const n of [1, 2, 3, 4]) make(players, null, "option", { value: n }).textContent = n === 1 ? "alone" : `${n} players`;
  const solo = () => { policy.parentElement.hidden = players.value === "1"; };
  players.addEventListener("change", solo);
  const details = make(root, null, "div", { class: "bt-values", tabindex: "0", role: "region", "aria-label": "Values" });

  const roving = (group, chosen) => {
    const all = [...group.children];
    if (!all.some((one) => one.getAttribute("tabindex") === "0") && all.length) put(chosen || all[0], "tabindex", "0");
  };
  const focusOn = (group, one) => {
    for (const other of group.children) put(other, "tabindex", other === one ? "0" : "-1");
    one.focus();
  };
  const nearest = (group, from, [dx, dy]) => {
    const middle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const one of group.children) {
      const [u, v] = middle(one), along = (u - x) * dx + (v - y) * dy, across = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (one === from || along < 2) continue;
      if (along + 2 * across < least) { least = along + 2 * across; best = one; }
    }
    return best;
  };
  const arrows = (group) => (event) => {
    const from = event.target.closest("[data-key]");
    if (!from || !STEP[event.key]) return;
    event.preventDefault();
    event.stopPropagation();  // the notebook would take the key
    const to = nearest(group, from, STEP[event.key]);
    if (to) focusOn(group, to);
  };

  slots.addEventListener("keydown", arrows(slots));
  hand.addEventListener("keydown", arrows(hand));
  slots.addEventListener("keydown", (event) => {
    const slot = event.target.closest("[data-key]");
    if (!slot || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    send({ do: "place", slot: slot.dataset.key });
  });
  slots.addEventListener("click", (event) => {
    const slot = event.target.closest("[data-key]");
    if (!slot) return;
    focusOn(slots, slot);
    send({ do: "place", slot: slot.dataset.key });
  });
  let told = null;
  const tell = (event) => {
    told = event.target.closest("[data-key]");
    if (told) write(why, told.dataset.said);
  };
  slots.addEventListener("focusin", tell);
  slots.addEventListener("pointerover", tell);
  hand.addEventListener("click", (event) => {
    const card = event.target.closest("button");
    if (card) { focusOn(hand, card); send({ do: "choose", card: card.dataset.key }); }
  });
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.getAttribute("aria-disabled") === "true") write(why, button.title);
    else if (button.dataset.key === "new") send({ do: "new", players: Number(players.value), policy: policy.value });
    else send({ do: button.dataset.key });
  });

  const box = (rect, [x, y, width, height]) => {
    for (const [name, value] of Object.entries({ x, y, width, height, rx: 9 })) put(rect, name, value);
  };
  const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];
  const group = (parent, key) => {
    const one = make(parent, SVG, "g", { "data-key": key });
    make(one, SVG, "rect", {});
    for (const name of ["first", "second"]) make(one, SVG, "text", { class: `bt-${name}`, "text-anchor": "middle", "dominant-baseline": "central" });
    return one;
  };
  const label = (one, [x, y], first, second) => {
    const lines = second ? [[first, -22], [second, 24]] : [[first, 0], ["", 0]];
    [...one.querySelectorAll("text")].forEach((text, i) => {
      put(text, "x", x);
      put(text, "y", y + lines[i][1]);
      write(text, lines[i][0]);
    });
  };

  const draw = () => {
    const view = model.get("view");
    if (!view.reach) return;
    put(table, "viewBox", `${-view.reach[0]} ${-view.reach[1]} ${2 * view.reach[0]} ${2 * view.reach[1]}`);
    write(summary, view.summary);
    write(live, view.message);
    keyed(cards, view.cards.map((card) => card.key), (key) => group(cards, key)).forEach((one, i) => {
      const card = view.cards[i];
      put(one, "class", `bt-card bt-${card.colour}`);
      put(one, "role", "img");
      put(one, "aria-label", card.name);
      box(one.firstChild, card.box);
      label(one, middle(card.box), card.face);
    });
    keyed(slots, view.slots.map((slot) => slot.key), (key) => group(slots, key)).forEach((one, i) => {
      const slot = view.slots[i];
      put(one, "class", `bt-slot ${slot.open ? "bt-open" : "bt-closed"} ${slot.best ? "bt-best" : ""}`);
      put(one, "role", "button");
      put(one, "aria-label", slot.said);
      put(one, "aria-disabled", slot.open ? null : "true");
      if (one.getAttribute("tabindex") === null) put(one, "tabindex", "-1");
      one.dataset.said = slot.said;
      box(one.firstChild, slot.box);
      put(one.firstChild, "style", slot.shade === null ? null : `fill-opacity:${slot.shade}`);
      label(one, slot.spot.length ? slot.spot : middle(slot.box), slot.open ? slot.key : "", slot.value || "");
    });
    write(why, told && slots.contains(told) ? told.dataset.said : "");
    roving(slots, [...slots.children].find((one) => one.classList.contains("bt-open")));
    keyed(hand, view.hand.map((card) => card.key), (key) => make(hand, null, "button", { type: "button", "data-key": key }))
      .forEach((one, i) => {
        const card = view.hand[i];
        put(one, "class", `bt-face bt-${card.colour}`);
        put(one, "aria-label", card.name);
        put(one, "aria-pressed", card.chosen ? "true" : "false");
        if (one.getAttribute("tabindex") === null) put(one, "tabindex", "-1");
        one.classList.toggle("bt-best", card.best);
        write(one, card.value ? `${card.face} ${card.value}` : card.face);
      });
    roving(hand);
    keyed(bar, view.buttons.map((button) => button.key), (key) => make(bar, null, "button", { type: "button", "data-key": key, class: "bt-button" }))
      .forEach((one, i) => {
        const button = view.buttons[i];
        write(one, button.label);
        put(one, "title", button.why || null);
        put(one, "aria-disabled", button.why ? "true" : null);
      });
    if (!policy.length) {  // once: what is chosen for the next deal stays chosen
      for (const name of view.policies) make(policy, null, "option", { value: name }).textContent = name;
      players.value = view.players;
      policy.value = view.policy;
      solo();
    }
    values(view.rows);
  };

  const values = (rows) => {
    details.hidden = !rows.length;
    if (!rows.length) { details.replaceChildren(); return; }
    const list = document.createElement("table");
    const caption = make(list, null, "caption", {});
    caption.textContent = model.get("view").basis;
    const head = make(make(list, null, "thead", {}), null, "tr", {});
    for (const name of model.get("view").heads) make(head, null, "th", { scope: "col" }).textContent = name;
    const body = make(list, null, "tbody", {});
    for (const row of rows) {
      const line = make(body, null, "tr", {});
      row.forEach((cell, i) => { make(line, null, i ? "td" : "th", i ? {} : { scope: "row" }).textContent = cell; });
    }
    details.replaceChildren(list);
  };

  model.on("change:view", draw);
  draw();
  return () => model.off("change:view", draw);
}

export default { render };
