#include "best_layout.h"

#include <algorithm>
#include <tuple>

namespace xlashape::cli {
namespace {

constexpr int64_t kMostCandidates = 20000;

// (bytes, swaps of neighbours against the array's own order, whether the tile changed)
using Cost = std::tuple<int64_t, int64_t, int>;

int64_t swaps(const Numbers& order, const Numbers& original) {
  Numbers place(original.size());
  for (size_t i = 0; i < original.size(); ++i) place[static_cast<size_t>(original[i])] = static_cast<int64_t>(i);
  int64_t count = 0;
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j)
      count += place[static_cast<size_t>(order[i])] > place[static_cast<size_t>(order[j])] ? 1 : 0;
  return count;
}

// The first tiles worth trying with this second minor dimension: the array's own, and TPUs' smaller ones where the
// dimension does not fill it.
std::vector<Numbers> first_tiles(const Numbers& own, int64_t second_minor) {
  std::vector<Numbers> tiles = {own};
  if (own.size() != 2 || own[0] == XLASHAPE_COMBINE_DIMENSION || own[1] == XLASHAPE_COMBINE_DIMENSION) return tiles;
  for (const int64_t height : {1, 2, 4, 8})
    if (height >= second_minor && height != own[0]) {
      tiles.push_back({height, own[1]});
      break;
    }
  return tiles;
}

}  // namespace

std::optional<BestLayout> best_layout(const Facts& facts) {
  if (!facts.sizes || !facts.layout) return std::nullopt;
  BestLayout best = {facts.layout, *facts.sizes, true};
  // Without tiles the order of the dimensions changes no size.
  if (facts.tiles.empty() || facts.rank < 1 || facts.sizes->exact.elements == 0) return best;
  Cost best_cost = {facts.sizes->exact.bytes, 0, 0};
  const LayoutParts own(facts.layout);

  // Only which dimensions come under the first tile matters, and in which order; the others keep theirs.
  size_t tile_rank = own.tiles[0].size();
  bool merges = false;
  for (const int64_t size : own.tiles[0]) merges |= size == XLASHAPE_COMBINE_DIMENSION;
  tile_rank = std::min<size_t>(tile_rank, static_cast<size_t>(facts.rank));
  int64_t budget = kMostCandidates;

  // Choices of tile_rank dimensions in order, as an odometer over positions in the own order.
  std::vector<size_t> chosen(tile_rank, 0);
  const auto rank = static_cast<size_t>(facts.rank);
  for (bool more = true; more && budget > 0;) {
    std::vector<bool> used(rank);
    bool distinct = true;
    for (const size_t position : chosen) {
      distinct &= !used[position];
      used[position] = true;
    }
    if (distinct) {
      LayoutParts parts = own;
      for (size_t i = 0; i < tile_rank; ++i) parts.minor_to_major[i] = own.minor_to_major[chosen[i]];
      for (size_t i = 0, at = tile_rank; i < rank; ++i)
        if (!used[i]) parts.minor_to_major[at++] = own.minor_to_major[i];
      const int64_t second_minor = rank > 1 ? facts.padded[static_cast<size_t>(parts.minor_to_major[1])] : int64_t{1};
      for (const Numbers& tile :
           merges ? std::vector<Numbers>{own.tiles[0]} : first_tiles(own.tiles[0], second_minor)) {
        --budget;
        parts.tiles[0] = tile;
        try {
          Layout layout = parts.make();
          const std::optional<Sizes> sizes = sizes_with_waste(with_layout(facts.shape, layout), nullptr);
          if (!sizes) continue;
          const Cost cost = {sizes->exact.bytes, swaps(parts.minor_to_major, own.minor_to_major),
                             tile == own.tiles[0] ? 0 : 1};
          if (cost < best_cost) {
            best_cost = cost;
            best = {std::move(layout), *sizes, false};
          }
        } catch (const Failure&) {  // no layout for this shape: not a candidate
        }
      }
    }
    more = false;
    for (size_t i = 0; i < tile_rank && !more; ++i) {
      more = ++chosen[i] < rank;
      if (!more) chosen[i] = 0;
    }
  }
  return best;
}

}  // namespace xlashape::cli
