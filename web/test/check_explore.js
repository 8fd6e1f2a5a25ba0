// node check_explore.js CHROMIUM FOLDER PAGE.html... - opens pages of explorations as a reader does,
// points at them, presses keys, and says what is wrong, one line each; pictures go into FOLDER.
// What must be there follows from the document in the page, not from the page's own scripts.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { Browser, complaintOf } = require("./browser.js");
const { look } = require("./look_explore.js");
const { look: lookAny } = require("./look.js");

const [program, folder, ...pages] = process.argv.slice(2);
const complaints = [];
let name = "";
const complain = (text) => complaints.push(`${name}: ${text}`);
const expect = (isRight, text) => isRight || complain(text);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// ---- a reader's hands ---------------------------------------------------------------------------

const CODES = { Tab: 9, Enter: 13, Escape: 27, PageUp: 33, PageDown: 34, End: 35, Home: 36,
  ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 };

async function press(browser, key) {
  const event = { key, code: key, windowsVirtualKeyCode: CODES[key],
    text: key === "Enter" ? "\r" : undefined };
  const type = event.text ? "keyDown" : "rawKeyDown";
  await browser.send("Input.dispatchKeyEvent", { type, ...event });
  await browser.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}

const move = (browser, { x, y }) =>
  browser.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });

async function click(browser, { x, y }) {
  await move(browser, { x, y });
  for (const type of ["mousePressed", "mouseReleased"])
    await browser.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
}

// In the middle of the window, and where it is there.
function centre(browser, n, selector) {
  return browser.evaluate(`(() => {
    const element = document.querySelectorAll("section.machine")[${n}].querySelector('${selector}');
    element.scrollIntoView({ block: "center" });
    const box = element.getBoundingClientRect();
    return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  })()`);
}

const focus = (browser, n, selector) => browser.evaluate(
  `document.querySelectorAll("section.machine")[${n}].querySelector('${selector}').focus()`);
const chartOf = (browser, n) => browser.evaluate(`(${look.chart})(${n})`);
const resize = (browser, width) => browser.send("Emulation.setDeviceMetricsOverride",
  { width, height: 900, deviceScaleFactor: 1, mobile: false });

// ---- what the document says ---------------------------------------------------------------------

// The points of the last size that has any, in which the objectives are numbers.
function pointsOf(machine) {
  const goals = machine.values.filter((value) => value.goal).map((value) => value.name);
  const whole = machine.points.map((point, index) => ({ ...point, index })).filter((point) =>
    !point.why && goals.every((goal) => point.values[goal] !== null));
  const size = machine.sizes.filter((s) => whole.some((point) => point.size === s)).pop();
  return whole.filter((point) => point.size === size);
}

const byX = (points, x, y) => points.toSorted((a, b) =>
  a.values[x] - b.values[x] || a.values[y] - b.values[y]);

// How many are within the limits and beaten by none in both.
function countBest(machine, points, x, y) {
  const goals = [x, y].map((v) => machine.values.find((value) => value.name === v).goal);
  if (goals.includes("")) return 0;
  const costs = points.filter((point) => !(point.violation > 0)).map((point) =>
    [x, y].map((v, i) => (goals[i] === "most" ? -1 : 1) * point.values[v]));
  const best = costs.filter((a) => !costs.some((b) => !same(a, b) && b[0] <= a[0] && b[1] <= a[1]));
  return new Set(best.map(String)).size;
}

// ---- checks -------------------------------------------------------------------------------------

// Marks lie in the order of what they show; y grows upwards.
function checkPlaces(machine, points, seen) {
  const where = `${seen.y} against ${seen.x}`;
  for (const [side, value, sign] of [["x", seen.x, 1], ["y", seen.y, -1]]) {
    const placed = seen.marks.map((mark) => [machine.points[mark.index].values[value], sign * mark[side]])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const wrong = placed.filter((p, i) => i > 0 && p[1] < placed[i - 1][1] - 0.01);
    expect(wrong.length === 0, `${where}: ${wrong.length} marks out of order in ${side}`);
    const [first, last] = [placed[0], placed.at(-1)];
    expect(first[0] === last[0] || last[1] - first[1] > 100, `${where}: ${side} shows no differences`);
  }
  const corners = seen.stairs.length ? seen.stairs.length / 2 : 0;
  const best = countBest(machine, points, seen.x, seen.y);
  expect(corners === best, `${where}: ${corners} steps, ${best} points that none beats in both`);
  for (let i = 0; i < corners; i++) {
    const x = seen.frame.x + seen.stairs[2 * i] * seen.frame.zoom;
    const y = seen.frame.y + seen.stairs[2 * i + 1] * seen.frame.zoom;
    expect(seen.marks.some((m) => Math.hypot(m.x - x, m.y - y) < 1), `${where}: a step at no mark`);
  }
}

function checkMarks(machine, points, seen) {
  const front = points.filter((point) => point.front).map((point) => point.index);
  const drawn = seen.marks.map((mark) => mark.index).sort((a, b) => a - b);
  expect(same(drawn, points.map((point) => point.index)),
    `${drawn.length} marks of ${points.length} measured points`);
  const large = seen.marks.filter((mark) => mark.isFront);
  expect(same(large.map((mark) => mark.index).sort((a, b) => a - b), front),
    "the marks of the front are not the front");
  expect(same(front, machine.front.toSorted((a, b) => a - b)), "the document has two fronts");
  expect(seen.marks.filter((mark) => mark.isStop).length === 1, "the chart is not one tab stop");
  for (const mark of seen.marks)
    expect(mark.label.startsWith(machine.points[mark.index].label), `mark ${mark.index} has no name`);
  const small = seen.marks.find((m) => !m.isFront && machine.points[m.index].label !== "baseline");
  expect(!small || large.every((mark) => mark.width > 1.3 * small.width), "the front does not stand out");
}

// Those that lie on no other configuration: the pointer means them only.
function alone(machine, seen) {
  const label = (mark) => machine.points[mark.index].label;
  return seen.marks.filter((a) => seen.marks.every((b) =>
    label(a) === label(b) || Math.hypot(a.x - b.x, a.y - b.y) > 4));
}

async function checkPointer(browser, machine, n) {
  await centre(browser, n, ".plot");
  const some = alone(machine, await chartOf(browser, n))
    .sort((a, b) => b.isFront - a.isFront).slice(0, 8);
  expect(some.length > 0, "no mark lies alone");
  for (const mark of some) {
    const { label, command, front } = machine.points[mark.index];
    await move(browser, mark);
    const hovered = await chartOf(browser, n);
    expect(hovered.tip?.includes(label), `no tooltip of "${label}", but ${hovered.tip}`);
    expect(/found after \d+ run/.test(hovered.tip) && hovered.tip.includes("%"), "a poor tooltip");
    await click(browser, mark);
    const seen = await chartOf(browser, n);
    expect(seen.command === `heddle run ${command} -w WORKLOAD`,
      `"${label}" is run by "${seen.command}"`);
    expect(same(seen.rows, front ? [mark.index] : []), `"${label}": the rows ${seen.rows} are marked`);
    expect(seen.said.includes(label), `"${label}" is not announced`);
  }
  await move(browser, { x: 2, y: 2 });
  await press(browser, "Escape");
  const seen = await chartOf(browser, n);
  expect(!seen.tip && !seen.command && seen.pressed.length === 0, "Escape leaves something");
}

async function checkKeys(browser, machine, n) {
  const start = await chartOf(browser, n), points = byX(pointsOf(machine), start.x, start.y);
  const front = points.filter((point) => point.front), walked = front.length ? front : points;
  const now = async (key, want) => {
    await press(browser, key);
    await browser.until(`(${look.chart})(${n}).focused === ${want.index}`, 2).catch(() => {});
    const seen = await chartOf(browser, n), point = machine.points[seen.focused];
    expect(seen.focused === want.index, `${key} goes to ${seen.focused}, not to ${want.index}`);
    expect(seen.tip?.includes(point?.label), `${key}: no tooltip of what has the focus`);
    return seen;
  };
  await press(browser, "Home"); // wherever the pointer left the focus: the chart has it
  await focus(browser, n, ".controls label:last-child select");
  await now("Tab", walked[0]);
  await now("ArrowRight", walked[1]);
  await press(browser, "Enter");
  const seen = await chartOf(browser, n);
  expect(same(seen.pressed, [walked[1].index]), `Enter selects ${seen.pressed}, not ${walked[1].index}`);
  expect(seen.command === `heddle run ${walked[1].command} -w WORKLOAD`, "Enter shows no command");
  await now("End", walked.at(-1));
  await now("ArrowRight", walked.at(-1));
  await now("Home", walked[0]);
  const next = points[points.findIndex((point) => point.index === walked[0].index) + 1];
  await now("PageDown", next);
  await now("PageUp", walked[0]);
  await press(browser, "Escape");
  const last = await chartOf(browser, n);
  expect(!last.tip && !last.command && last.pressed.length === 0, "Escape does not clear");
}

async function checkRows(browser, machine, n) {
  if (machine.front.length < 2) return;
  const [first, second] = machine.front;
  await click(browser, await centre(browser, n, `.front tr[data-point="${second}"] td`));
  let seen = await chartOf(browser, n);
  expect(same([seen.pressed, seen.rows], [[second], [second]]), "a click on a row does not select");
  await press(browser, "ArrowUp");
  seen = await chartOf(browser, n);
  expect(same([seen.pressed, seen.rows], [[first], [first]]), "focus on a row does not select");
}

async function checkCopy(browser, n) {
  if (!(await chartOf(browser, n)).command) return;
  await click(browser, await centre(browser, n, ".chosen button"));
  await browser.until(`document.querySelectorAll("section.machine")[${n}]
    .querySelector(".chosen button").textContent !== "copy"`, 5);
  const [text, chosen] = await browser.evaluate(`[document.querySelectorAll("section.machine")[${n}]
    .querySelector(".chosen button").textContent, getSelection().toString()]`);
  const { command } = await chartOf(browser, n);
  expect(text === "copied" || chosen === command, `copied "${chosen}"`);
  await press(browser, "Escape");
  expect(!(await chartOf(browser, n)).command, "Escape in the panel does not clear");
}

// Every value across, chosen by key; those of the other axis give way.
async function checkObjectives(browser, machine, n) {
  const points = pointsOf(machine);
  for (let i = 1; i < machine.values.length; i++) {
    const before = await chartOf(browser, n);
    await focus(browser, n, ".controls select");
    await press(browser, "ArrowDown");
    const after = await chartOf(browser, n);
    expect(after.x === machine.values[i].name && after.x !== after.y, `${after.y} against ${after.x}`);
    expect(after.marks.some((mark) => {
      const old = before.marks.find((m) => m.index === mark.index);
      return Math.abs(old.x - mark.x) > 5;
    }), `${after.x}: nothing moves`);
    checkMarks(machine, points, after);
    checkPlaces(machine, points, after);
  }
}

function checkColour(machine, seen) {
  const third = machine.values.filter((value) => value.goal)[2];
  expect(seen.colour === (third ? `value ${third.name}` : ""), `coloured by "${seen.colour}"`);
  const inside = seen.marks.filter((mark) => !(machine.points[mark.index].violation > 0));
  const fills = new Set(inside.map((mark) => mark.fill)).size;
  const values = new Set(inside.map((mark) => machine.points[mark.index].values[third?.name])).size;
  expect(!third || fills >= Math.min(6, values), `${fills} colours of ${values} values`);
}

async function checkMore(browser, machine, n) {
  const seen = await browser.evaluate(`(${look.more})(${n})`);
  const effects = Object.values(machine.effects).flat();
  const unsure = effects.filter(({ kind, all }) =>
    kind === "pair" && (all.low === null || (all.low <= 1 && all.high >= 1)));
  expect(seen.lines === 2, `${seen.lines} lines of growth`);
  expect(seen.effects === effects.length, `${seen.effects} effects of ${effects.length}`);
  expect(seen.pairs === unsure.length, `${seen.pairs} folded pairs of ${unsure.length}`);
  expect(seen.bad === 0, `${seen.bad} tables without caption or scopes`);
  const failed = machine.points.filter((point) => point.why);
  expect(seen.failures === new Set(failed.map((p) => p.why + p.label)).size, `${seen.failures} failures`);
  for (const text of [...failed.map((p) => p.why), ...Object.keys(machine.classes ?? {})])
    expect(seen.words.includes(text), `"${text}" is missing`);
}

// ---- pictures and other readers -----------------------------------------------------------------

async function shoot(browser, view, beyond = true) {
  const { data } = await browser.send("Page.captureScreenshot",
    { format: "png", captureBeyondViewport: beyond });
  fs.writeFileSync(path.join(folder, `${name}-${view}.png`), Buffer.from(data, "base64"));
}

// The first machine's chart with a tooltip and a chosen point in each width.
async function checkViews(browser, machine) {
  const media = (type, scheme) => browser.send("Emulation.setEmulatedMedia",
    { media: type, features: [{ name: "prefers-color-scheme", value: scheme }] });
  for (const [scheme, width] of [["light", 1400], ["light", 900], ["light", 400], ["dark", 1400]]) {
    await media("screen", scheme);
    await resize(browser, width);
    await browser.until(`(${look.chart})(0).frame.zoom === 1`, 5);
    for (const what of await browser.evaluate(`(${lookAny.overflow})()`))
      complain(`wider than the window of ${width}: ${what}`);
    await centre(browser, 0, ".plot");
    const mark = alone(machine, await chartOf(browser, 0)).find((m) => m.isFront) ??
      (await chartOf(browser, 0)).marks[0];
    await click(browser, mark);
    const seen = await chartOf(browser, 0);
    expect(seen.tip && seen.tipIsIn, `${width}: the tooltip is not in the window`);
    await shoot(browser, `${scheme}-${width}-chart`, false); // the whole page is taken without pointer
    await shoot(browser, `${scheme}-${width}`);
  }
  const [ink, paper] = await browser.evaluate(`(${lookAny.tones})()`);
  expect(ink > 200 && paper < 60, `dark: letters of ${ink} on ${paper}`);
  await resize(browser, 680);
  await media("print", "light");
  await browser.evaluate("void dispatchEvent(new Event('beforeprint'))");
  for (const what of await browser.evaluate(`(${look.paper})()`)) complain(`printed: ${what}`);
  await shoot(browser, "print");
  await browser.evaluate("void dispatchEvent(new Event('afterprint'))");
  await media("screen", "light");
}

async function checkPlain(browser, url, data) {
  await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
  await browser.send("Page.navigate", { url });
  await browser.until("document.readyState === 'complete'", 20);
  const [rows, words, marks] = await browser.evaluate(`[document.querySelectorAll(".front tbody tr")
    .length, document.body.innerText, document.querySelectorAll(".mark").length]`);
  expect(marks === 0, "scripts are not off");
  expect(rows === data.machines.reduce((sum, m) => sum + m.front.length, 0), `plain: ${rows} rows`);
  expect(/need JavaScript/.test(words), "plain: nothing says that charts need JavaScript");
  await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
}

async function checkMachine(browser, machine, n) {
  const points = pointsOf(machine), seen = await chartOf(browser, n);
  checkMarks(machine, points, seen);
  checkPlaces(machine, points, seen);
  checkColour(machine, seen);
  await checkPointer(browser, machine, n);
  await checkKeys(browser, machine, n);
  await checkRows(browser, machine, n);
  await checkCopy(browser, n);
  await checkMore(browser, machine, n);
  await checkObjectives(browser, machine, n);
}

async function check(browser, page) {
  const url = pathToFileURL(path.resolve(page)).href;
  name = path.basename(page, ".html");
  await resize(browser, 1400);
  await browser.send("Page.navigate", { url });
  await browser.until("document.documentElement?.dataset.ready === 'yes'", 30);
  const data = JSON.parse(await browser.evaluate("document.getElementById('data').textContent"));
  for (const [n, machine] of data.machines.entries()) {
    name = `${path.basename(page, ".html")} ${machine.machine}`.trim();
    await checkMachine(browser, machine, n);
  }
  name = path.basename(page, ".html");
  await browser.send("Page.reload");
  await browser.until("document.documentElement?.dataset.ready === 'yes'", 30);
  await checkViews(browser, data.machines[0]);
  await checkPlain(browser, url, data);
}

async function main() {
  const browser = new Browser(program, path.join(folder, "profile"));
  try {
    await browser.openTab();
    browser.onEvent = (event) => {
      const text = complaintOf(event);
      if (text) complain(text);
    };
    for (const page of pages) await check(browser, page);
  } finally {
    await browser.close();
  }
}

main()
  .catch((error) => complain(error.stack))
  .finally(() => {
    complaints.forEach((text) => console.log(text));
    process.exitCode = complaints.length > 0 ? 1 : 0;
  });
