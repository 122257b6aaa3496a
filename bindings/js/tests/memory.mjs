// SPDX-License-Identifier: Apache-2.0
// memory.mjs PACKAGE: relayouts in memory of the module, after it has grown, and plans that are kept. Run with
// --expose-gc.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { finish, test } from "./check.mjs";

const address = pathToFileURL(process.argv[2]);
const { Memory, Shape, relayout } = await (await import(address.href)).load();
const { c } = await import(new URL("./module.mjs", address).href);
const refused = (work, status, message = /./) => assert.throws(work, { name: "XlashapeError", status, message });

// Bytes of its own in a copy, each unlike its neighbours.
const counted = (size) => Uint8Array.from({ length: size }, (_, i) => i * 37 + (i >> 8));
// `bytes` as a view that begins at an odd place, of memory of the module or of JavaScript's.
const odd = (bytes, owner) => {
  const room = owner === undefined ? new Uint8Array(bytes.length + 16) : owner.bytes;
  const view = room.subarray(3, 3 + bytes.length);
  view.set(bytes);
  return view;
};
// What relayout() must do, element by element, by the shapes' own positions; whole bytes only.
function reference(source, from, to, fill, before) {
  const width = from.sizes.elementBits / 8;
  const result = fill === "padding" ? new Uint8Array(before.length) : before.slice();
  const positions = Array.from({ length: from.sizes.storageElements }, (_, i) => i);
  from.indicesOf(positions).forEach((index, position) => {
    if (index === null) return;
    const at = to.positionOf(index) * width;
    result.set(source.subarray(position * width, (position + 1) * width), at);
  });
  return result;
}

await test("Memory: what it takes, holds and refuses", () => {
  for (const size of [0, 1, 100, 1e6]) {
    const memory = new Memory(size);
    assert.deepEqual(memory.bytes, new Uint8Array(size));
    assert.equal(memory.bytes.byteOffset % 64, 0);
    memory.bytes.fill(7);
    memory.dispose();
    memory.dispose();
    refused(() => memory.bytes, "INVALID_ARGUMENT", /disposed/);
  }
  for (const size of [-1, 1.5, "8", 8n, undefined, NaN, 2 ** 60]) refused(() => new Memory(size), "INVALID_ARGUMENT");
  refused(() => new Memory(2 ** 31), "NO_MEMORY", /2147483648 bytes/);
  refused(() => new Memory(2 ** 31 - 1), "NO_MEMORY");
});

const kPairs = [["u8[3,5]", "{0,1}"], ["u16[64,64]", "{0,1}"], ["f32[9,130]", "{1,0:T(8,128)}"],
  ["f64[33,65]", "{0,1:T(8,128)}"], ["f32[7,5,3]", "{0,1,2}"], ["u8[20,30,3]", "{1,0,2}"], ["f64[0,3]", "{0,1}"],
  ["f32[16,256]", "{0,1}"]];
await test("relayouts in memory of the module, of JavaScript, and from one to the other", () => {
  for (const [text, layout] of kPairs) {
    const from = Shape.parse(text), to = Shape.parse(text.replace(/$/, layout));
    const source = counted(from.sizes.bytes), before = new Uint8Array(to.sizes.bytes).fill(0xa5);
    const owners = [new Memory(source.length + 16), new Memory(before.length + 16)];
    for (const fill of ["padding", "preserve"]) {
      const wanted = reference(source, from, to, fill, before);
      if (fill === "padding") assert.deepEqual(relayout(source, from, to), wanted, `${to}`);
      for (const inside of [0, 1, 2, 3]) {
        const at = odd(source, inside & 1 ? owners[0] : undefined);
        const destination = odd(before, inside & 2 ? owners[1] : undefined);
        const result = relayout(at, from, to, { fill, destination });
        assert.deepEqual(result, wanted, `${to}, ${fill}, ${inside}`);
        assert.equal(result.buffer, destination.buffer);
        assert.deepEqual(at, source);
        if (inside & 2) assert.deepEqual(owners[1].bytes.subarray(0, 3), new Uint8Array(3));
      }
    }
    for (const one of [from, to, ...owners]) one.dispose();
  }
});
await test("one Memory as source and destination", () => {
  const memory = new Memory(64), shape = Shape.parse("u8[4,8]"), other = Shape.parse("u8[4,8]{0,1}");
  const [low, high] = [memory.bytes.subarray(0, 32), memory.bytes.subarray(32)];
  low.set(counted(32));
  assert.deepEqual(relayout(low, shape, other, { destination: high }), relayout(low.slice(), shape, other));
  refused(() => relayout(low, shape, other, { destination: memory.bytes.subarray(31, 63) }), "INVALID_ARGUMENT");
  assert.deepEqual(relayout(low, shape, shape, { destination: low }), counted(32));
  // In place, and the next time between two arrays; and where that cannot be.
  const moved = high.slice();
  assert.deepEqual(relayout(low, shape, other, { destination: low }), moved);
  assert.deepEqual(low, moved);
  high.fill(0);
  low.set(counted(32));
  assert.deepEqual(relayout(low, shape, other, { destination: high }), moved);
  const texts = ["u8[4,8]{1,0:T(8)}", "u8[4,7]", "u8[4,7]{1,0:T(4,8)}"];
  const [tiled, padded, tile] = texts.map((text) => Shape.parse(text));
  assert.deepEqual(relayout(low, shape, tiled, { destination: low }), counted(32));
  refused(() => relayout(low, tile, tile, { destination: low }), "UNSUPPORTED", /in place: a layout has padding/);
  refused(() => relayout(low.subarray(0, 28), padded, tile, { destination: low }), "UNSUPPORTED", /in place: /);
  // What is JavaScript's is copied first.
  const bytes = counted(32);
  assert.deepEqual(relayout(bytes, shape, other, { destination: bytes }), high);
});
await test("views from before the memory grew", () => {
  const from = Shape.parse("u8[2,2]"), to = Shape.parse("u8[2,2]{0,1}"), memory = new Memory(8);
  const old = memory.bytes, buffer = old.buffer;
  old.set([1, 2, 3, 4]);
  const large = new Memory(buffer.byteLength);  // cannot fit what there is
  assert.deepEqual([old.length, memory.bytes.length], [0, 8]);
  const detached = { name: "TypeError", message: /detached ArrayBuffer/ };
  assert.throws(() => relayout(old, from, to), detached);
  assert.throws(() => relayout(new Uint8Array(4), from, to, { destination: old }), detached);
  assert.deepEqual(relayout(memory.bytes.subarray(0, 4), from, to), Uint8Array.of(1, 3, 2, 4));
  large.dispose();
  // It grows in the call.
  const size = c.memory.buffer.byteLength + 2 ** 20, wide = Shape.array("u8", [size]), short = new Memory(size);
  const source = new Uint8Array(2 * size).fill(3);
  const pairs = Shape.array("u8", [2, size]), turned = Shape.array("u8", [2, size], "{0,1}");
  const given = new Memory(2 * size), view = given.bytes, before = c.memory.buffer;
  const result = relayout(source, pairs, turned, { destination: view });
  assert.ok(c.memory.buffer !== before && view.length === 0 && result.buffer === c.memory.buffer);
  assert.equal(Buffer.compare(result, source), 0);
  assert.equal(relayout(short.bytes, wide, wide).length, size);
  for (const one of [given, short]) one.dispose();
  // Numbers in the module's memory, which the call moves.
  const numbers = new Memory(c.memory.buffer.byteLength), positions = new Int32Array(numbers.bytes.buffer,
    numbers.bytes.byteOffset, numbers.bytes.length / 4 - 4);
  const line = Shape.array("u8", [7]);
  assert.equal(line.positionsOf(positions).findIndex((position) => position !== 0), -1);
  numbers.dispose();
});

await test("kept plans: the same again, in turns with others, after dispose()", () => {
  const texts = ["u8[6,10]", "u16[6,10]", "f32[6,10]", "f64[6,10]", "f32[10,6]"];
  const layouts = ["{1,0}", "{0,1}", "{1,0:T(2,4)}", "{0,1:T(8,128)}", "{1,0:L(64)}"];
  const pairs = texts.flatMap((text) => layouts.flatMap((a) => layouts.map((b) => [text + a, text + b])));
  assert.ok(pairs.length > 100);
  const shapes = new Map(pairs.flat().map((text) => [text, Shape.parse(text)]));
  const once = (a, b, fill) => {
    const [from, to] = [shapes.get(a), shapes.get(b)], source = counted(from.sizes.bytes);
    const destination = new Uint8Array(to.sizes.bytes).fill(9);
    return relayout(source, from, to, { fill, destination });
  };
  const first = pairs.map(([a, b]) => ["padding", "preserve"].map((fill) => once(a, b, fill)));
  for (let round = 0; round < 4; ++round) {
    pairs.forEach(([a, b], i) => {
      for (let again = 0; again < 3; ++again)
        assert.deepEqual(["padding", "preserve"].map((fill) => once(a, b, fill)), first[i], `${a} to ${b}`);
    });
    for (const text of shapes.keys()) {
      shapes.get(text).dispose();
      shapes.set(text, Shape.parse(text));
    }
  }
});
await test("what is wrong is the same error each time", () => {
  const from = Shape.parse("f32[2,2]"), to = Shape.parse("f32[2,2]{0,1}"), four = Shape.parse("f32[4]");
  const source = new Uint8Array(16);
  for (let round = 0; round < 3; ++round) {
    refused(() => relayout(source, from, four), "INVALID_ARGUMENT");
    assert.equal(relayout(source, from, to).length, 16);
    refused(() => relayout(new Uint8Array(15), from, to), "OUT_OF_RANGE", /the source has 15 bytes, .* takes 16/);
    refused(() => relayout(source, from, to, { destination: new Uint8Array(17) }), "OUT_OF_RANGE", /has 17 bytes/);
    refused(() => relayout(source, from, to, { fill: "none" }), "INVALID_ARGUMENT", /fill is none/);
    refused(() => relayout([], from, to), "INVALID_ARGUMENT", /source/);
    const token = Shape.parse("token[]");
    refused(() => relayout(source, token, to), "UNSUPPORTED");
    refused(() => relayout(source, from, token), "UNSUPPORTED");
  }
  to.dispose();
  refused(() => relayout(source, from, to), "INVALID_ARGUMENT", /disposed/);
});

// Where a large block would lie: what leaks is below it.
const used = () => {
  const block = c.malloc(2 ** 20);
  c.free(block);
  return block;
};
const collected = async () => {
  for (let i = 0; i < 5; ++i) {
    globalThis.gc();
    await sleep(1);
  }
};
await test("1e4 plans need no more memory", () => {
  const round = (i) => {
    const shapes = ["", "{0,1}"].map((layout) => Shape.parse(`u8[${1 + (i % 20)},9]${layout}`));
    assert.equal(relayout(new Uint8Array(shapes[0].sizes.bytes), ...shapes).length, shapes[1].sizes.bytes);
    shapes.forEach((shape) => shape.dispose());
  };
  for (let i = 0; i < 100; ++i) round(i);
  const before = used();
  for (let i = 0; i < 1e4; ++i) round(i);
  assert.ok(used() < before + 2e4, `${used() - before} bytes more`);  // holes among them
});
await test("a Memory that is forgotten is collected", async () => {
  const some = async () => {
    for (let i = 0; i < 400; ++i) new Memory(5000);
    await collected();
  };
  await some();
  const before = used();
  for (let i = 0; i < 3; ++i) await some();
  assert.equal(used(), before);
});

finish();
