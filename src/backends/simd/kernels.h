/* SPDX-License-Identifier: Apache-2.0 */
// The parameters of the simd backend's kernels, and their tables: one table of functions per target, chosen at run
// time.
#pragma once
#include <cstddef>
#include <cstdint>

#include "backends/simd/limits.h"
#include "xlashape_backend.h"

namespace xlashape::simd {

enum class Store : uint8_t {
  kOrdinary,  // the destination fits a cache
  kStream,    // past the caches, in whole aligned lines
};

// How one run is copied.
enum class CopyKind : uint8_t {
  kPlain,    // by ordinary stores as libc does, by vectors where it fits the caches; or past the caches line by line
  kVectors,  // by vectors, and lines of the destination are prefetched to be written
  kString,   // by rep movsb
  kPages,    // past the caches, lines of four pages in turns
};
inline constexpr CopyKind kCopyKinds[] = {CopyKind::kPlain, CopyKind::kVectors, CopyKind::kString, CopyKind::kPages};

// Scratch memory of one execution, on the stack and no larger than its tiles make use of: two gathered parts of a
// source, and a part of the destination. Each has kSlack bytes more.
struct Stage {
  char* in[2];
  char* out;
};

// One step from one order of a tile's factors to another. It transposes all planes, which follow each other in memory:
// each from rows of `columns` elements to columns of `rows` elements.
struct Pass {
  int64_t rows, columns, planes;
};
struct Passes {
  int count = 0;
  Pass pass[kMaxPasses];
};

// A tile: `rows` x `columns` elements. Element (r, c) is at src + row[r] + c * unit and goes to
// dst + column[c] + r * unit: the source is contiguous along the columns, the destination along the rows.
struct Tile {
  const char* src;
  char* dst;
  int64_t rows, columns;
  int64_t unit;    // bytes of an element; of all elements that share a row and a column where a tile is permuted
  int64_t planes;  // how often the same is repeated, as far apart as the parameters say; where all tiles have as many,
                   // the parameters say so as well
};

// A tile that is in a stage of the second cache and not yet in the destination. Each column of the stage begins with a
// line for what the tile before left of its last line.
struct Panel {
  char* stage;
  char* in;                        // kGatherBytes for a part of the source
  int64_t pitch;                   // of a column
  char* dst = nullptr;             // where the tile goes
  int64_t bytes = 0, columns = 0;  // of the destination in each column; columns 0: the stage is empty
  bool first = true;               // whether the lines in front of the columns are empty
};

// Where a unit of a tile is, and where it goes, from the tile's beginnings.
struct UnitMove {
  int64_t src, dst;
};

// The parameters that all tiles share, derived from a plan's tiling. Tables begin with 0.
struct TileParams {
  const int64_t* row = nullptr;     // [rows]
  const int64_t* column = nullptr;  // [columns]
  Stage* stage = nullptr;
  Panel* panel = nullptr;
  Store store = Store::kOrdinary;
  bool near = false;                  // squares are read where they are: tables are not filled
  bool near_source = false;           // squares that all fit the second cache: nothing is prefetched
  bool narrow = false;                // every tile has rows or columns of less than 16 bytes
  bool unzips = false, zips = false;  // one stream becomes 2 to 8, or the reverse
  int64_t row_run = 1;                // how many successive rows are contiguous in the source; 1: none
  int64_t row_step = 1;               // how many of them are gathered at a time
  int64_t column_run = 1;             // how many columns are contiguous in the destination
  int64_t column_bits = 0;            // all column offsets or-ed
  int64_t row_pitch = 0;              // how far apart rows are in the destination where they are not contiguous; else 0
  int64_t planes = 1;                 // interleaves of a tile, and their distances; 1 where the tile has none
  int64_t plane_src = 0, plane_dst = 0;
  const UnitMove* units = nullptr;  // of each plane of a tile that is moved unit by unit
  int64_t unit_count = 0;
  // How many rows (in the source) and columns (in the destination) at a time are evenly spaced, and their distance.
  int64_t even_rows = 1, row_distance = 0, even_columns = 1, column_distance = 0;
  const Passes* passes = nullptr;  // for tiles that are permuted
  int gathered = -1;               // which half of the stage holds the next tile's source already; -1: none
};

// `tile` is followed by tile[1] and tile[2], which have no rows if there are no such tiles.
using TileKernel = void (*)(const Tile* tile, TileParams& params);

// Whether rows may be read several times, 16 bytes each, since one line of every row fits the first cache: that takes
// half as many shuffles as squares of whole lines. Rows that are a multiple of a power of two apart share the cache's
// sets. For single bytes squares of lines are faster even so.
constexpr bool rereads(int64_t width, int64_t pitch, int64_t rows) {
  constexpr int64_t kHalf = 16384;  // of a first cache of 32 KiB
  return width > 1 && width < 16 && pitch > 0 && (pitch & -pitch) * rows <= kHalf;
}

// Whether kernels can zip `count` streams.
constexpr bool zips(int64_t count, int64_t unit) { return count >= 2 && count <= 8 && unit < 16 && count * unit <= 32; }

inline constexpr int kIndexValues = 32;      // logical indices and derived values of one map
inline constexpr int64_t kIndexBlock = 128;  // indices that go through a map together

struct IndexBatch {
  const xlashape_map_ir* map;
  int64_t index_step, dimension_step;
  bool marks;   // bad entries become -1 and the batch continues
  bool pads;    // positions within the storage may be padding
  Store store;  // of results that are contiguous
};

// Converts entries [begin, end). Returns the first bad one; if the batch marks them, counts them and returns `end`.
using IndexKernel = int64_t (*)(const IndexBatch& batch, const int64_t* in, int64_t* out, int64_t begin, int64_t end,
                                int64_t* bad);

// Places in an array of containers of at most a byte: element base + at[i * step], which is the first of its byte.
struct Places {
  const int64_t* at;
  int64_t step, base, count;
  int log_per_byte;
  int64_t operator()(int64_t i) const { return (base + at[i * step]) >> log_per_byte; }
};

// How bytes, or parts of them of `bits` bits, are exchanged within groups of bytes.
struct ShuffleTable {
  int bits;
  int64_t group, block;  // bytes: of a group, and of all whole groups in 16 bytes
  bool backwards;        // blocks are read from the source's end, and end with their 16 bytes
  // For part `to` of each byte in the destination, and part `from` of bytes in the source: the byte of the 16 that it
  // comes from, or 0x80.
  uint8_t from[8][8][16];
};

inline constexpr int64_t kValueGroup = 16;  // numbers that are converted together

// A float of at most 16 bits, made of an f32's bits.
struct NarrowFloat {
  int dropped = 0;                                        // the digits of an f32 that it has not
  uint32_t below_half = 0;                                // of the last digit that remains, less one
  uint32_t rebias = 0;                                    // between the codes of exponents
  uint32_t least_normal = 0;                              // an f32
  uint32_t addend = 0;                                    // an f32 whose last digit is that of the subnormal numbers
  uint32_t highest = 0, overflow = 0, nan = 0, sign = 0;  // codes; the sign is or-ed to them
  int sign_shift = 0;                                     // of an f32's sign
  bool has_subnormals = true;                             // below what an f32 has
  bool has_negative_zero = true, has_nan = true;          // without a NaN the sign is reversed
};

// What steps of a conversion need.
struct ValueParams {
  int unused = 0;                // bits of 32 that the source's integer has not
  uint32_t mask = ~uint32_t{0};  // of the destination's integer
  int32_t least = 0, most = 0;   // the range of the destination's integer
  const float* scale = nullptr;  // of all numbers, or one each
  const int32_t* zero_point = nullptr;
  NarrowFloat narrow;
};
using ValueKernel = void (*)(char* to, const char* from, int64_t count, const ValueParams& params);

// The steps of values-inl.h.
struct ValueKernels {
  ValueKernel load8[2], load16[2];  // unsigned, signed
  ValueKernel load_bf16, load_f16, load_f64, load_f64_odd, quiet_f32;
  ValueKernel extend_signed, extend_unsigned, mask, clamp, float_to_int;
  ValueKernel int_to_float[3];                      // of u8, of s8, within 32 bits
  ValueKernel multiply[2], divide[2], quantize[2];  // 0: one scale, 1: one each
  ValueKernel dequantize[3][2];                     // of the same as int_to_float
  ValueKernel store8, store16, store_f64, store_f64_of_int, encode_bf16, encode16, encode8;
};

// Kernels that need vectors of a known length, for example in arrays.
struct FixedKernels {
  TileKernel transpose[5];  // by log2 of the unit, 1 to 16 bytes
  TileKernel permute[5];    // by log2 of the element
  TileKernel panel[6];      // by log2 of the unit; the last: other units
  // For 1, 2, 4 bits (and 8, where only the value is extracted); packed-inl.h says what they read and write. `value`:
  // a mask of the value bits of a container.
  void (*unpack[3])(char* to, const char* from, int64_t count, uint8_t value);
  void (*pack[4])(char* to, const char* from, int64_t count, int shift, uint8_t value);
  void (*shift)(char* to, const char* from, int64_t bytes, int shift);
  void (*reverse)(char* to, const char* from, int64_t bytes, int bits);
  void (*transpose_groups[3])(char* rows, int64_t pitch, int64_t groups);
  void (*collect)(char* to, int64_t pitch, const Places& places, const char* src, int64_t bytes);
  void (*shuffle)(char* dst, const char* src, int64_t bytes, const ShuffleTable& table);  // whole groups
  void (*distribute)(char* dst, const Places& places, const char* from, int64_t pitch, int64_t bytes, Store store);
  ValueKernels values;
};

// What choices depend on.
struct KernelTraits {
  int64_t whole_lines = 4;  // from how many bytes of an element on squares are written in whole lines without a stage
  int64_t lookup = 64;      // bytes that one lookup in a table takes, of permuted tiles
};

struct Kernels {
  const char* name;
  KernelTraits traits;
  const FixedKernels& fixed;
  TileKernel move;     // any unit: contiguous runs of bytes
  TileKernel strided;  // short units, each by itself, in many planes
  void (*copy)(char* dst, const char* src, int64_t bytes, Store store);
  void (*copy_pages)(char* dst, const char* src, int64_t bytes);  // past the caches, lines of four pages in turns
  void (*fill)(char* dst, int64_t bytes, const unsigned char* pattern, Store store);  // 16 bytes of pattern
  IndexKernel to_linear, to_multi;
  void (*fence)();  // after streaming stores
};

// The XLASHAPE_CPU_* bits of all targets that have a table.
uint64_t compiled_targets();
// The best table for these XLASHAPE_CPU_* bits; 0: the table that every such CPU can run.
const Kernels& choose_kernels(uint64_t cpu_features);

}  // namespace xlashape::simd
