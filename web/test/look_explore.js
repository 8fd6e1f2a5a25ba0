// What check_explore.js looks at.  These functions run in the page: they see nothing of this file.
"use strict";

// The n-th machine's chart as it stands.
function chart(n) {
  const section = document.querySelectorAll("section.machine")[n];
  const svg = section.querySelector(".plot > svg"), frame = svg.getBoundingClientRect();
  const marks = [...section.querySelectorAll(".plot .mark")].map((mark) => {
    const shape = mark.querySelector(".shape"), box = shape.getBoundingClientRect();
    return {
      index: Number(mark.dataset.point), label: mark.ariaLabel, fill: getComputedStyle(shape).fill,
      x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, width: box.width,
      isFront: mark.classList.contains("front"), isStop: mark.tabIndex === 0,
    };
  });
  const at = (selector) => {
    const element = section.querySelector(selector);
    return element?.checkVisibility() ? element : null;
  };
  const pointsOf = (selector) =>
    [...section.querySelectorAll(selector)].map((element) => Number(element.dataset.point));
  const tip = at(".tip"), box = tip?.getBoundingClientRect();
  const [x, y, colour] = [...section.querySelectorAll(".controls select")].map((s) => s.value);
  return {
    marks, x, y, colour,
    stairs: (svg.querySelector(".stairs").getAttribute("d")?.match(/[-\d.]+/g) ?? []).map(Number),
    frame: { x: frame.left, y: frame.top, zoom: frame.width / svg.viewBox.baseVal.width },
    focused: Number(document.activeElement.closest(".plot .mark, .front tr")?.dataset.point ?? -1),
    tip: tip?.innerText, tipIsIn: !box || (box.left >= 0 && box.right <= innerWidth),
    command: at(".chosen code")?.textContent ?? "",
    said: section.querySelector("[role=status]").textContent,
    pressed: pointsOf('.mark[aria-pressed="true"]'), rows: pointsOf(".front tr[aria-current]"),
  };
}

// What stands below the front: sizes only.
function more(n) {
  const box = document.querySelectorAll("section.machine")[n].querySelector(".explore-more");
  const count = (selector) => box.querySelectorAll(selector).length;
  return {
    lines: count("figure svg .line"), effects: count(".effects tbody tr"),
    pairs: count("details .effects tbody tr"), failures: count("details li"),
    bad: [...box.querySelectorAll("table")].filter((t) =>
      !t.caption || [...t.querySelectorAll("th")].some((th) => !th.scope)).length,
    words: box.textContent,
  };
}

// What a printed page lacks, and what it has too much.
function paper() {
  const wrong = [];
  for (const row of document.querySelectorAll("tbody tr"))
    if (!row.closest(".tip") && !row.checkVisibility())
      wrong.push(`no row ${row.textContent.slice(0, 40)}`);
  for (const box of document.querySelectorAll(".tip, .controls"))
    if (box.checkVisibility()) wrong.push(`.${box.className} is printed`);
  return wrong;
}

module.exports = { look: { chart, more, paper } };
