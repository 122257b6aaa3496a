// Pictures. Called by an operation of utilities.cc, so that the seeds reach it and mean what they meant.
#include "world.h"

namespace api_fuzz {

void pictures(Input& input, xlashape_shape* shape) {
  const std::vector<int64_t> dimensions = dimensions_of(shape);
  std::vector<int64_t> index;
  if (input.one_in(3))
    for (const int64_t size : dimensions) index.push_back(input.one_in(2) ? -1 : input.mostly(input.below(size), 20));
  if (input.one_in(20)) index.push_back(input.wild());
  auto at = Numbers::of(index, input);
  xlashape_draw_options options = {};
  options.format = static_cast<int32_t>(input.mostly(input.below(3)));
  options.show = static_cast<int32_t>(input.mostly(input.below(6)));
  options.color_by = static_cast<int32_t>(input.mostly(input.below(3)));
  options.flags = input.flags(XLASHAPE_DRAW_COLOR | XLASHAPE_DRAW_ASCII | XLASHAPE_DRAW_DATA);
  options.color_dimension = static_cast<int32_t>(input.mostly(input.below(size_of(dimensions))));
  options.zoom = static_cast<int32_t>(input.one_in(4) ? input.mostly(input.below(3)) : 0);
  options.columns = static_cast<int32_t>(input.mostly(input.one_in(2) ? 0 : input.within(20, 200)));
  options.max_cells = static_cast<int32_t>(input.within(9, 600));  // more of them take long
  if (input.one_in(40)) options.max_cells = static_cast<int32_t>(input.below(9));
  options.reserved = input.one_in(60) ? 1 : 0;
  options.overlay_bytes = input.one_in(4) ? input.mostly(input.below(5000)) : 0;
  options.at = at.data();
  options.at_count = size_of(index);
  auto block = resized(options, input);
  const xlashape_shape* other = input.one_in(3) ? input.one_in(2) ? shape : world.shapes.any(input) : nullptr;
  const auto* given = reinterpret_cast<const xlashape_draw_options*>(block.data());
  TEXT(xlashape_shape_draw, shape, other, input.one_in(10) ? nullptr : given);
}

}  // namespace api_fuzz
