// SPDX-License-Identifier: Apache-2.0
#include "strided.h"

#include <algorithm>
#include <random>

namespace bench {
namespace {

struct Place {
  int64_t src, dst;
  Place operator-(const Place& other) const { return {src - other.src, dst - other.dst}; }
  bool operator==(const Place&) const = default;
};
using Places = std::vector<Place>;

struct Piece {
  Place at;
  std::vector<Loop> loops;  // innermost first
};

// Cuts a sequence of places into nested runs of even steps; what does not fill a run is a piece of its own.
void cut(const Places& places, const std::vector<Loop>& inner, std::vector<Piece>* pieces) {
  const size_t n = places.size();
  if (n == 1) {
    pieces->push_back({places[0], inner});
    return;
  }
  const Place step = places[1] - places[0];
  size_t run = 2;
  while (run < n && places[run] - places[run - 1] == step) ++run;
  const auto with = [&](size_t extent) {
    auto loops = inner;
    if (extent > 1) loops.push_back({static_cast<int64_t>(extent), step.src, step.dst});
    return loops;
  };
  if (run == n) {
    pieces->push_back({places[0], with(n)});
    return;
  }
  Places blocks;
  for (size_t i = 0; i + run <= n; i += run) blocks.push_back(places[i]);
  cut(blocks, with(run), pieces);
  if (n % run != 0) pieces->push_back({places[n - n % run], with(n % run)});
}

// Where index i of dimension d lies, the others being 0, on both sides.
Places along(const Map& from, const Map& to, const std::vector<int64_t>& dimensions, size_t d) {
  const auto n = static_cast<size_t>(dimensions[d]), rank = dimensions.size();
  std::vector<int64_t> index(n * rank), linear(n);
  for (size_t i = 0; i < n; ++i) index[i * rank + d] = static_cast<int64_t>(i);
  const auto positions = [&](const Map& map) {
    const IndexPlan plan = make_index_plan(nullptr, map, XLASHAPE_CONVERSION_TO_LINEAR, static_cast<int64_t>(rank), 1);
    convert(plan, static_cast<int64_t>(n), index.data(), linear.data());
  };
  Places places(n);
  positions(from);
  for (size_t i = 0; i < n; ++i) places[i].src = linear[i];
  positions(to);
  for (size_t i = 0; i < n; ++i) places[i].dst = linear[i];
  const Place origin = places[0];
  for (auto& place : places) place = place - origin;
  return places;
}

bool independent(const Map& from, const Map& to, const std::vector<int64_t>& dimensions,
                 const std::vector<Places>& all) {
  std::mt19937_64 random(1);
  std::vector<int64_t> index(dimensions.size());
  for (int i = 0; i < 1000; ++i) {
    Place want{0, 0}, got{0, 0};
    for (size_t d = 0; d < index.size(); ++d) {
      index[d] = static_cast<int64_t>(random() % static_cast<uint64_t>(dimensions[d]));
      want.src += all[d][static_cast<size_t>(index[d])].src;
      want.dst += all[d][static_cast<size_t>(index[d])].dst;
    }
    const auto rank = static_cast<int64_t>(index.size());
    check([&](xlashape_error* err) {
      return xlashape_index_map_linear_index(from.get(), index.data(), rank, &got.src, err);
    });
    check([&](xlashape_error* err) {
      return xlashape_index_map_linear_index(to.get(), index.data(), rank, &got.dst, err);
    });
    if (!(want == got)) return false;
  }
  return true;
}

void simplify(std::vector<Loop>* loops) {
  std::sort(loops->begin(), loops->end(), [](const Loop& a, const Loop& b) { return a.dst > b.dst; });
  std::vector<Loop> merged;
  for (const Loop& loop : *loops) {
    if (!merged.empty() && merged.back().src == loop.src * loop.extent && merged.back().dst == loop.dst * loop.extent) {
      merged.back() = {merged.back().extent * loop.extent, loop.src, loop.dst};
    } else {
      merged.push_back(loop);
    }
  }
  *loops = merged;
}

}  // namespace

std::optional<Strided> strided_form(const Case& c) {
  if (c.src_bits != c.dst_bits || c.src_bits % 8 != 0) return std::nullopt;
  std::vector<int64_t> dimensions(static_cast<size_t>(xlashape_shape_rank(c.src.get())));
  int64_t needed;
  check([&](xlashape_error* err) {
    return xlashape_shape_dimensions(c.src.get(), dimensions.data(), static_cast<int64_t>(dimensions.size()), &needed,
                                     err);
  });
  if (std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end()) return std::nullopt;
  const Map from = make_map(c.src.get()), to = make_map(c.dst.get());
  std::vector<Places> all;
  Strided form{c.src_bits / 8, {Rectangle{}}};
  for (size_t d = 0; d < dimensions.size(); ++d) {
    all.push_back(along(from, to, dimensions, d));
    std::vector<Piece> pieces;
    cut(all.back(), {}, &pieces);
    std::vector<Rectangle> product;
    for (const Rectangle& so_far : form.rectangles) {
      for (const Piece& piece : pieces) {
        Rectangle next = so_far;
        next.src += piece.at.src;
        next.dst += piece.at.dst;
        next.loops.insert(next.loops.end(), piece.loops.begin(), piece.loops.end());
        product.push_back(std::move(next));
      }
    }
    form.rectangles = std::move(product);
    if (form.rectangles.size() > 64) return std::nullopt;
  }
  if (!independent(from, to, dimensions, all)) return std::nullopt;
  for (Rectangle& rectangle : form.rectangles) simplify(&rectangle.loops);
  return form;
}

}  // namespace bench
