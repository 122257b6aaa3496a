// SPDX-License-Identifier: Apache-2.0
// Boxes of indices, walked in any order of the dimensions, and in parts.
#ifndef XLASHAPE_BOX_HPP_
#define XLASHAPE_BOX_HPP_

#include <xlashape_xla.h>

#include "handle.hpp"
#include "view.hpp"

namespace xlashape {

// In each dimension the indices base, base + step, ... below base + count; with a step of 0 only the base. `order`:
// the fastest dimension first, such as a layout's minor_to_major; empty: the last dimension is fastest.
struct Box {
  std::vector<std::int64_t> base, count, step, order = {};

  Result<std::int64_t> try_index_count() const {
    if (Error error = check(); error.status() != Status::kOk) return error;
    return detail::number<std::int64_t>(xlashape_box_index_count, count.data(), step.data(), rank());
  }
  XLASHAPE_THROWS std::int64_t index_count() const { return try_index_count().value(); }
  // The index with this number in the walk.
  Result<std::vector<std::int64_t>> try_index_at(std::int64_t number) const {
    if (Error error = check(); error.status() != Status::kOk) return error;
    return detail::list<std::int64_t>(xlashape_box_index_at, base.data(), count.data(), step.data(), order_data(),
                                      rank(), number);
  }
  XLASHAPE_THROWS std::vector<std::int64_t> index_at(std::int64_t number) const { return try_index_at(number).value(); }
  // Advances `index`; returns false at the end and leaves it unchanged.
  bool next_index(Span<std::int64_t> index) const noexcept {
    if (check().status() != Status::kOk || index.size() != base.size()) return false;
    return xlashape_box_next_index(base.data(), count.data(), step.data(), order_data(), rank(), index.data()) != 0;
  }

 private:
  std::int64_t rank() const noexcept { return detail::length(base); }
  const std::int64_t* order_data() const noexcept { return order.empty() ? nullptr : order.data(); }
  Error check() const noexcept {
    const bool fit =
        count.size() == base.size() && step.size() == base.size() && (order.empty() || order.size() == base.size());
    return fit ? Error() : Error(Status::kInvalidArgument, "the box's base, count, step and order differ in length");
  }
};

}  // namespace xlashape

#endif  // XLASHAPE_BOX_HPP_
