// A point looked at and chosen, by pointer, by keys or in the table of the front.

// ---- the tooltip --------------------------------------------------------------------------------

function fillTip(view, point) {
  const rows = view.machine.values.map((value) => {
    const ratio = changeOf(view, value, point);
    return make("tr", {}, make("th", { scope: "row" }, value.name),
      make("td", {}, textOf(view, value, point)),
      make("td", { class: toneOf(value, ratio) }, percent(ratio)));
  });
  const here = nearby(view, placeOf(view, point), 2).map((other) => other.label);
  const others = new Set(here).size - 1;
  const notes = [
    point.front ? "on the front" : null,
    isBroken(point) ? "breaks a limit" : null,
    `found after ${counted(point.runs, "run")}`,
    others > 0 ? `${others} more at this place` : null,
  ];
  view.tip.replaceChildren(make("b", {}, point.label), make("table", {}, make("tbody", {}, ...rows)),
    make("small", {}, notes.filter(Boolean).join("; ")));
}

// Beside the point, or where that has no room above or below it, never over it.
function showTip(view, point) {
  const { x, y } = placeOf(view, point), gap = 16;
  fillTip(view, point);
  view.tip.hidden = false;
  const w = view.tip.offsetWidth, h = view.tip.offsetHeight;
  let left = x + gap, top = y - h / 2;
  if (left + w > view.width) left = x - gap - w;
  if (left < 0) {
    left = clamp(x - w / 2, 0, view.width - w);
    top = y < view.height / 2 ? y + gap : y - gap - h;
  }
  view.tip.style.left = `${left}px`;
  view.tip.style.top = `${top}px`;
}

// After the pointer has left, the point that has the focus is told about again.
function hideTip(view) {
  const focused = view.svg.querySelector(".mark:focus-visible");
  if (focused) showTip(view, pointAt(view, focused.dataset.point));
  else view.tip.hidden = true;
}

// ---- choosing -----------------------------------------------------------------------------------

const pointAt = (view, index) => view.points.find((point) => point.index === Number(index));
const markOf = (view, point) => view.svg.querySelector(`[data-point="${point.index}"]`);

// The nearest first, of equally near ones that which is on top.
function nearby(view, at, within) {
  const far = (point) => {
    const place = placeOf(view, point);
    return Math.hypot(place.x - at.x, place.y - at.y);
  };
  return view.points.filter((point) => far(point) <= within).sort((a, b) =>
    Math.round(far(a)) - Math.round(far(b)) || rank(b) - rank(a) || a.index - b.index);
}

// Marks are small and lie on each other: what counts is which is nearest.
function under(view, event) {
  const frame = view.svg.getBoundingClientRect(), zoom = view.width / frame.width;
  return nearby(view, { x: (event.clientX - frame.left) * zoom,
    y: (event.clientY - frame.top) * zoom }, 20)[0];
}

function mark(view) {
  for (const element of view.svg.querySelectorAll(".mark")) {
    const index = Number(element.dataset.point);
    element.setAttribute("tabindex", index === view.current?.index ? 0 : -1);
    element.setAttribute("aria-pressed", String(index === view.selected?.index));
  }
  for (const row of view.rows) {
    const isIt = Number(row.dataset.point) === view.selected?.index;
    if (isIt) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
}

function select(view, point) {
  view.selected = point;
  view.current = point ?? view.current;
  mark(view);
  view.chosen.hidden = !point;
  view.hint.hidden = !!point;
  view.said.textContent = point ? `Selected: ${spoken(view, point)}` : "Nothing is selected";
  if (!point) return;
  view.copy.textContent = "copy";
  view.label.textContent = point.label;
  view.command.textContent = `heddle run ${point.command} -w WORKLOAD`;
}

// A page from a file may not write the clipboard: then the text is selected for the reader to copy.
async function copy(view) {
  try {
    await navigator.clipboard.writeText(view.command.textContent);
    view.copy.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(view.command);
    view.copy.textContent = "selected: press Ctrl+C";
  }
  view.said.textContent = view.copy.textContent;
}

// ---- keys and pointer ---------------------------------------------------------------------------

// The next point of a kind in the order of x; at the end, the one it is at.
function walk(view, by, isWanted) {
  let i = view.ordered.indexOf(view.current) + by;
  while (view.ordered[i] && !isWanted(view.ordered[i])) i += by;
  return view.ordered[i] ?? view.current;
}

function target(view, key) {
  const hasFront = view.points.some((point) => point.front);
  const isFront = (point) => point.front || !hasFront;
  switch (key) {
    case "ArrowRight": case "ArrowDown": return walk(view, 1, isFront);
    case "ArrowLeft": case "ArrowUp": return walk(view, -1, isFront);
    case "PageDown": return walk(view, 1, () => true);
    case "PageUp": return walk(view, -1, () => true);
    case "Home": return view.ordered.find(isFront);
    case "End": return view.ordered.findLast(isFront);
    default: return null;
  }
}

function onKey(view, event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const to = target(view, event.key);
  if (to) markOf(view, to).focus();
  else if (event.key === "Enter" || event.key === " ") select(view, view.current);
  else if (event.key === "Escape") {
    select(view, null);
    view.tip.hidden = true;
  } else return;
  event.preventDefault();
}

function onRowKey(view, event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = view.rows[view.rows.indexOf(event.target) + by];
  if (event.key === "Escape") select(view, null);
  else if (event.key === "Enter" || event.key === " ") selectRow(view, event.target);
  else if (next) next.focus();
  else return;
  event.preventDefault();
}

// The row is the table's one tab stop from now on.
function selectRow(view, row) {
  const point = pointAt(view, row.dataset.point);
  for (const other of view.rows) other.tabIndex = other === row ? 0 : -1;
  if (point && point !== view.selected) select(view, point);
}

function listenToRows(view) {
  view.rows.forEach((row, i) => {
    row.tabIndex = i === 0 ? 0 : -1;
    row.addEventListener("focus", () => selectRow(view, row));
    row.addEventListener("click", () => selectRow(view, row));
    row.addEventListener("keydown", (event) => onRowKey(view, event));
  });
}

// On the box around it: a browser takes a picture that listens for focus as a stop of the tab key.
function listenToChart(view) {
  const { plot, svg } = view;
  svg.addEventListener("pointermove", (event) => {
    const point = under(view, event);
    svg.classList.toggle("near", !!point);
    if (point) showTip(view, point);
    else hideTip(view);
  });
  svg.addEventListener("pointerleave", () => hideTip(view));
  svg.addEventListener("click", (event) => {
    const point = under(view, event);
    if (!point) return;
    select(view, point);
    markOf(view, point).focus({ preventScroll: true });
  });
  plot.addEventListener("focusin", (event) => {
    view.current = pointAt(view, event.target.dataset.point) ?? view.current;
    mark(view);
    showTip(view, view.current);
  });
  plot.addEventListener("focusout", () => { view.tip.hidden = true; });
  plot.addEventListener("keydown", (event) => onKey(view, event));
}
