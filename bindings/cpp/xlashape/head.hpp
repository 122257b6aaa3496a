// SPDX-License-Identifier: Apache-2.0
// Texts that continue after a shape or a layout, as in programs.
#ifndef XLASHAPE_HEAD_HPP_
#define XLASHAPE_HEAD_HPP_

#include "shape.hpp"

namespace xlashape {

template <class T>
struct Head {
  T value;
  std::string_view rest;  // the text after it: refers to the text
};

namespace detail {

// A temporary that owns its text, such as a std::string: a view of it would be dangling.
template <class T>
using OwnText =
    std::enable_if_t<std::is_convertible_v<const T&, std::string_view> && !std::is_trivially_destructible_v<T>>;

}  // namespace detail

// "f32[2]{0} parameter(0)" gives f32[2]{0} and " parameter(0)"; flags: XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT
inline Result<Head<Shape>> try_parse_shape_head(std::string_view text, std::uint32_t flags = 0) {
  Result<Head<Shape>> result;
  xlashape_shape* shape = nullptr;
  std::int64_t end = 0;
  if (xlashape_shape_parse_head(text.data(), detail::length(text), flags, &shape, &end, result.record()) ==
      XLASHAPE_STATUS_OK)
    result.emplace(Head<Shape>{Shape(shape), text.substr(static_cast<std::size_t>(end))});
  return result;
}
XLASHAPE_THROWS inline Head<Shape> parse_shape_head(std::string_view text, std::uint32_t flags = 0) {
  return try_parse_shape_head(text, flags).value();
}
template <class T, class = detail::OwnText<T>>
void try_parse_shape_head(const T&&, std::uint32_t = 0) = delete;
template <class T, class = detail::OwnText<T>>
void parse_shape_head(const T&&, std::uint32_t = 0) = delete;

inline Result<Head<Layout>> try_parse_layout_head(std::string_view text) {
  Result<Head<Layout>> result;
  xlashape_layout* layout = nullptr;
  std::int64_t end = 0;
  if (xlashape_layout_parse_head(text.data(), detail::length(text), 0, &layout, &end, result.record()) ==
      XLASHAPE_STATUS_OK)
    result.emplace(Head<Layout>{Layout(layout), text.substr(static_cast<std::size_t>(end))});
  return result;
}
XLASHAPE_THROWS inline Head<Layout> parse_layout_head(std::string_view text) {
  return try_parse_layout_head(text).value();
}
template <class T, class = detail::OwnText<T>>
void try_parse_layout_head(const T&&) = delete;
template <class T, class = detail::OwnText<T>>
void parse_layout_head(const T&&) = delete;

}  // namespace xlashape

#endif  // XLASHAPE_HEAD_HPP_
