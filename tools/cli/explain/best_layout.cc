// SPDX-License-Identifier: Apache-2.0
#include "best_layout.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "cli/base/clock.h"

namespace xlashape::cli {
namespace {

constexpr int64_t kMostTried = 20000;
constexpr double kMostSeconds = 0.3;

// (bytes, swaps of neighbours against the array's own order, whether the tile changed)
using Cost = std::tuple<int64_t, int64_t, int>;

// The number of swaps of neighbours that move the positions at the front of `order` there, where all others keep their
// order.
int64_t swaps(std::span<const size_t> front) {
  int64_t count = 0;
  for (size_t i = 0; i < front.size(); ++i) {
    count += static_cast<int64_t>(front[i]);
    for (size_t j = 0; j < i; ++j) count -= front[j] < front[i] ? 1 : 0;
  }
  return count;
}

// First tiles to try with this second minor dimension: the array's, and the smaller ones of TPUs where the dimension
// does not fill it.
std::vector<Integers> first_tiles(const Integers& own, int64_t second_minor) {
  std::vector<Integers> tiles = {own};
  if (own.size() != 2 || own[0] < 0 || own[1] < 0) return tiles;  // `*`, `d`
  for (const int64_t height : {1, 2, 4, 8})
    if (height >= second_minor && height != own[0]) {
      tiles.push_back({height, own[1]});
      break;
    }
  return tiles;
}

// An error where this layout is not valid for the shape.
Result<int64_t> bytes_with(const Shape& shape, const LayoutSpec& spec) {
  return Layout::try_create(spec)
      .and_then([&](const Layout& layout) { return shape.try_with_layout(layout); })
      .and_then([](const Shape& other) { return other.try_byte_size(); });
}

}  // namespace

LayoutSearch::LayoutSearch() : left_(kMostTried), until_(seconds_now() + kMostSeconds) {}

bool LayoutSearch::step() { return left_-- > 0 && seconds_now() < until_; }

std::optional<BestLayout> best_layout(const Facts& facts, LayoutSearch* search) {
  if (!facts.sizes || !facts.layout) return std::nullopt;
  BestLayout best = {facts.layout, *facts.sizes, true, true};
  // Without tiles the order of the dimensions changes no size.
  if (facts.tiles.empty() || facts.rank < 1 || facts.sizes->exact.elements == 0) return best;
  Cost best_cost = {facts.sizes->exact.bytes, 0, 0};
  LayoutSpec own = facts.layout.spec();
  own.minor_to_major = facts.minor_to_major;  // also where the layout has no order
  const bool merges = std::count(own.tiles[0].begin(), own.tiles[0].end(), XLASHAPE_COMBINE_DIMENSION) > 0;

  // Only the dimensions under the first tile and their order matter; the others keep their order. So `order` holds
  // positions in the array's order: first those under the tile, most major first, then the others unchanged.
  const auto rank = static_cast<size_t>(facts.rank);
  const size_t tile_rank = std::min(own.tiles[0].size(), rank);
  const auto tile_end = static_cast<std::ptrdiff_t>(tile_rank);
  std::vector<size_t> order(rank), front(tile_rank);
  std::iota(order.begin(), order.end(), 0);
  std::optional<LayoutSpec> found;
  do {
    std::reverse_copy(order.begin(), order.begin() + tile_end, front.begin());
    LayoutSpec spec = own;
    for (size_t i = 0; i < rank; ++i) spec.minor_to_major[i] = own.minor_to_major[i < tile_rank ? front[i] : order[i]];
    const int64_t second_minor = rank > 1 ? facts.padded[static_cast<size_t>(spec.minor_to_major[1])] : int64_t{1};
    for (const Integers& tile :
         merges ? std::vector<Integers>{own.tiles[0]} : first_tiles(own.tiles[0], second_minor)) {
      if (!search->step()) {
        best.all_tried = false;
        break;
      }
      spec.tiles[0] = tile;
      const Result<int64_t> bytes = bytes_with(facts.shape, spec);
      if (!bytes || *bytes > std::get<0>(best_cost)) continue;
      const Cost cost = {*bytes, swaps(front), tile == own.tiles[0] ? 0 : 1};
      if (cost < best_cost) {
        best_cost = cost;
        found = spec;
      }
    }
    // Goes to the next choice of the front positions: skips all orders of the others.
    std::reverse(order.begin() + tile_end, order.end());
  } while (best.all_tried && std::next_permutation(order.begin(), order.end()));
  if (!found) return best;
  Layout layout = Layout::create(*found);
  if (const std::optional<SizesWithWaste> sizes = sizes_with_waste(facts.shape.with_layout(layout), nullptr))
    best = {std::move(layout), *sizes, false, best.all_tried};
  return best;
}

}  // namespace xlashape::cli
