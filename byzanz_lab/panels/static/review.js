// A game gone through: open a record, review it, step from decision to decision.

function reviewView(state, ui) {
  const busy = state.state === "running";
  ui.act = (message) => { if (message.ui === "open") openFile(ui.send, "record"); };
  const button = (text, does, off, more = {}) => h("button", { type: "button", class: "bz-button", do: does, "aria-disabled": off ? "true" : "false", ...more }, text);
  const pick = (field, label, options, value = state[field]) => h("label", { class: "bz-inline" }, `${label} `, h("select", { "data-field": field, "data-value": value, "aria-label": label },
    options.map(([key, text]) => h("option", { value: key, selected: key === value }, text))));
  const last = state.places.length - 1, place = String(state.place);
  return [
    h("div", { class: "bz-bar" },
      button("Open record …", { ui: "open" }, busy),
      button("Review", { do: "start" }, busy || !state.ready, { class: "bz-button bz-main" }),
      button("Stop", { do: "stop" }, !busy),
      button("Save the report", { do: "save" }, !state.reviewed)),
    h("div", { class: "bz-bar" }, pick("view", "Seen by", state.views), pick("objective", "Aim", state.objectives), pick("worlds", "How sure", state.sizes)),
    h("div", { class: "bz-bar bz-state", "data-state": state.state },
      h("p", { role: "status", "aria-live": "polite", class: "bz-status" }, state.status),
      h("progress", { max: 1, value: state.progress.toFixed(3), "aria-label": "reviewing", hidden: !busy })),
    h("p", { class: "bz-error", role: "alert", hidden: !state.error }, state.error),
    h("div", { hidden: !state.reviewed },
      h("p", { class: "bz-sentence" }, state.sentence),
      h("details", { class: "bz-fold", open: true }, h("summary", {}, "Luck and skill"), h("div", { "data-html": state.accounts }), h("p", { class: "bz-hint" }, state.about)),
      h("div", { class: "bz-bar" },
        button("◀ Back", { do: "step", by: -1 }, state.place <= 0), button("Next ▶", { do: "step", by: 1 }, state.place >= last),
        pick("only", "Show", state.shown), pick("place", "Go to", state.places, place)),
      decision(state)),
    figureTitle(state),
  ];
}

function decision(state) {
  const row = (name, value) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
  return h("div", { class: "bz-decision", hidden: !state.title },
    h("p", { class: "bz-prompt" }, state.title),
    h("div", { class: "bz-columns" },
      h("div", {},
        h("table", {}, h("tbody", {},
          row("played", state.played), row("best", state.best),
          row("given away", `${state.loss}${state.level ? ", which may be chance" : ""}`), row("in a word", h("strong", {}, state.word)))),
        h("div", { "data-html": state.luck })),
      h("details", { class: "bz-fold", open: true }, h("summary", {}, "What the seat could know"), h("div", { class: "bz-scroll", "data-html": state.position }))));
}

export default { render: (context) => {
  const free = [mount(context, "review", reviewView), tend(context.model, context.el)];
  return () => free.forEach((one) => one());
} };
