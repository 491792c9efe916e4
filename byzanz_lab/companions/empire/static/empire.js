// The duel: the cards that can be marked, what lies open, the buttons, and advice. Draws the trait "view" and sends
// messages back; it knows no rules. Elements are patched in place, so that the focus stays where it is.

function make(parent, tag, attributes) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) el.setAttribute(name, value);
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

function keyed(parent, count, build) {
  // so many children, those that are there already are kept
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) build(parent.children.length);
  return [...parent.children];
}

function render({ model, el }) {
  const send = (message) => model.send(message);
  const root = make(el, "section", { class: "be-root", "aria-label": "Byzantine Empire" });
  const summary = make(root, "p", { class: "be-summary" });
  const others = make(root, "div", { class: "be-others" });
  const asked = make(root, "p", { class: "be-asked" });
  const cards = make(root, "div", { class: "be-cards", role: "group" });
  const total = make(root, "p", { class: "be-total" });
  const bar = make(root, "div", { class: "be-bar", role: "group", "aria-label": "Actions" });
  const live = make(root, "p", { class: "be-message", role: "status", "aria-live": "polite" });
  const advice = make(root, "div", { class: "be-advice" });
  const course = make(root, "details", { class: "be-log" });
  make(course, "summary").textContent = "What happened before";
  const log = make(course, "ol");

  const tell = (event) => {
    const card = event.target.closest("button[data-said]");
    if (card) write(total, card.dataset.said);
  };
  const untell = () => write(total, standing());
  const standing = () => {
    const view = model.get("view");
    return [view.total, view.why].filter(Boolean).join(". ");
  };
  cards.addEventListener("pointerover", tell);
  cards.addEventListener("focusin", tell);
  cards.addEventListener("pointerleave", untell);
  cards.addEventListener("focusout", untell);
  cards.addEventListener("click", (event) => {
    const card = event.target.closest("button");
    if (card) send({ do: "mark", place: card.dataset.key });
  });
  cards.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const at = [...cards.children].indexOf(event.target.closest("button"));
    if (!step || at < 0) return;
    event.preventDefault();
    event.stopPropagation();  // the notebook would take the key
    const to = cards.children[(at + step + cards.children.length) % cards.children.length];
    for (const one of cards.children) put(one, "tabindex", one === to ? "0" : "-1");
    to.focus();
  });
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.getAttribute("aria-disabled") === "true") write(live, `${button.textContent}: ${button.title}.`);
    else send({ do: button.dataset.key });
  });
  advice.addEventListener("click", (event) => {
    const row = event.target.closest("button[data-action]");
    if (row) send({ do: "take", action: row.dataset.action });
  });

  const drawCards = (view) => {
    put(cards, "aria-label", view.where);
    keyed(cards, view.cards.length, () => {
      const card = make(cards, "button", { type: "button", class: "be-card", tabindex: "-1" });
      for (const part of ["force", "name", "kind"]) make(card, "span", { class: `be-${part}` });
    }).forEach((one, i) => {
      const card = view.cards[i];
      put(one, "data-key", card.key);
      put(one, "data-said", card.said);
      put(one, "aria-label", card.said);
      put(one, "aria-pressed", card.marked ? "true" : "false");
      put(one, "aria-disabled", card.why ? "true" : null);
      put(one, "class", `be-card be-${card.kind.replace(/ /g, "-")}`);
      write(one.children[0], `${card.force}${card.legacy ? ` +${card.legacy}L` : ""}`);
      write(one.children[1], card.name);
      write(one.children[2], `${card.kind}${card.unique ? ", unique" : ""}`);
    });
    const all = [...cards.children];
    if (all.length && !all.some((one) => one.getAttribute("tabindex") === "0")) put(all[0], "tabindex", "0");
  };

  const drawAdvice = (view) => {
    if (!view.rows.length) { advice.replaceChildren(); return; }
    const parts = document.createDocumentFragment();
    const box = make(parts, "div", { class: "be-table", tabindex: "0", role: "region", "aria-label": "Advice" });
    const table = make(box, "table");
    make(table, "caption").textContent = view.basis;
    const head = make(make(table, "thead"), "tr");
    for (const name of view.heads) make(head, "th", { scope: "col" }).textContent = name;
    const body = make(table, "tbody");
    for (const row of view.rows) {
      const line = make(body, "tr");
      const first = make(line, "th", { scope: "row" });
      make(first, "button", { type: "button", "data-action": row.action, title: "Mark these cards" }).textContent = row.cells[0];
      for (const cell of row.cells.slice(1)) make(line, "td").textContent = cell;
    }
    if (view.mixture.length) {
      make(parts, "h4").textContent = view.mixture.length > 1 ? "Mixed strategy" : "No need to mix: one meld does as well";
      const list = make(parts, "ul", { class: "be-mixture" });
      for (const one of view.mixture) {
        const item = make(list, "li");
        make(item, "span", { class: "be-chance" }).textContent = one.said;
        const bar = make(item, "span", { class: "be-track", "aria-hidden": "true" });
        make(bar, "span", { style: `width:${Math.max(1, 100 * one.chance)}%` });
        make(item, "button", { type: "button", "data-action": one.action, title: "Mark these cards" }).textContent = one.name;
      }
      make(parts, "p", { class: "be-basis" }).textContent = view.mixed;
    }
    advice.replaceChildren(parts);
  };

  const draw = () => {
    const view = model.get("view");
    if (!view.summary) return;
    write(summary, view.summary);
    write(asked, view.asked);
    write(live, view.message);
    keyed(others, view.others.length, () => make(others, "p")).forEach((one, i) => write(one, view.others[i]));
    drawCards(view);
    untell();
    keyed(bar, view.buttons.length, () => make(bar, "button", { type: "button", class: "be-button" })).forEach((one, i) => {
      const button = view.buttons[i];
      put(one, "data-key", button.key);
      write(one, button.label);
      put(one, "title", button.why || null);
      put(one, "aria-disabled", button.why ? "true" : null);
    });
    drawAdvice(view);
    put(course, "hidden", view.log.length ? null : "");
    keyed(log, view.log.length, () => make(log, "li")).forEach((one, i) => write(one, view.log[i]));
  };

  model.on("change:view", draw);
  draw();
  return () => model.off("change:view", draw);
}

export default { render };
