// The chart: what a machine's results are, and their points as a picture.

// ---- what a machine's results are ----------------------------------------------------------------

// Points of the last size that was measured: those of smaller ones are not comparable with them.
function measured(machine) {
  const objectives = machine.values.filter((value) => value.goal);
  const whole = machine.points.map((point, index) => ({ ...point, index }))
    .filter((point) => !point.why && objectives.every((o) => isNumber(point.values[o.name])));
  for (const size of machine.sizes.toReversed()) {
    const points = whole.filter((point) => point.size === size);
    if (points.length > 0) return points;
  }
  return [];
}

const isBroken = (point) => point.violation > 0;
const unitOf = (value) => (value.unit ? ` ${value.unit.replace(/2$/, "\u00b2")}` : "");
const textOf = (view, value, point) =>
  `${number(point.values[value.name], view.places[value.name])}${unitOf(value)}`;

function changeOf(view, value, point) {
  const base = view.base?.values[value.name], own = point.values[value.name];
  return base && isNumber(own) ? own / base : NaN;
}

// "good" or "bad", as the goal has it; nothing where there is no goal or no change.
function toneOf(value, ratio) {
  if (!value.goal || !isNumber(ratio) || Math.abs(ratio - 1) < 1e-5) return undefined;
  return ratio < 1 === (value.goal === "least") ? "good" : "bad";
}

function limitsOf(value) {
  const texts = [];
  if (isNumber(value.at_least)) texts.push(`at least ${value.at_least}`);
  if (isNumber(value.at_most)) texts.push(`at most ${value.at_most}`);
  return texts.join(", ");
}

// Those that no other beats in both of what is shown, from the best in x to the worst.
function stairs(view) {
  const sign = (value) => (value.goal === "most" ? -1 : 1);
  const cost = (point, value) => sign(value) * point.values[value.name];
  if (!view.x.goal || !view.y.goal) return [];
  const sorted = view.points.filter((point) => !isBroken(point)).sort((a, b) =>
    cost(a, view.x) - cost(b, view.x) || cost(a, view.y) - cost(b, view.y));
  let least = Infinity;
  return sorted.filter((point) => {
    const isBetter = cost(point, view.y) < least;
    least = Math.min(least, cost(point, view.y));
    return isBetter;
  });
}

// ---- colours ------------------------------------------------------------------------------------

// Viridis for amounts, Okabe and Ito's colours for names: both are told apart by the colour-blind.
const AMOUNTS = [[72, 40, 120], [49, 104, 142], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const NAMES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f"];

function amountColour(share) {
  const at = clamp(share, 0, 1) * (AMOUNTS.length - 1);
  const i = Math.min(Math.floor(at), AMOUNTS.length - 2);
  const mixed = AMOUNTS[i].map((c, k) => Math.round(c + (at - i) * (AMOUNTS[i + 1][k] - c)));
  return `rgb(${mixed.join(" ")})`;
}

function amountColours(view, value) {
  const all = view.points.map((point) => point.values[value.name]).filter(isNumber);
  const low = Math.min(...all), high = Math.max(...all);
  const bar = make("span", { class: "ramp" });
  bar.style.background =
    `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(amountColour).join(", ")})`;
  const end = (at) => number(at, view.places[value.name]) + unitOf(value);
  return {
    of: (point) => amountColour((point.values[value.name] - low) / (high - low || 1)),
    legend: [make("span", { class: "key" }, `${value.name} ${end(low)}`, bar, end(high))],
  };
}

// An axis' choices in its order; the last colour is for all that have none of their own.
function choiceColours(view, axis) {
  const colour = (choice) => {
    const i = axis.choices.indexOf(choice);
    return NAMES[i < 0 ? NAMES.length - 1 : Math.min(i, NAMES.length - 1)];
  };
  const key = (text, choice) => {
    const swatch = make("span", { class: "swatch" });
    swatch.style.background = colour(choice);
    return make("span", { class: "key" }, swatch, text);
  };
  const keys = axis.choices.map((choice) => key(choice, choice));
  if (view.points.some((point) => !point.choices[axis.name])) keys.push(key("does not matter", ""));
  return {
    of: (point) => colour(point.choices[axis.name]),
    legend: [make("span", { class: "key" }, `${axis.name}:`), ...keys],
  };
}

// What `view.colour` names: "value NAME", "axis NAME" or nothing.
function coloursOf(view) {
  const [kind, ...name] = view.colour.split(" ");
  const isIt = (x) => x.name === name.join(" ");
  if (kind === "value") return amountColours(view, view.machine.values.find(isIt));
  if (kind === "axis") return choiceColours(view, view.machine.axes.find(isIt));
  return { of: () => "", legend: [] };
}

// ---- the chart ----------------------------------------------------------------------------------

const CIRCLE = (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
const DIAMOND = (r) => `M0 ${-r}L${r} 0L0 ${r}L${-r} 0z`;
const DIRECTIONS = {
  x: { least: "\u2190 less is better", most: "more is better \u2192" },
  y: { least: "\u2193 less is better", most: "\u2191 more is better" },
};

function axisTitle(value, side) {
  const note = [DIRECTIONS[side][value.goal], limitsOf(value)].filter(Boolean).join("; ");
  return `${value.name}${value.unit ? `,${unitOf(value)}` : ""}${note ? ` (${note})` : ""}`;
}

function drawAxes(view, box) {
  const { width, height } = view, { x, y } = view.scales;
  const across = ticks(x.low, x.high, (width - box.left) / 90);
  const lines = draw("g", { class: "grid" }), texts = draw("g", { "aria-hidden": "true" });
  for (const at of across.at) {
    lines.append(draw("path", { d: `M${x(at)} ${box.top}V${box.bottom}` }));
    texts.append(draw("text", { x: x(at), y: box.bottom + 17, "text-anchor": "middle" },
      number(at, across.places)));
  }
  for (const at of box.ticks.at) {
    lines.append(draw("path", { d: `M${box.left} ${y(at)}H${box.right}` }));
    texts.append(draw("text", { x: box.left - 7, y: y(at) + 4, "text-anchor": "end" },
      number(at, box.ticks.places)));
  }
  texts.append(
    draw("text", { class: "title", x: 0, y: 13 }, axisTitle(view.y, "y")),
    draw("text", { class: "title", x: width, y: height - 5, "text-anchor": "end" },
      axisTitle(view.x, "x")));
  return [lines, texts];
}

// Where a limit of what is shown runs through the picture.
function drawLimits(view, box) {
  const { x, y } = view.scales;
  const along = (value, place, path) => [value.at_least, value.at_most]
    .filter((at) => isNumber(at) && place.has(at))
    .map((at) => draw("path", { class: "limit", d: path(place(at)) }));
  return [...along(view.x, x, (at) => `M${at} ${box.top}V${box.bottom}`),
    ...along(view.y, y, (at) => `M${box.left} ${at}H${box.right}`)];
}

function drawStairs(view) {
  const steps = stairs(view).map((point, i) => {
    const { x, y } = placeOf(view, point);
    return i === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  return draw("path", { class: "stairs", d: steps.join("") || null });
}

const placeOf = (view, point) => ({
  x: view.scales.x(point.values[view.x.name]),
  y: view.scales.y(point.values[view.y.name]),
});

function spoken(view, point) {
  const values = view.machine.values.map((value) => `${value.name} ${textOf(view, value, point)}`);
  const notes = [point.front ? "on the front" : null, isBroken(point) ? "breaks a limit" : null];
  return [point.label, ...values, ...notes].filter(Boolean).join("; ");
}

// A button in all but looks; only the current one is a stop of the tab key.
function drawMark(view, point, colours) {
  const isBase = point.label === "baseline";
  const r = (point.front ? 7 : 4.5) + (isBase ? 1.5 : 0);
  const { x, y } = placeOf(view, point);
  const kinds = { front: point.front, broken: isBroken(point), base: isBase };
  const shape = draw("path", { class: "shape", d: (isBase ? DIAMOND : CIRCLE)(r) });
  if (!isBroken(point)) shape.style.fill = colours.of(point);
  return draw("g", {
    class: ["mark", ...Object.keys(kinds).filter((kind) => kinds[kind])].join(" "),
    transform: `translate(${x} ${y})`, "data-point": point.index,
    role: "button", tabindex: -1, "aria-pressed": "false", "aria-label": spoken(view, point),
  }, draw("path", { class: "ring", d: CIRCLE(r + 4) }), shape);
}

function nameBase(view) {
  if (!view.base) return null;
  const { x, y } = placeOf(view, view.base);
  const isRight = x > view.width / 2;
  return draw("text", { class: "name", x: x + (isRight ? -12 : 12), y: y - 9, "aria-hidden": "true",
    "text-anchor": isRight ? "end" : "start" }, "baseline");
}

// What must be seen comes last: the front over the baseline over the rest.
function rank(point) {
  if (point.front) return 3;
  if (point.label === "baseline") return 2;
  return isBroken(point) ? 0 : 1;
}

// The numbers beside the axis decide how much room it needs.
function layOut(view) {
  const all = (value) => view.points.map((point) => point.values[value.name]);
  const box = { top: 26, right: view.width - 14, bottom: view.height - 42 };
  view.scales.y = roomy(all(view.y), box.bottom, box.top);
  box.ticks = ticks(view.scales.y.low, view.scales.y.high, view.height / 65);
  box.left = 14 + 7.5 * Math.max(...box.ticks.at.map((at) => number(at, box.ticks.places).length));
  view.scales.x = roomy(all(view.x), box.left, box.right);
  return box;
}

function drawChart(view) {
  const hadFocus = view.svg.contains(document.activeElement);
  view.height = Math.round(clamp(view.width * 0.5, 300, 470));
  const box = layOut(view), colours = coloursOf(view);
  const marks = view.points.toSorted((a, b) => rank(a) - rank(b) || b.index - a.index)
    .map((point) => drawMark(view, point, colours));
  fill(view.svg, {
    viewBox: `0 0 ${view.width} ${view.height}`, "aria-label":
      `${view.y.name} against ${view.x.name}: ${counted(view.points.length, "configuration")}, ` +
      `${view.points.filter((point) => point.front).length} on the front`,
  }, []);
  view.svg.replaceChildren(...[...drawAxes(view, box), ...drawLimits(view, box), drawStairs(view),
    ...marks, nameBase(view)].filter((part) => part !== null));
  view.colourKeys.replaceChildren(...colours.legend);
  view.ordered = view.points.toSorted((a, b) =>
    a.values[view.x.name] - b.values[view.x.name] || a.values[view.y.name] - b.values[view.y.name]);
  view.current ??= view.ordered.find((point) => point.front) ?? view.ordered[0];
  mark(view);
  if (hadFocus) markOf(view, view.current).focus({ preventScroll: true });
}
