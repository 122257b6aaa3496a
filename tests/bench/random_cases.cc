// SPDX-License-Identifier: Apache-2.0
#include "random_cases.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>

namespace bench {
namespace {

constexpr double kLeastLog = 16, kMostLog = 26;  // of the bytes on a side
constexpr struct {
  const char* name;
  int64_t bytes;
  const char* sublevel;  // XLA's second level of tiles for it
} kTypes[] = {{"u8", 1, "(4,1)"}, {"bf16", 2, "(2,1)"}, {"f32", 4, ""}, {"f64", 8, ""}, {"c128", 16, ""}};

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  int64_t from(int64_t least, int64_t most) { return least + below(most - least + 1); }
  double part() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 random_;
};

std::string list(const std::vector<int64_t>& numbers) {
  std::string text;
  for (const int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// Of about so many elements; half of the time no dimension of 16 or more is odd.
std::vector<int64_t> draw_dimensions(Draw& draw, int64_t rank, double log_elements) {
  std::vector<double> shares;
  for (int64_t d = 0; d < rank; ++d) shares.push_back(0.25 - std::log(1 - draw.part()));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  const bool round = draw.below(2) == 0;
  std::vector<int64_t> dimensions;
  for (const double share : shares) {
    const auto size = std::max<int64_t>(2, std::llround(std::exp2(log_elements * share / sum)));
    dimensions.push_back(round && size >= 16 ? (size + 4) / 8 * 8 : size);
  }
  return dimensions;
}

std::vector<int64_t> draw_order(Draw& draw, int64_t rank) {
  std::vector<int64_t> order(static_cast<size_t>(rank));
  std::iota(order.rbegin(), order.rend(), 0);
  for (int64_t i = rank - 1; i > 0; --i)
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(draw.below(i + 1))]);
  return order;
}

std::string draw_tiles(Draw& draw, const char* sublevel) {
  if (draw.below(2) == 0) return std::string("T(8,128)") + sublevel;
  return "T(" + list({draw.from(2, 16), draw.from(4, 128)}) + ")";
}

// The two minor dimensions made larger.
std::string draw_padding(Draw& draw, std::vector<int64_t> dimensions, const std::vector<int64_t>& order) {
  for (const size_t minor : {size_t{0}, size_t{1}}) {
    int64_t& width = dimensions[static_cast<size_t>(order[minor])];
    width += draw.below(width / 8 + 2);
  }
  return "PD(" + list(dimensions) + ")";
}

// Nothing where a side is too large or too small, or both are alike.
std::optional<Case> draw_case(Draw& draw) {
  const auto& type = kTypes[draw.below(std::size(kTypes))];
  const int64_t rank = draw.from(2, 7);
  const double log_bytes = kLeastLog + draw.part() * (kMostLog - kLeastLog);
  const auto dimensions = draw_dimensions(draw, rank, log_bytes - std::log2(static_cast<double>(type.bytes)));
  auto src_order = draw_order(draw, rank);
  if (draw.below(2) == 0) std::iota(src_order.rbegin(), src_order.rend(), 0);
  const auto dst_order = draw_order(draw, rank);
  std::string src_more, dst_more;
  switch (draw.below(8)) {
    case 0:
    case 1:
      dst_more = draw_tiles(draw, type.sublevel);
      break;
    case 2:
      src_more = draw_tiles(draw, type.sublevel);
      break;
    case 3:
      dst_more = draw_padding(draw, dimensions, dst_order);
      break;
    case 4:
      src_more = draw_padding(draw, dimensions, src_order);
      break;
    default:
      break;
  }
  const auto layout = [](const std::vector<int64_t>& order, const std::string& more) {
    return "{" + list(order) + (more.empty() ? "" : ":") + more + "}";
  };
  const std::string array = type.name + ("[" + list(dimensions) + "]");
  const std::string src = array + layout(src_order, src_more), dst = layout(dst_order, dst_more);
  if (src == array + dst) return std::nullopt;
  Case c = make_case(parse_shape(src), parse_shape(array + dst));
  const auto [least, most] = std::minmax(c.src_bytes, c.dst_bytes);
  if (least < int64_t{1} << 16 || most > int64_t{1} << 26) return std::nullopt;
  c.name = src + " to " + dst;
  c.group = c.source = "random";
  return c;
}

}  // namespace

std::vector<Case> random_cases(int64_t count, uint64_t seed) {
  Draw draw(seed);
  std::vector<Case> cases;
  while (static_cast<int64_t>(cases.size()) < count)
    if (auto c = draw_case(draw)) cases.push_back(std::move(*c));
  return cases;
}

}  // namespace bench
