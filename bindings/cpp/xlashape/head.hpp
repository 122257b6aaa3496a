// Texts that go on behind a shape or a layout, as whole programs do.
#ifndef XLASHAPE_HEAD_HPP_
#define XLASHAPE_HEAD_HPP_

#include "shape.hpp"

namespace xlashape {

template <class T>
struct Head {
  T value;
  std::string_view rest;  // of the text, behind it
};

// "f32[2]{0} parameter(0)" gives f32[2]{0} and " parameter(0)"; flags: XLASHAPE_KEEP_MISSING_LAYOUT
inline Result<Head<Shape>> try_parse_shape_head(std::string_view text, std::uint32_t flags = 0) {
  Result<Head<Shape>> result;
  xlashape_shape* shape = nullptr;
  std::size_t end = 0;
  if (xlashape_shape_parse_head(text.data(), text.size(), flags, &shape, &end, result.record()) == XLASHAPE_OK)
    result.emplace(Head<Shape>{Shape(shape), text.substr(end)});
  return result;
}
inline Head<Shape> parse_shape_head(std::string_view text, std::uint32_t flags = 0) {
  return try_parse_shape_head(text, flags).value();
}

inline Result<Head<Layout>> try_parse_layout_head(std::string_view text) {
  Result<Head<Layout>> result;
  xlashape_layout* layout = nullptr;
  std::size_t end = 0;
  if (xlashape_layout_parse_head(text.data(), text.size(), &layout, &end, result.record()) == XLASHAPE_OK)
    result.emplace(Head<Layout>{Layout(layout), text.substr(end)});
  return result;
}
inline Head<Layout> parse_layout_head(std::string_view text) { return try_parse_layout_head(text).value(); }

}  // namespace xlashape

#endif  // XLASHAPE_HEAD_HPP_
