// SPDX-License-Identifier: Apache-2.0
// Calls of the C functions: texts, lists and numbers in the module's memory, and errors.
import * as abi from "./abi.mjs";
import { XlashapeError, invalid } from "./errors.mjs";
import { c, memory } from "./module.mjs";

const kHalf = 0x100000000;
const kArrayAlignment = 64;
// Whether typed arrays lie as WebAssembly's numbers do.
const kLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** A number where it is exact, else a BigInt. */
export function integer(value) {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** An int64 for a call, or an error that names `place`. */
export function int64(value, place) {
  if (typeof value === "number" ? !Number.isSafeInteger(value) : typeof value !== "bigint")
    throw invalid(`${place} is ${String(value)}: not an integer that is exact`);
  const exact = BigInt(value);
  if (BigInt.asIntN(64, exact) !== exact)
    throw new XlashapeError("OVERFLOW", `${place} is ${value}: it does not fit int64`);
  return exact;
}

/** Text of C that ends with a zero; null for a null pointer. */
export function c_text(pointer) {
  if (pointer === 0) return null;
  const { bytes } = memory();
  return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
}

/** The items of any list but a text, or an error that names `place`. */
export function array_from(values, place) {
  if (typeof values?.[Symbol.iterator] !== "function" || typeof values === "string")
    throw invalid(`${place} is no list`);
  return Array.from(values);
}

/** The number that `names` has for `name`, or an error that says which names there are. */
export function chosen(names, name, place) {
  if (typeof name === "string" && Object.hasOwn(names, name)) return names[name];
  throw invalid(`${place} is ${String(name)}: not one of ${Object.keys(names).join(", ")}`);
}

/** Where byte `offset` of a text's UTF-8 is in the string. */
export function utf16_offset(text, offset) {
  let at = 0;
  for (let bytes = 0; bytes < offset && at < text.length; ++at) {
    const code = text.codePointAt(at);
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code >= 0x10000) ++at;
  }
  return at;
}

function allocated(allocate, size) {
  const pointer = size < 0x80000000 ? allocate(Math.max(size, 1)) : 0;
  if (pointer === 0) throw new XlashapeError("NO_MEMORY", `not enough memory for ${size} bytes`);
  return pointer >>> 0;
}
/** `size` bytes, aligned as plans prefer an array's; the caller's, who frees them. */
export const alloc_array = (size) => allocated((bytes) => c.memalign(kArrayAlignment, bytes), size);

// The record of what failed: one for all calls, each of which reads it at once.
let error_record = 0;

/** The memory of one call, which `call` gives back. */
class Frame {
  #owned = [];
  #last = [];
  error = error_record;

  /** `size` bytes, which may be 0. */
  alloc(size) {
    return this.#own(allocated((bytes) => c.malloc(bytes), size));
  }
  /** The same for an array. */
  alloc_array(size) {
    return this.#own(alloc_array(size));
  }
  #own(pointer) {
    this.#owned.push(pointer);
    return pointer;
  }
  /** A text's pointer and length. */
  text(text, place) {
    if (typeof text !== "string") throw invalid(`${place} is no string but ${text === null ? "null" : typeof text}`);
    const alone = text.search(/\p{Surrogate}/u);
    if (alone >= 0) {
      const code = text.charCodeAt(alone).toString(16).toUpperCase();
      throw new XlashapeError("PARSE", `${place} has half a surrogate pair, U+${code}, at ${alone}`,
        { offset: alone, byteOffset: encoder.encode(text.slice(0, alone)).length });
    }
    const capacity = text.length * 3;
    const pointer = this.alloc(capacity);
    const { written } = encoder.encodeInto(text, memory().bytes.subarray(pointer, pointer + capacity));
    return [pointer, BigInt(written)];
  }
  /** int64 numbers: of a list, an Int32Array or a BigInt64Array. `per_item`: how many of them `place` counts as one. */
  list(values, place, per_item = 1) {
    const pointer = this.alloc(values.length * 8);
    if (values instanceof BigInt64Array && kLittleEndian) {
      new BigInt64Array(c.memory.buffer, pointer, values.length).set(values);
      return pointer;
    }
    const { view } = memory();
    for (let i = 0; i < values.length; ++i) {
      const value = values[i], at = pointer + 8 * i;
      if (Number.isSafeInteger(value)) {  // in halves: to make a BigInt takes many times as long
        view.setInt32(at, value, true);
        view.setInt32(at + 4, Math.floor(value / kHalf), true);
      } else {
        const where = per_item === 1 ? i : `${Math.floor(i / per_item)}][${i % per_item}`;
        view.setBigInt64(at, int64(value, `${place}[${where}]`), true);
      }
    }
    return pointer;
  }
  /** Numbers of 32 bits; `kind`: "Float32" or "Int32". */
  list32(values, kind) {
    const pointer = this.alloc(values.length * 4), { view } = memory();
    values.forEach((value, i) => view[`set${kind}`](pointer + 4 * i, value, true));
    return pointer;
  }
  bytes(values) {
    const pointer = this.alloc(values.length);
    memory().bytes.set(values, pointer);
    return pointer;
  }
  /** A struct, its other fields zero. */
  struct(layout, values = {}) {
    const pointer = this.alloc(layout.size);
    memory().bytes.fill(0, pointer, pointer + layout.size);
    memory().view.setUint32(pointer + layout.fields.struct_size[0], layout.size, true);
    for (const name of Object.keys(values)) {
      const [offset, kind] = layout.fields[name], value = values[name];
      const exact = int64(value, name);
      const fits = kind === "Uint32" ? BigInt.asUintN(32, exact) : kind === "Int32" ? BigInt.asIntN(32, exact) : exact;
      if (fits !== exact) throw new XlashapeError("OUT_OF_RANGE", `${name} is ${value}: it does not fit 32 bits`);
      memory().view[`set${kind}`](pointer + offset, kind.startsWith("Big") ? exact : Number(exact), true);
    }
    return pointer;
  }
  /** Throws unless `status` is OK; `text` is what was read. */
  check(status, text) {
    if (status === abi.STATUS_OK) return;
    const { code: _, index, offset, message_len } = fields_of(abi.error, this.error);
    const message = this.error + abi.error.fields.message[0];
    throw new XlashapeError(
      c_text(c.xlashape_status_name(status)),
      decoder.decode(memory().bytes.subarray(message, message + message_len)),
      { index, byteOffset: offset, offset: offset < 0 || text === undefined ? offset : utf16_offset(text, offset) },
    );
  }
  /** What is called as the frame goes. */
  after(work) {
    this.#last.push(work);
  }
  free() {
    for (const work of this.#last) work();
    for (const pointer of this.#owned) c.free(pointer);
  }
}

/** Calls `work` with a frame, whose memory it frees then. */
export function call(work) {
  error_record ||= new Frame().struct(abi.error);
  const frame = new Frame();
  try {
    return work(frame);
  } finally {
    frame.free();
  }
}

// An int64 as integer() makes it; in halves, since to make a BigInt takes many times as long.
function integer_in(view, at) {
  const value = view.getInt32(at + 4, true) * kHalf + view.getUint32(at, true);
  return Number.isSafeInteger(value) ? value : view.getBigInt64(at, true);
}
const kReaders = {
  Int32: (view, at) => view.getInt32(at, true),
  Uint32: (view, at) => view.getUint32(at, true),
  Uint8: (view, at) => view.getUint8(at),
  BigInt64: integer_in,
  BigUint64: (view, at) => integer(view.getBigUint64(at, true)),
};

/** A number of a struct. */
export function field_of(layout, name, pointer) {
  const [offset, kind] = layout.fields[name];
  return kReaders[kind](memory().view, pointer + offset);
}
/** All of them. */
export const fields_of = (layout, pointer) =>
  Object.fromEntries(Object.keys(layout.fields).map((name) => [name, field_of(layout, name, pointer)]));

export const int64_at = (pointer) => memory().view.getBigInt64(pointer, true);
/** Numbers as integer() makes them. */
export function integers_at(pointer, count) {
  const { view } = memory();
  return Array.from({ length: count }, (_, i) => integer_in(view, pointer + 8 * i));
}
/** The same as a `Type`, which is Int32Array, where they must fit, or BigInt64Array. */
export function typed_at(pointer, count, Type) {
  const { view } = memory();
  if (Type === BigInt64Array && kLittleEndian) return new BigInt64Array(view.buffer, pointer, count).slice();
  const value = Type === BigInt64Array
    ? (i) => view.getBigInt64(pointer + 8 * i, true) : (i) => view.getInt32(pointer + 8 * i, true);
  return Type.from({ length: count }, (_, i) => value(i));
}
export const pointer_at = (pointer) => memory().view.getUint32(pointer, true);

/** The handle that `function(out, err)` makes. */
export function made(work, text) {
  return call((frame) => {
    const out = frame.alloc(4);
    frame.check(work(frame, out, frame.error), text);
    return pointer_at(out);
  });
}

// What `work(out, capacity, needed, err)` writes: asks for the size first. `read(pointer, count)` makes the result.
function written(frame, item_size, work, read) {
  const needed = frame.alloc(8);
  frame.check(work(0, 0n, needed, frame.error));
  const count = Number(int64_at(needed));
  const out = frame.alloc(count * item_size);
  frame.check(work(out, BigInt(count), needed, frame.error));
  return read(out, count);
}
/** The text that `function(out, capacity, needed, err)` writes; `frame` where the call has one. */
export const text_in = (frame, work) => written(frame, 1, work, (out, count) =>
  decoder.decode(memory().bytes.subarray(out, out + count - 1)));
export const text_from = (work) => call((frame) => text_in(frame, work));
/** The numbers that such a function writes. */
export const list_from = (work) => call((frame) => written(frame, 8, work, integers_at));
/** The same for bytes. */
export const bytes_from = (work) =>
  call((frame) => written(frame, 1, work, (out, count) => memory().bytes.slice(out, out + count)));

/** The number that `function(out, err)` gives. */
export function number_from(work) {
  return call((frame) => {
    const out = frame.alloc(8);
    frame.check(work(frame, out, frame.error));
    return integer(int64_at(out));
  });
}

// JSON of the command: one value a line, so numbers that a double cannot hold are found without reading strings.
const kLarge = /^(\s*(?:"[a-z_]+": )?)(-?\d{16,})(,?)$/gm;
const kMark = "\u0000int64 ";
export function parse_json(text) {
  const marked = text.replace(kLarge, (_, before, digits, after) => `${before}"\\u0000int64 ${digits}"${after}`);
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_, value) =>
    typeof value === "string" && value.startsWith(kMark) ? integer(BigInt(value.slice(kMark.length))) : value);
}
