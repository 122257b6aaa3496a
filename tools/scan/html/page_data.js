// What the scan wrote, and how it is shown to people. Nothing in it is trusted: each value goes through one of these,
// and texts only become text nodes.
const byId = (id) => document.getElementById(id);
const list = (x) => (Array.isArray(x) ? x : []);
const object = (x) => (x !== null && typeof x === "object" && !Array.isArray(x) ? x : {});
const objects = (x) => list(x).map(object);
const number = (x) => (typeof x === "number" && Math.abs(x) <= 2 ** 63 ? x : null);  // sums and pixels stay finite
const integers = (x) => list(x).slice(0, 256).map(number);
const positive = (x) => Math.max(0, number(x) ?? 0);
const hidden = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const escaped = (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
const text = (x) => (typeof x === "string" ? x.replace(hidden, escaped) : number(x) !== null ? String(x) : "");
const short = (x, most = 600) => (x.length > most ? x.slice(0, most) + " ..." : x);

// Of one table, treemap, chart: a browser draws so many at once.
const kMostRows = 2000, kMostCells = 400, kMostBlocks = 3000;

function set(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}
const make = (tag, attributes = {}, ...children) => set(document.createElement(tag), attributes, children);
const namespace = byId("marks").namespaceURI;
const mark = (tag, attributes = {}, ...children) => set(document.createElementNS(namespace, tag), attributes, children);

// As the command rounds: a half to the even digit.
function fixed(x, digits) {
  const scaled = x * 10 ** digits, down = Math.floor(scaled);
  const rounded = scaled - down === 0.5 ? down + down % 2 : Math.round(scaled);
  return (rounded / 10 ** digits).toFixed(digits);
}
const grouped = (x) => (number(x) === null ? "" : x.toLocaleString("en-US", {maximumFractionDigits: 3}));
function bytes(x, digits = 1) {
  let value = number(x), unit = 0;
  if (value === null) return "";
  if (Math.abs(value) < 1024) return `${grouped(value)} B`;
  for (; Math.abs(value) >= 1024 - 0.5 / 10 ** digits && unit < 6; ++unit) value /= 1024;
  return `${fixed(value, digits)} ${["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][unit]}`;
}
const factor = (x) => (number(x) === null ? "" : `${fixed(x, x < 100 ? 2 : 1)}x`);
const ratio = (v) =>
  number(v.waste_ratio) ?? (positive(v.logical_bytes) > 0 ? positive(v.bytes) / v.logical_bytes : null);
const heat = (x) => Math.min(1, Math.max(0, Math.log2(Math.max(1, number(x) ?? 1)) / 3));  // 1 at 8x
const colour = (x) => `color-mix(in oklab, var(--hot) ${(heat(x) * 100).toFixed(0)}%, var(--cold))`;
const on = (x) => (heat(x) > 0.7 ? "on-hot" : "");
const count = (n, noun) => `${grouped(n)} ${noun}${n === 1 ? "" : "s"}`;
const space = (n, name) => (number(n) === null ? "" : `S(${n})` + (text(name) ? ` ${short(text(name), 40)}` : ""));

function breakable(node, shape) {  // lines may end before a layout and after a comma, a slash, and parts of a name
  for (const part of short(shape).split(/(?=\{)|(?<=[,/._])/)) node.append(part, make("wbr"));
  return node;
}
function heated(x) {
  const node = make("span", {class: `heat ${on(x)}`}, factor(x));
  if (number(x) !== null) node.style.background = colour(x);
  return node;
}

let data, problem = "";
try {
  data = object(JSON.parse(byId("scan").textContent));
  if (data.xlashape_scan !== 1)
    problem = `The data of this page has version ${text(data.xlashape_scan) || "none"}, not 1.`;
} catch (error) {
  data = {};
  problem = `The data of this page could not be read: ${error.message}`;
}
let current = {};   // the module that is shown
let chosen = null;  // the name of what is selected
