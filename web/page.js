// The page works without this: charts are static pictures then, and every verdict is shown.
"use strict";

// Each specification is drawn out of sight and takes its picture's place when it is complete.
async function draw(spec) {
  const chart = spec.closest(".chart");
  const live = document.createElement("div");
  live.className = "live";
  live.hidden = true;
  chart.append(live);
  try {
    await vegaEmbed(live, JSON.parse(spec.textContent), {
      renderer: "svg",
      actions: { export: true, source: true, compiled: false, editor: false },
      downloadFileName: chart.closest("section").id,
    });
    chart.querySelector(".static").remove();
    live.hidden = false;
  } catch (error) {
    live.remove();
    console.error(`${chart.closest("section").id}: ${error.message}`);
  }
}

async function drawAll() {
  if (typeof vegaEmbed === "function")
    for (const spec of document.querySelectorAll("script.spec")) await draw(spec);
  document.documentElement.dataset.ready = "yes";
}

// A press shows the rows of one verdict, in whatever figure; another press all of them again.
const groups = [...document.querySelectorAll(".group")];
let folded = null; // the groups that were closed before the first press

function filter(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  for (const other of document.querySelectorAll(".filter"))
    other.setAttribute("aria-pressed", String(on && other === button));
  folded ??= groups.filter((group) => !group.open);
  for (const group of groups) {
    let shown = 0;
    for (const row of group.querySelectorAll("tr[data-verdict]")) {
      row.hidden = on && row.dataset.verdict !== button.dataset.verdict;
      shown += !row.hidden;
    }
    group.hidden = shown === 0;
    group.open = on || !folded.includes(group);
  }
  if (!on) folded = null;
}

function fold(button) {
  const open = groups.some((group) => !group.open && !group.hidden);
  for (const group of groups) group.open = open;
  button.textContent = open ? "close all" : "open all";
}

// On paper nothing can be opened: all is, until the page is back on the screen.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
});

for (const button of document.querySelectorAll(".filter"))
  button.addEventListener("click", () => filter(button));
document.querySelector(".fold")?.addEventListener("click", (event) => fold(event.target));
drawAll();
