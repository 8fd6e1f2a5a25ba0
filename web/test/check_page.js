// node check_page.js CHROMIUM FOLDER CHARTS PAGE.html... - opens the pages as a reader does and says
// what is wrong with them, one line each; pictures of the first go into FOLDER.  CHARTS: live or static.
// A page named quick.html is one of a quick run.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { Browser, complaintOf } = require("./browser.js");
const { look } = require("./look.js");

const [program, folder, charts, ...pages] = process.argv.slice(2);
const complaints = [];
let name = "";
const complain = (text) => complaints.push(`${name}: ${text}`);

function watch(event) {
  const text = complaintOf(event);
  if (text) complain(text);
}

function judgeChart(c) {
  if (c.drawn === 0) complain(`${c.id}: nothing is drawn`);
  if (!c.spoken) complain(`${c.id}: no text for those who do not see it`);
  for (const text of c.cut) complain(`${c.id}: "${text}" sticks out of the picture`);
  if (charts === "static") return;
  if (!c.live) complain(`${c.id}: the chart is not live`);
  for (const text of c.unlisted) complain(`${c.id}: the legend lacks "${text}"`);
  if (!c.lines && c.bars !== c.ours) complain(`${c.id}: ${c.bars} bars of ${c.ours} values`);
  const points = c.papers + (c.lines ? c.ours : 0);
  if (c.points !== points) complain(`${c.id}: ${c.points} points, not ${points}`);
  if (c.size.some((n, i) => Math.abs(n - c.want[i]) > 2))
    complain(`${c.id}: is ${c.size}, its place is ${c.want}: the page will jump`);
}

// What stands at the top, and in which order the rest follows.
function judgeTop(top) {
  const isQuick = name === "quick";
  for (const fact of ["Made", "By"]) if (!top.facts.includes(fact)) complain(`no "${fact}"`);
  if (isQuick !== top.quickAt >= 0) complain(`the banner of quick runs is at ${top.quickAt}`);
  if (isQuick && top.quickAt > 450) complain("the banner is not at the top");
  if (isQuick && /reproduc|direction only/.test(top.words)) complain("a quick run reproduces");
  if (!isQuick && /provisional/.test(top.words)) complain("a full run is provisional");
  if (!top.chartsFirst) complain("the long table comes before a chart");
  if (top.bad) complain(`${top.bad} tables without caption or scopes`);
  if (top.unreachable) complain(`${top.unreachable} boxes that scroll cannot be reached by key`);
}

// Which rows a press on the first verdict leaves, and that another press brings all back.
async function checkFilter(browser) {
  const shown = "[...document.querySelectorAll('.verdicts tr[data-verdict]')]" +
    ".filter((row) => row.checkVisibility()).length";
  const press = (selector) => browser.evaluate(`document.querySelector('${selector}').click()`);
  await browser.evaluate("document.querySelectorAll('.group').forEach((g) => { g.open = false; })");
  if (await browser.evaluate(shown)) complain("rows of folded figures are shown");
  const count = await browser.evaluate(
    "Number(document.querySelector('.filter b').textContent)");
  await press(".filter");
  if ((await browser.evaluate(shown)) !== count)
    complain(`the filter does not leave ${count} rows`);
  await press(".filter");
  if (await browser.evaluate(shown)) complain("the filter does not fold the figures again");
  await press(".fold");
  const all = await browser.evaluate("document.querySelectorAll('tr[data-verdict]').length");
  if ((await browser.evaluate(shown)) !== all) complain(`"open all" does not show ${all} rows`);
}

// Pictures take time: of the first page only, for people.
async function checkView(browser, view, width) {
  await browser.send("Emulation.setDeviceMetricsOverride",
    { width, height: 900, deviceScaleFactor: 1, mobile: false });
  for (const what of await browser.evaluate(`(${look.overflow})()`))
    complain(`${view}: wider than the window of ${width}: ${what}`);
  if (name !== path.basename(pages[0], ".html")) return;
  const { data } = await browser.send("Page.captureScreenshot",
    { format: "png", captureBeyondViewport: true });
  fs.writeFileSync(path.join(folder, `${name}-${view}.png`), Buffer.from(data, "base64"));
}

// On paper everything is open, nothing scrolls, and afterwards all is as it was.
async function checkPrint(browser, media) {
  const folded = "document.querySelectorAll('details:not([open])').length";
  const before = await browser.evaluate(
    `document.querySelectorAll('.group').forEach((g) => { g.open = false; }); ${folded}`);
  await media("print", "light");
  await browser.evaluate("void dispatchEvent(new Event('beforeprint'))");
  for (const what of await browser.evaluate(`(${look.hidden})()`)) complain(`printed: ${what}`);
  await checkView(browser, "print", 680);
  await browser.evaluate("void dispatchEvent(new Event('afterprint'))");
  if ((await browser.evaluate(folded)) !== before) complain("printing leaves tables open");
  await media("screen", "light");
}

async function checkViews(browser) {
  const media = (type, scheme) => browser.send("Emulation.setEmulatedMedia",
    { media: type, features: [{ name: "prefers-color-scheme", value: scheme }] });
  await media("screen", "light");
  for (const width of [1400, 900, 400]) await checkView(browser, `light-${width}`, width);
  await media("screen", "dark");
  await checkView(browser, "dark-1400", 1400);
  const [ink, paper] = await browser.evaluate(`(${look.tones})()`);
  if (ink < 200 || paper > 60) complain(`dark: letters of ${ink} on ${paper}`);
  await checkPrint(browser, media);
}

async function check(browser, page) {
  name = path.basename(page, ".html");
  await browser.send("Page.navigate", { url: pathToFileURL(path.resolve(page)).href });
  await browser.until("document.documentElement?.dataset.ready === 'yes'", 60);
  await browser.send("Emulation.setDeviceMetricsOverride",
    { width: 1400, height: 900, deviceScaleFactor: 1, mobile: false });
  const seen = await browser.evaluate(`(${look.charts})()`);
  if (seen.length === 0) complain("no charts");
  seen.forEach(judgeChart);
  judgeTop(await browser.evaluate(`(${look.top})()`));
  await checkFilter(browser);
  await checkViews(browser);
}

async function main() {
  const browser = new Browser(program, path.join(folder, "profile"));
  try {
    await browser.openTab();
    browser.onEvent = watch;
    for (const page of pages) await check(browser, page);
  } finally {
    await browser.close();
  }
}

main()
  .catch((error) => complain(error.message))
  .finally(() => {
    complaints.forEach((text) => console.log(text));
    process.exitCode = complaints.length > 0 ? 1 : 0;
  });
