// A machine's chart with its controls, and the start of it all: the last of the scripts.

// ---- controls and legend ------------------------------------------------------------------------

function selector(text, options, chosen, onChange) {
  const list = make("select", {}, ...options.map(([value, name]) =>
    make("option", { value, selected: value === chosen }, name)));
  list.addEventListener("change", () => onChange(list.value));
  return make("label", {}, `${text} `, list);
}

// Both axes never show the same: they change places then.
function setAxis(view, side, name) {
  const other = side === "x" ? "y" : "x";
  const value = view.machine.values.find((v) => v.name === name);
  if (value === view[other]) {
    view[other] = view[side];
    view.controls.querySelector(`[data-side=${other}] select`).value = view[other].name;
  }
  view[side] = value;
  drawChart(view);
}

function makeControls(view) {
  const values = view.machine.values.map((value) => [value.name, value.name]);
  const colours = [["", "nothing"],
    ...view.machine.values.map((value) => [`value ${value.name}`, value.name]),
    ...view.machine.axes.map((axis) => [`axis ${axis.name}`, axis.name])];
  const side = (name, text) => {
    const label = selector(text, values, view[name].name, (value) => setAxis(view, name, value));
    label.dataset.side = name;
    return label;
  };
  return make("div", { class: "controls" }, side("x", "across"), side("y", "up"),
    selector("colour", colours, view.colour, (value) => {
      view.colour = value;
      drawChart(view);
    }));
}

function makeLegend(view) {
  const has = (test) => view.points.some(test);
  const key = (kind, text, ...shapes) => make("span", { class: "key" },
    draw("svg", { viewBox: "-9 -9 18 18", "aria-hidden": "true" },
      draw("g", { class: kind }, ...shapes)), text);
  const dot = (path, r) => draw("path", { class: "shape", d: path(r) });
  return make("div", { class: "legend" },
    key("mark front", "on the front", dot(CIRCLE, 7)),
    key("mark", "not on it", dot(CIRCLE, 4.5)),
    has(isBroken) ? key("mark broken", "breaks a limit", dot(CIRCLE, 4.5)) : null,
    view.base ? key("mark base", "baseline", dot(DIAMOND, 6)) : null,
    key("", "best of the two shown", draw("path", { class: "stairs", d: "M-8 -5H1V5H8" })),
    view.colourKeys);
}

const HINT = "Click a point for its command line. By keys: Tab to the chart, arrows along the front, " +
  "Page Up and Page Down through all points, Enter selects, Escape clears.";

function makePanel(view) {
  view.hint = make("p", { class: "hint" }, HINT);
  view.label = make("b");
  view.command = make("code");
  view.copy = make("button", { type: "button" }, "copy");
  view.copy.addEventListener("click", () => copy(view));
  view.chosen = make("div", { class: "chosen", hidden: "" },
    make("p", {}, view.label, view.copy), make("pre", {}, view.command));
  view.chosen.addEventListener("keydown", (event) => {
    if (event.key === "Escape") select(view, null);
  });
  view.said = make("p", { class: "unseen", role: "status" });
  return make("div", { class: "panel" }, view.hint, view.chosen, view.said);
}

// ---- a machine ----------------------------------------------------------------------------------

function makeView(machine, section) {
  const points = measured(machine), objectives = machine.values.filter((value) => value.goal);
  const places = Object.fromEntries(machine.values.map(({ name }) =>
    [name, placesOf(points.map((point) => point.values[name]).filter(isNumber))]));
  return {
    machine, points, places, scales: {}, selected: null, current: null,
    base: points.find((point) => point.label === "baseline"),
    x: objectives[0], y: objectives[1] ?? machine.values[1] ?? objectives[0],
    colour: objectives[2] ? `value ${objectives[2].name}` : "",
    rows: [...section.querySelectorAll(".front tbody tr")],
    svg: draw("svg", { role: "group" }),
    tip: make("div", { class: "tip", hidden: "", "aria-hidden": "true" }),
    colourKeys: make("span", { class: "keys" }),
  };
}

function caption(view) {
  const { machine, points } = view, size = points[0].size;
  const left = machine.points.filter((point) => !point.why && point.size !== size).length;
  return `${counted(points.length, "configuration")} at size ${size}` +
    (left ? `; ${left} measured at other sizes only are not shown.` : ".");
}

function showChart(section, machine) {
  const chart = section.querySelector(".explore-chart"), view = makeView(machine, section);
  if (view.points.length === 0) {
    chart.append(make("p", { class: "hint" }, "No configuration was measured."));
    return;
  }
  const plot = view.plot = make("div", { class: "plot" }, view.svg, view.tip);
  view.controls = makeControls(view);
  chart.append(view.controls, makeLegend(view), plot, make("p", { class: "caption" }, caption(view)),
    makePanel(view));
  listenToChart(view);
  listenToRows(view);
  new ResizeObserver(() => {
    if (plot.clientWidth === 0 || plot.clientWidth === view.width) return;
    view.width = plot.clientWidth;
    drawChart(view);
  }).observe(plot);
  view.width = plot.clientWidth;
  drawChart(view);
}

// ---- the page -----------------------------------------------------------------------------------

// On paper nothing can be opened: all is, until the page is back on the screen.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
});

const results = JSON.parse(document.getElementById("data").textContent);
if (results.quick)
  document.querySelector("header").append(make("div", { class: "notice quick" },
    "A quick run: fewer or smaller workloads, its numbers are provisional."));
for (const section of document.querySelectorAll("section.machine")) {
  const machine = results.machines[Number(section.dataset.machine)];
  showChart(section, machine);
  showMore(section, machine);
}
document.documentElement.dataset.ready = "yes";
