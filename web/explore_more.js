// Below the front: how the search went, what single choices and pairs do, what could not be run.

// ---- how the front grew --------------------------------------------------------------------------

// Steps: between two points nothing is found.
function drawSteps(rows, key, text, places) {
  const width = 460, height = 190, box = { left: 48, top: 12, right: 448, bottom: 156 };
  const most = Math.max(...rows.map((row) => row[key]), key === "front" ? 1 : 0);
  const x = scale(0, rows.at(-1).runs || 1, box.left, box.right);
  const y = scale(0, most * 1.05, box.bottom, box.top);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": text });
  for (const at of ticks(0, x.high, 5).at)
    svg.append(draw("text", { x: x(at), y: box.bottom + 17, "text-anchor": "middle" }, String(at)));
  for (const at of ticks(0, most, 4).at.filter((at) => places || Number.isInteger(at)))
    svg.append(draw("path", { class: "grid", d: `M${box.left} ${y(at)}H${box.right}` }),
      draw("text", { x: box.left - 7, y: y(at) + 4, "text-anchor": "end" },
        places ? `${Math.round(100 * at)} %` : String(at)));
  const steps = rows.map((row) => `H${x(row.runs)}V${y(row[key])}`).join("");
  svg.append(draw("path", { class: "line", d: `M${box.left} ${box.bottom}${steps}` }),
    draw("text", { class: "title", x: box.right, y: height - 3, "text-anchor": "end" }, "runs"));
  return make("figure", {}, svg, make("figcaption", {}, text));
}

function growth(machine) {
  const rows = machine.growth.filter((row, i) =>
    isNumber(row.volume) && row.runs !== machine.growth[i + 1]?.runs);
  if (rows.length === 0) return [];
  const reach = (share) => rows.find((row) => row.volume >= share)?.runs;
  const all = reach(rows.at(-1).volume * (1 - 1e-9));
  return [make("h3", {}, "How the front grew"),
    make("div", { class: "pair" },
      drawSteps(rows, "volume", "Hypervolume, as a share of the last front's: 90 % after " +
        `${counted(reach(0.9) ?? all, "run")}, all of it after ${all} of ${machine.runs}.`, true),
      drawSteps(rows, "front",
        `Configurations on the front: ${rows.at(-1).front} at the end.`, false))];
}

// ---- effects -------------------------------------------------------------------------------------

const tells = ({ low, high }) => isNumber(low) && isNumber(high) && (low > 1 || high < 1);
const sizeOf = (effect) => Math.abs(Math.log(effect.all.mean));
const cellsOf = (effect) => [effect.all, ...Object.values(effect.classes)];

// Few workloads give intervals so wide that nothing else would be seen: three times the largest
// mean is enough, what is wider ends in an arrow.
function reachOf(effects) {
  const cells = effects.flatMap(cellsOf);
  const most = (ratios) => Math.max(0, ...ratios.filter(isNumber).map((r) => Math.abs(r - 1)));
  const ends = most(cells.flatMap((cell) => [cell.low, cell.high]));
  const means = most(cells.map((cell) => cell.mean));
  return Math.max(means * 1.1, Math.min(ends, 3 * means)) || 0.01;
}

function strip(interval, reach, tone) {
  const x = scale(1 - reach, 1 + reach, 4, 96);
  const low = clamp(x(interval.low), 1, 99), high = clamp(x(interval.high), 1, 99);
  const parts = [draw("path", { class: "zero", d: `M${x(1)} 0V14` })];
  if (isNumber(interval.low)) {
    parts.push(draw("path", { class: "whisker", d: `M${low} 7H${high}` }));
    if (interval.low < x.low) parts.push(draw("path", { class: "beyond", d: "M5 3L0 7L5 11z" }));
    if (interval.high > x.high) parts.push(draw("path", { class: "beyond", d: "M95 3L100 7L95 11z" }));
  }
  const at = `translate(${x(interval.mean)} 7)`;
  parts.push(draw("path", { class: "dot", d: CIRCLE(3.5), transform: at }));
  return draw("svg", { viewBox: "0 0 100 14", class: `strip ${tone ?? ""}`, "aria-hidden": "true" },
    ...parts);
}

function effectCell(interval, value, reach) {
  if (!interval || !isNumber(interval.mean)) return make("td", { class: "number" }, "-");
  const tone = tells(interval) ? toneOf(value, interval.mean) : undefined;
  const [low, high] = [interval.low, interval.high].map((end) => percent(end).replace(" %", ""));
  const range = isNumber(interval.low) ? `${low} to ${high}` : counted(interval.n, "workload");
  return make("td", { class: `number ${tone ?? ""}` }, strip(interval, reach, tone),
    make(tone ? "b" : "span", {}, percent(interval.mean)), " ",
    low === "0" && high === "0" ? null : make("small", {}, range));
}

// A box of its own that scrolls where a table is wider than the window, and can be reached by key.
function scrolling(name, table) {
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, table);
}

function effectTable(effects, value, reach, name) {
  const classes = Object.keys(effects[0].classes).filter((c) =>
    effects.some((effect) => effect.classes[c].n > 0));
  const head = ["choice", "all workloads", ...classes].map((text, i) =>
    make("th", { scope: "col", class: i ? "number" : undefined }, text));
  const rows = effects.map((effect) => make("tr", {}, make("th", { scope: "row" }, effect.name),
    ...[effect.all, ...classes.map((c) => effect.classes[c])].map((interval) =>
      effectCell(interval, value, reach))));
  return scrolling(name, make("table", { class: "effects" }, make("caption", {}, name),
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
}

function folded(summary, ...children) {
  return make("details", {}, make("summary", {}, summary), ...children);
}

// Pairs of which another set of such workloads might say the opposite are out of the way.
function pairsOf(effects, value, reach) {
  const pairs = effects.filter((effect) => effect.kind === "pair")
    .sort((a, b) => sizeOf(b) - sizeOf(a));
  const clear = pairs.filter((pair) => tells(pair.all));
  const rest = pairs.filter((pair) => !tells(pair.all));
  const name = `${value.name}: two choices together, against the product of what each does alone`;
  return [
    clear.length ? effectTable(clear, value, reach, name) : null,
    rest.length ? folded(`${value.name}: ${counted(rest.length, clear.length ? "more pair" : "pair")}` +
      " of choices whose interval includes 0", effectTable(rest, value, reach, name)) : null,
  ];
}

function effectsOf(value, effects) {
  const singles = effects.filter((effect) => effect.kind !== "pair"), reach = reachOf(effects);
  const less = value.goal === "most" ? "more" : "less";
  return [
    make("h4", {}, `Effects on ${value.name} (${less} is better)`),
    make("p", { class: "caption" }, "Mean change over workloads with its 95 % interval. Filled, " +
      "coloured dots: the interval excludes 0. The strips run from " +
      `${withMinus((-100 * reach).toPrecision(2))} % to +${(100 * reach).toPrecision(2)} %.`),
    singles.length ? effectTable(singles, value, reach,
      `${value.name}: a choice alone against the baseline; "A with B": both against B alone`) : null,
    ...pairsOf(effects, value, reach),
  ];
}

function effects(machine) {
  const blocks = machine.values.filter((value) => machine.effects?.[value.name]?.length)
    .flatMap((value) => effectsOf(value, machine.effects[value.name]));
  return blocks.length ? [make("h3", {}, "What choices do"), ...blocks] : [];
}

// ---- classes, failures, facts --------------------------------------------------------------------

function classes(machine) {
  const all = Object.entries(machine.classes ?? {});
  if (all.length === 0) return [];
  const parts = Object.keys(all[0][1]).filter((key) => key !== "class");
  const order = [...new Set(all.map(([, row]) => row.class))];
  const rows = all.toSorted((a, b) => order.indexOf(a[1].class) - order.indexOf(b[1].class))
    .map(([name, row]) => make("tr", {}, make("th", { scope: "row" }, name),
      make("td", {}, row.class), ...parts.map((part) =>
        make("td", { class: "number" }, isNumber(row[part]) ? `\u00d7${number(row[part], 3)}` : "-"))));
  const name = "What an ideal part gives each workload; its class follows from that";
  return [make("h3", {}, "Classes of workloads"), scrolling(name, make("table", { class: "classes" },
    make("caption", {}, name),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "workload"),
      make("th", { scope: "col" }, "class"), ...parts.map((part) =>
        make("th", { scope: "col", class: "number" }, `ideal ${part}`)))),
    make("tbody", {}, ...rows)))];
}

function failures(machine) {
  const reasons = new Map();
  for (const point of machine.points.filter((p) => p.why))
    reasons.set(point.why, (reasons.get(point.why) ?? new Set()).add(point.label));
  if (reasons.size === 0) return [];
  const blocks = [...reasons].sort((a, b) => b[1].size - a[1].size).map(([why, labels]) =>
    folded(`${counted(labels.size, "configuration")}: ${why}`,
      make("ul", {}, ...[...labels].map((label) => make("li", {}, label)))));
  return [make("h3", {}, "Configurations that cannot be built or run"), ...blocks];
}

function facts(machine) {
  const { budget } = machine;
  const limits = [isNumber(budget?.runs) ? counted(budget.runs, "run") : null,
    isNumber(budget?.hours) ? `${budget.hours} h` : null].filter(Boolean).join(", ");
  const rows = [["Methods", machine.methods.join(", ")], ["Sizes", machine.sizes.join(", ")],
    ["Runs", String(machine.runs)], ["Budget", limits || "none"],
    ["Time of all runs", isNumber(machine.wall_s) ? `${number(machine.wall_s, 1)} s` : "-"]];
  return [make("h3", {}, "The search"), make("dl", { class: "facts" }, ...rows.map(([name, text]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, text))))];
}

function showMore(section, machine) {
  const parts = [growth, effects, classes, failures, facts].flatMap((part) => part(machine));
  section.querySelector(".explore-more").append(...parts.filter((part) => part !== null));
}
