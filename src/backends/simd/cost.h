/* SPDX-License-Identifier: Apache-2.0 */
// Predicts how long tiles take to be moved, from what calibration measured: numbers in, a number out.
#pragma once
#include "backends/simd/kernel_kind.h"

namespace xlashape::simd {

// The movements whose speed is measured. The number in a name is the bytes of a run, or of an element.
enum class Rate : uint8_t {
  kCopy,
  kCopyVectors,  // the other ways to copy a run
  kCopyString,
  kCopyPages,
  kRuns24,
  kRuns64,
  kRuns512,
  kRuns4096,
  kPanel24,  // runs, as panels
  kSquares1,
  kSquares2,
  kSquares4,
  kSquares8,
  kSquares16,
  kShortSquares4,  // 64 bytes of each row and column
  kPanel1,         // squares whose columns begin anywhere in a line, as panels
  kPanel4,
  kPermute1,
  kPermute4,
  kZip1,  // three streams
  kZip4,  // four streams
  kZip7,  // seven streams of two bytes: a number that vectors do not divide
  kUnzip1,
  kUnzip4,
  kUnzip7,
  kStrided1,  // single units, with gaps between them
  kStrided4,
  kStrided16,
  kFill,           // written only
  kSharedRuns512,  // by all workers, as the next one
  kSharedSquares4,
};
inline constexpr int kRates = static_cast<int>(Rate::kSharedSquares4) + 1, kRateSizes = 6;
inline constexpr int64_t kRateBytes[kRateSizes] = {1 << 15, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26};
inline constexpr int64_t kMostNsPerMib = 1'000'000'000, kMostWorkers = 1 << 20;
extern const char* const kRateNames[kRates];

// 0: not known.
struct Rates {
  int32_t ns_per_mib[kRates][2][kRateSizes]{};  // by store, by bytes of the destination
  int32_t call_ns = 0;                          // of one call that moves little
  int32_t tile_ns = 0;                          // of a tile of few elements
  int32_t workers = 0;                          // of the shared ones

  bool known() const { return call_ns > 0; }
  bool operator==(const Rates&) const = default;
};

// A relayout as far as its time depends on it.
struct Amount {
  int64_t bytes;        // that are moved
  int64_t span;         // over which they lie, the mean of both sides: decides which cache they come from
  int64_t workers = 1;  // that share them
};

// The nanoseconds of moving so much by such tiles, at least 1 and at most 2^62. 0: not known. Whatever the
// rates are, one worker takes no less for more bytes over a larger span, where tiles are not short of rows or columns.
int64_t predict_tiles(const Rates& rates, const Tiling& tiling, KernelKind kind, Store store, const Amount& amount);
int64_t predict_copy(const Rates& rates, CopyKind kind, Store store, const Amount& amount);
int64_t predict_fill(const Rates& rates, Store store, const Amount& amount);

Rate rate_of(CopyKind kind);
// The rate that says most of how fast such tiles are: which one a measurement of them is.
Rate nearest_rate(const Tiling& tiling, KernelKind kind);

}  // namespace xlashape::simd
