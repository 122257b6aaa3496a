// SPDX-License-Identifier: Apache-2.0
// xlashape for JavaScript: what the functions mean stands in README.md and in xlashape.h.

/** A number where it is exact, that is below 2^53, else a BigInt. */
export type Integer = number | bigint;
/** Either is taken; a number must be a whole one that is exact. */
export type IntegerLike = number | bigint;

export type StatusName =
  | "INVALID_ARGUMENT" | "OUT_OF_RANGE" | "OVERFLOW" | "PARSE" | "UNSUPPORTED" | "NOT_FOUND" | "INCOMPATIBLE"
  | "NO_MEMORY" | "DEVICE" | "BUSY" | "CANCELLED" | "INTERNAL";

export class XlashapeError extends Error {
  constructor(status: StatusName, message: string, place?: { offset?: Integer; byteOffset?: Integer; index?: Integer });
  readonly status: StatusName;
  /** Where in the text that was read, in UTF-16 units, as strings count; -1: nowhere. */
  readonly offset: number;
  /** The same in bytes of UTF-8. */
  readonly byteOffset: Integer;
  /** The failing one of a list, or -1. */
  readonly index: Integer;
}

export interface Sizes {
  /** Bits that one element takes. */
  elementBits: number;
  elements: Integer;
  /** Positions: padding, tiles and tail counted. */
  storageElements: Integer;
  logicalBytes: Integer;
  bytes: Integer;
  /** What XLA itself counts; null where its number overflows. */
  xlaBytes: Integer | null;
  dataBytes: Integer;
  dimensionPadding: Integer;
  tailPadding: Integer;
}

/** What of an array's storage belongs to a box: an array of its own, whose bytes lie there in runs. */
export interface Window {
  /** What lies there, in the same order and tiles; static, without alignment of the tail. */
  readonly shape: Shape;
  /** Of its first byte in the array's storage. */
  readonly byteOffset: Integer;
  /** runBytes * runCount, what its own storage takes. */
  readonly bytes: Integer;
  /** Bytes that lie together. */
  readonly runBytes: Integer;
  /** 1: it is contiguous; 0: it has no bytes. */
  readonly runCount: Integer;
  /**
   * Where its runs begin in the array's storage, in bytes, in the order in which its own storage has them: `count` from
   * number `first` on, at most 2^24 at once, by default all that are left. OUT_OF_RANGE where there are fewer.
   */
  runs(first?: IntegerLike, count?: IntegerLike): Integer[];
}

export interface LayoutSpec {
  minorToMajor: number[];
  paddedDimensions: Integer[];
  paddingValue: "invalid" | "zero" | "one" | "lowest" | "highest" | "unknown";
  /** Outermost level first, each most major first; "*" merges a dimension with the next more minor one. */
  tiles: (Integer | "*" | "d")[][];
  elementSizeInBits: Integer;
  memorySpace: number;
  tailPaddingAlignmentInElements: Integer;
  splits: { dimension: number; indices: Integer[] }[];
  dynamicShapeMetadataPrefixBytes: Integer;
}

export interface ExplainOptions {
  /** One of targets(): arrays without a layout get the one that its compiler chooses. */
  target?: string;
}

export interface Explanation {
  title: string;
  /** An empty label continues the line before; a row is of a table, and has none. */
  lines: { label: string; text: string; row: boolean }[];
}

export interface DrawOptions {
  format?: "text" | "svg" | "html";
  /** What stands in a cell. */
  show?: "position" | "index" | "byte" | "tile" | "lane" | "nothing";
  /** What colours mean; a number: the index of that dimension. */
  colorBy?: "position" | "tile" | number;
  /** 0: a cell is an element; 1: a tile of the innermost level; and so on outwards. */
  zoom?: number;
  /** Of text; 0: 80. */
  columns?: number;
  maxCells?: number;
  /** Marks where blocks of so many bytes end. */
  overlayBytes?: IntegerLike;
  /** Per dimension an index to show alone, or -1. */
  at?: IntegerLike[];
  /** Text: with 24-bit colours as escape sequences. */
  color?: boolean;
  /** Text: nothing but ASCII. */
  ascii?: boolean;
  /** SVG: what is known of a cell as data- attributes. */
  data?: boolean;
}

/** XLA's text of the layout is toText()'s; onednn, pack and jax have a layout alone. */
export type Notation = "mlir" | "memref" | "cute" | "numpy" | "onednn" | "pack" | "jax";

export interface StridesOptions {
  /** Refuses strides that leave gaps, which else become padding. */
  compactStrides?: boolean;
}

export type Category = "array" | "tuple" | "token" | "opaque" | "buffer";

export class Shape {
  private constructor();
  /** XLA's text. keepMissingLayout: an array without a layout stays so, instead of getting the row-major one. */
  static parse(text: string, options?: { keepMissingLayout?: boolean }): Shape;
  /**
   * An array as people write it: XLA's text with element types of any project and a layout's words in the braces, types
   * of MLIR, NumPy's dictionaries, CuTe's layouts behind a type, a line of HLO. keepMissingLayout: as in parse().
   */
  static read(text: string, options?: StridesOptions & { keepMissingLayout?: boolean }): Shape;
  static array(
    elementType: string,
    dimensions: Iterable<IntegerLike | "?">,
    layout?: string | null,
    options?: { dynamic?: Iterable<boolean | number>; keepMissingLayout?: boolean },
  ): Shape;
  static tuple(elements: Iterable<Shape>): Shape;

  /** Gives the memory back now, not when the collector finds it. Every later use throws. */
  dispose(): void;

  readonly category: Category;
  readonly elementType: string;
  readonly rank: number;
  /** Dimensions greater than 1. */
  readonly trueRank: number;
  readonly leafCount: number;
  /** "?" for an unbounded one. */
  readonly dimensions: (Integer | "?")[];
  readonly dynamicDimensions: boolean[];
  readonly hasLayout: boolean;
  /** XLA's text of it; these are null where there is no layout. */
  readonly layout: string | null;
  readonly layoutSpec: LayoutSpec | null;
  readonly minorToMajor: number[] | null;
  readonly logicalToPhysical: number[] | null;
  readonly tiles: (Integer | "*" | "d")[][] | null;
  readonly memorySpace: number | null;
  /** The shapes in a tuple; of a buffer its array. The same ones each time, until one of them is disposed. */
  readonly elements: readonly Shape[];
  subshape(path: Iterable<IntegerLike>): Shape;

  toString(): string;
  /** The text, so that JSON.stringify writes it. */
  toJSON(): string;
  toText(options?: { layout?: boolean }): string;
  /** The shape as another project writes it. UNSUPPORTED, with the reason, where it cannot say what the shape is. */
  toNotation(notation: "mlir", options?: { layout?: boolean }): string;
  toNotation(notation: Notation): string;

  readonly sizes: Sizes;
  readonly elementCount: Integer;
  readonly elementStrides: Integer[];
  readonly byteStrides: Integer[];
  /** Bytes of the top-level buffer; of a tuple: of its table of pointers, each of pointerSize bytes. */
  byteSize(options?: { pointerSize?: IntegerLike }): Integer;

  /**
   * The window of `extent` elements from `base` on. UNSUPPORTED where it would cut a tile or a byte: windowGranularity
   * says where it may be cut. OUT_OF_RANGE where the array has fewer elements.
   */
  window(base: Iterable<IntegerLike>, extent: Iterable<IntegerLike>): Window;
  /**
   * Windows begin and end at multiples of these, dimension by dimension, or at a dimension's end: tiles and bytes stay
   * whole. The whole dimension where there is no such place.
   */
  readonly windowGranularity: Integer[];

  /** The position of an element: its place in memory, counted in elements. */
  positionOf(index: Iterable<IntegerLike>): Integer;
  /** The index of the element at a position; null for padding. */
  indexOf(position: IntegerLike): Integer[] | null;
  /** A typed array has the numbers of one index after the other; -1 in all of them is padding. */
  positionsOf<Numbers extends Int32Array | BigInt64Array>(indices: Numbers): Numbers;
  positionsOf(indices: Iterable<Iterable<IntegerLike>>): Integer[];
  indicesOf<Numbers extends Int32Array | BigInt64Array>(positions: Numbers): Numbers;
  indicesOf(positions: Iterable<IntegerLike>): (Integer[] | null)[];

  /**
   * The array in the layout that the words ask for: "col", "2,0,1", "NHWC->NCHW", "nChw16c", "{0,1:T(8,128)}".
   * `destination` has this shape's dimensions, and is what relayout() moves elements to; `result` is the same memory
   * with the dimensions in the order that the words ask for: equal to `destination` unless they permute.
   */
  withWords(words: string, options?: StridesOptions): { destination: Shape; result: Shape };
  forTarget(target: string, options?: { keepOrder?: boolean }): Shape;
  /** What `xlashape explain --json` prints. */
  explain(options?: ExplainOptions): Record<string, any>;
  /** What `xlashape explain` prints for people. */
  explainLines(options?: ExplainOptions): Explanation;
  draw(other?: Shape | null, options?: DrawOptions): string;

  equals(other: Shape): boolean;
  isBitcastTo(other: Shape, options?: { asXla?: boolean; ignoreElementType?: boolean }): boolean;
}

export interface RelayoutOptions {
  /** What positions without an element get: the layout's padding value, what they had, or anything. */
  fill?: "padding" | "preserve" | "unspecified";
  destination?: ArrayBufferView | ArrayBuffer;
  /**
   * Values are converted to the element type of the destination's shape, each rounded once, to the nearest, of two
   * equally near ones to even: floats beyond the largest become infinity, or NaN where the type has none; a float
   * becomes an integer by cutting off its fraction, beyond the range its nearest end, NaN 0; integers keep their low
   * bits.
   */
  convert?: boolean;
  /** With convert: integers beyond the new range become its nearest end, and floats the largest finite number. */
  saturate?: boolean;
  /**
   * With convert, of quantized values: real = (quantized - zeroPoint) * scale, and back
   * quantized = round(real / scale) + zeroPoint, which saturates. One number, or one for each index of the source's
   * dimension scaleDimension. Scales are finite, not 0 where reals are divided by them, and rounded to f32.
   */
  scale?: number | Iterable<number>;
  /** Integers of 32 bits; without it 0. */
  zeroPoint?: IntegerLike | Iterable<IntegerLike>;
  /** Counted from 0; needed where scale or zeroPoint is a list. */
  scaleDimension?: IntegerLike;
  /** Elements that share a byte of the source start in its highest bits, as numpy.packbits has them. */
  srcHighFirst?: boolean;
  /** The same of the destination. */
  dstHighFirst?: boolean;
}
/**
 * The source and `destination` have exactly the bytes of their shapes. They may be the same bytes of a Memory, which
 * then move in place: an UNSUPPORTED error says why where that cannot be.
 */
export function relayout(
  source: ArrayBufferView | ArrayBuffer, from: Shape, to: Shape, options?: RelayoutOptions): Uint8Array;

/**
 * Boxes of one extent in which an array is moved that does not fit into memory; those at the end of a dimension may be
 * smaller. Each element is in one. They come in the order of the destination's storage.
 */
export interface Slabs extends Iterable<{ base: Integer[]; extent: Integer[] }> {
  readonly extent: Integer[];
  readonly count: Integer;
  /** Of the largest window of the source. */
  readonly srcBytes: Integer;
  readonly dstBytes: Integer;
  /** To be read for all slabs, at most. */
  readonly srcRuns: Integer;
  /** To be written. */
  readonly dstRuns: Integer;
  /** Number 0 to count - 1: the arguments of Shape's window(). */
  slab(number: IntegerLike): { base: Integer[]; extent: Integer[] };
}
/**
 * Chooses boxes that are windows of both shapes, which together take at most maxBytes bytes, so that all of them are
 * read and written in few runs. Element types may differ, for a relayout that converts. OUT_OF_RANGE where the smallest
 * ones take more: the message says how much. What aligns the tail of `to` belongs to no slab, if there are several.
 */
export function slabs(from: Shape, to: Shape, maxBytes: IntegerLike): Slabs;

/** Memory of the module, whose `bytes` relayout() takes as a source and as a destination without copying them. */
export class Memory {
  /** So many bytes, all zero. */
  constructor(size: number);
  /**
   * A view: keep its Memory as long as it is used. It ends when the module's memory grows, which each call of the
   * package may do.
   */
  readonly bytes: Uint8Array;
  /** Gives the memory back now, not when the collector finds it; bytes throws from then on. */
  dispose(): void;
}

/** XLA's name of the element type that any project's name means: "torch.bfloat16" is "bf16", "<f4" "f32". */
export function readElementType(name: string): string;
/** The names of the machines for whose compilers layouts are chosen, like "tpu:v5e". */
export function targets(): string[];
/** Of the library: "0.1.0". */
export function version(): string;
/** The XLA whose rules the library matches, as a date: yyyymmdd. */
export function xlaVersion(): number;

export interface Library {
  Memory: typeof Memory;
  Shape: typeof Shape;
  XlashapeError: typeof XlashapeError;
  readElementType: typeof readElementType;
  relayout: typeof relayout;
  slabs: typeof slabs;
  targets: typeof targets;
  version: typeof version;
  xlaVersion: typeof xlaVersion;
}
/** The module: its address, a response, its bytes, or compiled. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView | object;
/** Loads the module, once; everything else needs it. */
export function load(source?: Source | Promise<Source>): Promise<Library>;
