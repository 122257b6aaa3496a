// What the simd backend's kernels take and where they are found: one table of functions per target, chosen at run time.
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

// Scratch of one execution, on the stack: two parts of a source, gathered line by line, and what is on its way out.
struct Stage {
  alignas(64) char in[2][kGatherBytes + kSlack];
  alignas(64) char out[kOutBytes + kSlack];
};

// One step on the way from one order of a tile's digits to another: all planes, which lie one behind the other, are turned, each
// from rows of `columns` elements to columns of `rows`.
struct Pass {
  int64_t rows, columns, planes;
};
struct Passes {
  int count = 0;
  Pass pass[kMaxPasses];
};

// A tile: `rows` x `columns` elements. Element (r, c) lies at src + row[r] + c * unit and goes to
// dst + column[c] + r * unit: the source is contiguous along the columns, the destination along the rows.
struct Tile {
  const char* src;
  char* dst;
  int64_t rows, columns;
  int64_t unit;  // bytes of an element; where a tile is permuted, of all elements of a row and a column
};

// What stays the same from tile to tile, derived from a plan's tiling. Tables begin with 0.
struct TileParams {
  const int64_t* row = nullptr;     // [rows]
  const int64_t* column = nullptr;  // [columns]
  Stage* stage = nullptr;
  Store store = Store::kOrdinary;
  bool narrow = false;                // every tile has fewer rows or columns than 16 bytes hold
  bool unzips = false, zips = false;  // it is one stream that becomes 2 to 8, or the reverse
  int64_t row_run = 1;      // so many rows are contiguous in the source, one behind the other; 1: each for itself
  int64_t row_step = 1;     // so many of them are gathered at a time
  int64_t column_run = 1;   // so many columns are contiguous in the destination
  int64_t column_bits = 0;  // all column offsets or-ed
  int64_t row_pitch = 0;    // how far apart rows are in the destination where they are not contiguous; else 0
  int64_t planes = 1;       // so many interleaves a tile, so far apart; 1 but for interleaves
  int64_t plane_src = 0, plane_dst = 0;
  // So many rows, and columns, at a time are evenly spaced, and how far apart: in the source, in the destination.
  int64_t even_rows = 1, rows_apart = 0, even_columns = 1, columns_apart = 0;
  const Passes* passes = nullptr;  // of tiles that are permuted
  int gathered = -1;               // which half of the stage holds the next tile's source already; -1: none
};

// `tile` is followed by tile[1] and tile[2]; without any, these have no rows.
using TileKernel = void (*)(const Tile* tile, TileParams& params);

// How many streams the kernels zip.
constexpr bool zips(int64_t count, int64_t unit) { return count >= 2 && count <= 8 && unit < 16 && count * unit <= 32; }

inline constexpr int kIndexValues = 32;      // logical indices and derived values of one map
inline constexpr int64_t kIndexBlock = 128;  // indices that go through a map together

struct IndexBatch {
  const xlashape_map_ir* map;
  int64_t index_step, dimension_step;
  bool marks;  // bad entries become -1 and the batch goes on
  bool pads;   // positions within the storage may be padding
};

// Entries [begin, end). Returns the first bad one, unless the batch marks them; then end. Counts bad ones.
using IndexKernel = int64_t (*)(const IndexBatch& batch, const int64_t* in, int64_t* out, int64_t begin, int64_t end,
                                int64_t* bad);

// Of a container of at most a byte: which bits are the value, and which of them is its sign (0: none).
struct Value {
  uint8_t mask, sign;
};

// Bytes of an array of containers of at most a byte: element base + at[i * step] is the first of its byte.
struct Places {
  const int64_t* at;
  int64_t step, base, count;
  int log_per_byte;
  int64_t operator()(int64_t i) const { return (base + at[i * step]) >> log_per_byte; }
};

// Kernels that are made of vectors of a known length, arrays of them among other things.
struct FixedKernels {
  TileKernel transpose[5];  // by log2 of the unit, 1 to 16 bytes
  TileKernel permute[5];    // by log2 of the element
  // Of 1, 2, 4 bits (and 8, for which the value alone is made); packed-inl.h says what they read and write.
  void (*unpack[3])(char* to, const char* from, int64_t count, const Value& value);
  void (*pack[4])(char* to, const char* from, int64_t count, int shift, const Value& value);
  void (*shift)(char* to, const char* from, int64_t bytes, int shift);
  void (*turn_bytes[3])(char* rows, int64_t pitch, int64_t groups);
  void (*collect)(char* to, int64_t pitch, const Places& places, const char* src, int64_t bytes);
  void (*distribute)(char* dst, const Places& places, const char* from, int64_t pitch, int64_t bytes, Store store);
};

struct Kernels {
  const char* name;
  const FixedKernels& fixed;
  TileKernel move;  // any unit: runs of bytes that stay together
  void (*copy)(char* dst, const char* src, int64_t bytes, Store store);
  void (*fill)(char* dst, int64_t bytes, const unsigned char* pattern, Store store);  // 16 bytes of pattern
  IndexKernel to_linear, to_multi;
  void (*fence)();  // behind streaming stores
};

// XLASHAPE_CPU_* of each target that there is a table for.
uint64_t compiled_targets();
// The best table among those the CPU has (XLASHAPE_CPU_* bits; 0: the one every such CPU can run).
const Kernels& choose_kernels(uint64_t cpu_features);

}  // namespace xlashape::simd
