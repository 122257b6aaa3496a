// SPDX-License-Identifier: Apache-2.0
#include "shapes.h"

#include <utility>
#include <xlashape/layout.hpp>

#include "cli/explain/facts.h"

namespace xlashape::cli {
namespace {

// The tuple's leaves in order, without recursion: a hostile text nests them thousands of times.
std::vector<Shape> leaves_in(const Shape& tuple) {
  std::vector<std::pair<Shape, int64_t>> open = {{tuple, 0}};
  std::vector<Shape> leaves;
  while (!open.empty()) {
    auto& [shape, next] = open.back();
    if (next == shape.tuple_element_count()) {
      open.pop_back();
      continue;
    }
    Shape element = shape.tuple_element(next++);
    if (element.category() == Category::kTuple)
      open.emplace_back(std::move(element), 0);
    else
      leaves.push_back(std::move(element));
  }
  return leaves;
}

}  // namespace

uint32_t Shapes::of(std::string_view text) {
  const uint32_t known = texts_.find(text);
  if (known != kNone) return facts_[known].shape ? known : kNone;
  const Result<Shape> shape = Shape::try_parse(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  const uint32_t number = texts_.of(text);
  facts_.emplace_back();
  return shape ? measured(number, *shape) : kNone;
}

uint32_t Shapes::of(const Shape& shape) {
  const std::string text = shape.to_string();
  const uint32_t known = texts_.find(text);
  if (known != kNone && facts_[known].shape) return known;
  const uint32_t number = texts_.of(text);
  if (known == kNone) facts_.emplace_back();
  return measured(number, shape);
}

// A leaf of a tuple gets its entry after the tuple's, so facts_ may move meanwhile.
uint32_t Shapes::measured(uint32_t number, const Shape& shape) {
  ShapeFacts facts;
  facts.shape = shape;
  facts.array = is_array(shape);
  facts.tuple = shape.category() == Category::kTuple;
  if (facts.array) {
    std::string why_not;
    if (const std::optional<SizesWithWaste> sizes = sizes_with_waste(shape, &why_not)) {
      facts.sized = true;
      facts.bytes = sizes->exact.bytes;
      facts.logical_bytes = sizes->logical_bytes;
    }
    if (shape.has_layout()) facts.space = shape.layout().memory_space();
  } else if (facts.tuple) {
    facts.sized = true;
    for (const Shape& leaf : leaves_in(shape)) facts.leaves.push_back(of(leaf));
    for (const uint32_t number_of_leaf : facts.leaves) {
      const ShapeFacts& leaf = facts_[number_of_leaf];
      facts.sized = facts.sized && (leaf.sized || !leaf.array) &&
                    !__builtin_add_overflow(facts.bytes, leaf.bytes, &facts.bytes) &&
                    !__builtin_add_overflow(facts.logical_bytes, leaf.logical_bytes, &facts.logical_bytes);
    }
    if (!facts.sized) facts.bytes = facts.logical_bytes = 0;
  }
  facts_[number] = std::move(facts);
  return number;
}

}  // namespace xlashape::cli
