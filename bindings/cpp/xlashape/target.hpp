// SPDX-License-Identifier: Apache-2.0
// The layouts that compilers choose for the machines that they compile for: "cpu", "gpu", "tpu:v5e".
#ifndef XLASHAPE_TARGET_HPP_
#define XLASHAPE_TARGET_HPP_

#include <xlashape_target.h>

#include "shape.hpp"

namespace xlashape {

// One that the library in use lists, by its place there: what is stored is its name.
enum class Target : std::int32_t {};

// All of them.
XLASHAPE_THROWS inline std::vector<Target> targets() {
  std::vector<Target> all(static_cast<std::size_t>(xlashape_target_count()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Target>(i);
  return all;
}

// "tpu:v5e"; "" for a number without a target.
inline std::string_view name(Target target) noexcept {
  const char* text = xlashape_target_name(static_cast<std::int32_t>(target));
  return text == nullptr ? std::string_view() : text;
}

// kNotFound for other names; the message lists those that exist.
inline Result<Target> try_target(std::string_view name) {
  const auto number = detail::number<std::int32_t>(xlashape_target_from_name, name.data(), detail::length(name));
  if (!number) return number.error();
  return static_cast<Target>(*number);
}
XLASHAPE_THROWS inline Target target(std::string_view name) { return try_target(name).value(); }

// Like xlashape_target_info, with the same fields.
using TargetInfo = xlashape_target_info;
inline Result<TargetInfo> try_properties(Target target) {
  Result<TargetInfo> result;
  auto info = XLASHAPE_INIT(TargetInfo);
  if (xlashape_target_properties(static_cast<std::int32_t>(target), &info, result.record()) == XLASHAPE_STATUS_OK)
    result.emplace(info);
  return result;
}
XLASHAPE_THROWS inline TargetInfo properties(Target target) { return try_properties(target).value(); }

// Bytes of the table of pointers that stands for a tuple in memory.
inline Result<std::int64_t> try_tuple_bytes(Target target, std::int64_t elements) {
  return detail::number<std::int64_t>(xlashape_target_tuple_bytes, static_cast<std::int32_t>(target), elements);
}
XLASHAPE_THROWS inline std::int64_t tuple_bytes(Target target, std::int64_t elements) {
  return try_tuple_bytes(target, elements).value();
}

// What S(n) is there, like "vmem"; kUnsupported where that is not known.
inline Result<std::string> try_memory_space_name(Target target, std::int64_t memory_space) {
  return detail::text(xlashape_target_memory_space_name, static_cast<std::int32_t>(target), memory_space);
}
XLASHAPE_THROWS inline std::string memory_space_name(Target target, std::int64_t memory_space) {
  return try_memory_space_name(target, memory_space).value();
}

// The layout that the compiler chooses for an array.
inline Result<Layout> try_layout_for(Target target, ElementType type, Numbers dimensions) {
  return detail::make<Layout, xlashape_layout>(xlashape_target_layout, static_cast<std::int32_t>(target),
                                               static_cast<std::int32_t>(type), dimensions.data(),
                                               static_cast<const std::int64_t*>(nullptr), dimensions.size());
}
XLASHAPE_THROWS inline Layout layout_for(Target target, ElementType type, Numbers dimensions) {
  return try_layout_for(target, type, dimensions).value();
}
// The same, where the order is given and only the tiles are chosen.
inline Result<Layout> try_layout_for(Target target, ElementType type, Numbers dimensions, Numbers minor_to_major) {
  if (minor_to_major.size() != dimensions.size())
    return Error(Status::kInvalidArgument, "the numbers of dimensions and of entries in minor_to_major differ");
  return detail::make<Layout, xlashape_layout>(xlashape_target_layout, static_cast<std::int32_t>(target),
                                               static_cast<std::int32_t>(type), dimensions.data(),
                                               minor_to_major.data(), dimensions.size());
}

// The same shape with that layout for every array inside. flags: XLASHAPE_TARGET_KEEP_ORDER, with which arrays that
// have a layout keep its order and get only tiles.
inline Result<Shape> try_for_target(const Shape& shape, Target target, std::uint32_t flags = 0) {
  return detail::make<Shape, xlashape_shape>(xlashape_shape_for_target, shape.get(), static_cast<std::int32_t>(target),
                                             flags);
}
XLASHAPE_THROWS inline Shape for_target(const Shape& shape, Target target, std::uint32_t flags = 0) {
  return try_for_target(shape, target, flags).value();
}

}  // namespace xlashape

#endif  // XLASHAPE_TARGET_HPP_
