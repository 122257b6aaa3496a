// SPDX-License-Identifier: Apache-2.0
// One element: its index, its position, byte and tile, and where it is in the other shape.
// All numbers come from the library.
import { element, grouped, show_error } from "./page.mjs";
import { mark, neighbour, place_of, reveal } from "./picture.mjs";

let shape = null, other = null, storage = 0n, tile = 0n, changed = () => {};
let chosen = 0n; // the position

/** From now on elements of `shape` are asked for; `tile_positions` is 0 where it has no tiles. */
export function use_shape(array, beside, tile_positions, position) {
  shape = array;
  other = beside;
  element("place").hidden = shape === null;
  if (shape === null) return;
  storage = BigInt(shape.sizes.storageElements);
  tile = BigInt(tile_positions);
  element("place").hidden = storage === 0n;
  if (storage === 0n) return;
  element("memory-slider").max = String(storage - 1n);
  choose(position < storage && position >= 0n ? position : 0n);
}

/** `on_change(position)` is called after each choice of the reader's. */
export function listen(on_change) {
  changed = on_change;
  element("memory-slider").addEventListener("input", (event) => {
    // The slider's number is a double: of long memories it meets only some positions.
    choose(BigInt(Math.min(Number(event.target.value), Number(storage - 1n))), event.target);
    reveal();
  });
  element("index-field").addEventListener("input", (event) => asked(event.target, from_index));
  element("position-field").addEventListener("input", (event) => asked(event.target, from_position));
  const picture = element("picture");
  // Only a pointer that moves: the drawing may also scroll below one that rests.
  picture.addEventListener("pointermove", (event) => {
    if (event.movementX !== 0 || event.movementY !== 0) go(event.target);
  });
  picture.addEventListener("click", (event) => go(event.target));
  picture.addEventListener("keydown", (event) => {
    if (!/^(?:Arrow|Home$|End$)/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    const cell = neighbour(event.key);
    if (cell !== null || !event.key.startsWith("Arrow")) event.preventDefault();
    if (cell === null) return;
    go(cell);
    reveal();
  });
}

function go(cell) {
  const place = cell.dataset === undefined ? null : place_of(cell);
  if (place === null || shape === null) return;
  choose(place.index === undefined ? place.position : BigInt(shape.positionOf(place.index)));
}

function asked(field, read) {
  try {
    choose(read(field.value), field);
    reveal();
    show_error("place-error", field, null);
  } catch (error) {
    show_error("place-error", field, error);
  }
}
const numbers = /^[\s[({]*((?:\d+(?:\s*,\s*\d+)*)?)[\s\])}]*$/;
function from_index(text) {
  const found = numbers.exec(text);
  if (found === null) throw new Error(`“${text}” is no index: write numbers with commas between them`);
  return BigInt(shape.positionOf(found[1] === "" ? [] : found[1].split(",").map((part) => BigInt(part.trim()))));
}
function from_position(text) {
  const digits = text.replaceAll(",", "").trim();
  if (!/^\d+$/.test(digits)) throw new Error(`“${text}” is no position`);
  const position = BigInt(digits);
  if (position >= storage)
    throw new Error(`position ${grouped(position)} is outside the storage of ${grouped(storage)}`);
  return position;
}

const byte_of = (position, bits) => {
  const bit = position * bits;
  return `byte ${grouped(bit / 8n)}` + (bits % 8n === 0n ? "" : ` from bit ${bit % 8n}`);
};

/** Chooses a position; the field that asked for it stays as it was typed. */
function choose(position, asking = null) {
  chosen = position;
  const index = shape.indexOf(position);
  const bits = BigInt(shape.sizes.elementBits);
  const name = index === null ? "padding" : `[${index.join(",")}]`;
  let text = `${name}: position ${grouped(position)}, ${byte_of(position, bits)}`;
  if (tile > 0n) text += `, tile ${grouped(position / tile)}`;
  if (other !== null && index !== null) {
    const there = BigInt(other.positionOf(index)), there_bits = BigInt(other.sizes.elementBits);
    const apart = there * there_bits / 8n - position * bits / 8n;
    text += `; in the other: position ${grouped(there)}, ${byte_of(there, there_bits)}, `;
    const is_before = apart < 0n;
    text += apart === 0n ? "the same byte" :
      `${grouped(is_before ? -apart : apart)} bytes ${is_before ? "before" : "behind"}`;
  }
  if (!mark(index, position)) text += " (not among the cells shown)";
  element("place-text").textContent = text;
  show_error("place-error", null, null);
  const values = {
    "index-field": index === null ? "" : index.join(","),
    "position-field": String(position),
    "memory-slider": String(position),
  };
  for (const [id, value] of Object.entries(values)) {
    if (element(id) === asking) continue;
    element(id).value = value;
    element(id).removeAttribute("aria-invalid");
  }
  changed(String(chosen));
}
