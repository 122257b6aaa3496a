// SPDX-License-Identifier: Apache-2.0
// Elements from one layout to another, and what happens to their values meanwhile.
import * as abi from "./abi.mjs";
import { XlashapeError, invalid } from "./errors.mjs";
import { array_from, call, chosen, int64, pointer_at } from "./memory.mjs";
import { c, memory } from "./module.mjs";
import { bytes_of as size_of, handle_of } from "./shape.mjs";

const kFill = { padding: abi.FILL_PADDING, preserve: abi.FILL_PRESERVE, unspecified: abi.FILL_UNSPECIFIED };

function bytes_of(array, place) {
  if (ArrayBuffer.isView(array)) return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  if (array instanceof ArrayBuffer) return new Uint8Array(array);
  throw invalid(`${place}: neither a typed array nor an ArrayBuffer`);
}

function check_size(place, bytes, wanted) {
  if (bytes.length !== wanted)
    throw new XlashapeError("OUT_OF_RANGE", `the ${place} has ${bytes.length} bytes, its shape takes ${wanted}`);
}

// -- Values --

function scale_of(value, place) {
  if (typeof value !== "number") throw invalid(`${place} is ${String(value)}: not a number`);
  const rounded = Math.fround(value);
  if (Number.isFinite(value) && (!Number.isFinite(rounded) || (rounded === 0) !== (value === 0)))
    throw invalid(`${place} is ${value}: beyond the numbers of f32`);
  return rounded;
}
function zero_point_of(value, place) {
  const exact = int64(value, place);
  if (BigInt.asIntN(32, exact) !== exact)
    throw new XlashapeError("OUT_OF_RANGE", `${place} is ${value}: it does not fit 32 bits`);
  return Number(exact);
}
/** One number as a list of it alone; undefined stays. */
function numbers_of(given, read, place) {
  if (given === undefined) return undefined;
  if (typeof given === "number" || typeof given === "bigint") return { list: [read(given, place)], single: true };
  return { list: array_from(given, place).map((value, i) => read(value, `${place}[${i}]`)), single: false };
}

/** What C takes of quantized values; undefined where there are none. */
function scales_of(from, scale, zeroPoint, scaleDimension) {
  const scales = numbers_of(scale, scale_of, "scale"), zeros = numbers_of(zeroPoint, zero_point_of, "zeroPoint");
  if (scales === undefined) {
    for (const [name, given] of [["zeroPoint", zeroPoint], ["scaleDimension", scaleDimension]])
      if (given !== undefined) throw invalid(`${name} is given, and scale is not`);
    return undefined;
  }
  let count = 1, dimension = 0;
  for (const [name, values] of [["scale", scales], ["zeroPoint", zeros]]) {
    if (values === undefined || values.single) continue;
    if (scaleDimension === undefined)
      throw invalid(`${name} has ${values.list.length} values: scaleDimension must say whose indices have one each`);
    dimension = Number(int64(scaleDimension, "scaleDimension"));
    const { dimensions } = from;
    if (!(dimension in dimensions))
      throw new XlashapeError("OUT_OF_RANGE",
        `scaleDimension is ${dimension}, the source has ${dimensions.length} dimensions`);
    count = Number(dimensions[dimension]);
    if (values.list.length !== count)
      throw invalid(`${name} has ${values.list.length} values, the source has size ${count} in dimension ${dimension}`);
  }
  if (count === 0) return undefined;  // no elements
  const each = (values) => (values === undefined || !values.single ? values?.list : Array(count).fill(values.list[0]));
  return { count, dimension, scale: each(scales), zeros: each(zeros) };
}

// -- Plans --

// The last plans that were made, oldest first: to make one takes as long as to move thousands of elements. Shapes never
// change, and one that was disposed does not get here.
const kMostPlans = 16;
const plans = [];

function keep(plan) {
  plans.push(plan);
  if (plans.length > kMostPlans) c.xlashape_plan_release(plans.shift().pointer);
}

function plan_of(frame, src_shape, dst_shape, flags, policy, scales) {
  const made = frame.alloc(4);
  const options = frame.struct(abi.relayout_options, {
    flags,
    fill_policy: policy,
    scale_count: scales?.count ?? 0,
    scale: scales === undefined ? 0 : frame.list32(scales.scale, "Float32"),
    zero_point: scales?.zeros === undefined ? 0 : frame.list32(scales.zeros, "Int32"),
    scale_dimension: scales?.dimension ?? 0,
  });
  frame.check(c.xlashape_plan_create(0, src_shape, dst_shape, options, made, frame.error));
  return pointer_at(made);
}

/**
 * The array in `source`, which lies there as `from` says, as `to` says: in `destination` where that is given, else in
 * new bytes. `fill` says what positions without an element get: "padding", the layout's padding value; "preserve",
 * what they had.
 *
 * `convert`: `to` may have another element type, and values are converted as XLA does; `saturate`: beyond the new range
 * they become its end. `scale` and `zeroPoint` are of quantized values: real = (quantized - zeroPoint) * scale; each is
 * one number, or a list with one for each index of the source's dimension `scaleDimension`. `srcHighFirst` and
 * `dstHighFirst`: elements that share a byte start in its highest bits on that side; XLA's start in the lowest.
 *
 * Bytes of a Memory stay where they are; others are copied into the module's memory and back. Where
 * source and destination are the same bytes of a Memory they move in place, or it is an UNSUPPORTED error that says why
 * they cannot.
 */
export function relayout(source, from, to, {
  fill = "padding", destination, convert = false, saturate = false, scale, zeroPoint, scaleDimension,
  srcHighFirst = false, dstHighFirst = false,
} = {}) {
  const policy = chosen(kFill, fill, "fill");
  handle_of(from, "from");
  const scales = scales_of(from, scale, zeroPoint, scaleDimension);
  const src = bytes_of(source, "the source");
  const dst = destination === undefined ? undefined : bytes_of(destination, "the destination");
  // From here on no code of the caller runs, which could dispose the shapes.
  const src_shape = handle_of(from, "from"), dst_shape = handle_of(to, "to");
  const src_inside = src.buffer === c.memory.buffer, dst_inside = dst?.buffer === c.memory.buffer;
  const flags = (src_inside && dst_inside && src.byteOffset === dst.byteOffset ? abi.PLAN_IN_PLACE : 0) |
    (convert ? abi.PLAN_CONVERT : 0) | (saturate ? abi.PLAN_SATURATE : 0) |
    (srcHighFirst ? abi.PLAN_SRC_HIGH_FIRST : 0) | (dstHighFirst ? abi.PLAN_DST_HIGH_FIRST : 0);
  // Plans with scales are not kept: to compare long lists takes as long as to make one.
  let plan = scales !== undefined ? undefined : plans.find(
    (one) => one.from === from && one.to === to && one.policy === policy && one.flags === flags);
  const size = plan?.size ?? Number(size_of(dst_shape));
  check_size("source", src, plan?.src_size ?? Number(size_of(src_shape)));
  if (dst !== undefined) check_size("destination", dst, size);
  // Views of the module's memory have no place any more when that has grown.
  const src_size = src.length, src_place = src.byteOffset, dst_place = dst?.byteOffset;
  return call((frame) => {
    const at = src_inside ? src_place : frame.alloc_array(src_size);
    const out = dst_inside ? dst_place : frame.alloc_array(size), end = out + size;
    if (plan === undefined) {
      const pointer = plan_of(frame, src_shape, dst_shape, flags, policy, scales);
      plan = { from, to, policy, flags, src_size, size, pointer };
      if (scales === undefined) keep(plan);
      else frame.after(() => c.xlashape_plan_release(pointer));
    }
    if (!src_inside) memory().bytes.set(src, at);
    // With "padding" every byte is written.
    if (policy !== abi.FILL_PADDING && !dst_inside)
      dst === undefined ? memory().bytes.fill(0, out, end) : memory().bytes.set(dst, out);
    frame.check(c.xlashape_plan_execute(plan.pointer, at, BigInt(src_size), out, BigInt(size), frame.error));
    if (dst === undefined) return memory().bytes.slice(out, end);
    const result = memory().bytes.subarray(out, end);
    if (dst_inside) return result;
    dst.set(result);
    return dst;
  });
}
