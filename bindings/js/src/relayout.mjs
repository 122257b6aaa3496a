// Bytes from one layout to another.
import * as abi from "./abi.mjs";
import { XlashapeError, invalid } from "./errors.mjs";
import { call, chosen } from "./memory.mjs";
import { c, memory } from "./module.mjs";
import { handle_of } from "./shape.mjs";

const kFill = { padding: abi.FILL_PADDING, preserve: abi.FILL_PRESERVE, unspecified: abi.FILL_UNSPECIFIED };

function bytes_of(array, place) {
  if (ArrayBuffer.isView(array)) return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  if (array instanceof ArrayBuffer) return new Uint8Array(array);
  throw invalid(`${place}: neither a typed array nor an ArrayBuffer`);
}

/**
 * The array in `source`, which lies there as `from` says, as `to` says: in `destination` where that is given, else in new bytes.
 * `fill` says what positions without an element get: "padding", the layout's padding value; "preserve", what they had.
 */
export function relayout(source, from, to, { fill = "padding", destination } = {}) {
  const policy = chosen(kFill, fill, "fill");
  const src = bytes_of(source, "the source");
  const [src_shape, dst_shape] = [handle_of(from, "from"), handle_of(to, "to")];
  const size = Number(to.sizes.bytes);
  const dst = destination === undefined ? undefined : bytes_of(destination, "the destination");
  if (dst !== undefined && dst.length < size)
    throw new XlashapeError("OUT_OF_RANGE", `the destination holds ${dst.length} bytes of ${size}`);
  return call((frame) => {
    const at = frame.bytes(src);
    const out = frame.alloc(size);
    memory().bytes.subarray(out, out + size).set(dst?.subarray(0, size) ?? new Uint8Array(size));
    const options = frame.list([abi.PLAN_FIELD_FILL_POLICY, 1, policy], "options");
    frame.check(c.xlashape_relayout_from_fields(0, src_shape, at, BigInt(src.length), dst_shape, out, BigInt(size), options, 3n,
      frame.error));
    const result = memory().bytes.subarray(out, out + size);
    if (dst === undefined) return result.slice();
    dst.set(result);
    return dst;
  });
}
