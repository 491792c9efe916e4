// The form of a position: cards by clicks or as text, what all can see of each seat, and what is wrong beside its cause.

const MAIN = { hand: "your hand", lot: "the lot", market: "the market", gone: "the cards out of the game" };
const PHASES = {
  auction: "bidding for a lot", tax: "a card of the lot you won", last_lot: "a card of the last lot", market: "picking from the market",
  hand_limit: "too many cards in hand", closing: "closing sale", over: "the game is over",
};

const nameOf = (field) => {
  const seat = field.match(/\[(\d)\]/)?.[1];
  if (seat === undefined) return MAIN[field];
  return field.startsWith("bids") ? `the open bid of seat ${seat}` : `the known cards of seat ${seat}`;
};

function positionView(state, ui) {
  ui.target ??= "hand";
  ui.focus = (el) => { const to = el.dataset.cards; if (to && ui.target !== to) { ui.target = to; ui.redraw(); } };
  ui.act = (message) => {
    if (message.ui === "target") { ui.target = message.field; }
    if (message.ui === "think") { ui.send({ do: "think" }); (ui.root.closest(".bz-both") || document).querySelector(".bz-advice")?.scrollIntoView({ block: "start", behavior: "smooth" }); }
    if (message.ui === "open") openFile(ui.send, "position");
    if (message.ui === "paste") { const box = ui.root.querySelector(".bz-text"); ui.send({ do: "paste", text: box.value }); }
    if (message.ui === "copy") { const box = ui.root.querySelector(message.from); box.select(); navigator.clipboard?.writeText(box.value).catch(() => document.execCommand("copy")); ui.copied = message.from; }
  };
  if (!(ui.target in state.counts)) ui.target = "hand";
  return [toolbar(state, ui), basics(state), cardsPart(state, ui), h("div", { class: "bz-seats" }, state.seats.map((seat) => seatPart(state, seat))), texts(state, ui)];
}

const fault = (state, field, id) => {
  const found = state.faults[field] || [], missing = state.missing.includes(field);
  return h("p", { class: missing ? "bz-hint" : "bz-fault", id: `${id}-fault`, hidden: !found.length }, found.map((text, i) => [i ? h("br") : "", missing ? text : `⚠ ${text}`]));
};

function input(state, field, label, { hint = "", cards = false, numeric = false } = {}) {
  const id = `${state.id}-${field.replace(/\W/g, "-")}`, bad = !!state.faults[field] && !state.missing.includes(field);
  return h("div", { class: `bz-field${bad ? " bz-wrong" : ""}${cards ? " bz-wide" : ""}` },
    h("label", { for: id }, label),
    h("input", {
      id, type: "text", autocomplete: "off", spellcheck: "false", inputmode: numeric ? "numeric" : null, placeholder: hint, "data-field": field,
      "data-value": state.draft[field] || "", "data-cards": cards ? field : null, "aria-invalid": bad ? "true" : null, "aria-describedby": state.faults[field] ? `${id}-fault` : null,
    }),
    fault(state, field, id));
}

function choice(state, field, label, options, value = state.draft[field] || "", wide = false) {
  const id = `${state.id}-${field.replace(/\W/g, "-")}`, bad = !!state.faults[field] && !state.missing.includes(field);
  return h("div", { class: `bz-field${bad ? " bz-wrong" : ""}${wide ? " bz-wide" : ""}` },
    h("label", { for: id }, label),
    h("select", { id, "data-field": field, "data-value": value, "aria-invalid": bad ? "true" : null, "aria-describedby": state.faults[field] ? `${id}-fault` : null },
      options.map(([key, text]) => h("option", { value: key, selected: key === value }, text))),
    fault(state, field, id));
}

function tick(state, field, label, on) {
  return h("label", { class: "bz-tick" }, h("input", { type: "checkbox", "data-field": field, "data-on": on, checked: on }), label);
}

function toolbar(state, ui) {
  const button = (text, does, off, more = {}) => h("button", { type: "button", class: "bz-button", do: does, "aria-disabled": off ? "true" : "false", ...more }, text);
  return h("div", { class: "bz-bar" },
    h("label", { class: "bz-inline" }, "Start from ",
      h("select", { "data-field": "example", "data-value": "", "aria-label": "start from an example" },
        h("option", { value: "" }, "an example …"), state.examples.map(([key, text]) => h("option", { value: key }, text)),
        [3, 4, 5, 6].map((n) => h("option", { value: `empty ${n}` }, `empty table, ${n} seats`)))),
    button("Undo", { do: "undo" }, !state.can_undo), button("Redo", { do: "redo" }, !state.can_redo),
    button("Open file …", { ui: "open" }), button("Save file", { do: "save" }, !state.valid, { title: state.valid ? null : "only a position without faults can be saved" }),
    h("p", { class: "bz-error", role: "alert", hidden: !state.error }, state.error));
}

function basics(state) {
  const seats = state.seats.map((seat) => [String(seat), `seat ${seat}`]);
  const flags = [["last_card_to_hand", "the last single card goes to hand"], ["may_decline_market", "a market pick may be declined"], ["tie_counts_dealers", "dealers count in a tie"]];
  const varied = flags.some(([flag]) => state.draft[flag]) || state.draft.hand_limit;
  return h("div", { class: "bz-part" },
    h("div", { class: "bz-fields" },
      choice(state, "rules", "Seats", [3, 4, 5, 6].map((n) => [String(n), `${n} seats`])),
      choice(state, "seat", "You are", seats),
      choice(state, "round", "Round", Array.from({ length: state.rounds }, (_, i) => [String(i + 1), `${i + 1} of ${state.rounds}`])),
      choice(state, "phase", "Decision", Object.entries(PHASES), state.draft.phase, true),
      choice(state, "to_move", "On the move", [["", "you"], ...seats.filter(([seat]) => seat !== String(state.own))], state.draft.to_move === String(state.own) ? "" : state.draft.to_move || ""),
      state.shown.picked && input(state, "picked", "Seats that have picked", { hint: "works it out", numeric: true })),
    h("details", { class: "bz-fold", open: !!state.faults.variant }, h("summary", {}, varied ? "House rules (some in use)" : "House rules"),
      h("div", { class: "bz-ticks" },
        choice(state, "hand_limit", "Most cards in hand", [["", "7"], ["8", "8"]]),
        flags.map(([flag, text]) => tick(state, flag, text, !!state.draft[flag]))),
      fault(state, "variant", `${state.id}-variant`)));
}

function cardsPart(state, ui) {
  const to = ui.target, counts = state.counts[to], where = nameOf(to);
  const quick = Object.keys(MAIN).filter((field) => state.shown[field] !== false);
  const pick = (field) => h("button", {
    type: "button", class: "bz-button bz-target", "aria-pressed": String(field === to), do: { ui: "target", field },
  }, `${{ hand: "hand", lot: "lot", market: "market", gone: "out of the game" }[field]} (${sum(state.counts[field])})`);
  return h("div", { class: "bz-part bz-entry" },
    h("div", { class: "bz-targets", role: "group", "aria-label": "where cards go" }, h("span", {}, "Click cards into"), quick.map(pick),
      !(to in MAIN) && h("span", { class: "bz-now" }, `→ ${where} (${sum(counts)})`)),
    cardGrid(ui.model.get("deck"), {
      counts: counts || Array(25).fill(0), room: !counts ? Array(25).fill(0) : to === `known[${state.own}]` ? state.room_known : state.unseen.map((n) => Math.max(n, 0)), left: state.unseen,
      where, act: (card, step) => ({ do: "add", field: to, card, step }), grid: ui.root.querySelector(".bz-grid")?.dataset.stop,
    }),
    h("div", { class: "bz-fields" },
      quick.map((field) => input(state, field, { hand: "Your hand", lot: "Lot", market: "Market", gone: "Out of the game" }[field] + (state.totals[field] || ""), { cards: true, hint: field === "gone" ? "all cards sold, dropped or left over" : "such as Wi4 2xSp1 D" }))));
}

function seatPart(state, seat) {
  const own = seat === state.own, label = own ? `Seat ${seat} (you)` : `Seat ${seat}`, at = (field) => `${field}[${seat}]`;
  const offers = [["", "none yet"], ...state.offers.map((card) => [String(card), String(card)])];
  const order = state.passed.indexOf(seat);
  return h("fieldset", { class: `bz-seat${own ? " bz-own" : ""}` }, h("legend", {}, label),
    h("div", { class: "bz-fields" },
      choice(state, at("offers"), "Offer card won", offers),
      input(state, at("profits"), "Profit", { hint: "0", numeric: true }),
      state.shown.bids && input(state, at("bids"), "Open bid", { cards: true, hint: "none" }),
      input(state, at("known"), own ? "Of your hand, others know" : "Known cards", { cards: true, hint: "none" }),
      !own && input(state, at("unknown"), "Unknown cards", { hint: state.unknown[seat] === null ? "" : String(state.unknown[seat]), numeric: true }),
      state.shown.passed && h("div", { class: "bz-field" }, h("label", { class: "bz-tick" },
        h("input", { type: "checkbox", "data-on": order >= 0, checked: order >= 0, "data-pass": seat, do: { do: "pass", seat } }), order >= 0 && state.passed.length > 1 ? `has passed (${order + 1}.)` : "has passed")),
      state.shown.done && h("div", { class: "bz-field" }, h("label", { class: "bz-tick" },
        h("input", { type: "checkbox", "data-on": state.done.includes(seat), checked: state.done.includes(seat), do: { do: "finish", seat } }), "has finished selling"))));
}

function texts(state, ui) {
  const shared = ["unknown", "offers", "profits", "bids", "known", "passed", "done", "text", "offers_left"].filter((field) => state.faults[field]);
  return h("div", { class: "bz-part" },
    h("div", { id: `${state.id}-shared` }, shared.map((field) => fault(state, field, `${state.id}-all-${field}`))),
    h("div", { class: "bz-bar" }, h("p", { class: "bz-summary", role: "status", "aria-live": "polite" }, state.summary),
      h("button", { type: "button", class: "bz-button bz-main", do: { ui: "think" }, "aria-disabled": state.can_think ? "false" : "true" }, "What should I do?")),
    h("details", { class: "bz-fold" }, h("summary", {}, "As text, and as Python"),
      h("label", { for: `${state.id}-text` }, "The position as one line; paste another one here"),
      h("textarea", { id: `${state.id}-text`, class: "bz-text", rows: 4, spellcheck: "false", "data-value": state.text }),
      h("button", { type: "button", class: "bz-button", do: { ui: "paste" } }, "Use this text"),
      h("button", { type: "button", class: "bz-button", do: { ui: "copy", from: ".bz-text" } }, ui.copied === ".bz-text" ? "Copied" : "Copy the text"),
      h("label", { for: `${state.id}-code` }, "The same in Python, for a cell of your own"),
      h("textarea", { id: `${state.id}-code`, class: "bz-code", rows: 10, readonly: true, spellcheck: "false", "data-value": state.code }),
      h("button", { type: "button", class: "bz-button", do: { ui: "copy", from: ".bz-code" } }, ui.copied === ".bz-code" ? "Copied" : "Copy as Python")));
}

const sum = (counts) => (counts ? counts.reduce((a, b) => a + b, 0) : "?");

export default { render: (context) => mount(context, "position", positionView) };
