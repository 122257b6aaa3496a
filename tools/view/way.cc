// SPDX-License-Identifier: Apache-2.0
#include "way.h"

#include <algorithm>

#include "words.h"

namespace xlashape::view {
namespace {

// Places on a line are counted from 0 at its begin to kWhole at its end: whole numbers, so that all machines agree.
constexpr int64_t kWhole = 1 << 16;

struct Part {
  int64_t from, to;
};

// The part of the line from `a` to `b` inside a box; empty where it does not meet it.
Part inside(const Stop& a, const Stop& b, const TextBox& box) {
  Part part{0, kWhole};
  const auto cut = [&](int64_t from, int64_t step, int64_t low, int64_t high) {
    if (step == 0) {
      if (from < low || from > high) part.to = 0;
      return;
    }
    const int64_t one = (low - from) * kWhole / step, other = (high - from) * kWhole / step;
    part.from = std::max(part.from, std::min(one, other));
    part.to = std::min(part.to, std::max(one, other));
  };
  cut(a.x, b.x - a.x, box.left, box.right);
  cut(a.y, b.y - a.y, box.top, box.bottom);
  return part;
}

std::string point(const Stop& a, const Stop& b, int64_t at) {
  const auto on = [&](int64_t from, int64_t to) {
    return decimal(from + ((to - from) * at + (to < from ? -kWhole : kWhole) / 2) / kWhole);
  };
  return on(a.x, b.x) + " " + on(a.y, b.y);
}

}  // namespace

std::string way_path(std::vector<Stop> stops, const std::vector<TextBox>& texts) {
  std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.position < b.position; });
  std::string path;
  bool goes_on = false;  // the path ends at the stop that is next
  for (size_t i = 1; i < stops.size(); ++i) {
    const Stop &a = stops[i - 1], &b = stops[i];
    if (b.position != a.position + 1) {
      goes_on = false;
      continue;
    }
    std::vector<Part> hidden;
    for (const TextBox& box : texts)
      if (const Part part = inside(a, b, box); part.from < part.to) hidden.push_back(part);
    std::sort(hidden.begin(), hidden.end(), [](const Part& p, const Part& q) { return p.from < q.from; });
    hidden.push_back({kWhole, kWhole});
    int64_t at = 0;
    for (const Part& part : hidden) {
      if (part.from > at) {
        if (at > 0 || !goes_on) path += "M" + point(a, b, at);
        path += "L" + point(a, b, part.from);
      }
      at = std::max(at, part.to);
    }
    goes_on = hidden.size() == 1 || hidden[hidden.size() - 2].to < kWhole;
  }
  return path;
}

}  // namespace xlashape::view
