#include "draw/draw.h"

#include "draw/render.h"
#include "xlashape_util.h"

namespace xlashape::core {
namespace {

Status array_of(const Shape& shape, const char* name, const Shape** array, Error* err) {
  *array = shape.array();
  if (*array != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s is %s: only arrays can be drawn%s", name, noun(shape),
              shape.is_tuple() ? ", one by one" : "");
}

Status check_range(const char* name, int64_t value, int64_t low, int64_t high, Error* err) {
  if (value >= low && value <= high) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "%s is %lld, it must be within %lld and %lld", name, ll(value),
              ll(low), ll(high));
}

Status check_options(const draw::Options& options, const Shape& array, Error* err) {
  XLASHAPE_TRY(check_range("format", options.format, 0, XLASHAPE_DRAW_HTML, err));
  XLASHAPE_TRY(check_range("show", options.show, 0, XLASHAPE_DRAW_NOTHING, err));
  XLASHAPE_TRY(check_range("color_by", options.color_by, 0, XLASHAPE_DRAW_BY_DIMENSION, err));
  if (options.color_by == XLASHAPE_DRAW_BY_DIMENSION && array.rank() == 0)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "color_dimension is %lld: the array has no dimensions",
                ll(options.color_dimension));
  if (options.color_by == XLASHAPE_DRAW_BY_DIMENSION)
    XLASHAPE_TRY(check_range("color_dimension", options.color_dimension, 0, array.rank() - 1, err));
  XLASHAPE_TRY(check_range("columns", options.columns, 20, 10'000, err));
  if (options.max_cells != 0) XLASHAPE_TRY(check_range("max_cells", options.max_cells, 9, 1 << 20, err));
  if (options.overlay_bytes < 0)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "overlay_bytes is %lld, it must not be negative",
                ll(options.overlay_bytes));
  if (!options.at.empty() && static_cast<int64_t>(options.at.size()) != array.rank())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "at_count is %zu, the rank is %lld", options.at.size(),
                ll(array.rank()));
  for (size_t d = 0; d < options.at.size(); ++d)
    if (options.at[d] < -1 || options.at[d] >= array.dimensions[d])
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "at[%zu] is %lld, it must be -1 or an index below %lld", d,
                  ll(options.at[d]), ll(array.dimensions[d]));
  return XLASHAPE_STATUS_OK;
}

Status check_other(const Shape& array, const Shape& other, Error* err) {
  if (array.rank() != other.rank())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the shapes' ranks differ, %lld and %lld", ll(array.rank()),
                ll(other.rank()));
  for (size_t d = 0; d < array.dimensions.size(); ++d) {
    if (array.dimensions[d] == XLASHAPE_DIMENSION_UNBOUNDED || other.dimensions[d] == XLASHAPE_DIMENSION_UNBOUNDED)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu of %s is unbounded: it has no size", d,
                  array.dimensions[d] == XLASHAPE_DIMENSION_UNBOUNDED ? "shape" : "other");
    if (array.dimensions[d] != other.dimensions[d])
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the sizes of dimension %zu differ, %lld and %lld", d,
                  ll(array.dimensions[d]), ll(other.dimensions[d]));
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status draw_shape(const Shape& shape, const Shape* other, const draw::Options& options, std::string* picture,
                  Error* err) {
  const Shape *array = nullptr, *other_array = nullptr;
  XLASHAPE_TRY(array_of(shape, "shape", &array, err));
  if (other != nullptr) XLASHAPE_TRY(array_of(*other, "other", &other_array, err));
  XLASHAPE_TRY(check_options(options, *array, err));
  if (other_array != nullptr) {
    XLASHAPE_TRY(check_other(*array, *other_array, err));
    if (options.zoom != 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                  "zoom is %lld: two shapes have different tiles, so only their elements are drawn", ll(options.zoom));
  }
  draw::Scene scene;
  XLASHAPE_TRY(draw::make_scene(*array, other_array, options, &scene, err));
  switch (options.format) {
    case XLASHAPE_DRAW_SVG:
      *picture = render_svg(scene, options);
      break;
    case XLASHAPE_DRAW_HTML:
      *picture = render_html(scene, options);
      break;
    default:
      *picture = render_text(scene, options);
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
