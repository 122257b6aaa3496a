// SPDX-License-Identifier: Apache-2.0
// Windows: parts of arrays that are arrays. `shape()` gives the array's handle: called when all arguments are read,
// since to read them may run code of the caller, which could dispose the shape.
import * as abi from "./abi.mjs";
import { invalid } from "./errors.mjs";
import { array_from, call, fields_of, int64, integers_at, list_from } from "./memory.mjs";
import { c } from "./module.mjs";

const box_in = (frame, { base, extent }) =>
  [frame.list(base, "base"), frame.list(extent, "extent"), BigInt(base.length)];

/** The window of a box: its own shape's handle, and where its bytes are. */
function window_of(shape, box) {
  return call((frame) => {
    const lists = box_in(frame, box), out = frame.struct(abi.window);
    frame.check(c.xlashape_shape_window(shape(), ...lists, out, frame.error));
    return fields_of(abi.window, out);
  });
}

/** Where its runs begin, `count` of them from number `first` on. */
function runs_of(shape, box, first, count, most) {
  const number = int64(first, "first"), wanted = int64(count, "count");
  return call((frame) => {
    // C refuses more than there are, and then writes none.
    const room = wanted < 0n ? 0 : Number(wanted > most ? most : wanted);
    const lists = box_in(frame, box), out = frame.alloc(8 * room);
    frame.check(c.xlashape_shape_window_runs(shape(), ...lists, number, wanted, out, frame.error));
    return integers_at(out, room);
  });
}

/** What Shape's window() gives; `shape_of` makes a Shape of a handle. */
export function window_in(shape, shape_of, given_base, given_extent) {
  const base = array_from(given_base, "base"), extent = array_from(given_extent, "extent");
  if (base.length !== extent.length) throw invalid(`base has ${base.length} entries, extent ${extent.length}`);
  const { shape: own, byte_offset, bytes, run_bytes, run_count } = window_of(shape, { base, extent });
  return {
    shape: shape_of(own), byteOffset: byte_offset, bytes, runBytes: run_bytes, runCount: run_count,
    runs(first = 0, count) {
      const left = BigInt(run_count) - int64(first, "first");
      return runs_of(shape, { base, extent }, first, count ?? (left < 0n ? 0n : left), run_count);
    },
  };
}

export const window_granularity = (shape) =>
  list_from((...out) => c.xlashape_shape_window_granularity(shape, ...out));
