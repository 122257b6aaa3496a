// SPDX-License-Identifier: Apache-2.0
// The drawing: which cell belongs to which element, and the marks on the chosen one.
import { element } from "./page.mjs";

let by_index = new Map(), by_position = new Map(), marked = [];

/** Puts the library's SVG into the page. It is parsed as XML, and holds nothing but what the library writes. */
export function show_picture(svg) {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  element("picture").replaceChildren(document.adoptNode(parsed));
  by_index = new Map();
  by_position = new Map();
  marked = [];
  for (const cell of cells()) {
    const { index, position } = cell.dataset;
    const [map, key] = index !== undefined ? [by_index, index] : [by_position, position];
    if (key === undefined) continue;
    if (!map.has(key)) map.set(key, []);
    map.get(key).push(cell);
  }
}

export function show_instead(node) {
  by_index = new Map();
  by_position = new Map();
  marked = [];
  element("picture").replaceChildren(...(node === null ? [] : [node]));
}

const cells = () => element("picture").querySelectorAll("rect[data-position],rect[data-to]");

/** Marks the cells of an element, or of a position without one; false where none is drawn. */
export function mark(index, position) {
  for (const cell of marked) cell.classList.remove("on");
  marked = (index === null ? by_position.get(String(position)) : by_index.get(index.join(","))) ?? [];
  for (const cell of marked) cell.classList.add("on");
  return marked.length > 0;
}

/** Scrolls the chosen cell into the drawing's view, without moving the page. */
export function reveal() {
  if (marked.length === 0) return;
  const box = element("picture"), frame = box.getBoundingClientRect(), cell = marked[0].getBoundingClientRect();
  if (cell.left < frame.left) box.scrollLeft -= frame.left - cell.left + 40;
  if (cell.right > frame.right) box.scrollLeft += cell.right - frame.right + 40;
  if (cell.top < frame.top) box.scrollTop -= frame.top - cell.top + 40;
  if (cell.bottom > frame.bottom) box.scrollTop += cell.bottom - frame.bottom + 40;
}

/** The element or position that a cell stands for. */
export function place_of(cell) {
  const { index, position } = cell.dataset;
  if (index !== undefined) return { index: index === "" ? [] : index.split(",").map(BigInt) };
  return position !== undefined ? { position: BigInt(position) } : null;
}

/**
 * The cell that a key leads to from the chosen one: an arrow to the one beside it, Home and End to the ends of its row;
 * null where there is none.
 */
export function neighbour(key) {
  const from = marked[0];
  if (from === undefined) return cells()[0] ?? null;
  const [x, y] = [Number(from.getAttribute("x")), Number(from.getAttribute("y"))];
  const is_end = key === "Home" || key === "End";
  let best = null, distance = is_end ? 0 : Infinity;
  for (const cell of from.parentNode.querySelectorAll("rect")) {
    const dx = Number(cell.getAttribute("x")) - x, dy = Number(cell.getAttribute("y")) - y;
    const ahead = {
      ArrowRight: dy === 0 && dx, ArrowLeft: dy === 0 && -dx, ArrowDown: dx === 0 && dy, ArrowUp: dx === 0 && -dy,
      Home: dy === 0 && -dx, End: dy === 0 && dx,
    }[key];
    if (ahead > 0 && (is_end ? ahead > distance : ahead < distance)) [best, distance] = [cell, ahead];
  }
  return best;
}
