// SPDX-License-Identifier: Apache-2.0
// Bytes from one layout to another.
import * as abi from "./abi.mjs";
import { XlashapeError, invalid } from "./errors.mjs";
import { call, chosen } from "./memory.mjs";
import { c, memory } from "./module.mjs";
import { handle_of, sizes_of } from "./shape.mjs";

const kFill = { padding: abi.FILL_PADDING, preserve: abi.FILL_PRESERVE, unspecified: abi.FILL_UNSPECIFIED };

function bytes_of(array, place) {
  if (ArrayBuffer.isView(array)) return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  if (array instanceof ArrayBuffer) return new Uint8Array(array);
  throw invalid(`${place}: neither a typed array nor an ArrayBuffer`);
}

const size_of = (shape) => Number(sizes_of(shape).bytes);

function check_size(place, bytes, wanted) {
  if (bytes.length !== wanted)
    throw new XlashapeError("OUT_OF_RANGE", `the ${place} has ${bytes.length} bytes, its shape takes ${wanted}`);
}

/**
 * The array in `source`, which lies there as `from` says, as `to` says: in `destination` where that is given, else in
 * new bytes. `fill` says what positions without an element get: "padding", the layout's padding value; "preserve",
 * what they had.
 */
export function relayout(source, from, to, { fill = "padding", destination } = {}) {
  const policy = chosen(kFill, fill, "fill");
  const src = bytes_of(source, "the source");
  const dst = destination === undefined ? undefined : bytes_of(destination, "the destination");
  // From here on no code of the caller runs, which could dispose the shapes.
  const src_shape = handle_of(from, "from"), dst_shape = handle_of(to, "to");
  const size = size_of(dst_shape);
  check_size("source", src, size_of(src_shape));
  if (dst !== undefined) check_size("destination", dst, size);
  return call((frame) => {
    const at = frame.bytes(src);
    const out = frame.alloc(size), result = memory().bytes.subarray(out, out + size);
    // With "padding" every byte is written.
    if (policy !== abi.FILL_PADDING) dst === undefined ? result.fill(0) : result.set(dst);
    const options = frame.struct(abi.relayout_options, { fill_policy: policy });
    frame.check(c.xlashape_relayout(
      0, src_shape, at, BigInt(src.length), dst_shape, out, BigInt(size), options, frame.error));
    const written = memory().bytes.subarray(out, out + size);  // anew: the memory may have grown
    if (dst === undefined) return written.slice();
    dst.set(written);
    return dst;
  });
}
