// SPDX-License-Identifier: Apache-2.0
// Slabs: the parts in which an array is moved that is larger than memory.
import * as abi from "./abi.mjs";
import { XlashapeError } from "./errors.mjs";
import { call, fields_of, int64, integer, integers_at } from "./memory.mjs";
import { c } from "./module.mjs";
import { handle_of } from "./shape.mjs";

/** Boxes of one extent that cover an array; those at the end of a dimension may be smaller. */
class Slabs {
  #dimensions; // BigInts, as the extent's
  #extent;
  #order; // the fastest dimension first

  constructor(dimensions, extent, order, cost) {
    this.#dimensions = dimensions.map(BigInt);
    this.#extent = extent.map(BigInt);
    this.#order = order;
    this.extent = extent;
    this.count = cost.count;
    this.srcBytes = cost.src_bytes;
    this.dstBytes = cost.dst_bytes;
    this.srcRuns = cost.src_runs;
    this.dstRuns = cost.dst_runs;
    Object.freeze(this);
  }

  /** Number 0 to count - 1, in the order of the destination's storage. */
  slab(number) {
    let rest = int64(number, "the number");
    if (rest < 0n || rest >= this.count)
      throw new XlashapeError("OUT_OF_RANGE", `slab ${number} of ${this.count}`);
    const base = [], extent = [];
    for (const d of this.#order) {
      const size = this.#dimensions[d], step = this.#extent[d];
      const places = step === 0n ? 1n : (size + step - 1n) / step;
      const begin = (rest % places) * step;
      rest /= places;
      base[d] = integer(begin);
      extent[d] = integer(step < size - begin ? step : size - begin);
    }
    return { base, extent };
  }
  *[Symbol.iterator]() {
    for (let number = 0; number < this.count; ++number) yield this.slab(number);
  }
}

/**
 * Boxes that are windows of both shapes, which together take at most `maxBytes` bytes, chosen so that all of them are
 * read and written in few runs.
 */
export function slabs(from, to, maxBytes) {
  const most = int64(maxBytes, "maxBytes");
  const src = handle_of(from, "from"), dst = handle_of(to, "to"), { rank } = from;
  const [extent, cost] = call((frame) => {
    const out = frame.alloc(8 * rank), needed = frame.alloc(8), chosen = frame.struct(abi.slabs);
    frame.check(c.xlashape_relayout_slabs(src, dst, most, out, BigInt(rank), needed, chosen, frame.error));
    return [integers_at(out, rank), fields_of(abi.slabs, chosen)];
  });
  const order = to.minorToMajor ?? Array.from({ length: rank }, (_, i) => rank - 1 - i);
  return new Slabs(from.dimensions, extent, order, cost);
}
