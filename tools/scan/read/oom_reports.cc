// SPDX-License-Identifier: Apache-2.0
#include "oom_reports.h"

#include <algorithm>
#include <cstdlib>

namespace xlashape::cli {
namespace {

constexpr size_t kMostReports = 1000;

bool is_same(const MemoryReport& a, const MemoryReport& b) {
  const auto same_parts = [](const std::vector<StatedPart>& x, const std::vector<StatedPart>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const StatedPart& p, const StatedPart& q) { return p.name == q.name && p.size == q.size; });
  };
  return a.space == b.space && a.module == b.module && a.needed == b.needed && a.available == b.available &&
         a.over == b.over && a.fails == b.fails && same_parts(a.total, b.total) && same_parts(a.program, b.program) &&
         std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
                    [](const StatedBuffer& p, const StatedBuffer& q) {
                      return p.shape == q.shape && p.size == q.size && p.op_name == q.op_name && p.label == q.label &&
                             p.kind == q.kind;
                    });
}

bool is_bare(const MemoryReport& report) {
  return report.buffers.empty() && report.total.empty() && report.program.empty();
}

// Whether one says again, with less, what the other says: an allocator's line before the error.
bool is_again(const MemoryReport& less, const MemoryReport& more) {
  if (!is_bare(less) || (!less.space.empty() && less.space != more.space)) return false;
  if (!less.needed.known()) return true;
  const int64_t apart = less.needed.bytes - more.needed.bytes;
  return more.needed.known() && (!less.available.known() || less.available == more.available) &&
         std::abs(apart) <= std::max<int64_t>(less.needed.rounding, 512);
}

}  // namespace

void OomReports::add(MemoryReport&& report) {
  const auto same =
      std::find_if(reports_.begin(), reports_.end(), [&](const MemoryReport& other) { return is_same(other, report); });
  const bool fail = !reports_.empty() && reports_.back().fails && report.fails;
  if (same != reports_.end()) {
    ++same->times;
  } else if (fail && is_again(reports_.back(), report)) {
    report.line = reports_.back().line;
    reports_.back() = std::move(report);
  } else if (fail && is_again(report, reports_.back())) {
    // nothing new
  } else if (reports_.size() < kMostReports) {
    reports_.push_back(std::move(report));
  }
}

}  // namespace xlashape::cli
