// A layout that a target's compiler chooses for an array, with what it costs, and what other orders would cost.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include <xlashape/target.hpp>

#include "cli/explain/facts.h"

namespace xlashape::cli {

struct Alternative {
  Layout layout;
  std::optional<int64_t> bytes;  // none where they do not fit 64 bits
};

struct Choice {
  Shape shape;  // the array with the layout
  std::optional<SizesWithWaste> sizes;
  std::string no_sizes;                  // why there are none
  std::optional<Alternative> row_major;  // where the shape is not row-major
  std::optional<Alternative> own;        // the compiler's own choice, where an order was given and it is another
};

// `array`: without a layout the compiler chooses; of a layout the order is kept. Throws a Failure.
Choice choice_for(Target target, const Shape& array);

// One leaf of a tuple: a token or an opaque has no choice.
struct LeafChoice {
  Leaf leaf;
  std::optional<Choice> choice;
};
struct TupleChoice {
  Shape shape;
  std::vector<LeafChoice> leaves;
  std::optional<int64_t> logical_bytes, bytes;  // of all arrays; none where one is not known or they do not fit 64 bits
  int64_t table_bytes;                          // the outermost tuple's table of pointers
};
TupleChoice tuple_choice_for(Target target, const Shape& tuple);

}  // namespace xlashape::cli
