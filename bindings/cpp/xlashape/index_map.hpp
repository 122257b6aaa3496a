// SPDX-License-Identifier: Apache-2.0
// Multidimensional index <-> position in memory, one at a time and in batches.
#ifndef XLASHAPE_INDEX_MAP_HPP_
#define XLASHAPE_INDEX_MAP_HPP_

#include "runtime.hpp"
#include "shape.hpp"

namespace xlashape {

class IndexMap : public detail::Handle<xlashape_index_map, xlashape_index_map_retain, xlashape_index_map_release> {
 public:
  using Handle::Handle;
  void swap(IndexMap& other) noexcept { std::swap(*this, other); }

  static Result<IndexMap> try_of(const Shape& shape) {
    auto map = detail::make<IndexMap, xlashape_index_map>(xlashape_index_map_create, shape.get());
    if (map) map->shape_ = shape;
    return map;
  }
  XLASHAPE_THROWS static IndexMap of(const Shape& shape) { return try_of(shape).value(); }

  // The shape that it was made from; empty if it was made from a C reference.
  const Shape& shape() const& noexcept { return shape_; }
  Shape shape() && noexcept { return std::move(shape_); }
  // Maps of equal shapes are equal; one made from a C reference equals only itself.
  friend bool operator==(const IndexMap& a, const IndexMap& b) noexcept {
    return a.get() == b.get() || (a && b && a.shape_ && b.shape_ && a.shape_ == b.shape_);
  }
  friend bool operator!=(const IndexMap& a, const IndexMap& b) noexcept { return !(a == b); }

  std::int64_t rank() const noexcept { return xlashape_index_map_rank(get()); }
  // Positions run from 0 to this, exclusive.
  std::int64_t storage_elements() const noexcept { return xlashape_index_map_storage_elements(get()); }

  // Position of the element at `index`.
  Result<std::int64_t> try_linear_index(Numbers index) const {
    Result<std::int64_t> result;
    std::int64_t linear;
    if (xlashape_index_map_linear_index(get(), index.data(), index.size(), &linear, result.record()) ==
        XLASHAPE_STATUS_OK)
      result.emplace(linear);
    return result;
  }
  XLASHAPE_THROWS std::int64_t linear_index(Numbers index) const {
    Error error{detail::ForCall()};
    std::int64_t linear;
    if (xlashape_index_map_linear_index(get(), index.data(), index.size(), &linear, error.record()) !=
        XLASHAPE_STATUS_OK)
      detail::raise(error);
    return linear;
  }

  // Writes the index of the element at position `linear` to `index`; for padding writes -1 and returns false.
  Result<bool> try_multidimensional_index(std::int64_t linear, Span<std::int64_t> index) const {
    Result<bool> result;
    std::int32_t padding = 0;
    const std::int64_t rank = detail::length(index);
    if (xlashape_index_map_multidimensional_index(get(), linear, index.data(), rank, &padding, result.record()) ==
        XLASHAPE_STATUS_OK)
      result.emplace(padding == 0);
    return result;
  }
  XLASHAPE_THROWS bool multidimensional_index(std::int64_t linear, Span<std::int64_t> index) const {
    return try_multidimensional_index(linear, index).value();
  }

  // Positions of linear.size() indices, one after the other, rank numbers each. flags: XLASHAPE_INDEX_MARK_INVALID.
  // Returns how many were invalid; without MARK_INVALID the first one is an error, with its number in index(). Each
  // call makes an index plan: where many batches are converted, make an IndexPlan once.
  Result<std::int64_t> try_linear_indices(Span<const std::int64_t> indices, Span<std::int64_t> linear,
                                          std::uint32_t flags = 0, const Runtime& runtime = {}) const {
    detail::Call call;
    return call.outcome(converted(XLASHAPE_CONVERSION_TO_LINEAR, indices, linear, flags, runtime));
  }
  XLASHAPE_THROWS std::int64_t linear_indices(Span<const std::int64_t> indices, Span<std::int64_t> linear,
                                              std::uint32_t flags = 0, const Runtime& runtime = {}) const {
    detail::Call call;
    return call.value(converted(XLASHAPE_CONVERSION_TO_LINEAR, indices, linear, flags, runtime));
  }
  // The reverse.
  Result<std::int64_t> try_multidimensional_indices(Span<const std::int64_t> linear, Span<std::int64_t> indices,
                                                    std::uint32_t flags = 0, const Runtime& runtime = {}) const {
    detail::Call call;
    return call.outcome(converted(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, linear, indices, flags, runtime));
  }
  XLASHAPE_THROWS std::int64_t multidimensional_indices(Span<const std::int64_t> linear, Span<std::int64_t> indices,
                                                        std::uint32_t flags = 0, const Runtime& runtime = {}) const {
    detail::Call call;
    return call.value(converted(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL, linear, indices, flags, runtime));
  }

 private:
  Result<std::int64_t> converted(std::int32_t conversion, Span<const std::int64_t> src, Span<std::int64_t> dst,
                                 std::uint32_t flags, const Runtime& runtime) const {
    Result<std::int64_t> result;
    const bool to_linear = conversion == XLASHAPE_CONVERSION_TO_LINEAR;
    const std::size_t width = static_cast<std::size_t>(rank()), indices = to_linear ? src.size() : dst.size();
    const std::size_t count = to_linear ? dst.size() : src.size();
    if (width == 0 ? indices != 0 : indices % width != 0 || indices / width != count)
      return Error(Status::kOutOfRange, "for each position there must be rank indices");
    auto options = XLASHAPE_INIT(xlashape_index_options);
    options.flags = flags;
    xlashape_index_plan* plan = nullptr;
    std::int64_t invalid = 0;
    const auto bytes = [](std::size_t entries) { return static_cast<std::int64_t>(entries * sizeof(std::int64_t)); };
    if (xlashape_index_plan_create(runtime.get(), get(), conversion, &options, &plan, result.record()) ==
            XLASHAPE_STATUS_OK &&
        xlashape_index_plan_execute(plan, static_cast<std::int64_t>(count), src.data(), bytes(src.size()), dst.data(),
                                    bytes(dst.size()), &invalid, result.record()) == XLASHAPE_STATUS_OK)
      result.emplace(invalid);
    xlashape_index_plan_release(plan);
    return result;
  }

  Shape shape_;
};

}  // namespace xlashape

#endif  // XLASHAPE_INDEX_MAP_HPP_
