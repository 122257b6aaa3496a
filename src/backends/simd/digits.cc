#include "backends/simd/digits.h"

#include <algorithm>
#include <numeric>

namespace xlashape::simd {
namespace {

struct Chain {
  int64_t Axis::*stride;
  int axis[kMaxDigits];
  int axes = 0;
  int64_t elements = 1;
  bool open = true;

  bool has(int i) const { return std::find(axis, axis + axes, i) != axis + axes; }
  int last() const { return axes > 0 ? axis[axes - 1] : -1; }
};

// Those of `chain` that `other` has not, in the order in which the other side keeps them outside. Which that is, is free: groups
// of them that lie apart come last first, as then each needs one turn. Not so where one is cut, which must remain outermost.
int outside(const Chain& chain, const Chain& other, const int64_t* part, const Axis* axes, int* found) {
  int count = 0;
  const int last = chain.last();
  if (last < 0 || part[last] < axes[last].count) {
    for (int i = 0; i < chain.axes; ++i)
      if (!other.has(chain.axis[i])) found[count++] = chain.axis[i];
    return count;
  }
  for (int end = chain.axes; end > 0;) {
    int begin = end;
    while (begin > 0 && !other.has(chain.axis[begin - 1])) --begin;
    for (int i = begin; i < end; ++i) found[count++] = chain.axis[i];
    end = begin == end ? end - 1 : begin;
  }
  return count;
}

// A narrow side that no kernel zips at once is maybe two factors which are; else 1.
int64_t factor(int64_t side, int64_t width) {
  if (side * width >= 16 || zips(side, width)) return 1;
  for (int64_t f = 2; f <= 8; ++f)
    if (side % f == 0 && zips(f, width) && zips(side / f, width)) return f;
  return 1;
}

void add(const Pass& pass, Passes* passes) { passes->pass[passes->count++] = pass; }

void turn(int64_t rows, int64_t columns, int64_t planes, int64_t width, Passes* passes) {
  if (const int64_t f = factor(columns, width); f > 1) {
    add({rows * (columns / f), f, planes}, passes);
    add({rows * f, columns / f, planes}, passes);
  } else if (const int64_t g = factor(rows, width); g > 1) {
    add({g, columns * (rows / g), planes}, passes);
    add({rows / g, columns * g, planes}, passes);
  } else {
    add({rows, columns, planes}, passes);
  }
}

}  // namespace

void pick_digits(const Axis* axes, int count, int64_t element, int64_t wanted, int64_t most, Digits* digits) {
  Chain source{&Axis::src, {}}, target{&Axis::dst, {}};
  int64_t part[kMaxLoops] = {};  // how much of each axis is in the tile
  int64_t all = 1;
  for (;;) {
    Chain* chain = nullptr;  // the shorter one
    for (Chain* c : {&source, &target})
      if (c->open && c->elements < wanted && (chain == nullptr || c->elements < chain->elements)) chain = c;
    if (chain == nullptr) break;
    chain->open = false;
    int next = count - 1;
    while (next >= 0 && axes[next].*chain->stride != element * chain->elements) --next;
    if (next < 0) continue;
    if (part[next] == 0) {
      const int64_t room = most / all, needed = (wanted + chain->elements - 1) / chain->elements;
      const int64_t some =
          axes[next].count <= std::min(room, needed + needed / 2) ? axes[next].count : std::min(room, needed);
      if (some < 2) continue;
      part[next] = some;
      all *= some;
    }
    chain->axis[chain->axes++] = next;
    chain->elements *= part[next];
    chain->open = part[next] == axes[next].count;
  }
  // Of what both end in there may be as much as there is room for.
  const int end = source.last();
  if (end >= 0 && end == target.last() && part[end] < axes[end].count) {
    int64_t more = std::min(most / (all / part[end]), axes[end].count);
    // Whole lines: lines at the ends of a run are written in parts, through the cache.
    const int64_t step = element * target.elements / part[end], grain = 64 / std::gcd(step, int64_t{64});
    if (more < axes[end].count && more > grain) more -= more % grain;
    for (Chain* c : {&source, &target}) c->elements = c->elements / part[end] * more;
    part[end] = more;
  }

  *digits = {};
  digits->piece = source.elements;
  digits->run = target.elements;
  int others[kMaxDigits];
  const auto place = [&](int axis) {
    for (int i = 0; i < target.axes; ++i)
      if (target.axis[i] == axis) return i;
    const int count = outside(source, target, part, axes, others);
    return target.axes + static_cast<int>(std::find(others, others + count, axis) - others);
  };
  const auto put = [&](int axis) {
    digits->digit[digits->count++] = {part[axis], axis, place(axis), source.has(axis), target.has(axis)};
  };
  for (int i = 0; i < source.axes; ++i) put(source.axis[i]);
  int behind[kMaxDigits];
  const int count_behind = outside(target, source, part, axes, behind);
  for (int i = 0; i < count_behind; ++i) put(behind[i]);
}

bool composes(int64_t side, int64_t width) { return factor(side, width) > 1; }

// The outermost digit that is not in its place gets there by one turn of all digits up to that place: those up to it become
// the columns. At least one digit a turn, so there are fewer turns than digits, of two passes at most.
void plan_passes(const Digits& digits, const int64_t* counts, int64_t element, Passes* passes) {
  static_assert(2 * kMaxDigits <= kMaxPasses);
  struct Run {
    int64_t count;
    int to, digits;
  };
  Run run[kMaxDigits];
  int runs = 0;
  for (int i = 0; i < digits.count; ++i) {
    if (counts[i] == 1) continue;
    int to = 0;
    for (int j = 0; j < digits.count; ++j) to += counts[j] > 1 && digits.digit[j].to < digits.digit[i].to;
    run[runs++] = {counts[i], to, 1};
  }
  const auto fuse = [&] {
    int kept = 0;
    for (int i = 1; i < runs; ++i) {
      if (run[kept].to + run[kept].digits == run[i].to) {
        run[kept].count *= run[i].count;
        run[kept].digits += run[i].digits;
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
    turn(rows, columns, planes, element, passes);
    std::rotate(run, run + last + 1, run + runs);
    fuse();
  }
}

}  // namespace xlashape::simd
