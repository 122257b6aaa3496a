// SPDX-License-Identifier: Apache-2.0
// bench.mjs PACKAGE [WORD]: how many times as fast relayout() is as the loop that one would write by hand on typed
// arrays; WORD: only cases whose names have it. In turns, medians of the processor's time; it asserts that the results
// are equal, and nothing about time. "new": both make the array that they give; "into": both write into an array that
// there is; "inside": so does the loop, and the call's two are each in a Memory; "text": as new, but the two shapes are
// parsed first, each time.
//
//   node bindings/js/bench.mjs build-wasm/js/index.mjs
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";

const [, , at, word = ""] = process.argv;
const { Memory, Shape, relayout } = await (await import(pathToFileURL(at).href)).load();

// The loops, as texts: each case compiles its own, so that none pays for the types of another.
const kTranspose = `for (let i = 0; i < m; ++i) for (let j = 0; j < n; ++j) to[j * m + i] = from[i * n + j];`;
const kReversed = `for (let i = 0; i < a; ++i) for (let j = 0; j < b; ++j) for (let k = 0; k < c; ++k)
  to[(k * b + j) * a + i] = from[(i * b + j) * c + k];`;
const kToPlanes = `for (let k = 0; k < c; ++k) for (let i = 0; i < a; ++i) for (let j = 0; j < b; ++j)
  to[(k * a + i) * b + j] = from[(i * b + j) * c + k];`;
const kFromPlanes = `for (let i = 0; i < a; ++i) for (let j = 0; j < b; ++j) for (let k = 0; k < c; ++k)
  to[(i * b + j) * c + k] = from[(k * a + i) * b + j];`;
const kPlace = `((i >> 3) * across + (j >> 7)) * 1024 + (i & 7) * 128 + (j & 127)`;
const tiled = (line) => `const across = (n + 127) >> 7;
  for (let i = 0; i < m; ++i) for (let j = 0; j < n; ++j) ${line};`;
const kTile = tiled(`to[${kPlace}] = from[i * n + j]`), kUntile = tiled(`to[i * n + j] = from[${kPlace}]`);

const kTiles = "{1,0:T(8,128)}";
const cases = [];
for (const [m, n] of [[3, 4], [64, 64], [1000, 1000], [1023, 1023], [4096, 4096]])
  cases.push(["transpose", [m, n], "{1,0}", "{0,1}", kTranspose], ["into tiles", [m, n], "{1,0}", kTiles, kTile],
    ["out of tiles", [m, n], kTiles, "{1,0}", kUntile]);
for (const size of [[224, 224, 3], [64, 64, 64]]) cases.push(["reversed", size, "{2,1,0}", "{0,1,2}", kReversed]);
cases.push(["NHWC to NCHW", [224, 224, 3], "{2,1,0}", "{1,0,2}", kToPlanes],
  ["NCHW to NHWC", [224, 224, 3], "{1,0,2}", "{2,1,0}", kFromPlanes]);
const types = { u8: Uint8Array, u16: Uint16Array, f32: Float32Array, f64: Float64Array };

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
// Milliseconds of the processor, which other programs on a busy machine change less than those of the clock.
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
// Medians of the milliseconds that a call of each work takes, in turns: samples of 1 ms and more.
function times(works) {
  const once = works.map((work) => {
    let spent = 0, calls = 0;
    for (const begin = now(); spent < 25 || calls < 2; ++calls) {  // compiled by then
      for (let i = 0; i < calls; ++i) work();
      spent = now() - begin;
    }
    return spent / (calls * (calls - 1) / 2);
  });
  const counts = once.map((time) => Math.ceil(1 / time));
  const rounds = Math.min(Math.max(Math.ceil(120 / Math.max(...once)), 5), 25), samples = works.map(() => []);
  for (let round = 0; round < rounds; ++round)
    works.forEach((work, w) => {
      const begin = now();
      for (let i = 0; i < counts[w]; ++i) work();
      samples[w].push((now() - begin) / counts[w]);
    });
  return samples.map(median);
}

function ratios([, dimensions, from_layout, to_layout, loop], type) {
  const Type = types[type], texts = [from_layout, to_layout].map((layout) => `${type}[${dimensions}]${layout}`);
  const [from, to] = texts.map((text) => Shape.parse(text));
  const source = new Type(from.sizes.bytes / Type.BYTES_PER_ELEMENT), count = to.sizes.bytes / Type.BYTES_PER_ELEMENT;
  for (let i = 0; i < source.length; ++i) source[i] = i * 7 + (i >> 8);
  const names = dimensions.length === 2 ? "m, n" : "a, b, c";
  const run = new Function("from", "to", names, loop);
  const has_padding = count > from.elementCount ? (array) => array.fill(0) : () => {};
  const by_hand = (array) => (run(source, array, ...dimensions), array);
  const expected = by_hand(new Type(count));
  const given = new Type(count), mine = new Type(count);
  const inside = [source.byteLength, given.byteLength].map((size) => new Memory(size));
  inside[0].bytes.set(new Uint8Array(source.buffer));
  const works = [
    () => by_hand(new Type(count)),
    () => new Type(relayout(source, from, to).buffer),
    () => (has_padding(mine), by_hand(mine)),
    () => relayout(source, from, to, { destination: given }),
    () => relayout(inside[0].bytes, from, to, { destination: inside[1].bytes }),
    () => {
      const shapes = texts.map((text) => Shape.parse(text)), result = relayout(source, ...shapes);
      for (const shape of shapes) shape.dispose();
      return new Type(result.buffer);
    },
  ];
  const [hand_new, new_, hand_into, into, in_memory, text] = times(works);
  for (const result of [works[1]().buffer, given.buffer, inside[1].bytes])
    assert.equal(Buffer.compare(new Uint8Array(result), new Uint8Array(expected.buffer)), 0);
  for (const one of [from, to, ...inside]) one.dispose();
  return [hand_into * 1e3, hand_new / new_, hand_into / into, hand_into / in_memory, hand_new / text];
}

for (const one of cases.slice(3, 6)) ratios(one, "u8");  // what all cases use is compiled by then
console.log(`Node.js ${process.version}; by hand in microseconds, then times as fast: new, into, inside, text`);
console.log(`${"".padEnd(26)}${Object.keys(types).map((type) => type.padStart(14).padEnd(36)).join("")}`);
for (const one of cases) {
  const name = `${one[0]} ${one[1].join("x")}`;
  if (!name.includes(word)) continue;
  const cells = Object.keys(types).map((type) => ratios(one, type).map((value, i) =>
    i === 0 ? value.toFixed(value < 10 ? 2 : 0).padStart(8) : value.toFixed(2).padStart(6)).join(""));
  console.log(name.padEnd(26) + cells.map((cell) => cell.padEnd(36)).join(""));
}
