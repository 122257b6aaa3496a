// The machines for whose compilers layouts are chosen.
import { c_text, call } from "./memory.mjs";
import { c, memory } from "./module.mjs";

/** Their names. */
export function targets() {
  const names = [];
  for (let name; (name = c_text(c.xlashape_target_name(names.length + 1))) !== null;) names.push(name);
  return names;
}

/** The number of a target, or an error that lists the names. */
export function target_number(name) {
  return call((frame) => {
    const out = frame.alloc(4);
    frame.check(c.xlashape_target_from_name(...frame.text(name, "the target"), out, frame.error));
    return memory().view.getInt32(out, true);
  });
}
