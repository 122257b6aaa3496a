// SPDX-License-Identifier: Apache-2.0
// words.mjs PACKAGE: arrays and layouts as people write them, and other projects' notations.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { finish, test } from "./check.mjs";

const address = pathToFileURL(process.argv[2]);
const { Shape, XlashapeError, load, readElementType, relayout } = await import(address.href);
const module_ = await import(new URL("./module.mjs", address).href);
const library = await load();

const refused = (work, status, more = {}) => assert.throws(work, (error) => {
  assert.ok(error instanceof XlashapeError, String(error.stack));
  assert.equal(error.status, status, error.message);
  for (const [name, value] of Object.entries(more))
    value instanceof RegExp ? assert.match(error[name], value) : assert.equal(error[name], value, error.message);
  return true;
});

await test("readElementType", () => {
  assert.equal(library.readElementType, readElementType);
  for (const [name, wanted] of [["float32", "f32"], ["torch.bfloat16", "bf16"], ["i32", "s32"], ["<f4", "f32"],
    ["f8E4M3FN", "f8e4m3fn"], ["uint8_t", "u8"], ["BF16", "bf16"], ["bool", "pred"]])
    assert.equal(readElementType(name), wanted, name);
  refused(() => readElementType("float"), "NOT_FOUND", { message: /f32 in PyTorch and C, f64 in NumPy/ });
  refused(() => readElementType("flaot32"), "NOT_FOUND", { message: /did you mean f32\?/ });
  refused(() => readElementType(""), "NOT_FOUND");
  refused(() => readElementType(32), "INVALID_ARGUMENT", { message: /element type is no string/ });
});
await test("Shape.read", () => {
  for (const [text, wanted] of [
    ["f32[2,3]{0,1}", "f32[2,3]{0,1}"],
    ["float32[1,64,56,56]{nChw16c}", "f32[1,64,56,56]{3,2,1,0:T(16,1,1)}"],
    ["i32[2,3]{col}", "s32[2,3]{0,1}"],
    ["tensor<2x3xf32>", "f32[2,3]{1,0}"],
    ["2x3xbf16", "bf16[2,3]{1,0}"],
    ["memref<2x3xf32, strided<[1, 2]>>", "f32[2,3]{0,1}"],
    ["{'shape': (2, 3), 'strides': (4, 8), 'dtype': '<f4'}", "f32[2,3]{0,1}"],
    ["ShapeDtypeStruct(shape=(2, 3), dtype=float32)", "f32[2,3]{1,0}"],
    ["(2, 3) float32", "f32[2,3]{1,0}"],
    ["f32 ((8,2),(128,3)):((128,3072),(1,1024))", "f32[16,384]{1,0:T(8,128)}"],
    ["%add.1 = f32[2,3]{0,1} add(f32[2,3] %a, f32[2,3] %b)", "f32[2,3]{0,1}"],
    ["(float32[2], int32[])", "(f32[2]{0}, s32[])"],
  ])
    assert.equal(`${Shape.read(text)}`, wanted, text);
  assert.equal(`${Shape.read("memref<2x3xf32, strided<[8, 1]>>")}`, "f32[2,3]{1,0:PD(2,8)}");
  refused(() => Shape.read("memref<2x3xf32, strided<[8, 1]>>", { compactStrides: true }), "UNSUPPORTED",
    { message: /gaps/ });
  for (const text of ["float32[2,3]", "tensor<2x3xf32>", "(2, 3) float32", "{'shape': (2, 3), 'dtype': '<f4'}"])
    assert.equal(`${Shape.read(text, { keepMissingLayout: true })}`, "f32[2,3]", text);
  for (const text of ["float32[2,3]{row}", "memref<2x3xf32>", "f32 (2,3):(3,1)"])
    assert.equal(`${Shape.read(text, { keepMissingLayout: true })}`, "f32[2,3]{1,0}", text);
  refused(() => Shape.read("memref<2xf32, strided<[1], offset: 5>>"), "UNSUPPORTED", { message: /element 5/ });
  refused(() => Shape.read("float23[2,3]"), "PARSE", { offset: 0, message: /did you mean f32\?/ });
  refused(() => Shape.read("f32[2,3]{rwo}"), "PARSE", { offset: 9, message: /did you mean row\?/ });
  refused(() => Shape.read("f32[2,\u00e9]"), "PARSE", { offset: 6, byteOffset: 6 });
  refused(() => Shape.read("f32[2]{\ud83d}"), "PARSE", { offset: 7, message: /half a surrogate pair/ });
  for (const text of ["", " ", "\0", "f32[2]\0", "(".repeat(1e6), "tensor<".repeat(1e5)])
    refused(() => Shape.read(text), "PARSE");
  for (const text of [undefined, null, 5, {}, ["f32[2]"]])
    refused(() => Shape.read(text), "INVALID_ARGUMENT", { message: /no string/ });
});
await test("withWords", () => {
  const matrix = Shape.parse("f32[100,200]"), photo = Shape.parse("u8[1,224,224,3]");
  const told = (shape, words) => {
    const { destination, result } = shape.withWords(words);
    return destination.equals(result) ? `${destination}` : `${destination} ${result}`;
  };
  for (const [words, wanted] of [
    ["{0,1:T(8,128)}", "f32[100,200]{0,1:T(8,128)}"],
    ["T(8,128)", "f32[100,200]{1,0:T(8,128)}"],
    [" row ", "f32[100,200]{1,0}"],
    ["F", "f32[100,200]{0,1}"],
    ["1,0", "f32[100,200]{0,1} f32[200,100]{1,0}"],
    ["h w -> w h", "f32[100,200]{0,1} f32[200,100]{1,0}"],
    ["Ab16a", "f32[100,200]{1,0:T(16,1)}"],
    ["outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [16]", "f32[100,200]{0,1:T(16,1)}"],
    ["Layout(major_to_minor=(1, 0))", "f32[100,200]{0,1}"],
    ["(100,200):(1,100)", "f32[100,200]{0,1}"],
    ["tensor<100x200xf32>", "f32[100,200]{1,0}"],
  ])
    assert.equal(told(matrix, words), wanted, words);
  assert.equal(told(photo, "NHWC->NCHW"), "u8[1,224,224,3]{2,1,3,0} u8[1,3,224,224]{3,2,1,0}");
  assert.equal(told(photo, "channels_last"), "u8[1,224,224,3]{1,3,2,0}");
  assert.match(told(matrix, "strided<[256, 1]>"), /PD\(100,256\)/);
  refused(() => matrix.withWords("strided<[256, 1]>", { compactStrides: true }), "UNSUPPORTED");
  refused(() => matrix.withWords("swizzle"), "UNSUPPORTED", { message: /exclusive or/ });
  refused(() => matrix.withWords("colum"), "PARSE", { message: /did you mean column\?/ });
  refused(() => matrix.withWords("  {0,q}"), "PARSE", { offset: 5, byteOffset: 5 });
  refused(() => matrix.withWords("2,0,1"), "INVALID_ARGUMENT");
  refused(() => matrix.withWords(""), "PARSE");
  refused(() => matrix.withWords(), "INVALID_ARGUMENT", { message: /no string/ });
  refused(() => Shape.parse("(f32[2])").withWords("row"), "UNSUPPORTED");
  // What a relayout does with them: pixels to planes.
  const small = Shape.parse("u8[2,2,3]"), { destination, result } = small.withWords("HWC->CHW");
  assert.equal(`${result}`, "u8[3,2,2]{2,1,0}");
  assert.deepEqual(relayout(Uint8Array.of(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3), small, destination),
    Uint8Array.of(1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));
});
await test("toNotation, and back", () => {
  const plain = Shape.parse("f32[2,3]"), blocked = Shape.parse("f32[1,64,56,56]{3,2,1,0:T(16,1,1)}");
  const all = ["mlir", "memref", "cute", "numpy", "onednn", "pack", "jax"];
  assert.deepEqual(all.map((notation) => plain.toNotation(notation)), [
    "tensor<2x3xf32>", "memref<2x3xf32>", "(2,3):(3,1)",
    "{'shape': (2, 3), 'strides': (12, 4), 'dtype': 'float32'}", "ab",
    "outer_dims_perm = [0, 1] inner_dims_pos = [] inner_tiles = []",
    "Layout(major_to_minor=(0, 1), tiling=None, sub_byte_element_size_in_bits=0)"]);
  assert.equal(blocked.toNotation("onednn"), "aBcd16b");
  assert.equal(blocked.toNotation("mlir", { layout: false }), "tensor<1x64x56x56xf32>");
  for (const notation of all) {
    const alone = ["onednn", "pack", "jax"].includes(notation), type = notation === "cute" ? "f32 " : "";
    for (const shape of [plain, blocked]) {
      const text = (() => {
        try {
          return shape.toNotation(notation);
        } catch (error) {
          assert.equal(error.status, "UNSUPPORTED");
          return null;
        }
      })();
      assert.equal(text === null, shape === blocked && ["mlir", "numpy"].includes(notation), notation);
      if (text === null) continue;
      const bare = Shape.parse(shape.toText({ layout: false }));
      const back = alone ? bare.withWords(text).destination : Shape.read(type + text);
      assert.ok(back.equals(shape), `${text} is ${back}`);
    }
  }
  refused(() => blocked.toNotation("mlir"), "UNSUPPORTED", { message: /row-major/ });
  refused(() => blocked.toNotation("jax", { layout: false }), "INVALID_ARGUMENT", { message: /only mlir/ });
  for (const notation of ["xla", "toString", "MLIR", "", undefined, null, 1, {}])
    refused(() => plain.toNotation(notation), "INVALID_ARGUMENT", { message: /not one of mlir, memref, cute/ });
});
await test("after dispose() every use throws", () => {
  const shape = Shape.read("float32[2,3]");
  shape.dispose();
  for (const work of [() => shape.withWords("row"), () => shape.toNotation("cute")])
    refused(work, "INVALID_ARGUMENT", { message: /disposed/ });
  const other = Shape.read("float32[2,3]");
  refused(() => other.withWords("row", { get compactStrides() { return other.dispose(); } }), "INVALID_ARGUMENT",
    { message: /disposed/ });
});
await test("1e4 reads with dispose() need no more memory, nor do failures", () => {
  const used = () => {  // where a large block would lie: what leaks is below it
    const block = module_.c.malloc(2 ** 20);
    module_.c.free(block);
    return block;
  };
  const wrong = ["float23[2,3]", "f32[2,3]{NHWC->NCHW}", "f32[2,3]{rwo}", "memref<2xf32, strided<[1], offset: 5>>"];
  const round = () => {
    const shape = Shape.read("float32[1,64,4,4]{nChw16c}"), { destination, result } = shape.withWords("NHWC->NCHW");
    result.toNotation("memref"), readElementType("float32");
    for (const one of [shape, destination, result]) one.dispose();
    for (const text of wrong) assert.throws(() => Shape.read(text), XlashapeError);
    assert.throws(() => shape.withWords("row"), XlashapeError);
  };
  for (let i = 0; i < 10; ++i) round();
  const before = used();
  for (let i = 0; i < 1e4; ++i) round();
  assert.equal(used(), before);
});

finish();
