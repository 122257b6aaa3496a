// SPDX-License-Identifier: Apache-2.0
// Compiled only: what the declarations promise, and what they refuse.
import {
  load, Memory, readElementType, relayout, Shape, slabs, targets, XlashapeError, type Integer, type Library,
  type Notation, type Sizes, type Slabs, type Window,
} from "xlashape";

const library: Library = await load();
const shape: Shape = library.Shape.parse("f32[2]", { keepMissingLayout: true });
const sizes: Sizes = Shape.array("f32", [2, 3n, "?"], "{2,1,0}", { dynamic: [true, 0, 1] }).sizes;
const bytes: Integer = sizes.bytes;
const moved: Uint8Array = relayout(new Float32Array(4), shape, Shape.tuple([shape]),
  { fill: "preserve", destination: new ArrayBuffer(4) });
const quantized: Uint8Array = relayout(moved, shape, shape, { convert: true, saturate: false, srcHighFirst: true,
  scale: new Float32Array(2), zeroPoint: [1, 2n], scaleDimension: 0 });
const index: Integer[] | null = shape.indexOf(3n);
const flat: Int32Array = shape.positionsOf(new Int32Array(4));
const wide: BigInt64Array = shape.indicesOf(new BigInt64Array(4));
const list: Integer[] = shape.positionsOf([[0, 1n]]);
const text: string = shape.draw(null, { format: "svg", colorBy: 0, at: [-1, 3n] }) +
  shape.explainLines({ target: targets()[0] }).lines[0]!.label;
const notation: Notation = "cute";
const { destination, result }: { destination: Shape; result: Shape } =
  Shape.read("tensor<2xf32>", { compactStrides: true, keepMissingLayout: false }).withWords("row", {});
const words: string = destination.toNotation("mlir", { layout: false }) + result.toNotation(notation) +
  library.readElementType(readElementType("float32"));
const parts: Slabs = slabs(shape, destination, 1n << 20n);
for (const { base, extent } of parts) {
  const part: Window = shape.window(base, extent);
  const runs: Integer[] = part.runs(0, part.runCount);
  console.log(runs[0], part.shape.sizes, parts.slab(0).base, shape.windowGranularity);
}
try {
  shape.dispose();
} catch (error) {
  if (error instanceof XlashapeError && error.status === "PARSE")
    console.log(error.offset + 1, bytes, moved, quantized, index, text, flat, wide, list, words);
}
// @ts-expect-error it is made by functions only
new Shape();
// @ts-expect-error no such fill
relayout(new Uint8Array(4), shape, shape, { fill: "zeros" });
// @ts-expect-error scales are numbers
relayout(new Uint8Array(4), shape, shape, { convert: true, scale: "0.5" });
// @ts-expect-error elements are the shape's own list
shape.elements.push(shape);
// @ts-expect-error no such notation
shape.toNotation("xla");
// @ts-expect-error it is a layout
shape.toNotation("jax", { layout: false });
// @ts-expect-error so many bytes
new Memory("8");
// @ts-expect-error a position may be a BigInt
const narrow: number = shape.positionOf([0]);
// @ts-expect-error it may be padding
shape.indexOf(0).length;
// @ts-expect-error so many bytes
slabs(shape, shape, "8");
// @ts-expect-error what they cost does not change
parts.count = 1;
