// SPDX-License-Identifier: Apache-2.0
// values.mjs PACKAGE: relayouts that convert values, quantize them, or take the bits of a byte from the highest.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { finish, test } from "./check.mjs";

const { Memory, Shape, relayout } = await (await import(pathToFileURL(process.argv[2]).href)).load();
const refused = (work, status, message) => assert.throws(work, { name: "XlashapeError", status, message });
const shapes = (...texts) => texts.map((text) => Shape.parse(text));
// The numbers of a result.
const as = (Type, bytes) => Array.from(new Type(bytes.slice().buffer));

await test("f32 to tiles of bf16, and back", () => {
  const [floats, tiles] = shapes("f32[5,6]", "bf16[5,6]{1,0:T(2,4)(2,1)}");
  const source = Float32Array.from({ length: 30 }, (_, i) => i - 7.5);
  for (let again = 0; again < 3; ++again) {
    const moved = relayout(source, floats, tiles, { convert: true });
    assert.equal(moved.length, Number(tiles.sizes.bytes));
    assert.deepEqual(as(Float32Array, relayout(moved, tiles, floats, { convert: true })), Array.from(source));
    refused(() => relayout(source, floats, tiles), "INVALID_ARGUMENT", /element type f32, the destination bf16/);
  }
  const [one, half] = shapes("f32[2]", "bf16[2]");
  assert.deepEqual(as(Uint16Array, relayout(Float32Array.of(1 + 2 ** -8, NaN), one, half, { convert: true })),
    [0x3f80, 0x7fc0]);
});
await test("beyond the range", () => {
  const [floats, ints, bytes] = shapes("f32[4]", "s32[4]", "u8[4]");
  const source = Float32Array.of(300.9, -1.5, NaN, Infinity);
  assert.deepEqual(as(Uint8Array, relayout(source, floats, bytes, { convert: true })), [255, 0, 0, 255]);
  const numbers = Int32Array.of(300, -1, 7, 256);
  // The same shapes with other options in turns: plans are kept.
  for (let again = 0; again < 3; ++again) {
    for (const [saturate, wanted] of [[false, [44, 255, 7, 0]], [true, [255, 0, 7, 255]]])
      assert.deepEqual(as(Uint8Array, relayout(numbers, ints, bytes, { convert: true, saturate })), wanted);
  }
  refused(() => relayout(source, floats, floats, { saturate: true }), "INVALID_ARGUMENT", /does not convert/);
});
await test("quantized values, of the array and of each index", () => {
  const [floats, bytes] = shapes("f32[2,3]", "s8[2,3]");
  const source = Float32Array.of(0.5, 1.5, -300, 1e9, 2, 3);
  for (const [options, wanted] of [
    [{ scale: 0.5, zeroPoint: 1 }, [2, 4, -128, 127, 5, 7]],
    [{ scale: 0.5 }, [1, 3, -128, 127, 4, 6]],
    [{ scale: Float32Array.of(0.5, 1), scaleDimension: 0 }, [1, 3, -128, 127, 2, 3]],
    [{ scale: [0.5, 1, 2], zeroPoint: Int32Array.of(0, 1, 2), scaleDimension: 1n }, [1, 3, -128, 127, 3, 4]],
    [{ scale: new Set([0.5, 1, 2]), zeroPoint: 1n, scaleDimension: 1 }, [2, 3, -128, 127, 3, 3]],
    [{ scale: 0.5, zeroPoint: [0, -1n], scaleDimension: 0 }, [1, 3, -128, 127, 3, 5]],
  ]) {
    const moved = relayout(source, floats, bytes, { convert: true, ...options });
    assert.deepEqual(as(Int8Array, moved), wanted);
  }
  const scales = { convert: true, scale: Float32Array.of(0.5, 1, 2), zeroPoint: [0, 1, 2], scaleDimension: 1 };
  const back = relayout(Int8Array.of(1, 3, -128, 127, 3, 4), bytes, floats, scales);
  assert.deepEqual(as(Float32Array, back), [0.5, 2, -260, 63.5, 2, 4]);
  const [none, empty] = shapes("f32[0,3]", "s8[0,3]");
  assert.equal(relayout(new Uint8Array(0), none, empty, { convert: true, scale: [], scaleDimension: 0 }).length, 0);
});
await test("bits from the highest, as numpy.packbits has them", () => {
  const [bits, packed] = shapes("pred[9]", "pred[9]{0:E(1)}"), source = Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 1, 1);
  const high = relayout(source, bits, packed, { dstHighFirst: true });
  assert.deepEqual(high, Uint8Array.of(0xb1, 0x80));
  assert.deepEqual(relayout(high, packed, bits, { srcHighFirst: true }), source);
  assert.deepEqual(relayout(high, packed, packed, { srcHighFirst: true }), Uint8Array.of(0x8d, 0x01));
  const [nibbles, floats] = shapes("s4[4]{0:E(4)}", "f32[4]");
  const real = relayout(Uint8Array.of(0x12, 0x3f), nibbles, floats, { convert: true, scale: 0.5, srcHighFirst: true });
  assert.deepEqual(as(Float32Array, real), [0.5, 1, 1.5, -0.5]);
});
await test("what is wrong", () => {
  const [floats, bytes, other] = shapes("f32[3,4]", "s8[3,4]", "s32[3,4]"), source = new Float32Array(12);
  const quantize = (options) => () => relayout(source, floats, bytes, { convert: true, ...options });
  for (const [options, message] of [
    [{ convert: false, scale: 1 }, /element type f32, the destination s8/],
    [{ zeroPoint: 1 }, /^zeroPoint is given, and scale is not$/],
    [{ scaleDimension: 1 }, /^scaleDimension is given, and scale is not$/],
    [{ scale: [1, 2, 3] }, /^scale has 3 values: scaleDimension must say/],
    [{ scale: 1, zeroPoint: [1, 2, 3] }, /^zeroPoint has 3 values: scaleDimension must say/],
    [{ scale: [1, 2, 3], scaleDimension: 1 }, /^scale has 3 values, the source has size 4 in dimension 1$/],
    [{ scale: [1], scaleDimension: 0 }, /^scale has 1 values, the source has size 3 in dimension 0$/],
    [{ scale: [1, 0, 2], scaleDimension: 0 }, /scale\[1\] is 0: reals are divided by it/],
    [{ scale: NaN }, /scale\[0\] is nan/],
    [{ scale: 1e-50 }, /^scale is 1e-50: beyond the numbers of f32$/],
    [{ scale: [1, 1e39, 1], scaleDimension: 0 }, /^scale\[1\] is 1e\+39: beyond/],
    [{ scale: "1" }, /^scale is no list$/],
    [{ scale: ["1", 1, 1], scaleDimension: 0 }, /^scale\[0\] is 1: not a number$/],
    [{ scale: 1, zeroPoint: 0.5 }, /^zeroPoint is 0.5: not an integer/],
    [{ scale: [1, 2, 3], scaleDimension: 0.5 }, /^scaleDimension is 0.5: not an integer/],
  ]) refused(quantize(options), "INVALID_ARGUMENT", message);
  for (const dimension of [2, -1])
    refused(quantize({ scale: [1, 2, 3], scaleDimension: dimension }), "OUT_OF_RANGE", /the source has 2 dimensions/);
  refused(quantize({ scale: 1, zeroPoint: 2 ** 31 }), "OUT_OF_RANGE", /^zeroPoint is 2147483648: it does not fit 32/);
  refused(() => relayout(source, floats, floats, { srcHighFirst: true }), "INVALID_ARGUMENT", /each f32 in 32 bits/);
  const memory = new Memory(48);
  refused(() => relayout(memory.bytes, floats, other, { convert: true, destination: memory.bytes }), "UNSUPPORTED",
    /in place: values are not converted/);
  memory.dispose();
});

finish();
