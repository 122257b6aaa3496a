// SPDX-License-Identifier: Apache-2.0
// Indices to positions and back. `map()` gives the index map's handle: called when all arguments are read, since to
// read them may run code of the caller, which could dispose the shape.
import * as abi from "./abi.mjs";
import { XlashapeError, invalid } from "./errors.mjs";
import { array_from, call, int64, int64_at, integers_at, number_from, pointer_at, typed_at } from "./memory.mjs";
import { c, memory } from "./module.mjs";

// A list that is one of these typed arrays, without what a subclass makes of it; undefined: a list of any other kind.
function typed(list) {
  const Type = [Int32Array, BigInt64Array].find((one) => list instanceof one);
  const view = Type && new Type(list.buffer, list.byteOffset, list.length);
  return view?.buffer === c.memory.buffer ? view.slice() : view;  // which would end when that grows
}
function check_fits(view, end) {
  if (view instanceof Int32Array && end > 0x80000000n)
    throw new XlashapeError("OUT_OF_RANGE",
      `the storage has ${end} positions, more than an Int32Array can hold: use a BigInt64Array`);
}

// All numbers of lists of `rank` each.
function flattened(lists, rank) {
  const flat = [];
  lists.forEach((index, i) => {
    if (typeof index === "number" || typeof index === "bigint")
      throw invalid(`index ${i} is a number, no list: ` +
        "indices one after the other are wanted as an Int32Array or a BigInt64Array");
    const steps = Array.isArray(index) ? index : array_from(index, `index ${i}`);
    if (steps.length !== rank) throw invalid(`index ${i} has ${steps.length} entries, the shape ${rank} dimensions`);
    for (let d = 0; d < rank; ++d) flat.push(steps[d]);
  });
  return flat;
}

// Converts a batch of indices, with all invalid ones marked or up to the first; whether one was marked.
function convert(frame, map, conversion, flags, count, from, from_entries, to, to_entries) {
  const out = frame.alloc(4), invalid = frame.alloc(8);
  const options = frame.struct(abi.index_options, { flags });
  frame.check(c.xlashape_index_plan_create(0, map, conversion, options, out, frame.error));
  const plan = pointer_at(out);
  try {
    const [from_bytes, to_bytes] = [BigInt(8 * from_entries), BigInt(8 * to_entries)];
    frame.check(c.xlashape_index_plan_execute(
      plan, BigInt(count), from, from_bytes, to, to_bytes, invalid, frame.error));
  } finally {
    c.xlashape_index_plan_release(plan);
  }
  return int64_at(invalid) !== 0n;
}

export function position_of(map, index) {
  const steps = array_from(index, "the index");
  return number_from((frame, out, err) =>
    c.xlashape_index_map_linear_index(map(), frame.list(steps, "index"), BigInt(steps.length), out, err));
}

export function index_of(map, rank, position) {
  const linear = int64(position, "the position");
  return call((frame) => {
    const out = frame.alloc(rank * 8), padding = frame.alloc(4);
    frame.check(c.xlashape_index_map_multidimensional_index(map(), linear, out, BigInt(rank), padding, frame.error));
    if (memory().view.getInt32(padding, true) !== 0) return null;
    return integers_at(out, rank);
  });
}

export function positions_of(map, rank, indices) {
  const view = typed(indices), lists = view === undefined ? array_from(indices, "the indices") : [];
  const flat = view ?? flattened(lists, rank);
  const count = view === undefined ? lists.length : view.length / Math.max(rank, 1);
  if (!Number.isInteger(count) || count * rank !== flat.length)
    throw invalid(`the indices are ${flat.length} numbers, the shape has ${rank} dimensions`);
  check_fits(view, c.xlashape_index_map_storage_elements(map()));
  return call((frame) => {
    const at = frame.list(flat, "indices", rank), out = frame.alloc(count * 8);
    convert(frame, map(), abi.CONVERSION_TO_LINEAR, 0, count, at, flat.length, out, count);
    return view === undefined ? integers_at(out, count) : typed_at(out, count, view.constructor);
  });
}

export function indices_of(map, rank, positions) {
  const view = typed(positions), list = view ?? array_from(positions, "the positions");
  const end = c.xlashape_index_map_storage_elements(map());
  check_fits(view, end);
  const check_inside = () => {
    const i = list.findIndex((position) => position < 0 || position >= end);
    if (i < 0) return;
    throw new XlashapeError("OUT_OF_RANGE",
      `positions[${i}]: position ${list[i]} is outside the storage, which has ${end}`, { index: i });
  };
  // A mark for padding needs a place.
  if (rank === 0) {
    call((frame) => frame.list(list, "positions")); // that they are integers
    check_inside();
    const indices = Array.from(list, (position) => index_of(map, rank, position));
    return view === undefined ? indices : new view.constructor(0);
  }
  return call((frame) => {
    const at = frame.list(list, "positions"), out = frame.alloc(list.length * rank * 8);
    if (convert(frame, map(), abi.CONVERSION_TO_MULTIDIMENSIONAL, abi.INDEX_MARK_INVALID, list.length,
      at, list.length, out, list.length * rank))
      check_inside(); // marks do not tell padding from what is outside
    if (view !== undefined) return typed_at(out, list.length * rank, view.constructor);
    const numbers = integers_at(out, list.length * rank);
    return list.map((_, i) => (numbers[i * rank] < 0 ? null : numbers.slice(i * rank, (i + 1) * rank)));
  });
}
