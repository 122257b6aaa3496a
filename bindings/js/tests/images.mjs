// SPDX-License-Identifier: Apache-2.0
// Memory images for the corpus. The cases write tokens; each becomes a bit pattern of the element type, and where a
// type has fewer patterns than there are tokens the relayout runs several times,
// once for each digit of a token's number.
import { pathToFileURL } from "node:url";

const { Shape, relayout, XlashapeError } = await import(pathToFileURL(process.argv[2]).href);

const kSubByte = /^[su](1|2|4)$|^f(4)e2m1fn$/;
export const plain = (shape) => Shape.array(shape.elementType, shape.dimensions);

/** What an image is made of: positions of `container` bits, each with a value of `value` bits. */
class Cells {
  constructor(shape) {
    const { storageElements, bytes, elementBits } = shape.sizes;
    if (bytes > 2 ** 26) throw new Error("the image is too large to be built");
    this.count = storageElements;
    this.bytes = bytes;
    this.container = BigInt(elementBits);
    const type = shape.elementType, narrow = kSubByte.exec(type);
    const bits = BigInt(narrow ? narrow[1] ?? narrow[2] : Shape.array(type, [1]).sizes.elementBits);
    this.value = bits < this.container ? bits : this.container;
  }
  image(values) {
    const bytes = new Uint8Array(this.bytes);
    values.forEach((value, position) => {
      const first = BigInt(position) * this.container;
      for (let bit = 0n; bit < this.value; ++bit)
        if ((value >> bit) & 1n) bytes[Number((first + bit) >> 3n)] |= 1 << Number((first + bit) & 7n);
    });
    return bytes;
  }
  values(bytes) {
    return Array.from({ length: this.count }, (_, position) => {
      const first = BigInt(position) * this.container;
      let value = 0n;
      for (let bit = 0n; bit < this.value; ++bit)
        if ((bytes[Number((first + bit) >> 3n)] >> Number((first + bit) & 7n)) & 1) value |= 1n << bit;
      return value;
    });
  }
}

function expect_count(data, cells) {
  if (data.length !== cells.count)
    throw new XlashapeError("OUT_OF_RANGE", `data has ${data.length} entries, the source ${cells.count} positions`);
}
const same = (got, want, what) => {
  const at = got.findIndex((value, i) => value !== want[i]);
  if (at >= 0) throw new Error(`position ${at} holds ${got[at]}, not ${want[at]} (${what})`);
};

/** The padding element of a type, as hex: what a relayout writes behind the one element of a padded array. */
export function fill_value(type, padding_value) {
  const value = padding_value.replace("_PAD", "").toLowerCase();
  const target = Shape.parse(`${type}[1]{0:PD(2)${value === "invalid" ? "" : `PV(${value})`}}`);
  const width = target.sizes.bytes / 2;
  return Buffer.from(relayout(new Uint8Array(width), Shape.array(type, [1]), target).subarray(width)).toString("hex");
}

/** What the case wants, where the relaid image is that. */
export function compare_relayout(source, target, item) {
  const fill = item.fill ?? "(no element)";
  const cells = new Cells(source), to = new Cells(target);
  const want = Array.isArray(item.expect) ? item.expect : Array(to.count).fill(fill);
  expect_count(item.data, cells);
  if (want.length !== to.count) throw new Error(`got ${to.count} positions want ${want.length}`);
  const tokens = new Map();
  for (const token of [fill, ...item.data, ...want].map((token) => JSON.stringify(token)))
    if (!tokens.has(token)) tokens.set(token, BigInt(tokens.size));
  const padding = target.layoutSpec?.paddingValue ?? "invalid";
  const filled = BigInt("0x" + Buffer.from(fill_value(target.elementType, padding), "hex").reverse().toString("hex"));
  for (let number = 0n; number === 0n || 1n << (to.value * number) < tokens.size; ++number) {
    // An odd factor keeps numbers apart in their lowest bits and fills the higher ones.
    const pattern = (token) => BigInt.asUintN(Number(to.value),
      ((tokens.get(JSON.stringify(token)) >> (to.value * number)) + 1n) * 0xd6e8feb86659fd93ca5a82633c6b7a85n);
    const image = cells.image(item.data.map(pattern));
    const preset = () => to.image(Array(to.count).fill(pattern(fill)));
    const expected = want.map(pattern);
    const left_alone = relayout(image, source, target, { fill: "preserve", destination: preset() });
    same(to.values(left_alone), expected, "padding left alone");
    if (padding === "invalid") continue;
    target.indicesOf(want.keys()).forEach((index, position) => {
      if (index === null) expected[position] = BigInt.asUintN(Number(to.value), filled);
    });
    same(to.values(relayout(image, source, target, { destination: preset() })), expected, "padding filled");
  }
  return item.expect;
}

/** The memory of `target`, in hex, made from that of `source`. */
export const moved = (source, data, target) =>
  Buffer.from(relayout(new Uint8Array(Buffer.from(data, "hex")), source, target)).toString("hex");

/** The image of `target` that holds `data`, numbers in row-major order, with zeros for padding, in hex. */
export function packed(target, data) {
  const source = plain(target), cells = new Cells(source);
  expect_count(data, cells);
  return Buffer.from(relayout(cells.image(data.map(BigInt)), source, target)).toString("hex");
}
