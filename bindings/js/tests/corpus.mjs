// SPDX-License-Identifier: Apache-2.0
// corpus.mjs PACKAGE FILE...: runs golden cases (their format: tests/data/golden/README.md). A kind that the package
// has no function for is counted and named.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { compare_relayout, fill_value, moved, packed, plain } from "./images.mjs";
import { finish, test } from "./check.mjs";

const [, , at, ...files] = process.argv;
const { Shape, XlashapeError } = await (await import(pathToFileURL(at).href)).load();

/** The shape in a case's field; its padding, which XLA's text cannot say, is in other fields. */
function read(item, name = "shape", prefix = "") {
  const options = { keepMissingLayout: item.fill_missing_layouts === false };
  const shape = Shape.parse(item[name], options);
  const widths = item[`${prefix}padded_dimensions`], value = item[`${prefix}padding_value`];
  if (widths === undefined && value === undefined) return shape;
  const layout = shape.layout.slice(0, -1);
  const padding = (widths?.length > 0 ? `PD(${widths})` : "") +
    (value === undefined || value === "INVALID_PAD" ? "" : `PV(${value.replace("_PAD", "").toLowerCase()})`);
  const colon = layout.includes(":") ? "" : ":";
  return Shape.parse(`${shape.toText({ layout: false })}${layout}${colon}${padding}}`, options);
}
const a = (item) => read(item, "a", "a_");
const b = (item) => read(item, "b", "b_");

const kPaddingValues = ["INVALID_PAD", "ZERO_PAD", "ONE_PAD", "LOWEST_PAD", "HIGHEST_PAD", "UNKNOWN_PAD"];
function describe_layout(spec) {
  const out = { minor_to_major: spec.minorToMajor };
  if (spec.tiles.length > 0) out.tiles = spec.tiles;
  if (spec.elementSizeInBits !== 0) out.element_size_in_bits = spec.elementSizeInBits;
  if (spec.tailPaddingAlignmentInElements !== 1) out.tail_padding_alignment = spec.tailPaddingAlignmentInElements;
  if (spec.memorySpace !== 0) out.memory_space = spec.memorySpace;
  if (spec.dynamicShapeMetadataPrefixBytes !== 0) out.metadata_prefix_bytes = spec.dynamicShapeMetadataPrefixBytes;
  if (spec.paddingValue !== "invalid") out.padding_value = `${spec.paddingValue.toUpperCase()}_PAD`;
  if (spec.splits.length > 0) out.split_configs = spec.splits.map(({ dimension, indices }) => [dimension, indices]);
  if (spec.paddedDimensions.length > 0) out.padded_dimensions = spec.paddedDimensions;
  return out;
}
function describe(shape) {
  const kind = shape.category;
  if (kind === "token" || kind === "opaque") return { kind };
  if (kind !== "array") return { kind, elements: shape.elements.map(describe) };
  const out = { kind, type: shape.elementType, dimensions: shape.dimensions, dynamic: shape.dynamicDimensions };
  return shape.hasLayout ? { ...out, layout: describe_layout(shape.layoutSpec) } : out;
}
// The cases' names of layout fields are short ones and those of protos.
const kShort = {
  tail_padding_alignment_in_elements: "tail_padding_alignment",
  dynamic_shape_metadata_prefix_bytes: "metadata_prefix_bytes",
};
function short(value) {
  if (Array.isArray(value)) return value.map(short);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null).map(([name, item]) =>
    [kShort[name] ?? name, name === "padding_value" && typeof item === "number" ? kPaddingValues[item] : short(item)]));
}

const kinds = {
  parse: (item) => describe(read(item)),
  reject: (item) => `accepted as ${read(item)}`,
  print: (item) => read(item).toText({ layout: item.with_layout ?? true }),
  linear_index: (item) => read(item).positionOf(item.index),
  multi_index: (item) => read(item).indexOf(item.linear) ?? "padding",
  element_count: (item) => read(item).elementCount,
  storage_elements: (item) => read(item).sizes.storageElements,
  byte_size: (item) => read(item).byteSize({ pointerSize: item.pointer_size ?? 0 }),
  stride: (item) => {
    const strides = read(item).elementStrides;
    return strides[item.dimension < 0 ? item.dimension + strides.length : item.dimension];
  },
  to_memory: (item) => compare_relayout(plain(read(item)), read(item), item),
  relayout: (item) => compare_relayout(read(item, "src", "src_"), read(item, "dst", "dst_"), item),
  pack: (item) => packed(read(item), item.data),
  bytes: (item) => moved(read(item, "src", "src_"), item.data, read(item, "dst", "dst_")),
  fill_value: (item) => fill_value(item.type, item.padding_value),
  equal: (item) => a(item).equals(b(item)),
  reshape_is_bitcast: (item) =>
    a(item).isBitcastTo(b(item), { asXla: true, ignoreElementType: item.ignore_element_type ?? false }),
  true_rank: (item) => read(item).trueRank,
  logical_to_physical: (item) => read(item).logicalToPhysical,
  leaf_count: (item) => read(item).leafCount,
  subshape: (item) => String(read(item).subshape(item.path)),
};
const needs_more = (item) => !Object.hasOwn(kinds, item.kind) || (item.kind === "equal" && item.ignore?.length > 0);

function stage_of(error) {
  if (error.status === "PARSE") return "syntax";
  return error.status === "INVALID_ARGUMENT" || error.status === "OVERFLOW" ? "validate" : "value";
}

const without = new Map();
for (const file of files)
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const item = JSON.parse(line);
    if (needs_more(item)) {
      const name = item.kind === "equal" ? "equal with ignore" : item.kind;
      without.set(name, (without.get(name) ?? 0) + 1);
      continue;
    }
    await test(item.id, () => {
      const refused = item.expect?.error !== undefined;
      let got;
      try {
        got = kinds[item.kind](item);
      } catch (error) {
        if (!(error instanceof XlashapeError && refused)) throw error;
        assert.equal(stage_of(error), item.expect.stage ?? stage_of(error));
        return;
      }
      assert.ok(!refused, `got ${JSON.stringify(got)} want ${JSON.stringify(item.expect)}`);
      const told = (value) => item.kind === "parse" ? short(value) : value;
      assert.deepEqual(told(got), told(item.expect));
    });
  }
console.log("without a function here: " + [...without].map(([kind, count]) => `${kind} ${count}`).join(", "));
finish();
