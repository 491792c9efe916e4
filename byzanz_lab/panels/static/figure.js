// Starts at once and brings plotly in afterwards: a page gives every widget two seconds to start, and hears nothing of one
// that was late. Reading plotly's program takes a busy machine longer. It is read once a page, whatever shows figures.

const programs = (window.byzanzPrograms ??= new Map());

function read(text) {
  if (!programs.has(text)) {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    programs.set(text, import(/* webpackIgnore: true */ url).then((module) => module.default));
  }
  return programs.get(text);
}

export default () => {
  let begun = null;
  const begin = (context) => (begun ??= read(context.model.get("_program")).then(async (made) => {
    const widget = typeof made === "function" ? await made() : made;
    await widget.initialize?.(context);
    return widget;
  }));
  return {
    initialize(context) { begin(context).catch((error) => console.error(error)); },
    async render(context) { return (await begin(context)).render(context); },
  };
};
