// SPDX-License-Identifier: Apache-2.0
// Arrays and layouts as people write them, and the notations of other projects. Shapes are handles here.
import * as abi from "./abi.mjs";
import { invalid } from "./errors.mjs";
import { c_text, call, chosen, made, pointer_at, text_from } from "./memory.mjs";
import { c, memory } from "./module.mjs";

const kNotations = {
  mlir: abi.NOTATION_MLIR,
  memref: abi.NOTATION_MEMREF,
  cute: abi.NOTATION_CUTE,
  numpy: abi.NOTATION_NUMPY,
  onednn: abi.NOTATION_ONEDNN,
  pack: abi.NOTATION_PACK,
  jax: abi.NOTATION_JAX,
};

/** XLA's name for the element type that any project's name means. */
export function readElementType(name) {
  return call((frame) => {
    const out = frame.alloc(4);
    frame.check(c.xlashape_element_type_read(...frame.text(name, "the element type"), out, frame.error), name);
    return c_text(c.xlashape_element_type_name(memory().view.getInt32(out, true)));
  });
}

export const read_shape = (text, flags) => made(
  (frame, out, err) => c.xlashape_shape_read(...frame.text(text, "the text"), flags, 0, out, err), text);

/** The handles of the destination and of the result. */
export const with_words = (shape, words, flags) => call((frame) => {
  const destination = frame.alloc(4), result = frame.alloc(4);
  frame.check(c.xlashape_shape_with_words(
    shape, ...frame.text(words, "the words"), flags, destination, result, frame.error), words);
  return [pointer_at(destination), pointer_at(result)];
});

export function in_notation(shape, notation, layout) {
  const number = chosen(kNotations, notation, "the notation");
  if (!layout && notation !== "mlir") throw invalid(`${notation} is not written without a layout, only mlir is`);
  const flags = layout ? 0 : abi.PRINT_WITHOUT_LAYOUT;
  return text_from((...out) => c.xlashape_shape_print_as(shape, number, flags, ...out));
}
