// SPDX-License-Identifier: Apache-2.0
// The list of the arrays in a text, one of which the page shows.
import { hash_of } from "./address.mjs";
import { kMostShapes } from "./finding.mjs";
import { element, factor, grouped, human, made } from "./page.mjs";

const kMostRows = 60;

/** The arrays as a text of a line each, which is enough to find them again. */
export const text_of = (arrays) =>
  arrays.slice(0, kMostRows).map(({ text, times }) => (times > 1 ? `${times}x ${text}` : text)).join("\n");

function row(array, chosen, state, choose) {
  const { text, times, bytes, data, there } = array;
  const href = hash_of({ ...state, pick: text, with: "", at: "", zoom: "0" });
  const link = made("a", { href, ...(array === chosen ? { "aria-current": "true" } : {}) }, text);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(text);
  });
  const number = (value, title = "") => made("td", { class: "number", title }, value);
  return made("tr", {}, made("td", { class: "text" }, link), number(times > 1 ? `${times}x` : ""),
    number(human(bytes), `${grouped(bytes)} bytes`), number(factor(bytes, data)),
    ...(state.target === "" ? [] : [number(there === null ? "-" : human(there))]));
}

/** Shows the list; `choose(text)` is called with what the reader clicks. An empty list hides it. */
export function show_found(arrays, chosen, state, choose) {
  const section = element("found");
  section.hidden = arrays.length === 0;
  if (section.hidden) return section.replaceChildren();
  const head = ["shape", "times", "bytes", "factor", ...(state.target === "" ? [] : [`on ${state.target}`])]
    .map((text, i) => made("th", { scope: "col", class: i === 0 ? "" : "number" }, text));
  const rows = arrays.slice(0, kMostRows).map((array) => row(array, chosen, state, choose));
  section.replaceChildren(
    made("h2", {}, `${grouped(arrays.length)} ${arrays.length === 1 ? "shape" : "different shapes"} in this text`),
    made("table", {}, made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, ...rows)));
  const note = (text) => section.append(made("p", { class: "note" }, text));
  if (arrays.length > kMostRows) note(`${grouped(arrays.length - kMostRows)} smaller ones are not shown.`);
  if (arrays.is_cut) note(`Only the first ${grouped(kMostShapes)} of the text were read; xlashape scan reads dumps.`);
}
