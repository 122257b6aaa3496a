// SPDX-License-Identifier: Apache-2.0
// The machines for whose compilers layouts are chosen.
import { c_text, call } from "./memory.mjs";
import { c, memory } from "./module.mjs";

/** The names of all. */
export function targets() {
  const length = Number(c.xlashape_target_count());
  return Array.from({ length }, (_, number) => c_text(c.xlashape_target_name(number)));
}

/** The number of a target, or an error that lists the names. */
export function target_number(name) {
  return call((frame) => {
    const out = frame.alloc(4);
    frame.check(c.xlashape_target_from_name(...frame.text(name, "the target"), out, frame.error));
    return memory().view.getInt32(out, true);
  });
}
