// SPDX-License-Identifier: Apache-2.0
// Bytes from one layout to another.
import * as abi from "./abi.mjs";
import { XlashapeError, invalid } from "./errors.mjs";
import { call, chosen, pointer_at } from "./memory.mjs";
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

// The last plans that were made, oldest first: to make one takes as long as to move thousands of elements. Shapes never
// change, and one that was disposed does not get here.
const kMostPlans = 16;
const plans = [];

function keep(plan) {
  plans.push(plan);
  if (plans.length > kMostPlans) c.xlashape_plan_release(plans.shift().pointer);
}

/**
 * The array in `source`, which lies there as `from` says, as `to` says: in `destination` where that is given, else in
 * new bytes. `fill` says what positions without an element get: "padding", the layout's padding value; "preserve",
 * what they had. Bytes of a Memory stay where they are; others are copied into the module's memory and back. Where
 * source and destination are the same bytes of a Memory they move in place, or it is an UNSUPPORTED error that says why
 * they cannot.
 */
export function relayout(source, from, to, { fill = "padding", destination } = {}) {
  const policy = chosen(kFill, fill, "fill");
  const src = bytes_of(source, "the source");
  const dst = destination === undefined ? undefined : bytes_of(destination, "the destination");
  // From here on no code of the caller runs, which could dispose the shapes.
  const src_shape = handle_of(from, "from"), dst_shape = handle_of(to, "to");
  const src_inside = src.buffer === c.memory.buffer, dst_inside = dst?.buffer === c.memory.buffer;
  const in_place = src_inside && dst_inside && src.byteOffset === dst.byteOffset;
  let plan = plans.find(
    (one) => one.from === from && one.to === to && one.policy === policy && one.in_place === in_place);
  const size = plan?.size ?? Number(size_of(dst_shape));
  check_size("source", src, plan?.src_size ?? Number(size_of(src_shape)));
  if (dst !== undefined) check_size("destination", dst, size);
  // Views of the module's memory have no place any more when that has grown.
  const src_size = src.length, src_place = src.byteOffset, dst_place = dst?.byteOffset;
  return call((frame) => {
    const at = src_inside ? src_place : frame.alloc_array(src_size);
    const out = dst_inside ? dst_place : frame.alloc_array(size), end = out + size;
    if (plan === undefined) {
      const made = frame.alloc(4), flags = in_place ? abi.PLAN_IN_PLACE : 0;
      const options = frame.struct(abi.relayout_options, { flags, fill_policy: policy });
      frame.check(c.xlashape_plan_create(0, src_shape, dst_shape, options, made, frame.error));
      plan = { from, to, policy, in_place, src_size, size, pointer: pointer_at(made) };
      keep(plan);
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
