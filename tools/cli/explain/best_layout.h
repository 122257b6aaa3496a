/* SPDX-License-Identifier: Apache-2.0 */
// The layout that wastes least among those with another order of the dimensions and, where the second minor dimension
// is short, another of the usual first tiles. Everything else of the layout is kept.
#pragma once
#include <optional>

#include "facts.h"

namespace xlashape::cli {

struct BestLayout {
  Layout layout;  // the array's, where nothing is better
  SizesWithWaste sizes;
  bool same = false;      // it is the array's
  bool all_tried = true;  // false: the search was cut short, and others may waste less
};

// The remaining search budget for one text: in layouts, and in time, as one layout may take long.
class LayoutSearch {
 public:
  LayoutSearch();
  bool step();  // false: the budget is spent

 private:
  int64_t left_;
  double until_;
};

// None for an array without sizes or without a layout. Among layouts of the same size it takes the one nearest to the
// array's: fewest swaps of neighbouring dimensions, then the same tile.
std::optional<BestLayout> best_layout(const Facts& facts, LayoutSearch* search);

}  // namespace xlashape::cli
