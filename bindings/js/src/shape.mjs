// SPDX-License-Identifier: Apache-2.0
// Shapes: what they are, their sizes, and where their elements lie.
import * as abi from "./abi.mjs";
import { invalid } from "./errors.mjs";
import { index_of, indices_of, position_of, positions_of } from "./indices.mjs";
import {
  array_from, bytes_from, c_text, call, field_of, fields_of, int64, int64_at, integers_at, list_from, made, number_from,
  parse_json, pointer_at, text_from,
} from "./memory.mjs";
import { c, memory } from "./module.mjs";
import { draw } from "./draw.mjs";
import { target_number } from "./target.mjs";
import { window_granularity, window_in } from "./window.mjs";
import { in_notation, read_shape, with_words } from "./words.mjs";

const kCategories = {
  [abi.CATEGORY_ARRAY]: "array",
  [abi.CATEGORY_TUPLE]: "tuple",
  [abi.CATEGORY_TOKEN]: "token",
  [abi.CATEGORY_OPAQUE]: "opaque",
  [abi.CATEGORY_BUFFER]: "buffer",
};
const tile_size = (size) => (size === abi.COMBINE_DIMENSION ? "*" : size === abi.MATCH_DIMENSION ? "d" : size);
const kPaddingValues = ["invalid", "zero", "one", "lowest", "highest", "unknown"];

// Handles that were not disposed go when their shapes do.
const forgotten = new FinalizationRegistry(({ shape, map }) => {
  c.xlashape_shape_release(shape);
  c.xlashape_index_map_release(map);
});

const kMade = Symbol("made");
const shape_of = (pointer) => new Shape(kMade, pointer);

/** A shape's handle, or an error that names `place`. */
export let handle_of;

// What `read` makes of the sizes of a shape's handle, a C struct.
const sizes_of = (pointer, read) => call((frame) => {
  const out = frame.struct(abi.sizes);
  frame.check(c.xlashape_shape_sizes(pointer, out, frame.error));
  return read(out);
});
/** How many bytes the arrays of a shape's handle have. */
export const bytes_of = (pointer) => sizes_of(pointer, (out) => field_of(abi.sizes, "bytes", out));

// A dimension for C, in which "?" is a number that nobody else may give.
const dimension_of = (size, d) => {
  if (size === "?") return abi.DIMENSION_UNBOUNDED;
  if (size === abi.DIMENSION_UNBOUNDED)
    throw invalid(`dimensions[${d}] is ${size}: sizes are not negative, and "?" is an unbounded one`);
  return size;
};

// Lists of the given sizes, whose numbers lie one after the other.
function lists_at(pointer, sizes) {
  let at = pointer;
  return sizes.map((size) => {
    at += 8 * size;
    return integers_at(at - 8 * size, size);
  });
}

export class Shape {
  #handles; // the pointers; undefined after dispose()
  #elements; // made at the first access

  constructor(key, pointer) {
    if (key !== kMade) throw new TypeError("use Shape.parse(), Shape.array() or Shape.tuple()");
    this.#handles = { shape: pointer, map: 0 };
    forgotten.register(this, this.#handles, this);
  }

  static {
    handle_of = (shape, place) => {
      if (!(#handles in Object(shape))) throw invalid(`${place} is no Shape`);
      return shape.#pointer;
    };
  }

  get #pointer() {
    if (this.#handles === undefined) throw invalid("this Shape was disposed");
    return this.#handles.shape;
  }
  get #map() {
    const shape = this.#pointer;
    this.#handles.map ||= made((_, out, err) => c.xlashape_index_map_create(shape, out, err));
    return this.#handles.map;
  }

  static parse(text, { keepMissingLayout = false } = {}) {
    const flags = keepMissingLayout ? abi.SHAPE_KEEP_MISSING_LAYOUT : 0;
    return shape_of(made(
      (frame, out, err) => c.xlashape_shape_parse(...frame.text(text, "the text"), flags, out, err), text));
  }

  /** A shape in any project's notation. */
  static read(text, { keepMissingLayout = false, compactStrides = false } = {}) {
    const flags = (keepMissingLayout ? abi.SHAPE_KEEP_MISSING_LAYOUT : 0) | (compactStrides ? abi.STRIDES_COMPACT : 0);
    return shape_of(read_shape(text, flags));
  }

  static array(elementType, dimensions, layout, { dynamic, keepMissingLayout = false } = {}) {
    const sizes = array_from(dimensions, "dimensions");
    const flags = keepMissingLayout ? abi.SHAPE_KEEP_MISSING_LAYOUT : 0;
    const marks = dynamic === undefined ? undefined : array_from(dynamic, "dynamic");
    if (marks !== undefined && marks.length !== sizes.length)
      throw invalid(`dynamic has ${marks.length} entries for ${sizes.length} dimensions`);
    return call((frame) => {
      const type = frame.alloc(4), parsed = frame.alloc(4);
      frame.check(c.xlashape_element_type_from_name(...frame.text(elementType, "the element type"), type, frame.error));
      const number = memory().view.getInt32(type, true);
      const list = frame.list(sizes.map(dimension_of), "dimensions");
      const dynamic_list = marks === undefined ? 0 : frame.bytes(marks.map((mark) => (mark ? 1 : 0)));
      let order = 0;
      if (layout !== undefined && layout !== null) {
        frame.check(c.xlashape_layout_parse(...frame.text(layout, "the layout"), 0, parsed, frame.error), layout);
        order = pointer_at(parsed);
      }
      try {
        const out = frame.alloc(4);
        frame.check(c.xlashape_shape_create_array(
          number, list, dynamic_list, BigInt(sizes.length), order, flags, out, frame.error));
        return shape_of(pointer_at(out));
      } finally {
        c.xlashape_layout_release(order);
      }
    });
  }

  static tuple(shapes) {
    const handles = array_from(shapes, "the elements").map((shape, i) => handle_of(shape, `element ${i}`));
    return shape_of(made((frame, out, err) => {
      const list = frame.bytes(new Uint8Array(new Uint32Array(handles).buffer));
      return c.xlashape_shape_create_tuple(list, BigInt(handles.length), out, err);
    }));
  }

  /** Gives the shape's memory back. Every later use of it throws. */
  dispose() {
    if (this.#handles === undefined) return;
    forgotten.unregister(this);
    c.xlashape_shape_release(this.#handles.shape);
    c.xlashape_index_map_release(this.#handles.map);
    this.#handles = undefined;
  }

  get category() {
    return kCategories[c.xlashape_shape_category(this.#pointer)];
  }
  get elementType() {
    return c_text(c.xlashape_element_type_name(c.xlashape_shape_element_type(this.#pointer)));
  }
  get rank() {
    return Number(c.xlashape_shape_rank(this.#pointer));
  }
  get trueRank() {
    return Number(c.xlashape_shape_true_rank(this.#pointer));
  }
  get leafCount() {
    return Number(c.xlashape_shape_leaf_count(this.#pointer));
  }
  get dimensions() {
    return list_from((...out) => c.xlashape_shape_dimensions(this.#pointer, ...out))
      .map((size) => (size === abi.DIMENSION_UNBOUNDED ? "?" : size));
  }
  get dynamicDimensions() {
    const marks = bytes_from((...out) => c.xlashape_shape_dynamic_dimensions(this.#pointer, ...out));
    return Array.from(marks, (mark) => mark !== 0);
  }
  get hasLayout() {
    return c.xlashape_shape_has_layout(this.#pointer) !== 0;
  }

  #with_layout(work) {
    if (!this.hasLayout) return null;
    const layout = made((_, out, err) => c.xlashape_shape_layout(this.#pointer, out, err));
    try {
      return work(layout);
    } finally {
      c.xlashape_layout_release(layout);
    }
  }
  get layout() {
    return this.#with_layout((layout) => text_from((...out) => c.xlashape_layout_print(layout, 0, ...out)));
  }
  get layoutSpec() {
    return this.#with_layout((layout) => call((frame) => {
      const out = frame.struct(abi.layout_spec);
      frame.check(c.xlashape_layout_get_spec(layout, out, frame.error));
      const spec = fields_of(abi.layout_spec, out);
      const list = (pointer, count) => (pointer === 0 ? [] : integers_at(pointer, count));
      const indices = lists_at(spec.split_indices, list(spec.split_sizes, spec.split_count));
      return {
        minorToMajor: list(spec.minor_to_major, spec.rank),
        paddedDimensions: list(spec.padded_dimensions, spec.rank),
        paddingValue: kPaddingValues[spec.padding_value],
        tiles: lists_at(spec.tile_dimensions, list(spec.tile_ranks, spec.tile_count))
          .map((tile) => tile.map(tile_size)),
        elementSizeInBits: spec.element_size_in_bits,
        memorySpace: spec.memory_space,
        tailPaddingAlignmentInElements: spec.tail_padding_alignment_in_elements,
        splits: list(spec.split_dimensions, spec.split_count)
          .map((dimension, i) => ({ dimension, indices: indices[i] })),
        dynamicShapeMetadataPrefixBytes: spec.dynamic_shape_metadata_prefix_bytes,
      };
    }));
  }
  get minorToMajor() {
    return this.layoutSpec?.minorToMajor ?? null;
  }
  /** Of each dimension its place in memory, counted from the most major one. */
  get logicalToPhysical() {
    return this.#with_layout((layout) => list_from((...out) => c.xlashape_layout_logical_to_physical(layout, ...out)));
  }
  get tiles() {
    return this.layoutSpec?.tiles ?? null;
  }
  get memorySpace() {
    return this.layoutSpec?.memorySpace ?? null;
  }

  /** The shapes in a tuple; of a buffer its array. The same ones each time, until one of them is disposed. */
  get elements() {
    const tuple = this.#pointer;
    if (!this.#elements?.every((element) => element.#handles !== undefined)) {
      const count = Number(c.xlashape_shape_tuple_element_count(tuple));
      this.#elements = Object.freeze(Array.from({ length: count }, (_, i) =>
        shape_of(made((_, out, err) => c.xlashape_shape_tuple_element(tuple, BigInt(i), out, err)))));
    }
    return this.#elements;
  }
  /** The shape at a path into nested tuples. */
  subshape(path) {
    const steps = array_from(path, "the path");
    return shape_of(made((frame, out, err) =>
      c.xlashape_shape_subshape(this.#pointer, frame.list(steps, "path"), BigInt(steps.length), out, err)));
  }

  toString() {
    return this.toText();
  }
  toJSON() {
    return this.toText();
  }
  [Symbol.for("nodejs.util.inspect.custom")]() {
    return this.#handles === undefined ? "Shape (disposed)" : `Shape ${this.toText()}`;
  }
  toText({ layout = true } = {}) {
    const flags = layout ? 0 : abi.PRINT_WITHOUT_LAYOUT;
    return text_from((...out) => c.xlashape_shape_print(this.#pointer, flags, ...out));
  }

  /** The shape as another project writes it, or its layout alone. */
  toNotation(notation, { layout = true } = {}) {
    return in_notation(this.#pointer, notation, layout);
  }

  get sizes() {
    const sizes = sizes_of(this.#pointer, (out) => fields_of(abi.sizes, out));
    return { elementBits: sizes.element_bits, elements: sizes.elements, storageElements: sizes.storage_elements,
      logicalBytes: sizes.logical_bytes, bytes: sizes.bytes, xlaBytes: sizes.xla_bytes < 0 ? null : sizes.xla_bytes,
      dataBytes: sizes.data_bytes, dimensionPadding: sizes.dimension_padding, tailPadding: sizes.tail_padding };
  }
  /** Elements between neighbours along each dimension. */
  get elementStrides() {
    return list_from((...out) => c.xlashape_shape_strides(this.#pointer, abi.UNIT_ELEMENTS, ...out));
  }
  /** The same in bytes. */
  get byteStrides() {
    return list_from((...out) => c.xlashape_shape_strides(this.#pointer, abi.UNIT_BYTES, ...out));
  }
  /** Bytes of the top-level buffer: of a tuple its table of pointers. */
  byteSize({ pointerSize = 0 } = {}) {
    const pointer_size = int64(pointerSize, "pointerSize");
    return number_from((_, out, err) => c.xlashape_shape_byte_size(this.#pointer, pointer_size, 0, out, err));
  }
  get elementCount() {
    return number_from((_, out, err) => c.xlashape_shape_element_count(this.#pointer, out, err));
  }

  /** What of the storage belongs to a box: an array of its own, and where its bytes are. */
  window(base, extent) {
    return window_in(() => this.#pointer, shape_of, base, extent);
  }
  /** Windows begin and end at multiples of these, dimension by dimension, or at a dimension's end. */
  get windowGranularity() {
    return window_granularity(this.#pointer);
  }

  /** The position of the element at `index`. */
  positionOf(index) {
    return position_of(() => this.#map, index);
  }
  /** The index of the element at a position; null where that is padding. */
  indexOf(position) {
    return index_of(() => this.#map, this.rank, position);
  }
  /**
   * positionOf() of many indices in one call: a list of them, or an Int32Array or BigInt64Array with one after the
   * other, for which the positions are one, too.
   */
  positionsOf(indices) {
    return positions_of(() => this.#map, this.rank, indices);
  }
  /**
   * indexOf() of many positions in one call. Of a typed array: one index after the other, -1 in each place for padding.
   */
  indicesOf(positions) {
    return indices_of(() => this.#map, this.rank, positions);
  }

  /** The shape with the layout that the target's compiler chooses. */
  forTarget(target, { keepOrder = false } = {}) {
    const number = target_number(target);
    return shape_of(made((_, out, err) =>
      c.xlashape_shape_for_target(this.#pointer, number, keepOrder ? abi.TARGET_KEEP_ORDER : 0, out, err)));
  }

  /** The array in the layout that the words ask for, and the same memory with the dimensions in their order. */
  withWords(words, { compactStrides = false } = {}) {
    const handles = with_words(this.#pointer, words, compactStrides ? abi.STRIDES_COMPACT : 0);
    const [destination, result] = handles.map(shape_of);
    return { destination, result };
  }

  #explained(target, lines) {
    const number = target === undefined || target === null ? -1 : target_number(target);
    return call((frame) => {
      const text = frame.alloc(4), size = frame.alloc(8);
      frame.check(c.xlashape_js_explain(this.#pointer, number, lines, text, size, frame.error));
      const at = pointer_at(text);
      try {
        return new TextDecoder().decode(memory().bytes.subarray(at, at + Number(int64_at(size))));
      } finally {
        c.free(at);
      }
    });
  }
  /** What `xlashape explain --json` prints. */
  explain({ target } = {}) {
    return parse_json(this.#explained(target, 0));
  }
  /** What `xlashape explain` prints for people: a title, and lines with labels. */
  explainLines({ target } = {}) {
    return JSON.parse(this.#explained(target, 1));
  }

  /** A picture of the layout; with `other` of both, and of what a relayout does. */
  draw(other, options) {
    const is_alone = other === undefined || other === null;
    return draw(() => [this.#pointer, is_alone ? 0 : handle_of(other, "the other shape")], options);
  }

  /** True where both are the same to XLA, layouts included. */
  equals(other) {
    return c.xlashape_shape_equal(this.#pointer, handle_of(other, "the other shape"), abi.EQUAL_XLA) !== 0;
  }
  /** True when reshaping to `other` moves nothing: every element already lies where `other` has it. */
  isBitcastTo(other, { asXla = false, ignoreElementType = false } = {}) {
    const flags = (asXla ? abi.BITCAST_XLA : 0) | (ignoreElementType ? abi.BITCAST_IGNORE_ELEMENT_TYPE : 0);
    return c.xlashape_shape_reshape_is_bitcast(this.#pointer, handle_of(other, "the other shape"), flags) !== 0;
  }
}
if (Symbol.dispose !== undefined) Shape.prototype[Symbol.dispose] = Shape.prototype.dispose;
