// The answer: what to do in a sentence, every choice in a table, and the buttons to think, to stop, to think longer.

function adviceView(state, ui) {
  const busy = state.state === "running";
  const button = (text, does, off, more = {}) => h("button", { type: "button", class: "bz-button", do: { do: does }, "aria-disabled": off ? "true" : "false", ...more }, text);
  const pick = (field, label, options) => h("label", { class: "bz-inline" }, `${label} `, h("select", { "data-field": field, "data-value": state[field], "aria-label": label },
    options.map(([key, text]) => h("option", { value: key, selected: key === state[field] }, text))));
  return [
    h("div", { class: "bz-bar" },
      button("Advise", "think", busy || !!state.problem, { class: "bz-button bz-main", title: state.problem || null }),
      button("Stop", "stop", !busy),
      button("Think longer", "more", busy || !state.can_extend),
      pick("objective", "Aim", state.objectives), pick("seconds", "Time", state.times)),
    h("div", { class: "bz-bar bz-state", "data-state": state.state, "data-stale": String(state.stale) },
      h("p", { role: "status", "aria-live": "polite", class: "bz-status" }, state.status),
      h("p", { class: "bz-count-up", hidden: !busy }, state.so_far),
      h("progress", { max: 1, value: state.progress.toFixed(3), "aria-label": "thinking", hidden: !busy })),
    h("p", { class: "bz-error", role: "alert", hidden: !state.error }, state.error),
    h("div", { class: `bz-answer${state.stale ? " bz-stale" : ""}`, hidden: !state.sentence },
      h("p", { class: "bz-note", hidden: !state.stale }, "This is about the position before your last change."),
      h("p", { class: "bz-sentence" }, state.sentence),
      h("p", { class: "bz-also", hidden: !state.also }, state.also),
      h("details", { class: "bz-fold", open: true }, h("summary", {}, "All choices"), h("div", { class: "bz-table", "data-html": state.table })),
      h("details", { class: "bz-fold", hidden: !state.values }, h("summary", {}, state.values_title || ""), h("div", { class: "bz-scroll bz-table", "data-html": state.values || "" }))),
    h("div", { class: "bz-bar bz-charts", hidden: !state.sentence || state.charts.length < 2 }, pick("chart", "Chart", state.charts)),
    figureTitle(state),
  ];
}

export default { render: (context) => {
  const free = [mount(context, "advice", adviceView), tend(context.model, context.el)];
  return () => free.forEach((one) => one());
} };
