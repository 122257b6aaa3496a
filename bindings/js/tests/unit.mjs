// SPDX-License-Identifier: Apache-2.0
// unit.mjs PACKAGE: texts, errors, handles, index maps, relayouts, memory. Run with --expose-gc.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
import { finish, test } from "./check.mjs";

const address = pathToFileURL(process.argv[2]);
const package_ = await import(address.href);
const { Shape, XlashapeError, load, relayout, targets, version, xlaVersion } = package_;
const module_ = await import(new URL("./module.mjs", address).href);
const { c_text, utf16_offset } = await import(new URL("./memory.mjs", address).href);

const refused = (work, status, more = {}) => assert.throws(work, (error) => {
  assert.ok(error instanceof XlashapeError && error instanceof Error && error.name === "XlashapeError",
    String(error.stack));
  assert.equal(error.status, status, error.message);
  for (const [name, value] of Object.entries(more))
    value instanceof RegExp ? assert.match(error[name], value) : assert.equal(error[name], value, error.message);
  return true;
});

await test("before load() every call says what is missing", () =>
  refused(() => Shape.parse("f32[]"), "NOT_FOUND", { message: /load\(\)/ }));
await test("load() refuses what is no module, and can be called again", async () => {
  await assert.rejects(load(42), XlashapeError);
  await assert.rejects(load(new Uint8Array(8)), WebAssembly.CompileError);
  const wasm = new URL("./xlashape.wasm", address);
  assert.equal((await load(readFileSync(wasm))).Shape, Shape);
  assert.equal((await load()).Shape, Shape);
});
await test("version and targets", () => {
  assert.ok(xlaVersion() >= 20261026);
  assert.equal(version(), JSON.parse(readFileSync(new URL("./package.json", address))).version);
  assert.deepEqual(targets().slice(0, 2), ["cpu", "gpu"]);
  assert.ok(targets().includes("tpu:v5e") && new Set(targets()).size === targets().length);
});

await test("index.d.mts names every status", () => {
  const names = [];
  for (let name; (name = c_text(module_.c.xlashape_status_name(names.length + 1))) !== "UNKNOWN";) names.push(name);
  const declared = /type StatusName =([^;]*);/.exec(readFileSync(new URL("./index.d.mts", address), "utf8"))[1];
  assert.deepEqual(declared.match(/\w+/g), names);
});

// == Texts ==
await test("getters", () => {
  const shape = Shape.parse("s4[<=5,7]{0,1:T(8,128)(4,1)L(3)E(4)S(2)SC(0:4)M(16)}");
  assert.equal(shape.category, "array");
  assert.equal(shape.elementType, "s4");
  assert.deepEqual(shape.dimensions, [5, 7]);
  assert.deepEqual(shape.dynamicDimensions, [true, false]);
  assert.deepEqual(shape.layoutSpec, { minorToMajor: [0, 1], paddedDimensions: [], paddingValue: "invalid",
    tiles: [[8, 128], [4, 1]], elementSizeInBits: 4, memorySpace: 2, tailPaddingAlignmentInElements: 3,
    splits: [{ dimension: 0, indices: [4] }], dynamicShapeMetadataPrefixBytes: 16 });
  assert.deepEqual([shape.minorToMajor, shape.tiles, shape.memorySpace, shape.rank],
    [[0, 1], [[8, 128], [4, 1]], 2, 2]);
  assert.equal(shape.layout, "{0,1:T(8,128)(4,1)L(3)E(4)S(2)SC(0:4)M(16)}");
  assert.equal(`${shape}`, `s4[<=5,7]${shape.layout}`);
  assert.equal(shape.toText({ layout: false }), "s4[<=5,7]");
  assert.deepEqual(Shape.parse("f32[?,2]").dimensions, ["?", 2]);
  assert.deepEqual(Shape.parse("f32[2,3]{1,0:T(*,4)}").tiles, [["*", 4]]);
  const bare = Shape.parse("f32[2]", { keepMissingLayout: true });
  assert.deepEqual([bare.layout, bare.layoutSpec, bare.tiles, bare.hasLayout], [null, null, null, false]);
  assert.equal(Shape.parse("(f32[2],(token[]))").elements[1].elements[0].category, "token");
});
await test("Shape.array and Shape.tuple", () => {
  assert.equal(`${Shape.array("f32", [2, 3n])}`, "f32[2,3]{1,0}");
  assert.equal(`${Shape.array("bf16", [16, 256], "{0,1:T(8,128)(2,1)}")}`, "bf16[16,256]{0,1:T(8,128)(2,1)}");
  assert.equal(`${Shape.array("f32", ["?", 4], null, { dynamic: [1, 1], keepMissingLayout: true })}`, "f32[?,<=4]");
  assert.equal(`${Shape.tuple([Shape.array("f32", []), Shape.parse("token[]")])}`, "(f32[], token[])");
  refused(() => Shape.array("f32", [2], "{1,0}"), "INVALID_ARGUMENT");
  refused(() => Shape.array("f33", [2]), "NOT_FOUND", { message: /f33/ });
  refused(() => Shape.array("f32", [2, 1.5]), "INVALID_ARGUMENT", { message: /dimensions\[1\] is 1.5/ });
  refused(() => Shape.array("f32", [2n ** 63n]), "OVERFLOW", { message: /dimensions\[0\] is 9223372036854775808/ });
  refused(() => Shape.array("f32", [-1]), "INVALID_ARGUMENT");
  // What C calls an unbounded dimension.
  refused(() => Shape.array("u8", [2, -(2n ** 63n)]), "INVALID_ARGUMENT",
    { message: /dimensions\[1\] is -9223372036854775808: .*"\?"/ });
  refused(() => Shape.array("f32", "12"), "INVALID_ARGUMENT", { message: /dimensions is no list/ });
  refused(() => Shape.array("f32", [2], undefined, { dynamic: [] }), "INVALID_ARGUMENT");
  refused(() => Shape.tuple([Shape.array("f32", []), {}]), "INVALID_ARGUMENT", { message: /element 1 is no Shape/ });
  assert.throws(() => new Shape(), TypeError);
});
await test("offsets count UTF-16 units", () => {
  refused(() => Shape.parse("f32[2]{0}x"), "PARSE", { offset: 9, byteOffset: 9 });
  // Today's texts are ASCII up to the error.
  refused(() => Shape.parse("f32[2\u{1F600}]"), "PARSE", { offset: 5, byteOffset: 5, message: /\\xf0/ });
  refused(() => Shape.parse("\u00e9"), "PARSE", { offset: 0, byteOffset: 0 });
  refused(() => Shape.parse("f32[2,2]{0,0}"), "INVALID_ARGUMENT", { offset: 8 });
  refused(() => Shape.parse("f32[\u00e9\ud83d]"), "PARSE",
    { offset: 5, byteOffset: 6, message: "the text has half a surrogate pair, U+D83D, at 5" });
  refused(() => Shape.array("\udc00f32", []), "PARSE",
    { offset: 0, message: /element type has half a surrogate pair, U\+DC00/ });
  for (const [text, byte, unit] of [["a\u00e9b", 3, 2], ["\u20acb", 3, 1], ["\u{1F600}b", 4, 2], ["ab", 2, 2],
    ["ab", 9, 2]])
    assert.equal(utf16_offset(text, byte), unit, JSON.stringify(text));
});
await test("hostile texts", () => {
  for (const text of ["", "\0", "f32[2]\0", "\ud800", "f32[\udc00]", "f32[2]{0:T(\ud83d)}", "\ufefff32[2]"])
    refused(() => Shape.parse(text), "PARSE");
  for (const text of [undefined, null, 5, {}, Symbol("x"), ["f32[2]"]])
    refused(() => Shape.parse(text), "INVALID_ARGUMENT", { message: /no string/ });
  refused(() => Shape.parse("x".repeat(1e7)), "PARSE", { offset: 0 });
  refused(() => Shape.parse("\ud800".repeat(1e7)), "PARSE", { offset: 0 });
  refused(() => Shape.parse("(".repeat(1e7)), "PARSE");
  const many = Shape.parse(`(${"f32[2],".repeat(1.4e6)}f32[2])`);
  assert.equal(many.leafCount, 1400001);
  many.dispose();
  refused(() => Shape.parse("f32[99999999999999999999]"), "PARSE", { offset: 4 });
  assert.equal(Shape.parse("f32[2]").forTarget("tpu:v5e").layout, "{0:T(128)}");
  refused(() => Shape.parse("f32[2]").forTarget("tpu\0"), "NOT_FOUND");
  refused(() => Shape.parse("f32[2]").forTarget(undefined), "INVALID_ARGUMENT", { message: /target is no string/ });
});

// == Numbers ==
await test("numbers above 2^53 are BigInts", () => {
  const sizes = Shape.parse("u8[9007199254740991,3]").sizes;
  assert.equal(sizes.bytes, 27021597764222973n);
  assert.equal(sizes.elementBits, 8);
  assert.equal(Shape.parse("u8[9007199254740991]").sizes.bytes, 9007199254740991);
  const large = Shape.parse("u8[9007199254740993,3]");
  assert.deepEqual(large.dimensions, [9007199254740993n, 3]);
  assert.equal(large.positionOf([9007199254740992n, 2]), 27021597764222978n);
  assert.deepEqual(large.indexOf(27021597764222978n), [9007199254740992n, 2]);
  assert.deepEqual(large.explain().dimensions, [9007199254740993n, 3]);
  assert.equal(large.explain().bytes, 27021597764222979n);
  assert.equal(Shape.parse("u8[9223372036854775807]").sizes.bytes, 9223372036854775807n);
  refused(() => Shape.parse("f32[9223372036854775807]").sizes, "OVERFLOW");
});

// == Index maps and relayouts ==
let seed = 1n;
const random = (end) => {
  seed = (seed * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((seed >> 33n) % BigInt(end));
};
function shuffled(count) {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; --i) {
    const j = random(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
const layouts = (rank) => {
  const order = shuffled(rank);
  const tiles = ["", "T(2,2)", "T(8,4)(2,1)", "T(4)", "T(2,3)(2,1)"][rank > 1 ? random(5) : rank * random(2) * 3];
  return `{${order}${tiles || random(3) === 0 ? ":" : ""}${tiles}}`.replace(":}", random(2) ? ":L(5)}" : "}");
};

await test("random index maps there and back", () => {
  for (let i = 0; i < 300; ++i) {
    const dimensions = Array.from({ length: random(4) }, () => 1 + random(6));
    const shape = Shape.array("f32", dimensions, layouts(dimensions.length));
    const positions = Array.from({ length: shape.sizes.storageElements }, (_, position) => position);
    const indices = shape.indicesOf(positions);
    assert.deepEqual(indices, positions.map((position) => shape.indexOf(position)));
    const held = indices.filter((index) => index !== null);
    assert.equal(held.length, shape.sizes.elements);
    assert.deepEqual(shape.positionsOf(held), positions.filter((position) => indices[position] !== null), `${shape}`);
    assert.deepEqual(held.map((index) => shape.positionOf(index)), shape.positionsOf(held));
    // The same as typed arrays.
    for (const [Type, number] of [[Int32Array, Number], [BigInt64Array, BigInt]]) {
      const flat = Type.from(held.flat(), number), found = Type.from(shape.positionsOf(held), number);
      assert.deepEqual(shape.positionsOf(flat), dimensions.length === 0 ? new Type(0) : found);
      assert.deepEqual(shape.indicesOf(Type.from(positions, number)),
        Type.from(indices.flatMap((index) => index ?? dimensions.map(() => -1)), number));
    }
  }
});
await test("indices outside", () => {
  const shape = Shape.parse("f32[3,5]{1,0:T(2,4)}");
  refused(() => shape.positionOf([3, 0]), "OUT_OF_RANGE");
  refused(() => shape.positionOf([0]), "OUT_OF_RANGE");
  refused(() => shape.positionOf([0, 0.5]), "INVALID_ARGUMENT", { message: /index\[1\] is 0.5/ });
  refused(() => shape.positionsOf([[0, 0], [0, 9]]), "OUT_OF_RANGE", { index: 1 });
  refused(() => shape.positionsOf([[0, 0], [0]]), "INVALID_ARGUMENT", { message: /index 1 has 1/ });
  refused(() => shape.indexOf(32), "OUT_OF_RANGE");
  refused(() => shape.indicesOf([5, 32]), "OUT_OF_RANGE", { index: 1 });
  refused(() => shape.indicesOf([5, -1n]), "OUT_OF_RANGE", { index: 1 });
  refused(() => shape.indicesOf([NaN]), "INVALID_ARGUMENT", { message: /positions\[0\] is NaN/ });
  refused(() => shape.indicesOf([5, 32]), "OUT_OF_RANGE", { message: /positions\[1\]: position 32 is outside/ });
  refused(() => Shape.parse("f32[]").indicesOf([0, 1]), "OUT_OF_RANGE",
    { index: 1, message: /positions\[1\]: position 1 is outside/ });
  refused(() => Shape.parse("f32[]").indicesOf([0, NaN]), "INVALID_ARGUMENT", { message: /positions\[1\] is NaN/ });
  for (const flat of [Float64Array.of(0, 1), Uint32Array.of(0, 1), [0, 1], [0n, 1n], BigUint64Array.of(0n, 1n)])
    refused(() => shape.positionsOf(flat), "INVALID_ARGUMENT",
      { message: /index 0 is a number, .* an Int32Array or a BigInt64Array/ });
  assert.deepEqual([shape.positionsOf([]), shape.indicesOf([])], [[], []]);
  refused(() => shape.positionsOf([[0, 0], [0, 0.5]]), "INVALID_ARGUMENT", { message: /indices\[1\]\[1\] is 0.5/ });
  for (const Type of [Int32Array, BigInt64Array]) {
    const list = (...numbers) => Type.from(numbers, Type === Int32Array ? Number : BigInt);
    refused(() => shape.positionsOf(list(0, 0, 0, 9)), "OUT_OF_RANGE", { index: 1 });
    refused(() => shape.positionsOf(list(0, 0, 1)), "INVALID_ARGUMENT",
      { message: /are 3 numbers, the shape has 2 dimensions/ });
    refused(() => Shape.parse("f32[]").positionsOf(list(0)), "INVALID_ARGUMENT");
    refused(() => shape.indicesOf(list(5, 32)), "OUT_OF_RANGE", { index: 1, message: /position 32 is outside/ });
    refused(() => shape.indicesOf(list(5, -1)), "OUT_OF_RANGE", { index: 1 });
    refused(() => Shape.parse("f32[]").indicesOf(list(1)), "OUT_OF_RANGE");
    assert.deepEqual([shape.positionsOf(list()), shape.indicesOf(list())], [list(), list()]);
    // What a subclass says of its length does not matter.
    class Liar extends Type {
      get length() {
        return 1e6;
      }
    }
    refused(() => assert.throws(() => shape.positionsOf(new Liar(2)), RangeError) || shape.positionOf([3, 0]),
      "OUT_OF_RANGE");
  }
  const large = Shape.parse("u8[2147483648,2]");
  refused(() => large.positionsOf(Int32Array.of(2147483647, 1)), "OUT_OF_RANGE",
    { message: /4294967296 positions, .*BigInt64Array/ });
  refused(() => large.indicesOf(Int32Array.of(2147483647)), "OUT_OF_RANGE");
  assert.deepEqual(large.positionsOf(BigInt64Array.of(2147483647n, 1n)), BigInt64Array.of(4294967295n));
  assert.deepEqual(Shape.parse("u8[2147483648]").positionsOf(Int32Array.of(2147483647)), Int32Array.of(2147483647));
  assert.deepEqual(large.positionsOf([[2147483647, 1], [1n, 0]]), [4294967295, 2]);
  refused(() => Shape.parse("(f32[2])").positionOf([0]), "UNSUPPORTED");
});
// Leaves blocks of about `size` bytes for the next calls that hold anything.
const soil = (size) => {
  const blocks = Array.from({ length: 4 }, () => module_.c.malloc(size));
  for (const block of blocks) module_.memory().bytes.fill(0xee, block, block + size);
  blocks.forEach(module_.c.free);
};
await test("relayouts write every byte, whatever was there", () => {
  for (const [from, to] of [["u8[3,5]", "{0,1:T(2,4)}"], ["s4[3,5]{1,0:E(4)}", "{0,1:E(4)}"],
    ["pred[7]{0:E(1)}", "{0:L(5)E(1)}"], ["f32[0,3]", "{0,1:T(8,128)}"], ["u8[3,5]", "{1,0:L(100)}"],
    ["u8[3,5]", "{1,0:M(16)}"], ["f32[5]", "{0:PD(9)PV(one)}"], ["s4[<=5]{0:E(4)}", "{0:T(3)E(4)M(8)}"]]) {
    const [source, target] = [Shape.parse(from), Shape.parse(from.replace(/\{.*|$/, to))];
    const bytes = new Uint8Array(source.sizes.bytes).fill(0x35), size = target.sizes.bytes;
    for (const fill of ["padding", "preserve", "unspecified"]) {
      soil(size);
      const result = relayout(bytes, source, target, { fill });
      const over = relayout(bytes, source, target, { fill, destination: new Uint8Array(size) });
      assert.deepEqual(result, over, `${source} to ${target}, ${fill}`);
    }
  }
});
await test("relayout: what it takes and refuses", () => {
  const from = Shape.parse("f32[2,2]"), to = Shape.parse("f32[2,2]{0,1}");
  assert.deepEqual(new Float32Array(relayout(new Float32Array([1, 2, 3, 4]), from, to).buffer),
    new Float32Array([1, 3, 2, 4]));
  const wide = new Float32Array([9, 1, 2, 3, 4, 9]);
  assert.deepEqual(new Float32Array(relayout(wide.subarray(1, 5), from, to).buffer), new Float32Array([1, 3, 2, 4]));
  relayout(new Float32Array([5, 6, 7, 8]).buffer, from, to, { destination: wide.subarray(1, 5) });
  assert.deepEqual(wide, new Float32Array([9, 5, 7, 6, 8, 9]));
  for (const size of [0, 15, 17, 1000]) {
    refused(() => relayout(new Uint8Array(size), from, to), "OUT_OF_RANGE",
      { message: `the source has ${size} bytes, its shape takes 16` });
    refused(() => relayout(new Uint8Array(16), from, to, { destination: new Uint8Array(size) }), "OUT_OF_RANGE",
      { message: `the destination has ${size} bytes, its shape takes 16` });
  }
  refused(() => relayout([1, 2], from, to), "INVALID_ARGUMENT", { message: /source/ });
  refused(() => relayout(new Uint8Array(16), from, "f32[2,2]"), "INVALID_ARGUMENT", { message: /to is no Shape/ });
  refused(() => relayout(new Uint8Array(16), from, to, { fill: "toString" }), "INVALID_ARGUMENT",
    { message: /fill is toString/ });
  refused(() => relayout(new Uint8Array(16), from, Shape.parse("f32[4]")), "INVALID_ARGUMENT");
  refused(() => relayout(new Uint8Array(4), Shape.parse("u8[2,2]"), Shape.parse("u8[2,2]{1,0:T(50000,90000)}")),
    "NO_MEMORY", { message: /4500000000/ });
});
await test("bitcasts and equality", () => {
  const shape = Shape.parse("f32[4,6]");
  assert.ok(shape.isBitcastTo(Shape.parse("f32[24]")) && !shape.isBitcastTo(Shape.parse("f32[4,6]{0,1}")));
  assert.ok(!shape.isBitcastTo(Shape.parse("s32[24]")) &&
    shape.isBitcastTo(Shape.parse("s32[24]"), { ignoreElementType: true }));
  assert.ok(shape.equals(Shape.parse("f32[4,6]{1,0}")) && !shape.equals(Shape.parse("f32[4,6]{0,1}")));
  refused(() => shape.equals("f32[4,6]"), "INVALID_ARGUMENT", { message: /no Shape/ });
});
await test("draw", () => {
  const shape = Shape.parse("u8[3,4]{0,1:T(2,2)}"), other = Shape.parse("u8[3,4]");
  assert.match(shape.draw(), /12 elements of 8 bits in 16 bytes/);
  const svg = shape.draw(other, { format: "svg", data: true, show: "index", colorBy: 1, overlayBytes: 64n });
  assert.match(svg, /^<svg[^>]* class="xlashape-draw"[^>]* data-shape="u8\[3,4\]\{0,1:T\(2,2\)\}"/);
  assert.equal(new Set(svg.match(/data-index="[0-9,]*"/g)).size, 12);
  assert.ok(svg.includes('data-other="u8[3,4]{1,0}"'));
  assert.match(shape.draw(null, { format: "html", zoom: 1 }), /^<!DOCTYPE html>/i);
  assert.ok(!/[^\n -~]/.test(shape.draw(null, { ascii: true, at: [-1, 2n] })));
  refused(() => shape.draw(null, { format: "png" }), "INVALID_ARGUMENT",
    { message: /format is png: not one of text, svg, html/ });
  refused(() => shape.draw(null, { show: "toString" }), "INVALID_ARGUMENT");
  refused(() => shape.draw(null, { colorBy: 7 }), "OUT_OF_RANGE");
  refused(() => shape.draw(null, { zoom: 2 ** 40 }), "OUT_OF_RANGE", { message: /zoom is 1099511627776/ });
  refused(() => shape.draw(null, { at: [0.5, 0] }), "INVALID_ARGUMENT", { message: /at\[0\]/ });
  refused(() => shape.draw(Shape.parse("u8[3]")), "INVALID_ARGUMENT");
  refused(() => shape.draw("u8[3,4]"), "INVALID_ARGUMENT", { message: /no Shape/ });
});
await test("explain: lines, and targets", () => {
  const { title, lines } = Shape.parse("f32[1000,3]", { keepMissingLayout: true }).explainLines({ target: "tpu:v5e" });
  assert.equal(title, "f32[1000,3]{0,1:T(4,128)}");
  assert.deepEqual(lines[0], { label: "element type", text: "f32  float, 32 bits", row: false });
  assert.ok(lines.some(({ label }) => label === "") && lines.at(-1).label === "least waste");
  refused(() => Shape.parse("f32[2]").explain({ target: "tpu:v0" }), "NOT_FOUND", { message: /tpu:v5e/ });
  refused(() => Shape.parse("f32[?]", { keepMissingLayout: true }).explain({ target: "tpu:v5e" }), "UNSUPPORTED");
});

// == Handles ==
await test("after dispose() every use throws", () => {
  const shape = Shape.parse("(f32[2])"), other = Shape.parse("f32[2]");
  const getters = Object.entries(Object.getOwnPropertyDescriptors(Shape.prototype))
    .filter(([, { get }]) => get).map(([name]) => name);
  assert.ok(getters.length > 15);
  shape.dispose();
  shape.dispose();
  for (const name of getters) refused(() => shape[name], "INVALID_ARGUMENT", { message: /disposed/ });
  for (const work of [() => `${shape}`, () => shape.positionOf([0]), () => shape.indexOf(0),
    () => shape.positionsOf([]), () => shape.subshape([]), () => shape.indicesOf([]), () => shape.explain(),
    () => shape.explainLines(), () => shape.forTarget("cpu"), () => shape.byteSize(), () => shape.equals(other),
    () => other.equals(shape), () => other.isBitcastTo(shape), () => shape.isBitcastTo(other),
    () => Shape.tuple([shape]), () => relayout(new Uint8Array(8), other, shape),
    () => relayout(new Uint8Array(8), shape, other)])
    refused(work, "INVALID_ARGUMENT", { message: /disposed/ });
});
await test("elements are the same each time", () => {
  const tuple = Shape.parse("(f32[2],(s8[3],token[]))"), [first, second] = tuple.elements;
  assert.equal(tuple.elements, tuple.elements);
  assert.equal(tuple.elements[1], second);
  assert.throws(() => tuple.elements.push(first), TypeError);
  first.dispose();
  assert.equal(`${tuple.elements[0]} ${tuple.elements[1]} ${second}`,
    "f32[2]{0} (s8[3]{0}, token[]) (s8[3]{0}, token[])");
  tuple.dispose();
  assert.equal(`${second.elements[0]}`, "s8[3]{0}");
  assert.deepEqual(Shape.parse("f32[2]").elements, []);
});
await test("code of the caller that disposes shapes while a call reads its arguments", () => {
  const disposes = (...shapes) => () => {
    for (const shape of shapes) shape.dispose();
    for (let i = 0; i < 50; ++i) Shape.parse("pred[7,7,7]");
    return 0;
  };
  const disposed = { message: /disposed/ }, made = (text) => [Shape.parse(text), Shape.parse(text)];
  for (const name of ["columns", "format", "at"]) {
    const [a, b] = made("f32[200]{0:T(8)}");
    const ends = {
      columns: disposes(a), format: () => disposes(b)() || "text", at: () => disposes(a, b)() || [0],
    }[name];
    refused(() => a.draw(b, { get [name]() { return ends(); } }), "INVALID_ARGUMENT", disposed);
  }
  let [a, b] = made("u8[4]");
  refused(() => a.draw(b, { at: Object.defineProperty([0], 0, { get: disposes(b) }) }), "INVALID_ARGUMENT", disposed);
  [a, b] = made("u8[4]");
  Object.defineProperty(b, "sizes", { get: disposes(a) });
  assert.equal(relayout(new Uint8Array(4), a, b).length, 4);
  class Ends extends Uint8Array {
    get byteLength() {
      return disposes(b)() || 4;
    }
  }
  refused(() => relayout(new Ends(4), a, b), "INVALID_ARGUMENT", disposed);
  [a, b] = made("u8[4]");
  refused(() => relayout(new Uint8Array(4), a, b, { destination: new Ends(4) }), "INVALID_ARGUMENT", disposed);
  refused(() => relayout(new Uint8Array(4), a, a, { get fill() { return disposes(a)() || "padding"; } }),
    "INVALID_ARGUMENT", disposed);
  const [shape] = made("u8[4]");
  refused(() => shape.positionsOf([Object.defineProperty([0], 0, { get: disposes(shape) })]),
    "INVALID_ARGUMENT", disposed);
  const [tuple] = made("(f32[2])");
  refused(() => tuple.subshape({ *[Symbol.iterator]() { yield disposes(tuple)(); } }), "INVALID_ARGUMENT", disposed);
});
// Where a large block would lie: what leaks is below it.
const used = () => {
  const block = module_.c.malloc(2 ** 20);
  module_.c.free(block);
  return block;
};
await test("1e5 parses with dispose() need no more memory, nor do failures, texts and relayouts", () => {
  const from = Shape.parse("f32[8,8]"), to = Shape.parse("f32[8,8]{0,1:T(2,4)}"), bytes = new Uint8Array(256);
  const tuple = Shape.parse("(f32[2],s8[3])");
  const round = () => {
    const shape = Shape.parse("bf16[128,256]{1,0:T(8,128)(2,1)S(1)}");
    shape.positionOf([3, 130]);
    shape.dispose();
  };
  const others = () => {
    assert.throws(() => Shape.parse("f32[2"));
    assert.throws(() => Shape.array("f32", [2], "{1,0}"));
    const fresh = Shape.parse("f32[8,8]{0,1:T(2,4)}");
    `${fresh}${fresh.layout}${fresh.minorToMajor}`;
    fresh.dispose();
    tuple.elements[0].rank;
    relayout(bytes, from, to);
    from.forTarget("tpu:v5e").dispose();
  };
  const large = () => (to.explain(), to.explainLines(), to.draw(from, { format: "svg" }));
  round(), others(), large();
  const before = used();
  for (let i = 0; i < 1e5; ++i) round();
  for (let i = 0; i < 1e4; ++i) others();
  for (let i = 0; i < 200; ++i) large();
  assert.equal(used(), before);
});
await test("1e5 parses without dispose() are collected", async () => {
  const some = async () => {
    for (let i = 0; i < 25e3; ++i) Shape.parse("bf16[128,256]{1,0:T(8,128)(2,1)S(1)}").positionOf([3, 130]);
    for (let i = 0; i < 5; ++i) {
      globalThis.gc();
      await sleep(1);
    }
  };
  await some();
  const before = used();
  for (let i = 0; i < 3; ++i) await some();
  assert.equal(used(), before);
});
await test("how shapes show themselves", () => {
  const shape = Shape.parse("u8[2,3]{0,1}");
  assert.equal(JSON.stringify({ shape }), '{"shape":"u8[2,3]{0,1}"}');
  assert.equal(inspect(shape), "Shape u8[2,3]{0,1}");
  shape.dispose();
  assert.equal(inspect(shape), "Shape (disposed)");
});

await test("options of draw that are none", () => {
  const shape = Shape.parse("u8[2,3]");
  assert.equal(shape.draw(null, null), shape.draw());
  assert.throws(() => shape.draw(null, 7), { status: "INVALID_ARGUMENT" });
  assert.throws(() => shape.draw(7), { status: "INVALID_ARGUMENT" });
});

finish();
