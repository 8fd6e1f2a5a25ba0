// The page of an exploration works without these scripts: the table of the front is there, charts and
// effects are not.  All is drawn from the document that the page holds, the same as results.json.
//
// This part: elements, numbers, scales.
"use strict";

// ---- elements and numbers -----------------------------------------------------------------------

// Attributes that are undefined, null or false are left out.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

const make = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);
const draw = (name, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const withMinus = (text) => text.replace("-", "\u2212");
const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

// Fixed places, unless these would be too many of them to read.
function number(value, places) {
  if (!isNumber(value)) return "-";
  if (places > 6 || Math.abs(value) >= 1e9) return withMinus(value.toExponential(3));
  return withMinus(value.toLocaleString("en",
    { minimumFractionDigits: places, maximumFractionDigits: places }));
}

// What changes by less than a thousandth of a percent has not changed: runs are integers.
function percent(ratio) {
  const change = 100 * (ratio - 1);
  if (!isNumber(change)) return "-";
  if (Math.abs(change) < 0.001) return "0 %";
  const text = Math.abs(change) < 0.1 ? change.toPrecision(1)
    : change.toFixed(Math.abs(change) < 100 ? 1 : 0);
  return `${change > 0 ? "+" : ""}${withMinus(text)} %`;
}

// Places that tell values apart which differ by a few thousandths of the whole spread.
function placesOf(values) {
  const spread = Math.max(...values) - Math.min(...values) || Math.abs(values[0]) || 1;
  return clamp(3 - Math.floor(Math.log10(spread)), 0, 9);
}

// ---- scales -------------------------------------------------------------------------------------

// Round numbers in a range, about as many as wanted, and the places they need.
function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(wanted, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const at = [];
  for (let i = Math.ceil(low / step - 1e-6); i * step <= high + step * 1e-6; i++) at.push(i * step);
  return { at, places: Math.max(0, -Math.floor(Math.log10(step) + 1e-6)) };
}

// From a range of values to one of pixels.
function scale(low, high, from, to) {
  const place = (value) => from + ((value - low) / (high - low)) * (to - from);
  return Object.assign(place, { low, high, has: (value) => value >= low && value <= high });
}

// With some room, so that no mark is cut; equal values stand in the middle.
function roomy(values, from, to) {
  const low = Math.min(...values), high = Math.max(...values);
  const room = (high - low) * 0.06 || Math.abs(high) * 0.05 || 1;
  return scale(low - room, high + room, from, to);
}
