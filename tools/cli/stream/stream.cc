// SPDX-License-Identifier: Apache-2.0
#include "stream.h"

#include <algorithm>
#include <future>
#include <map>
#include <vector>

#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/files/new_file.h"
#include "cli/output/terminal.h"
#include "tail.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kLeastInFlight = int64_t{1} << 20;  // smaller slabs are not worth a thread
constexpr int64_t kInCache = int64_t{8} << 20;        // slabs of that size are moved while caches hold them
constexpr int64_t kLongRun = int64_t{128} << 10;      // longer runs are read and written no faster
constexpr int64_t kBlock = 4096;                      // shorter gaps between runs are read, too
constexpr int64_t kSpan = int64_t{256} << 10;         // of runs that are read at once
constexpr size_t kOffsets = 1024;                     // of runs that are asked for at once

int64_t runs_of(const Slabs& slabs) { return slabs.src_runs + slabs.dst_runs; }

// Whether what the slabs have of one side lies in it one after the other.
bool is_in_order(const Shape& shape, const Slabs& slabs, int64_t runs) {
  if (runs != slabs.count) return false;
  int64_t end = 0;
  for (int64_t number = 0; number < slabs.count; ++number) {
    const Slabs::Slab slab = slabs.slab(number);
    const Window part = window(shape, slab.base, slab.extent);
    if (part.byte_offset != end) return false;
    end += part.bytes;
  }
  return true;
}

// One side of a slab.
class Side {
 public:
  Side(const Shape& shape, const Slabs::Slab& slab)
      : shape_(shape), slab_(slab), window_(window(shape, slab.base, slab.extent)) {}

  const Window& window_of() const { return window_; }
  // Calls f with the offsets of runs, some at a time, in the order of the window's bytes.
  template <class F>
  void for_runs(const F& f) const {
    std::vector<int64_t> offsets;
    for (int64_t first = 0; first < window_.run_count; first += static_cast<int64_t>(offsets.size())) {
      offsets.resize(static_cast<size_t>(std::min<int64_t>(kOffsets, window_.run_count - first)));
      try_window_runs(shape_, slab_.base, slab_.extent, first, offsets).value();
      f(std::span<const int64_t>(offsets));
    }
  }

 private:
  const Shape& shape_;
  Slabs::Slab slab_;
  Window window_;
};

void read_runs(const Side& side, const Storages& storages, uint8_t* out) {
  const int64_t run = side.window_of().run_bytes;
  std::vector<uint8_t> span;
  side.for_runs([&](std::span<const int64_t> offsets) {
    for (size_t i = 0; i < offsets.size();) {
      // Runs that are near each other, together with what is between them.
      size_t end = i + 1;
      while (run < kBlock && end < offsets.size() && offsets[end] >= offsets[end - 1] + run &&
             offsets[end] - offsets[end - 1] - run < kBlock && offsets[end] + run - offsets[i] <= kSpan)
        ++end;
      if (end == i + 1) {
        storages.read(offsets[i], {out, static_cast<size_t>(run)});
        out += run;
      } else {
        span.resize(static_cast<size_t>(offsets[end - 1] + run - offsets[i]));
        storages.read(offsets[i], span);
        for (size_t k = i; k < end; ++k, out += run)
          std::memcpy(out, span.data() + (offsets[k] - offsets[i]), static_cast<size_t>(run));
      }
      i = end;
    }
  });
}

void write_runs(const Side& side, const Storages& storages, const uint8_t* bytes) {
  const auto run = static_cast<size_t>(side.window_of().run_bytes);
  side.for_runs([&](std::span<const int64_t> offsets) {
    for (const int64_t offset : offsets) {
      storages.write(offset, {bytes, run});
      bytes += run;
    }
  });
}

// How many bytes the smallest slab takes: more than `too_few`, at most `enough`.
int64_t least_memory(const Request& request, int64_t too_few, int64_t enough) {
  while (enough - too_few > 1) {
    const int64_t middle = too_few + (enough - too_few) / 2;
    (try_slabs(request.src, request.dst, middle) ? enough : too_few) = middle;
  }
  return enough;
}

class Stream {
 public:
  Stream(const Runtime& runtime, const Request& request, const StreamPlan& plan, const Storages& storages)
      : runtime_(runtime), request_(request), plan_(plan), storages_(storages), tail_(request, plan.slabs.count > 1) {
    for (int i = 0; i < plan.in_flight; ++i) {
      src_.emplace_back(plan.slabs.src_bytes);
      dst_.emplace_back(plan.slabs.dst_bytes);
    }
  }

  StreamTimes run() {
    Progress progress("relayout");
    const double begin = seconds_now();
    const int64_t count = plan_.slabs.count;
    const bool apart = plan_.in_flight > 1;
    std::future<void> reading, writing;
    // What was started ends before the buffers do, also where something throws: futures of std::async wait.
    const auto start = [&](auto work) {
      return std::async(apart ? std::launch::async : std::launch::deferred, std::move(work));
    };
    if (count > 0) reading = start([this] { read(0); });
    for (int64_t number = 0; number < count; ++number) {
      HoldSignals::check();
      reading.get();
      if (apart && number + 1 < count) reading = start([this, number] { read(number + 1); });
      move(number);
      // One is written at a time, so that the buffer of the slab before the last is free again.
      if (writing.valid()) writing.get();
      writing = start([this, number] { write(number); });
      if (!apart) {
        writing.get();
        if (number + 1 < count) reading = start([this, number] { read(number + 1); });
      }
      progress.show(static_cast<double>(number + 1) / static_cast<double>(count));
    }
    if (writing.valid()) writing.get();
    tail_.write(storages_.write);
    times_.all = seconds_now() - begin;
    return times_;
  }

 private:
  size_t place_of(int64_t number) const { return static_cast<size_t>(number % plan_.in_flight); }

  void read(int64_t number) {
    const double begin = seconds_now();
    const Side side(request_.src, plan_.slabs.slab(number));
    read_runs(side, storages_, src_[place_of(number)].data());
    times_.read += seconds_now() - begin;
  }

  void move(int64_t number) {
    const double begin = seconds_now();
    const Slabs::Slab slab = plan_.slabs.slab(number);
    const Window in = window(request_.src, slab.base, slab.extent), out = window(request_.dst, slab.base, slab.extent);
    const size_t place = place_of(number);
    const std::span<uint8_t> dst = dst_[place].writable().first(static_cast<size_t>(out.bytes));
    plan_for(slab, in.shape, out.shape).execute(src_[place].bytes().first(static_cast<size_t>(in.bytes)), dst);
    if (number + 1 == plan_.slabs.count) tail_.complete(dst);
    times_.move += seconds_now() - begin;
  }

  void write(int64_t number) {
    const double begin = seconds_now();
    write_runs(Side(request_.dst, plan_.slabs.slab(number)), storages_, dst_[place_of(number)].data());
    times_.write += seconds_now() - begin;
  }

  // Slabs of one extent share a plan, unless their scales differ.
  const Plan& plan_for(const Slabs::Slab& slab, const Shape& in, const Shape& out) {
    const bool has_scales = request_.scale.size() > 1;
    const auto d = static_cast<size_t>(request_.scale_dimension);
    std::vector<int64_t> key = slab.extent;
    if (has_scales) key.push_back(slab.base[d]);
    const auto found = plans_.find(key);
    if (found != plans_.end()) return found->second;
    Request request = request_;
    request.src = in;
    request.dst = out;
    if (has_scales) {
      const auto part = [&](auto* values) {
        if (values->empty()) return;
        const auto from = values->begin() + slab.base[d];
        *values = {from, from + slab.extent[d]};
      };
      part(&request.scale);
      part(&request.zero_point);
      plans_.clear();  // of the scales before
    }
    return plans_.emplace(std::move(key), make_plan(runtime_, request)).first->second;
  }

  const Runtime& runtime_;
  const Request& request_;
  const StreamPlan& plan_;
  const Storages& storages_;
  Tail tail_;
  std::vector<Buffer> src_, dst_;
  std::map<std::vector<int64_t>, Plan> plans_;
  StreamTimes times_;
};

}  // namespace

StreamPlan plan_stream(const Request& request, int64_t max_bytes) {
  const int64_t all = request.src.sizes().bytes + request.dst.sizes().bytes;
  StreamPlan plan;
  // The smallest slabs with long runs: they stay in caches from being read until they are written. Else those with the
  // fewest runs.
  const int64_t most = max_bytes / 2;
  for (int64_t bytes = std::min(kInCache, most); bytes >= kLeastInFlight; bytes = std::min(2 * bytes, most)) {
    Result<Slabs> found = try_slabs(request.src, request.dst, bytes);
    if (found && (plan.slabs.count == 0 || runs_of(*found) < runs_of(plan.slabs))) plan.slabs = *std::move(found);
    const bool long_runs = plan.slabs.count > 0 && all / kLongRun >= runs_of(plan.slabs);
    if (long_runs || bytes == most) break;
  }
  if (plan.slabs.count > 1) plan.in_flight = 2;
  if (plan.slabs.count == 0) {
    Result<Slabs> found = try_slabs(request.src, request.dst, max_bytes);
    if (!found && found.error().status() == Status::kOutOfRange)
      fail_data("--max-memory: {} are too few: the smallest part of both arrays takes {}", counted(max_bytes, "byte"),
                grouped(least_memory(request, max_bytes, all)));
    plan.slabs = found.value();
  }
  plan.reads_in_order = is_in_order(request.src, plan.slabs, plan.slabs.src_runs);
  plan.writes_in_order = is_in_order(request.dst, plan.slabs, plan.slabs.dst_runs);
  return plan;
}

StreamTimes run_stream(const Runtime& runtime, const Request& request, const StreamPlan& plan,
                       const Storages& storages) {
  return Stream(runtime, request, plan, storages).run();
}

}  // namespace xlashape::cli
