// What check_page.js looks at.  These functions run in the page: they see nothing of this file.
"use strict";

// What each chart shows, next to what its specification says.
function charts() {
  const isIn = (inner, outer) =>
    inner.left >= outer.left - 2 && inner.right <= outer.right + 2 &&
    inner.top >= outer.top - 2 && inner.bottom <= outer.bottom + 2;
  return [...document.querySelectorAll(".chart")].map((chart) => {
    const spec = JSON.parse(chart.querySelector("script.spec")?.textContent ?? "null");
    const svg = chart.querySelector("svg");
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
    const legend = (spec?.layer ?? []).flatMap((layer) =>
      layer.encoding.color?.legend?.values ?? []);
    return {
      id: chart.closest("section").id,
      live: !!chart.querySelector(".vega-embed svg") && !chart.querySelector(".static"),
      drawn: chart.querySelectorAll("svg path, svg rect").length,
      spoken: !!chart.querySelector("[aria-label]")?.ariaLabel.trim(),
      cut: texts.filter((text) => !isIn(text.getBoundingClientRect(), frame))
        .map((text) => text.textContent),
      unlisted: legend.filter((entry) => !texts.some((text) => text.textContent === entry)),
      lines: spec?.layer.some((layer) => layer.mark.type === "line"),
      ours: spec?.datasets.ours.filter((mark) => mark.y !== null).length,
      papers: spec?.datasets.paper?.length ?? 0,
      bars: [...chart.querySelectorAll("g.mark-rect[class*=layer_1] path")].length,
      points: [...chart.querySelectorAll("g.mark-symbol.role-mark path")].length,
      size: [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height],
      want: [spec?.width, spec?.height],
    };
  });
}

function top() {
  const table = document.querySelector("#verdicts");
  const isBefore = (a, b) => !!(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);
  return {
    facts: [...document.querySelectorAll(".facts dt")].map((dt) => dt.textContent),
    quickAt: document.querySelector(".notice.quick")?.getBoundingClientRect().top ?? -1,
    words: document.body.innerText,
    chartsFirst: [...document.querySelectorAll(".chart")].every((c) => isBefore(c, table)),
    bad: [...document.querySelectorAll("table")].filter((t) =>
      !t.caption || [...t.querySelectorAll("th")].some((th) => !th.scope)).length,
    unreachable: [...document.querySelectorAll(".scroll")].filter((box) =>
      box.tabIndex !== 0 || !box.ariaLabel).length,
  };
}

// What the window does not hold when all is open: the page itself, or boxes that do not scroll.
function overflow() {
  const wide = [];
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const details of folded) details.open = true;
  if (document.documentElement.scrollWidth > innerWidth)
    wide.push(`the page, ${document.documentElement.scrollWidth}`);
  for (const box of document.querySelectorAll("section, figure, .chart, .heat, .scroll, .notice, dl"))
    if (box.checkVisibility() && box.getBoundingClientRect().right > innerWidth + 1)
      wide.push(`${box.tagName} ${box.className || box.id}`);
  for (const box of document.querySelectorAll(".group .scroll"))
    if (box.scrollWidth > box.clientWidth + 1) wide.push(`verdicts: ${box.ariaLabel}`);
  for (const details of folded) details.open = false;
  return wide;
}

// What a printed page lacks.
function hidden() {
  const lost = [];
  for (const row of document.querySelectorAll(".group tbody tr, .figure .values tbody tr"))
    if (!row.checkVisibility()) lost.push(`a row is folded away: ${row.textContent.slice(0, 40)}`);
  for (const box of document.querySelectorAll(".scroll, .chart, .heat"))
    if (getComputedStyle(box).overflowX !== "visible") lost.push(`${box.className} is clipped`);
  return lost;
}

// How light the page's letters and its ground are, 0 to 255.
function tones() {
  const style = getComputedStyle(document.body);
  return [style.color, style.backgroundColor].map((colour) =>
    Math.max(...colour.match(/\d+/g).slice(0, 3).map(Number)));
}

module.exports = { look: { charts, top, overflow, hidden, tones } };
