// A game: what lies on the table, what your seat knows of the others, and the actions that are allowed now.

function playView(state, ui) {
  ui.act = (message) => {
    if (message.ui === "pick") {
      ui.chosen = { ...(ui.chosen || {}) };
      const n = (ui.chosen[message.card] || 0) + message.step;
      if (n > 0) ui.chosen[message.card] = n; else delete ui.chosen[message.card];
      ui.send({ do: "weigh", cards: chosenText(ui) });
    }
    if (message.ui === "empty") { ui.chosen = {}; ui.send({ do: "weigh", cards: "" }); }
  };
  if (ui.turn !== state.turn) { ui.turn = state.turn; ui.chosen = {}; }
  return [
    setup(state),
    h("p", { class: "bz-error", role: "alert", hidden: !state.error }, state.error),
    h("p", { class: "bz-prompt", role: "status", "aria-live": "polite" }, state.prompt),
    table(state, ui), hand(state, ui),
    h("div", { class: "bz-bar bz-choices" }, state.buttons.map(button)),
    h("div", { class: "bz-bar" }, state.tools.map(button)),
    h("div", { class: "bz-scroll bz-table bz-hint-table", hidden: !state.hint, "data-html": state.hint || "" }),
    h("div", { class: "bz-scroll", hidden: !state.result, "data-html": state.result || "" }),
    h("details", { class: "bz-fold" }, h("summary", {}, `What happened (${state.log.length} actions)`),
      h("ol", { class: "bz-log", reversed: true }, state.log.map((line) => h("li", { value: line[0] }, line[1])))),
  ];
}

const chosenText = (ui) => Object.entries(ui.chosen || {}).map(([code, n]) => `${n}x${code}`).join(" ");

const button = ({ text, does, why, main }) => h("button", {
  type: "button", class: `bz-button${main ? " bz-main" : ""}`, do: does, "aria-disabled": why ? "true" : "false", title: why || null,
}, text);

function setup(state) {
  return h("details", { class: "bz-fold", open: state.fresh }, h("summary", {}, "New game"),
    h("div", { class: "bz-fields" },
      h("div", { class: "bz-field" }, h("label", { for: `${state.id}-n` }, "Seats"),
        h("select", { id: `${state.id}-n`, "data-field": "seats", "data-value": String(state.players.length) }, [3, 4, 5, 6].map((n) => h("option", { value: n }, `${n} seats`)))),
      state.players.map((name, seat) => h("div", { class: "bz-field" }, h("label", { for: `${state.id}-p${seat}` }, `Seat ${seat}`),
        h("select", { id: `${state.id}-p${seat}`, "data-field": `player ${seat}`, "data-value": name }, state.kinds.map(([key, text]) => h("option", { value: key }, text))))),
      h("div", { class: "bz-field" }, h("label", { for: `${state.id}-s` }, "Seed of the deal"),
        h("input", { id: `${state.id}-s`, type: "text", inputmode: "numeric", "data-field": "seed", "data-value": state.seed }))),
    h("div", { class: "bz-bar" }, button({ text: "Deal", does: { do: "deal" } })));
}

function table(state, ui) {
  const deck = ui.model.get("deck");
  const row = (seat) => h("tr", { class: seat.to_move ? "bz-mover" : null },
    h("th", { scope: "row" }, `${seat.to_move ? "▶ " : ""}${seat.seat}${seat.you ? " (you)" : ` ${seat.name}`}`),
    h("td", {}, String(seat.profit)), h("td", {}, seat.offer ? String(seat.offer) : ""),
    h("td", {}, seat.passed ? "passed" : seat.total ? [`${seat.total}: `, chips(deck, seat.bid)] : ""),
    h("td", {}, seat.known.some((n) => n) ? chips(deck, seat.known) : "", seat.unknown ? `${seat.known.some((n) => n) ? " + " : ""}${seat.unknown} unknown` : seat.known.some((n) => n) ? "" : "no cards"));
  const heap = (label, counts) => h("div", { class: "bz-heap" }, h("span", { class: "bz-heap-name" }, label), chips(deck, counts));
  return [
    h("div", { class: "bz-heaps" }, state.offer ? heap(`Lot (offer card ${state.offer})`, state.lot) : "", heap("Market", state.market)),
    h("div", { class: "bz-scroll" }, h("table", { class: "bz-board" }, h("caption", {}, state.caption),
      h("thead", {}, h("tr", {}, ["seat", "profit", "offer", "open bid", "hand, as you know it"].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, state.table.map(row)))),
  ];
}

function hand(state, ui) {
  const deck = ui.model.get("deck"), chosen = ui.chosen || {};
  const counts = deck.map(([code]) => chosen[code] || 0), room = deck.map((_, i) => Math.max(state.hand[i] - counts[i], 0));
  const kinds = deck.map((_, i) => i).filter((i) => state.hand[i] > 0);
  const cell = (i) => h("div", { class: `bz-cell${counts[i] ? " bz-has" : ""}`, "data-code": deck[i][0] },
    chip(deck[i], state.hand[i]), h("span", { class: "bz-count" }, counts[i] ? `${counts[i]} taken` : ""),
    step(i, "less", counts[i] <= 0), step(i, "more", room[i] <= 0));
  const stop = ui.root.querySelector(".bz-grid")?.dataset.stop || (kinds.length ? `more-${kinds[0]}` : "");
  const valid = kinds.some((i) => stop === `more-${i}` || stop === `less-${i}`) ? stop : kinds.length ? `more-${kinds[0]}` : "";
  const step = (i, sign, off) => h("button", {
    type: "button", class: `bz-step bz-${sign}`, "data-key": `${sign}-${i}`, tabindex: valid === `${sign}-${i}` ? 0 : -1, "aria-disabled": off ? "true" : "false",
    "aria-label": `${sign === "more" ? "take" : "put back"} ${deck[i][1]}: ${counts[i]} of ${state.hand[i]} taken`, do: { ui: "pick", card: deck[i][0], step: sign === "more" ? 1 : -1 },
  }, sign === "more" ? "+" : "−");
  return h("div", { class: "bz-part", hidden: !state.choosing },
    h("p", {}, state.choosing),
    h("div", { class: "bz-grid bz-keys", role: "group", "aria-label": "cards of your hand", "data-width": 8, "data-stop": valid }, kinds.map(cell)));
}

export default { render: (context) => mount(context, "play", playView) };
