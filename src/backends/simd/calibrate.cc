// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/calibrate.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "backends/common/entry.h"
#include "backends/simd/choose_tiles.h"
#include "backends/simd/copy.h"
#include "backends/simd/rate_cases.h"
#include "backends/simd/run.h"
#include "ir/compiler.h"

namespace xlashape::simd {
namespace {

constexpr int64_t kLeastBytes = 1 << 18, kMostBytes = 1 << 26;
constexpr int64_t kPositions = 1 << 24;  // of indices
constexpr int kSizes = 9;                // powers of two from the least to the most
constexpr int kMostRounds = 15;
constexpr int kRateRounds = 7, kRateSamples = 3;  // speeds are taken in each seventh round
// Of a sample. What fits the caches is moved several times: much of it is not there yet after a single run, which is
// the worse for ordinary stores (1 MiB by memcpy on Zen 4: 52 us after one, 32 after several).
constexpr int64_t kSampleBytes = 1 << 23;
constexpr int64_t kWarmBytes = 1 << 22;  // what may still lie in a cache is moved once before
static_assert((kMostRounds - 1) / kRateRounds + 1 == kRateSamples);

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// What is moved: rows of tiles of 8 x 512 bytes, squares of elements of 4 bytes, one run, and index batches of rank 4.
// Filling has a speed only: nothing depends on its size.
enum Movement { kRuns, kSquares, kCopy, kIndices, kMovements, kFilling };

// The times of two ways, size by size: the least of each.
struct Times {
  int64_t first[kSizes], second[kSizes];
  Times() {
    std::fill_n(first, kSizes, INT64_MAX);
    std::fill_n(second, kSizes, INT64_MAX);
  }
  // From which size on the second way is taken so that the least is lost in all, or kNever. A size where both are alike
  // decides nothing, and a difference within noise is for the first way.
  int64_t crossover() const {
    double lost = 0, least = 0;
    int best = kSizes;
    for (int size = kSizes; size-- > 0;) {
      const auto one = static_cast<double>(first[size]), other = 1.02 * static_cast<double>(second[size]);
      lost += (other - one) / std::max(std::min(one, other), 1.0);
      if (lost < least) least = lost, best = size;
    }
    return best == kSizes ? kNever : kLeastBytes << best;
  }
};

class Meter {
 public:
  Meter(const Kernels& kernels, const xlashape_calibration& how, char* src, char* dst)
      : kernels_(kernels), how_(how), src_(src), dst_(dst) {}

  // Returns false where it was cancelled, or the executor gave up.
  bool run(SpeedProfile* profile) {
    const int64_t begin = now();
    const bool shares = how_.executor->max_workers > 1;
    for (int round = 0; round < kMostRounds && (round == 0 || now() - begin < how_.budget_ns); ++round) {
      for (int size = 0; size < kSizes; ++size) {
        if (gave_up_ || (how_.cancel != nullptr && ir::load_flag(how_.cancel) != 0)) return false;
        const int64_t bytes = kLeastBytes << size;
        for (const Movement movement : {kRuns, kSquares, kCopy, kIndices})
          for (const CopyKind kind : kCopyKinds) {
            if (movement != kCopy && kind != CopyKind::kPlain) continue;
            Times& times = stores_[movement];
            if (fits_copy(kind, Store::kOrdinary))
              measure(movement, kind, bytes, Store::kOrdinary, 1, &times.first[size]);
            if (fits_copy(kind, Store::kStream)) measure(movement, kind, bytes, Store::kStream, 1, &times.second[size]);
          }
        if (shares && bytes <= kLeastBytes << 4) {
          measure(kSquares, CopyKind::kPlain, bytes, Store::kOrdinary, 1, &tasks_.first[size]);
          measure(kSquares, CopyKind::kPlain, bytes, Store::kOrdinary, how_.executor->max_workers,
                  &tasks_.second[size]);
        } else {
          tasks_.first[size] = 2, tasks_.second[size] = 1;  // larger ones gain by tasks
        }
      }
      if (round % kRateRounds == 0 && !measure_rates(round / kRateRounds)) return false;
      if (how_.progress != nullptr) how_.progress(how_.progress_opaque, round + 1, kMostRounds);
    }
    if (gave_up_) return false;
    profile->rates = median_rates();
    profile->stream_runs = stores_[kRuns].crossover();
    profile->stream_squares = stores_[kSquares].crossover();
    profile->stream_copy = stores_[kCopy].crossover();
    profile->stream_indices = stores_[kIndices].crossover();
    if (shares) profile->share = tasks_.crossover();
    return true;
  }

 private:
  struct TimedRun {
    const Meter* meter;
    const Tiling* tiling;
    KernelKind kind;
    Store store;
    int64_t tasks;
    CopyKind copy = CopyKind::kPlain;
  };
  static void task(void* opaque, int64_t index, uint32_t) {
    const TimedRun& job = *static_cast<const TimedRun*>(opaque);
    run_tiles(*job.tiling, job.kind, job.store, job.meter->kernels_, job.meter->src_, job.meter->dst_,
              {index, index + 1, job.tasks});
    if (job.store == Store::kStream) job.meter->kernels_.fence();
  }

  void once(Movement movement, int64_t bytes, TimedRun& job) {
    if (movement == kIndices) {
      indices(bytes / 32, job.store);
    } else if (movement == kFilling) {
      static constexpr unsigned char kPattern[16] = {};
      kernels_.fill(dst_, bytes, kPattern, job.store);
      if (job.store == Store::kStream) kernels_.fence();
    } else if (movement != kCopy) {
      if (job.tasks > 1) {
        gave_up_ |= how_.executor->parallel_for(how_.executor->opaque, job.tasks, &job, task) != 0;
      } else {
        task(&job, 0, 0);
      }
    } else {
      copy_run(kernels_, job.copy, job.store, dst_, src_, bytes);
      if (job.store == Store::kStream) kernels_.fence();
    }
  }

  // Linear indices, whose values do not matter, to multidimensional ones.
  void indices(int64_t count, Store store) const {
    static constexpr int64_t kDimensions[] = {64, 64, 64, 64}, kStrides[] = {64 * 64 * 64, 64 * 64, 64, 1};
    static constexpr int32_t kValues[] = {0, 1, 2, 3};
    xlashape_map_ir map{};
    map.struct_size = sizeof map;
    map.rank = map.output_count = 4;
    map.dimensions = map.output_extent = kDimensions;
    map.output_stride = kStrides;
    map.output_value = kValues;
    map.data_positions = kPositions;
    int64_t bad = 0;
    const IndexBatch batch{&map, 1, count, true, false, store};
    (void)kernels_.to_multi(batch, reinterpret_cast<const int64_t*>(src_), reinterpret_cast<int64_t*>(dst_), 0, count,
                            &bad);
    if (store == Store::kStream) kernels_.fence();
  }

  // Keeps the least time of one execution. Small ones are repeated, until a sample is longer than a clock's noise.
  void measure(Movement movement, CopyKind kind, int64_t bytes, Store store, int64_t tasks, int64_t* least) {
    StridedAxis axes[4];
    TilePlan plan;
    int64_t width = 1;
    const int count = rate_axes(movement == kSquares ? Rate::kSquares4 : Rate::kRuns512, bytes, axes, &width);
    choose(axes, count, width, {.store = store, .tasks = tasks, .may_panel = true, .kernels = kernels_.traits}, &plan);
    TimedRun job{this, &plan.tiling, plan.kind, store, tasks, kind};
    const int64_t times = std::max<int64_t>(kSampleBytes / bytes, 1);
    once(movement, bytes, job);
    const int64_t begin = now();
    for (int64_t i = 0; i < times; ++i) once(movement, bytes, job);
    *least = std::min(*least, (now() - begin) / times);
  }

  // Times each movement whose speed is kept, once. Returns false where it was cancelled.
  bool measure_rates(int sample) {
    samples_ = sample + 1;
    for (int rate = 0; rate < kRates; ++rate)
      for (int size = 0; size < kRateSizes; ++size) {
        if (gave_up_ || (how_.cancel != nullptr && ir::load_flag(how_.cancel) != 0)) return false;
        for (const Store store : {Store::kOrdinary, Store::kStream})
          rates_[rate][store == Store::kStream][size][sample] =
              ns_per_mib(static_cast<Rate>(rate), kRateBytes[size], store);
      }
    // A call that moves next to nothing, and one of many small tiles.
    const StridedAxis small[3] = {{1, 1, 1}, {16, 4, 64}, {16, 64, 4}},
                      many[3] = {{512, 256, 512}, {4, 4, 128}, {4, 64, 4}};
    call_[sample] = static_cast<int32_t>(ns_of_call(small));
    tile_[sample] = static_cast<int32_t>(std::clamp<int64_t>(ns_of_call(many) / 512, 1, kMostNsPerMib));
    return true;
  }

  int64_t ns_of_call(const StridedAxis* axes) {
    TilePlan plan;
    choose(axes, 3, 4, {.store = Store::kOrdinary, .kernels = kernels_.traits}, &plan);
    TimedRun job{this, &plan.tiling, plan.kind, Store::kOrdinary, 1};
    constexpr int64_t kTimes = 256;
    task(&job, 0, 0);
    const int64_t begin = now();
    for (int64_t i = 0; i < kTimes; ++i) task(&job, 0, 0);
    return std::clamp<int64_t>((now() - begin) / kTimes, 1, kMostNsPerMib);
  }

  // 0 where there is no such movement of so many bytes.
  int32_t ns_per_mib(Rate rate, int64_t bytes, Store store) {
    const bool shared = rate == Rate::kSharedRuns512 || rate == Rate::kSharedSquares4;
    const auto workers = static_cast<int64_t>(how_.executor->max_workers);
    if (shared && (workers <= 1 || bytes <= kLeastBytes)) return 0;
    if (store == Store::kStream && bytes < kStreamBytes) return 0;
    int64_t moved = bytes;
    TimedRun job{this, nullptr, KernelKind::kNone, store, shared ? 4 * workers : 1};
    TilePlan plan;
    const bool copies = rate <= Rate::kCopyPages;
    if (copies) {
      job.copy = static_cast<CopyKind>(static_cast<int>(rate) - static_cast<int>(Rate::kCopy));
      if (!fits_copy(job.copy, store)) return 0;
    } else if (rate != Rate::kFill) {
      StridedAxis axes[4];
      int64_t width = 1;
      const int count = rate_axes(rate, bytes, axes, &width);
      if (count == 0) return 0;
      moved = width;
      for (int a = 0; a < count; ++a) moved *= axes[a].count;
      const bool panels = rate == Rate::kPanel24 || rate == Rate::kPanel1 || rate == Rate::kPanel4;
      choose(axes, count, width, {.store = store, .tasks = job.tasks, .may_panel = panels, .kernels = kernels_.traits},
             &plan);
      const Rate measured = rate == Rate::kShortSquares4 || rate == Rate::kSharedSquares4 ? Rate::kSquares4
                            : rate == Rate::kSharedRuns512                                ? Rate::kRuns512
                                                                                          : rate;
      if (nearest_rate(plan.tiling, plan.kind) != measured) return 0;  // this processor moves it otherwise
      job.tiling = &plan.tiling;
      job.kind = plan.kind;
    }
    const Movement movement = copies ? kCopy : rate == Rate::kFill ? kFilling : kRuns;
    const int64_t times = std::max<int64_t>(kSampleBytes / bytes, 1);
    if (bytes <= kWarmBytes) once(movement, bytes, job);
    const int64_t begin = now();
    for (int64_t i = 0; i < times; ++i) once(movement, bytes, job);
    const double ns = static_cast<double>(now() - begin) / static_cast<double>(times);
    const double rated = ns * (1 << 20) / static_cast<double>(moved);
    return static_cast<int32_t>(std::clamp<double>(rated, 1, static_cast<double>(kMostNsPerMib)));
  }

  Rates median_rates() {
    Rates rates;
    const auto median = [&](int32_t* values) {
      std::sort(values, values + samples_);
      return values[samples_ / 2];
    };
    for (int rate = 0; rate < kRates; ++rate)
      for (int store = 0; store < 2; ++store)
        for (int size = 0; size < kRateSizes; ++size)
          rates.ns_per_mib[rate][store][size] = median(rates_[rate][store][size]);
    rates.call_ns = median(call_);
    rates.tile_ns = median(tile_);
    rates.workers = static_cast<int32_t>(std::clamp<int64_t>(how_.executor->max_workers, 1, kMostWorkers));
    return rates;
  }

  const Kernels& kernels_;
  const xlashape_calibration& how_;
  char* const src_;
  char* const dst_;
  Times stores_[kMovements], tasks_;
  int32_t rates_[kRates][2][kRateSizes][kRateSamples], call_[kRateSamples], tile_[kRateSamples];
  int samples_ = 0;
  bool gave_up_ = false;
};

}  // namespace

xlashape_status calibrate(const Kernels& kernels, const xlashape_host& host, const xlashape_calibration& how,
                          SpeedProfile* profile, xlashape_error* err) {
  constexpr size_t kBytes = kMostBytes;
  char* const src = static_cast<char*>(host.alloc(host.opaque, kBytes, kPageBytes));
  char* const dst = static_cast<char*>(host.alloc(host.opaque, kBytes, kPageBytes));
  xlashape_status status = XLASHAPE_STATUS_OK;
  if (src == nullptr || dst == nullptr) {
    status = backends::fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for two arrays of %zu bytes", kBytes);
  } else {
    // Indices, none of them zero: a guest of Zen 4 writes zeros over zeros past the caches twice as fast as other
    // bytes.
    for (int64_t i = 0; i < kMostBytes; i += 8) {
      const int64_t index = i * 2654435761 % (kPositions - 1) + 1;
      std::memcpy(src + i, &index, 8);
    }
    std::memset(dst, 2, kBytes);
    if (!Meter(kernels, how, src, dst).run(profile))
      status = backends::fail(err, XLASHAPE_STATUS_CANCELLED,
                              "calibration.cancel was set, or the executor gave up: nothing was measured");
  }
  if (src != nullptr) host.free(host.opaque, src, kBytes, kPageBytes);
  if (dst != nullptr) host.free(host.opaque, dst, kBytes, kPageBytes);
  return status;
}

}  // namespace xlashape::simd
