// SPDX-License-Identifier: Apache-2.0
// Shapes from what is typed: XLA's text, or other words for the same, which then are said in XLA's text.
import { XlashapeError } from "./xlashape/errors.mjs";
import { Shape } from "./xlashape/shape.mjs";
import { element, made } from "./page.mjs";

/** What `work` makes, or null where the library refuses. */
export function tried(work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof XlashapeError) return null;
    throw error;
  }
}

function read(text, target) {
  const options = { keepMissingLayout: target !== "" }, own = tried(() => Shape.parse(text, options));
  if (own !== null) return { shape: own, note: "" };
  const shape = Shape.read(text, options);
  return { shape, note: String(shape) };
}

function for_target({ shape, note }, target) {
  if (target === "" || shape.category !== "array" || shape.hasLayout) return { shape, note };
  const chosen = shape.forTarget(target);
  shape.dispose();
  return { shape: chosen, note };
}

/** { shape, note }: what the text describes, as `target` lays it out; the note says it in XLA's text, or is empty. */
export const read_array = (text, target) => for_target(read(text, target), target);

/** The same for a text that may also be a layout, in XLA's text or other words, for the dimensions of `first`. */
export function read_beside(text, first, target) {
  if (first?.category !== "array") return read_array(text, target);
  const whole = tried(() => read(text, target));
  if (whole !== null) return for_target(whole, target);
  const { destination, result } = first.withWords(text);
  const bytes_of = destination.equals(result) ? "" : `, the bytes of ${result}`;
  const note = text.trim() === destination.layout ? "" : `${destination}${bytes_of}`;
  result.dispose();
  return { shape: destination, note };
}

/** Shows a note below its field; an empty one hides it. */
export function show_note(id, note) {
  const line = element(id);
  line.hidden = note === "";
  line.replaceChildren(...(note === "" ? [] : ["in XLA's text: ", made("code", {}, note)]));
}
