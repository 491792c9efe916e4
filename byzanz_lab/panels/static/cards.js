// Chances, for teaching: what the next lot may bring, who can pay how much, and the formula behind one of them.

function cardsView(state, ui) {
  const pick = (field, label, options) => h("label", { class: "bz-inline" }, `${label} `, h("select", { "data-field": field, "data-value": state[field], "aria-label": label },
    options.map(([key, text]) => h("option", { value: key, selected: key === state[field] }, text))));
  return [
    h("p", { class: "bz-note", hidden: !state.note }, state.note),
    h("p", { class: "bz-error", role: "alert", hidden: !state.error }, state.error),
    h("div", { class: "bz-columns", hidden: !state.ready },
      h("div", { class: "bz-scroll", "data-html": state.lot }),
      h("div", { class: "bz-scroll", "data-html": state.purses }),
      h("div", { class: "bz-scroll", "data-html": state.pairs })),
    h("div", { class: "bz-part", hidden: !state.ready },
      h("div", { class: "bz-bar" }, pick("what", "How many", state.whats), pick("where", "in", state.wheres)),
      h("div", { class: "bz-scroll bz-formula", "data-html": state.formula })),
    h("div", { class: "bz-bar", hidden: !state.ready }, pick("chart", "Chart", state.charts)),
    figureTitle(state),
  ];
}

export default { render: (context) => {
  const free = [mount(context, "cards", cardsView), tend(context.model, context.el)];
  return () => free.forEach((one) => one());
} };
