/* SPDX-License-Identifier: Apache-2.0 */
// The distinct shapes of a program, each parsed and measured once: a dump repeats each of its shapes about fifteen
// times.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include <xlashape/shape.hpp>

#include "pool.h"

namespace xlashape::cli {

struct ShapeFacts {
  Shape shape;
  bool array = false;  // or a buffer
  bool tuple = false;
  bool sized = false;            // the next two are known
  int64_t bytes = 0;             // in memory, padding included; of a tuple the sum of its arrays
  int64_t logical_bytes = 0;     // of the elements alone
  int64_t space = 0;             // the memory space, S(n); of a tuple 0
  std::vector<uint32_t> leaves;  // of a tuple: its arrays, tokens and so on in order, those of inner tuples too
};

class Shapes {
 public:
  // The shape's number, or kNone where the text is not a shape as a whole.
  uint32_t of(std::string_view text);
  // The same where the text was met before; else kNone.
  uint32_t find(std::string_view text) const {
    const uint32_t known = texts_.find(text);
    return known != kNone && facts_[known].shape ? known : kNone;
  }
  // The same for a shape from elsewhere; its text is as the library prints it.
  uint32_t of(const Shape& shape);
  const ShapeFacts& facts(uint32_t shape) const { return facts_[shape]; }
  std::string_view text(uint32_t shape) const { return texts_.text(shape); }
  uint32_t size() const { return texts_.size(); }
  // Calls `use` with each array in a shape: itself, or those of a tuple in order.
  template <class Use>
  void for_each_array(uint32_t shape, const Use& use) const {
    if (shape == kNone) return;
    if (facts_[shape].array) use(shape);
    for (const uint32_t leaf : facts_[shape].leaves)
      if (facts_[leaf].array) use(leaf);
  }

 private:
  uint32_t measured(uint32_t number, const Shape& shape);

  TextPool texts_;
  std::vector<ShapeFacts> facts_;  // by the number of the text; an empty shape where the text is none
};

}  // namespace xlashape::cli
