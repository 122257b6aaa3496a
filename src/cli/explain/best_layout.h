// The layout of the same kind that wastes least: another order of the dimensions, and where the second minor dimension
// is short, another of the usual first tiles. What the layout says otherwise stays.
#pragma once
#include <optional>

#include "facts.h"

namespace xlashape::cli {

struct BestLayout {
  Layout layout;  // of the array itself, where nothing is better
  SizesWithWaste sizes;
  bool same = false;      // it is the array's own
  bool all_tried = true;  // false: the search was cut short, and others may waste less
};

// How much searching there may still be for one text: in layouts tried, and in time, as one layout may take long.
class LayoutSearch {
 public:
  LayoutSearch();
  bool step();  // false: enough

 private:
  int64_t left_;
  double until_;
};

// None for an array without sizes or without a layout. Among layouts of the same size the one nearest to the array's
// own wins: fewest swaps of neighbouring dimensions, then its own tile.
std::optional<BestLayout> best_layout(const Facts& facts, LayoutSearch* search);

}  // namespace xlashape::cli
