// SPDX-License-Identifier: Apache-2.0
// xlashape: XLA's shapes and layouts. Everything but load() needs the module, for which load() waits.
import { Memory } from "./arrays.mjs";
import { c_text } from "./memory.mjs";
import { c, load_module } from "./module.mjs";
import { XlashapeError } from "./errors.mjs";
import { relayout } from "./relayout.mjs";
import { Shape } from "./shape.mjs";
import { slabs } from "./slabs.mjs";
import { targets } from "./target.mjs";
import { readElementType } from "./words.mjs";

/** The library's version, such as "0.1.0". */
export const version = () => c_text(c.xlashape_version());
/** The XLA whose rules the library matches, as a date: yyyymmdd. */
export const xlaVersion = () => c.xlashape_xla_version();

export { Memory, Shape, XlashapeError, readElementType, relayout, slabs, targets };

/** Loads the module and gives everything else of this package. `source`: where it is, if not beside this file. */
export async function load(source) {
  await load_module(source);
  return { Memory, Shape, XlashapeError, readElementType, relayout, slabs, targets, version, xlaVersion };
}
