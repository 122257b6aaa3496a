// SPDX-License-Identifier: Apache-2.0
// windows.mjs PACKAGE: windows and slabs, against index maps and against a relayout of the whole array.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { finish, test } from "./check.mjs";

const { Shape, XlashapeError, load, relayout, slabs } = await import(pathToFileURL(process.argv[2]).href);
await load();

const refused = (work, status, message) => assert.throws(work, (error) => {
  assert.ok(error instanceof XlashapeError, String(error.stack));
  assert.equal(error.status, status, error.message);
  assert.match(error.message, message);
  return true;
});

// Numbers that look random, the same ones each time.
let state = 1;
function below(limit) {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) % limit;
}
const kLayouts = ["{2,1,0}", "{0,1,2}", "{1,2,0}", "{2,1,0:T(4,8)}", "{0,2,1:T(2,4)}", "{2,0,1:T(4,8)(2,1)}",
  "{2,1,0:T(*,8)}", "{2,1,0:T(*,5)}", "{2,1,0:L(64)}", "{0,1,2:T(2,2,2)}"];
/** Two arrays of the same dimensions and element type. */
function arrays() {
  const element = ["u8", "s16", "f32"][below(3)];
  const sizes = [0, 0, 0].map(() => [1, 3, 4, 8, 16, 21][below(6)]);
  return [0, 1].map(() => Shape.parse(`${element}[${sizes}]${kLayouts[below(10)]}`));
}
const said = (window) => [`${window.shape}`, window.byteOffset, window.bytes, window.runBytes, window.runCount];
const tiled = Shape.parse("f32[64,512]{1,0:T(8,128)}"); // 8 x 4 tiles of 4096 bytes

await test("what a window says", () => {
  assert.deepEqual(said(tiled.window([8, 0], [16n, 512])), ["f32[16,512]{1,0:T(8,128)}", 16384, 32768, 32768, 1]);
  const columns = tiled.window([0, 128], new Set([64, 256]));
  assert.deepEqual(said(columns), ["f32[64,256]{1,0:T(8,128)}", 4096, 65536, 8192, 8]);
  const all = Array.from({ length: 8 }, (_, row) => (row * 4 + 1) * 4096);
  assert.deepEqual([columns.runs(), columns.runs(6), columns.runs(2, 3n), columns.runs(8), columns.runs(3, 0)],
    [all, all.slice(6), all.slice(2, 5), [], []]);
  assert.deepEqual(tiled.windowGranularity, [8, 128]);
  assert.deepEqual(said(Shape.parse("f32[]").window([], [])), ["f32[]", 0, 4, 4, 1]);
  assert.deepEqual(said(Shape.parse("f32[0,4]").window([0, 0], [0, 4])), ["f32[0,4]{1,0}", 0, 0, 0, 0]);
  const far = Shape.parse("u8[1099511627776,1048576]").window([2 ** 39, 0], [1, 1048576]);
  assert.deepEqual([far.byteOffset, far.runs()], [2n ** 59n, [2n ** 59n]]);
});
await test("what is no window", () => {
  const columns = tiled.window([0, 128], [64, 256]);
  refused(() => tiled.window([4, 0], [8, 512]), "UNSUPPORTED", /takes 4 to 12 of dimension 0, of 64, and would cut/);
  refused(() => tiled.window([0, 128], [64, 385]), "OUT_OF_RANGE", /dimension 1 of the window: 385 elements/);
  refused(() => tiled.window([0, -1], [64, 1]), "OUT_OF_RANGE", /dimension 1/);
  refused(() => tiled.window([0, 0], [64]), "INVALID_ARGUMENT", /base has 2 entries, extent 1/);
  refused(() => tiled.window([0], [64]), "INVALID_ARGUMENT", /rank is 1, the shape has 2/);
  refused(() => tiled.window([0, 0.5], [64, 1]), "INVALID_ARGUMENT", /base\[1\] is 0.5/);
  refused(() => tiled.window("00", [64, 1]), "INVALID_ARGUMENT", /base is no list/);
  refused(() => Shape.parse("f32[?,4]").window([0, 0], [1, 4]), "UNSUPPORTED", /./);
  refused(() => Shape.parse("token[]").windowGranularity, "UNSUPPORTED", /./);
  refused(() => columns.runs(7, 2), "OUT_OF_RANGE", /runs 7 to 9 are asked for, the window has 8/);
  refused(() => columns.runs(9), "OUT_OF_RANGE", /the window has 8/);
  refused(() => columns.runs(0, 2 ** 24), "OUT_OF_RANGE", /the window has 8/);
  refused(() => columns.runs(0, 2n ** 62n), "INVALID_ARGUMENT", /count is 4611686018427387904/);
  refused(() => columns.runs(-1), "OUT_OF_RANGE", /./);
  refused(() => columns.runs(0, -1), "INVALID_ARGUMENT", /count is -1/);
  refused(() => columns.runs(0.5), "INVALID_ARGUMENT", /first is 0.5/);
  const gone = Shape.parse("f32[2]"), window = gone.window([0], [1]);
  gone.dispose();
  assert.equal(`${window.shape}`, "f32[1]{0}");
  refused(() => window.runs(), "INVALID_ARGUMENT", /was disposed/);
});
await test("windows are where the index map says", () => {
  let several = 0;
  for (let i = 0; i < 100; ++i) {
    const [array] = arrays(), base = [], extent = [];
    array.windowGranularity.forEach((unit, d) => {
      const size = array.dimensions[d], units = Math.ceil(size / unit), begin = below(units);
      base.push(begin * unit);
      extent.push(Math.min(size, (begin + 1 + below(units - begin)) * unit) - begin * unit);
    });
    const window = array.window(base, extent), runs = window.runs(), bytes = array.sizes.elementBits / 8;
    several += window.runCount > 1;
    assert.equal(window.shape.sizes.bytes, window.bytes);
    const taken = new Set(runs.flatMap((run) => Array.from({ length: window.runBytes }, (_, byte) => run + byte)));
    const indices = array.indicesOf(Array.from({ length: array.sizes.dataBytes / bytes }, (_, at) => at));
    indices.forEach((index, position) => {
      if (index === null) return;
      const at = position * bytes, inside = index.map((i, d) => i - base[d]);
      const is_inside = inside.every((i, d) => i >= 0 && i < extent[d]);
      assert.equal(taken.has(at), is_inside, `${array} ${base} ${extent}: ${index}`);
      if (!is_inside) return;
      const own = window.shape.positionOf(inside) * bytes;
      assert.equal(runs[Math.floor(own / window.runBytes)] + own % window.runBytes, at, `${array} ${base} ${extent}`);
    });
  }
  assert.ok(several > 20, `${several}`);
});

await test("what slabs say", () => {
  const plain = Shape.parse("f32[64,512]"), chosen = slabs(plain, tiled, 65536);
  assert.deepEqual({ ...chosen },
    { extent: [16, 512], count: 4, srcBytes: 32768, dstBytes: 32768, srcRuns: 4, dstRuns: 4 });
  assert.deepEqual([...chosen], [0, 16, 32, 48].map((row) => ({ base: [row, 0], extent: [16, 512] })));
  assert.deepEqual(chosen.slab(3n), { base: [48, 0], extent: [16, 512] });
  assert.deepEqual([...slabs(Shape.parse("f32[]"), Shape.parse("f32[]"), 8)], [{ base: [], extent: [] }]);
  const empty = Shape.parse("f32[0,10]");
  assert.deepEqual([...slabs(empty, empty, 0)], [{ base: [0, 0], extent: [0, 10] }]);
  assert.deepEqual([...slabs(Shape.parse("u8[5,3]"), Shape.parse("f32[5,3]{0,1}"), 25)],
    [0, 1, 2].map((column) => ({ base: [0, column], extent: [5, 1] })));
  refused(() => chosen.slab(4), "OUT_OF_RANGE", /slab 4 of 4/);
  refused(() => chosen.slab(-1), "OUT_OF_RANGE", /slab -1 of 4/);
  refused(() => chosen.slab(0.5), "INVALID_ARGUMENT", /the number is 0.5/);
  refused(() => slabs(plain, tiled, 8191), "OUT_OF_RANGE", /max_bytes is 8191: the smallest slab takes 4096 bytes/);
  refused(() => slabs(plain, tiled, -1), "INVALID_ARGUMENT", /max_bytes is -1/);
  refused(() => slabs(plain, tiled), "INVALID_ARGUMENT", /maxBytes is undefined/);
  refused(() => slabs(plain, "f32[64,512]", 8192), "INVALID_ARGUMENT", /to is no Shape/);
  refused(() => slabs(Shape.parse("f32[64,511]"), tiled, 8192), "INVALID_ARGUMENT", /other dimensions/);
  refused(() => slabs(Shape.parse("(f32[2])"), tiled, 8192), "UNSUPPORTED", /./);
});
await test("slabs come in the order of the destination", () => {
  const columns = Shape.parse("u8[40,40]{0,1}"), chosen = [...slabs(Shape.parse("u8[40,40]"), columns, 200)];
  const offsets = chosen.map(({ base, extent }) => columns.window(base, extent).byteOffset);
  assert.deepEqual(offsets, [...offsets].sort((a, b) => a - b));
  assert.ok(new Set(chosen.map(({ base }) => base[0])).size > 1 && new Set(chosen.map(({ base }) => base[1])).size > 1);
});
await test("slabs are windows where a tile merges dimensions", () => {
  const merged = Shape.parse("u8[16,8,8]{2,1,0:T(*,8)}");
  assert.deepEqual(merged.windowGranularity, [1, 1, 8]);
  for (const order of ["{2,1,0}", "{0,1,2}", "{0,2,1}", "{1,2,0}"])
    for (let most = 16; most <= 2048; most += 7) {
      const to = Shape.parse(`u8[16,8,8]${order}`);
      for (const { base, extent } of slabs(merged, to, most))
        for (const shape of [merged, to]) shape.window(base, extent).shape.dispose();
    }
});
await test("slabs give the same bytes", () => {
  let several = 0;
  for (let i = 0; i < 150; ++i) {
    const [src, dst] = arrays(), from = Uint8Array.from({ length: src.sizes.bytes }, () => below(256));
    const most = below(from.length + dst.sizes.bytes + 1);
    let chosen;
    try {
      chosen = slabs(src, dst, most);
    } catch (error) {
      assert.equal(error.status, "OUT_OF_RANGE", String(error.stack));
      continue;
    }
    several += chosen.count > 1;
    assert.ok(chosen.srcBytes + chosen.dstBytes <= most);
    const to = new Uint8Array(dst.sizes.bytes);
    let read = 0, written = 0;
    for (const { base, extent } of chosen) {
      const source = src.window(base, extent), destination = dst.window(base, extent);
      assert.ok(source.bytes <= chosen.srcBytes && destination.bytes <= chosen.dstBytes);
      const part = new Uint8Array(source.bytes);
      source.runs().forEach((at, number) =>
        part.set(from.subarray(at, at + source.runBytes), number * source.runBytes));
      const moved = relayout(part, source.shape, destination.shape), size = destination.runBytes;
      destination.runs().forEach((at, number) => to.set(moved.subarray(number * size, (number + 1) * size), at));
      read += source.runCount;
      written += destination.runCount;
    }
    assert.ok(read <= chosen.srcRuns && written <= chosen.dstRuns);
    assert.deepEqual(to, relayout(from, src, dst), `${src} to ${dst} in ${chosen.count}`);
  }
  assert.ok(several > 40, `${several}`);
});

finish();
