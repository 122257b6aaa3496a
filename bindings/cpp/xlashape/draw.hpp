// SPDX-License-Identifier: Apache-2.0
// Pictures of layouts, as text, SVG or a page: xlashape_draw.h. Not part of xlashape.hpp, since it needs another
// library: link with -lxlashape_draw.
#ifndef XLASHAPE_DRAW_HPP_
#define XLASHAPE_DRAW_HPP_

#include <xlashape_draw.h>

#include "shape.hpp"

namespace xlashape {

// Like xlashape_draw_options, with values instead of numbers and pointers.
struct DrawOptions {
  enum class Format : std::int32_t { kText = XLASHAPE_DRAW_TEXT, kSvg = XLASHAPE_DRAW_SVG, kHtml = XLASHAPE_DRAW_HTML };
  enum class Show : std::int32_t {
    kPosition = XLASHAPE_DRAW_POSITION,
    kIndex = XLASHAPE_DRAW_INDEX,
    kByte = XLASHAPE_DRAW_BYTE,
    kTile = XLASHAPE_DRAW_TILE,
    kLane = XLASHAPE_DRAW_LANE,
    kNothing = XLASHAPE_DRAW_NOTHING,
  };
  enum class ColorBy : std::int32_t {
    kPosition = XLASHAPE_DRAW_BY_POSITION,
    kTile = XLASHAPE_DRAW_BY_TILE,
    kDimension = XLASHAPE_DRAW_BY_DIMENSION,
  };
  Format format = Format::kText;
  Show show = Show::kPosition;
  ColorBy color_by = ColorBy::kPosition;
  std::uint32_t flags = 0;  // XLASHAPE_DRAW_COLOR, _ASCII, _DATA
  std::int32_t color_dimension = 0;
  std::int32_t zoom = 0;
  std::int32_t columns = 0;
  std::int32_t max_cells = 0;
  std::int64_t overlay_bytes = 0;
  std::vector<std::int64_t> at;
};

namespace detail {

inline Result<std::string> draw(const Shape& shape, const Shape* other, const DrawOptions& options) {
  auto given = XLASHAPE_INIT(xlashape_draw_options);
  given.format = static_cast<std::int32_t>(options.format);
  given.show = static_cast<std::int32_t>(options.show);
  given.color_by = static_cast<std::int32_t>(options.color_by);
  given.flags = options.flags;
  given.color_dimension = options.color_dimension;
  given.zoom = options.zoom;
  given.columns = options.columns;
  given.max_cells = options.max_cells;
  given.overlay_bytes = options.overlay_bytes;
  given.at = options.at.empty() ? nullptr : options.at.data();
  given.at_count = length(options.at);
  return text(xlashape_draw, shape.get(), other == nullptr ? nullptr : other->get(),
              static_cast<const xlashape_draw_options*>(&given));
}

}  // namespace detail

// kUnsupported for what is no array, and for unbounded dimensions.
inline Result<std::string> try_draw(const Shape& shape, const DrawOptions& options = {}) {
  return detail::draw(shape, nullptr, options);
}
XLASHAPE_THROWS inline std::string draw(const Shape& shape, const DrawOptions& options = {}) {
  return try_draw(shape, options).value();
}
// Both, each element in the same colour, and what a relayout from one to the other does. The dimensions must be equal.
inline Result<std::string> try_draw(const Shape& shape, const Shape& other, const DrawOptions& options = {}) {
  return detail::draw(shape, &other, options);
}
XLASHAPE_THROWS inline std::string draw(const Shape& shape, const Shape& other, const DrawOptions& options = {}) {
  return try_draw(shape, other, options).value();
}

}  // namespace xlashape

#endif  // XLASHAPE_DRAW_HPP_
