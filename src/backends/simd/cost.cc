// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/cost.h"

#include <algorithm>
#include <cmath>

#include "backends/simd/run.h"

namespace xlashape::simd {

const char* const kRateNames[kRates] = {"copy",      "copy_vectors",    "copy_string",     "copy_pages",
                                        "runs_24",   "runs_64",         "runs_512",        "runs_4096",
                                        "panel_24",  "squares_1",       "squares_2",       "squares_4",
                                        "squares_8", "squares_16",      "short_squares_4", "panel_1",
                                        "panel_4",   "permute_1",       "permute_4",       "zip_1",
                                        "zip_4",     "zip_7",           "unzip_1",         "unzip_4",
                                        "unzip_7",   "strided_1",       "strided_4",       "strided_16",
                                        "fill",      "shared_runs_512", "shared_squares_4"};

namespace {

// A rate of runs, or elements, of so many bytes.
struct RatePoint {
  double bytes;
  Rate rate;
};
constexpr RatePoint kRunPoints[] = {
    {24, Rate::kRuns24}, {64, Rate::kRuns64}, {512, Rate::kRuns512}, {4096, Rate::kRuns4096}, {1 << 20, Rate::kCopy}};
constexpr RatePoint kPanelRunPoints[] = {{24, Rate::kPanel24}};
constexpr RatePoint kSquarePoints[] = {
    {1, Rate::kSquares1}, {2, Rate::kSquares2}, {4, Rate::kSquares4}, {8, Rate::kSquares8}, {16, Rate::kSquares16}};
constexpr RatePoint kPanelPoints[] = {{1, Rate::kPanel1}, {4, Rate::kPanel4}};
constexpr RatePoint kPermutePoints[] = {{1, Rate::kPermute1}, {4, Rate::kPermute4}};
constexpr RatePoint kZipPoints[] = {{1, Rate::kZip1}, {4, Rate::kZip4}};
constexpr RatePoint kOddZipPoints[] = {{2, Rate::kZip7}}, kOddUnzipPoints[] = {{2, Rate::kUnzip7}};
constexpr RatePoint kStridedPoints[] = {{1, Rate::kStrided1}, {4, Rate::kStrided4}, {16, Rate::kStrided16}};
constexpr RatePoint kUnzipPoints[] = {{1, Rate::kUnzip1}, {4, Rate::kUnzip4}};

// The rates that a kernel's speed lies between, and where.
struct RatePoints {
  const RatePoint* first;
  int count;
  double bytes;
};
template <int kCount>
RatePoints points(const RatePoint (&of)[kCount], int64_t bytes) {
  return {of, kCount, static_cast<double>(std::max<int64_t>(bytes, 1))};
}

bool moves_runs(const Tiling& tiling, KernelKind kind) {
  return kind == KernelKind::kMove || kind == KernelKind::kMovePlanes ||
         (kind == KernelKind::kPanel && !tiling.transposes());
}

RatePoints points_of(const Tiling& tiling, KernelKind kind) {
  if (kind == KernelKind::kPanel)
    return tiling.transposes() ? points(kPanelPoints, tiling.unit) : points(kPanelRunPoints, tiling.unit);
  if (moves_runs(tiling, kind)) return points(kRunPoints, tiling.unit);
  if (kind == KernelKind::kPermute) return points(kPermutePoints, tiling.element);
  if (kind == KernelKind::kStrided) return points(kStridedPoints, tiling.unit);
  const auto is_odd = [](int64_t streams) { return streams > 4 && streams < 8; };
  if (zips(tiling))
    return is_odd(tiling.rows.whole) ? points(kOddZipPoints, tiling.unit) : points(kZipPoints, tiling.unit);
  if (unzips(tiling))
    return is_odd(tiling.columns.whole) ? points(kOddUnzipPoints, tiling.unit) : points(kUnzipPoints, tiling.unit);
  // Squares of less than a vector go element by element too.
  if (is_narrow(tiling)) return points(kPermutePoints, tiling.unit);
  return points(kSquarePoints, tiling.unit);
}

double between(double from, double to, double part) { return from * std::pow(to / from, part); }

// The nanoseconds of `bytes` at one rate, 0: not known. Between two sizes it is a power of the bytes. More bytes never
// take less time than fewer, so what noise or a hostile text says otherwise is cut off.
double time_of(const Rates& rates, Rate rate, Store store, double bytes) {
  const int32_t* const ns = rates.ns_per_mib[static_cast<int>(rate)][store == Store::kStream];
  double last_bytes = 0, last_time = 0;
  for (int i = 0; i < kRateSizes; ++i) {
    if (ns[i] <= 0) continue;
    const auto size = static_cast<double>(kRateBytes[i]);
    const double time = std::max(ns[i] * (size / (1 << 20)), last_time);
    if (bytes <= size) {
      if (last_time == 0) return time * bytes / size;
      return between(last_time, time, std::log(bytes / last_bytes) / std::log(size / last_bytes));
    }
    last_bytes = size;
    last_time = time;
  }
  return last_bytes == 0 ? 0 : last_time * bytes / last_bytes;
}

// The same between the two rates on both sides that are known.
double time_of(const Rates& rates, const RatePoints& points, Store store, double bytes) {
  double below = 0, below_time = 0;
  for (int i = 0; i < points.count; ++i) {
    const RatePoint& point = points.first[i];
    const double time = time_of(rates, point.rate, store, bytes);
    if (time == 0) continue;
    if (points.bytes <= point.bytes) {
      if (below_time > 0 && points.bytes < point.bytes)
        return between(below_time, time, std::log(points.bytes / below) / std::log(point.bytes / below));
      // Shorter runs take one step each.
      return points.first == kRunPoints && below_time == 0 ? time * (point.bytes / points.bytes) : time;
    }
    below = point.bytes;
    below_time = time;
  }
  return below_time;
}

// What squares cost more where a tile has few rows or columns and there are no others beside them.
double shortness(const Rates& rates, const Tiling& tiling, Store store, double bytes) {
  constexpr double kShort = 64, kLong = 512;
  double piece = kLong;
  for (const TileDimension* side : {&tiling.rows, &tiling.columns})
    if (side->loop < 0) piece = std::min(piece, static_cast<double>(side->whole) * static_cast<double>(tiling.unit));
  if (piece >= kLong) return 1;
  const double at_short = time_of(rates, Rate::kShortSquares4, store, bytes),
               at_long = time_of(rates, Rate::kSquares4, store, bytes);
  if (at_short <= at_long || at_long == 0) return 1;
  return between(at_short / at_long, 1, std::log(std::max(piece, kShort) / kShort) / std::log(kLong / kShort));
}

// How many times as fast the workers are together.
double speedup(const Rates& rates, bool runs, Store store, double bytes, int64_t workers) {
  if (workers <= 1 || rates.workers <= 1) return 1;
  const double alone = time_of(rates, runs ? Rate::kRuns512 : Rate::kSquares4, store, bytes),
               shared = time_of(rates, runs ? Rate::kSharedRuns512 : Rate::kSharedSquares4, store, bytes);
  if (alone == 0 || shared == 0) return 1;
  const auto most = static_cast<double>(std::min<int64_t>(workers, rates.workers));
  return std::clamp(alone / shared, 1.0, most);
}

int64_t finish(const Rates& rates, double time, const Amount& amount, double speed) {
  if (!(time > 0) || !rates.known()) return 0;
  const double share =
      static_cast<double>(std::max<int64_t>(amount.bytes, 0)) / static_cast<double>(std::max<int64_t>(amount.span, 1));
  const double ns = rates.call_ns + time * share / speed;
  return ns < 0x1p62 ? std::max<int64_t>(static_cast<int64_t>(ns), 1) : int64_t{1} << 62;
}

}  // namespace

int64_t predict_tiles(const Rates& rates, const Tiling& tiling, KernelKind kind, Store store, const Amount& amount) {
  const auto span = static_cast<double>(std::max<int64_t>(amount.span, 1));
  const bool squares = points_of(tiling, kind).first == kSquarePoints;
  // A panel is written past the caches only, and single units never are.
  const Store used = kind == KernelKind::kPanel     ? Store::kStream
                     : kind == KernelKind::kStrided ? Store::kOrdinary
                                                    : store;
  double time = time_of(rates, points_of(tiling, kind), used, span);
  if (kind == KernelKind::kPermute) {
    // Measured in two passes.
    Passes passes;
    whole_passes(tiling, &passes);
    time *= std::max(passes.count, 1) / 2.0;
  }
  if (squares) time *= shortness(rates, tiling, store, span);
  if (time > 0) {
    // Larger tiles take next to nothing for themselves, and those that a rate was measured with were large.
    const double share = span / static_cast<double>(std::max<int64_t>(amount.bytes, 1));
    time += share * static_cast<double>(tiling.tiles) * rates.tile_ns;
  }
  return finish(rates, time, amount, speedup(rates, moves_runs(tiling, kind), store, span, amount.workers));
}

Rate rate_of(CopyKind kind) { return static_cast<Rate>(static_cast<int>(Rate::kCopy) + static_cast<int>(kind)); }

int64_t predict_copy(const Rates& rates, CopyKind kind, Store store, const Amount& amount) {
  const auto span = static_cast<double>(std::max<int64_t>(amount.span, 1));
  return finish(rates, time_of(rates, rate_of(kind), store, span), amount,
                speedup(rates, true, store, span, amount.workers));
}

int64_t predict_fill(const Rates& rates, Store store, const Amount& amount) {
  const auto span = static_cast<double>(std::max<int64_t>(amount.span, 1));
  return finish(rates, time_of(rates, Rate::kFill, store, span), amount,
                speedup(rates, true, store, span, amount.workers));
}

Rate nearest_rate(const Tiling& tiling, KernelKind kind) {
  const RatePoints points = points_of(tiling, kind);
  const RatePoint* nearest = points.first;
  const auto distance = [&](const RatePoint& point) { return std::abs(std::log(point.bytes / points.bytes)); };
  for (int i = 1; i < points.count; ++i)
    if (distance(points.first[i]) < distance(*nearest)) nearest = &points.first[i];
  return nearest->rate;
}

}  // namespace xlashape::simd
