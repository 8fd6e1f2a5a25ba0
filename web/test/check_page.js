// node check_page.js CHROMIUM PAGE.html FOLDER CHARTS - opens the page as a reader does and says
// what is wrong with it, one line each; pictures of it go into FOLDER.  CHARTS: live or static.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { Browser } = require("./browser.js");

const [program, page, folder, charts] = process.argv.slice(2);
const complaints = [];
const complain = (text) => complaints.push(text);

function watch(event) {
  const { method, params } = event;
  if (method === "Runtime.exceptionThrown")
    complain(`exception: ${params.exceptionDetails.exception?.description}`);
  if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type))
    complain(`console: ${params.args.map((a) => a.value ?? a.description).join(" ")}`);
  if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
    complain(`log: ${params.entry.text}`);
  if (method === "Network.requestWillBeSent" &&
      !/^(file|data|blob|about):/.test(params.request.url))
    complain(`network: ${params.request.url}`);
}

// Runs in the page: what each chart shows, next to what its specification says.
function lookAtCharts() {
  return [...document.querySelectorAll(".chart")].map((chart) => {
    const spec = JSON.parse(chart.querySelector("script.spec")?.textContent ?? "null");
    const svg = chart.querySelector("svg");
    const lines = spec?.layer.some((layer) => layer.mark.type === "line");
    return {
      id: chart.closest("section").id,
      live: !!chart.querySelector(".vega-embed svg") && !chart.querySelector(".static"),
      drawn: chart.querySelectorAll("svg path, svg rect").length,
      lines,
      ours: spec?.datasets.ours.length,
      papers: spec?.datasets.paper?.length ?? 0,
      bars: [...chart.querySelectorAll("g.mark-rect[class*=layer_1] path")].length,
      points: [...chart.querySelectorAll("g.mark-symbol.role-mark path")].length,
      size: [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height],
      want: [spec?.width, spec?.height],
    };
  });
}

function judgeChart(c) {
  if (c.drawn === 0) complain(`${c.id}: nothing is drawn`);
  if (charts === "static") return;
  if (!c.live) complain(`${c.id}: the chart is not live`);
  if (!c.lines && c.bars !== c.ours) complain(`${c.id}: ${c.bars} bars of ${c.ours} values`);
  const points = c.papers + (c.lines ? c.ours : 0);
  if (c.points !== points) complain(`${c.id}: ${c.points} points, not ${points}`);
  if (c.size.some((n, i) => Math.abs(n - c.want[i]) > 2))
    complain(`${c.id}: is ${c.size}, its place is ${c.want}: the page will jump`);
}

async function screenshot(browser, name, width) {
  await browser.send("Emulation.setDeviceMetricsOverride",
    { width, height: 900, deviceScaleFactor: 1, mobile: false });
  const wide = await browser.evaluate("document.documentElement.scrollWidth");
  if (wide > width) complain(`${name}: ${wide} pixels wide, the window is ${width}`);
  const { data } = await browser.send("Page.captureScreenshot",
    { format: "png", captureBeyondViewport: true });
  fs.writeFileSync(path.join(folder, `${name}.png`), Buffer.from(data, "base64"));
}

// Which rows a press on the first count leaves, and that another press brings all back.
async function checkFilter(browser) {
  const shown = "[...document.querySelectorAll('.verdicts tr[data-verdict]')]" +
    ".filter((row) => row.getClientRects().length > 0).length";
  const all = await browser.evaluate(shown);
  const count = await browser.evaluate(
    "(() => { const b = document.querySelector('.count:enabled'); b.click();" +
    " return Number(b.querySelector('b').textContent); })()");
  if ((await browser.evaluate(shown)) !== count)
    complain(`the filter does not leave ${count} rows`);
  await browser.evaluate("document.querySelector('.count:enabled').click()");
  if ((await browser.evaluate(shown)) !== all) complain("the filter does not bring all rows back");
}

async function checkTables(browser) {
  const bad = await browser.evaluate("[...document.querySelectorAll('table')].filter((t) =>" +
    " !t.caption || [...t.querySelectorAll('th')].some((th) => !th.scope)).length");
  if (bad) complain(`${bad} tables without caption or scopes`);
}

async function pictures(browser) {
  const media = (type, scheme) => browser.send("Emulation.setEmulatedMedia",
    { media: type, features: [{ name: "prefers-color-scheme", value: scheme }] });
  await media("screen", "light");
  await screenshot(browser, "light", 1280);
  await screenshot(browser, "narrow", 400);
  await media("screen", "dark");
  await screenshot(browser, "dark", 1280);
  await media("print", "light");
  await screenshot(browser, "print", 720);
  await media("", "light");
  const { data } = await browser.send("Page.printToPDF", { printBackground: false });
  fs.writeFileSync(path.join(folder, "print.pdf"), Buffer.from(data, "base64"));
}

async function main() {
  const browser = new Browser(program, path.join(folder, "profile"));
  try {
    await browser.openTab();
    browser.onEvent = watch;
    await browser.send("Page.navigate", { url: pathToFileURL(path.resolve(page)).href });
    await browser.until("document.documentElement?.dataset.ready === 'yes'", 60);
    const seen = await browser.evaluate(`(${lookAtCharts})()`);
    if (seen.length === 0) complain("no charts");
    seen.forEach(judgeChart);
    await checkFilter(browser);
    await checkTables(browser);
    await pictures(browser);
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
