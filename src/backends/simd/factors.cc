// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/factors.h"

#include <algorithm>

namespace xlashape::simd {
namespace {

// The axes of `chain` that are not in `other`, in the order in which they are outermost on the other side. That order
// is free: separate groups of them come last first, as each then needs one transpose. An axis that is cut must remain
// outermost.
int outside(const Schedule& schedule, const Chain& chain, const Chain& other, int* found) {
  int count = 0;
  if (chain.count == 0 || !schedule.is_whole(chain.last())) {
    for (int i = 0; i < chain.count; ++i)
      if (!other.has(chain.axis[i])) found[count++] = chain.axis[i];
    return count;
  }
  for (int end = chain.count; end > 0;) {
    int begin = end;
    while (begin > 0 && !other.has(chain.axis[begin - 1])) --begin;
    for (int i = begin; i < end; ++i) found[count++] = chain.axis[i];
    end = begin == end ? end - 1 : begin;
  }
  return count;
}

// If no kernel zips this narrow side at once, a factor such that kernels zip both the factor and the quotient; else 1.
int64_t zip_factor(int64_t side, int64_t width) {
  if (side * width >= 16 || zips(side, width)) return 1;
  for (int64_t f = 2; f <= 8; ++f)
    if (side % f == 0 && zips(f, width) && zips(side / f, width)) return f;
  return 1;
}

void add(const Pass& pass, Passes* passes) { passes->pass[passes->count++] = pass; }

void transpose(int64_t rows, int64_t columns, int64_t planes, int64_t width, Passes* passes) {
  if (const int64_t f = zip_factor(columns, width); f > 1) {
    add({rows * (columns / f), f, planes}, passes);
    add({rows * f, columns / f, planes}, passes);
  } else if (const int64_t g = zip_factor(rows, width); g > 1) {
    add({g, columns * (rows / g), planes}, passes);
    add({rows / g, columns * g, planes}, passes);
  } else {
    add({rows, columns, planes}, passes);
  }
}

}  // namespace

void list_factors(const Schedule& schedule, TileFactors* factors) {
  const Chain &source = schedule.source, &destination = schedule.destination;
  int place[kMaxAxes];  // in the destination
  int others[kMaxFactors];
  int places = 0;
  for (int i = 0; i < destination.count; ++i) place[destination.axis[i]] = places++;
  int count = outside(schedule, source, destination, others);
  for (int i = 0; i < count; ++i) place[others[i]] = places++;

  factors->count = 0;
  const auto put = [&](int a) {
    factors->factor[factors->count++] = {schedule.chunk[a], a, place[a], source.has(a), destination.has(a)};
  };
  for (int i = 0; i < source.count; ++i) put(source.axis[i]);
  count = outside(schedule, destination, source, others);
  for (int i = 0; i < count; ++i) put(others[i]);
}

bool composes(int64_t side, int64_t width) { return zip_factor(side, width) > 1; }

// One transpose brings the outermost factor that is not in its place there: it takes all factors up to that place, and
// the factors up to the moved one become the columns. Each transpose places at least one factor and takes at most two
// passes, so there are fewer transposes than factors.
void plan_passes(const TileFactors& factors, const int64_t* counts, int64_t element, Passes* passes) {
  static_assert(2 * kMaxFactors <= kMaxPasses);
  struct Run {
    int64_t count;
    int to, factors;
  };
  Run run[kMaxFactors];
  int runs = 0;
  for (int i = 0; i < factors.count; ++i) {
    if (counts[i] == 1) continue;
    int to = 0;
    for (int j = 0; j < factors.count; ++j) to += counts[j] > 1 && factors.factor[j].to < factors.factor[i].to;
    run[runs++] = {counts[i], to, 1};
  }
  const auto fuse = [&] {
    int kept = 0;
    for (int i = 1; i < runs; ++i) {
      if (run[kept].to + run[kept].factors == run[i].to) {
        run[kept].count *= run[i].count;
        run[kept].factors += run[i].factors;
      } else {
        run[++kept] = run[i];
      }
    }
    runs = std::min(runs, kept + 1);
  };
  passes->count = 0;
  int64_t planes = 1;
  for (fuse(); runs > 1;) {
    const int last = static_cast<int>(
        std::max_element(run, run + runs, [](const Run& a, const Run& b) { return a.to < b.to; }) - run);
    if (last == runs - 1) {
      planes *= run[last].count;
      --runs;
      continue;
    }
    int64_t columns = 1, rows = 1;
    for (int i = 0; i < runs; ++i) (i <= last ? columns : rows) *= run[i].count;
    transpose(rows, columns, planes, element, passes);
    std::rotate(run, run + last + 1, run + runs);
    fuse();
  }
}

}  // namespace xlashape::simd
