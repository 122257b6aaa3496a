// SPDX-License-Identifier: Apache-2.0
// CuTe's layouts, shape:stride in elements: (2,3):(3,1). A tiled dimension is a nested mode, its fastest part first.
#include <algorithm>

#include "base/checked.h"
#include "index/lower.h"
#include "interop/blocks.h"
#include "interop/foreign.h"
#include "interop/scanner.h"
#include "interop/strided.h"
#include "layout/validate.h"
#include "xlashape_interop.h"

namespace xlashape::core {
namespace {

void add_list(std::string* text, const SmallVec<int64_t, 4>& items) {
  if (items.size() != 1) *text += '(';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) *text += ',';
    *text += std::to_string(items[i]);
  }
  if (items.size() != 1) *text += ')';
}

constexpr int kDeepest = 16;  // modes inside of modes
constexpr size_t kMostModes = 1024;

// A number of a mode, and which dimension the mode is of. In both lists the numbers stand in the same order.
struct Leaf {
  int32_t dimension;
  int64_t value;
};
using Leaves = SmallVec<Leaf, 12>;

// Reads ((8,2),(128,3)), (1,2) or 3, and gets its numbers, and its brackets in `form`. A `_` before a number marks a
// compile-time one, and is passed over.
Status read_modes(Scanner& in, const char* what, Leaves* leaves, std::string* form, Error* err) {
  int depth = 0;
  int32_t dimension = 0;
  bool closed = false;  // a mode is complete
  do {
    if (!closed && in.eat("(")) {
      if (++depth > kDeepest) return in.expected("fewer modes inside each other");
      *form += '(';
      closed = depth == 1 && in.at(")");  // () is an array without dimensions
      continue;
    }
    if (!closed) {
      in.eat("_");
      int64_t value = 0;
      XLASHAPE_TRY(in.integer(&value, true, what));
      if (in.at("@"))
        return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, in.offset(),
                       "a stride in a basis, as 1@0, is a coordinate and no place in memory");
      leaves->push_back({dimension, value});
      *form += '.';
      closed = true;
    } else if (depth > 0 && in.eat(",")) {
      dimension += depth == 1 ? 1 : 0;
      *form += ',';
      closed = false;
    } else {
      XLASHAPE_TRY(in.need(")", "',' or ')'"));
      --depth;
      *form += ')';
    }
  } while (depth > 0 || !closed);
  return XLASHAPE_STATUS_OK;
}

// A mode's number of steps, how far apart they are, how many elements of its dimension one of them is, and for how many
// steps there is room.
struct Mode {
  int32_t dimension;
  int64_t extent, stride, divisor, room;
};

// Dimensions of several modes each. Sorted by stride, those that follow each other in the order of the dimensions stay
// where they are, and a tile holds what is finer. A gap is a part of a dimension of size 1 in front of the array's, or,
// where it is no multiple of what lies before it, made by a tile that is larger than that.
Status layout_of_modes(std::span<const int64_t> dimensions, SmallVec<Mode, 12>& modes, uint32_t flags,
                       Ref<Layout>* layout, Error* err) {
  if (modes.size() > kMostModes)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the layout has %zu modes, at most %zu are read", modes.size(),
                kMostModes);
  for (size_t i = 1; i < modes.size(); ++i)  // the largest stride first; equal ones as they stand
    for (size_t j = i; j > 0 && modes[j - 1].stride < modes[j].stride; --j) std::swap(modes[j - 1], modes[j]);
  const auto rank = static_cast<int32_t>(dimensions.size());
  SmallVec<int64_t, 8> widths(dimensions), inside;
  inside.resize(dimensions.size(), 1);
  // What is multiplied here has no more positions than a stride that fits 64 bits.
  SmallVec<Mode, 12> order;  // the smallest stride first
  int64_t gap = 1, width = modes.empty() ? 1 : modes.back().stride;
  bool padded = false;
  for (size_t i = modes.size(); i-- > 0;) {
    Mode mode = modes[i];
    const auto d = static_cast<size_t>(mode.dimension);
    if (mode.stride <= 0)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu has stride %lld: no layout allows that", d,
                  ll(mode.stride));
    if (inside[d] != mode.divisor)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                  "a fine part of dimension %zu lies outside of a coarse one: no tiles are made of that", d);
    inside[d] *= mode.extent;
    if (width > 1) order.push_back({rank, width, 0, gap, width});
    gap *= width;
    width = 1;
    const int64_t above = i > 0 ? modes[i - 1].stride : 0;
    const int64_t room = i > 0 ? above / mode.stride : mode.extent;
    if (i > 0 && (above % mode.stride != 0 || room < mode.extent))
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                  "stride %lld is not a multiple of %lld x %lld: no layout allows that", ll(above), ll(mode.extent),
                  ll(mode.stride));
    padded |= room != mode.extent;
    if (inside[d] == dimensions[d]) {
      widths[d] = room * mode.divisor;
      mode.extent = room;
    } else if (room % mode.extent == 0) {
      width = room / mode.extent;
    }
    mode.room = room / width;
    // A part that continues the finer one of its dimension is one with it.
    Mode* const last = order.empty() ? nullptr : &order.back();
    if (last != nullptr && last->dimension == mode.dimension && last->room == last->extent) {
      last->room *= mode.room;
      last->extent *= mode.extent;
    } else {
      order.push_back(mode);
    }
  }
  if ((padded || gap > 1) && (flags & XLASHAPE_STRIDES_COMPACT) != 0)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the strides leave gaps, and the flags allow no padding");
  Blocks parts;  // the physical dimensions of the innermost level, and how much of a dimension each has
  if (gap > 1) parts.push_back({rank, gap});
  for (int32_t d = 0; d < rank; ++d)
    if (dimensions[static_cast<size_t>(d)] == 1) parts.push_back({d, 1});
  for (size_t i = order.size(); i-- > 0;)
    if (const Mode& mode = order[i]; mode.dimension < rank)
      if (const int64_t size = widths[static_cast<size_t>(mode.dimension)]; mode.extent * mode.divisor == size)
        parts.push_back({mode.dimension, size});
  auto made = Ref<Layout>::adopt(new Layout);
  for (int32_t i = 0; i < rank; ++i)
    made->minor_to_major.push_back(parts[parts.size() - 1 - static_cast<size_t>(i)].dimension);
  if (!std::equal(widths.begin(), widths.end(), dimensions.begin())) made->padded_dimensions.assign(widths);
  while (!order.empty()) {
    size_t from = 0;  // behind the last part that stays
    for (; !order.empty(); order.pop_back()) {
      Mode& mode = order.back();
      size_t at = from;
      while (at < parts.size() && parts[at].dimension != mode.dimension) ++at;
      if (at == parts.size()) break;
      if (mode.room != mode.extent) {
        parts[at].extent = mode.room * mode.divisor;
        mode.extent = mode.room;
        break;
      }
      parts[at].extent = mode.divisor;
      from = at + 1;
    }
    size_t first = 0;
    while (first < parts.size() && parts[first].extent == 1) ++first;
    if (first == parts.size()) break;
    for (size_t i = first; i < parts.size(); ++i) {
      made->tile_dimensions.push_back(parts[i].extent);
      parts[i - first] = parts[i];
    }
    parts.resize(parts.size() - first);
    made->tile_ranks.push_back(parts.ssize());
  }
  XLASHAPE_TRY(validate_layout(*made, err));
  *layout = std::move(made);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status print_cute(const Shape& shape, std::string* text, Error* err) {
  const Shape* array = shape.array();
  if (array == nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the shape is not an array: CuTe cannot express that");
  if (shape.any_dynamic)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the shape is dynamic: CuTe cannot express that");
  if (array->layout && !array->layout->split_sizes.empty())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the array is split: CuTe cannot express that");
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  Lowered lowered;
  XLASHAPE_TRY(lower_layout(array->dimensions, array->layout.get(), 8, arena, &lowered, err));
  if (!lowered.separable)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                "the tiles do not nest, so that positions are not sums over the dimensions");
  std::string strides;
  const size_t rank = array->dimensions.size();
  bool brackets = rank != 1;  // of one dimension only where it has several modes
  for (size_t d = 0; d < rank; ++d) {
    SmallVec<int64_t, 4> extents, steps;
    const int64_t size = array->dimensions[d];
    int64_t left = size, product = 1;
    while (left > 1) {  // the fastest first
      const Factor* next = nullptr;
      for (const Factor& factor : lowered.factors)
        if (factor.dimension == static_cast<int32_t>(d) && factor.divisor >= product &&
            (next == nullptr || factor.divisor < next->divisor))
          next = &factor;
      if (next == nullptr) break;
      if (next->divisor != product)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                    "dimension %zu is cut at %lld and %lld, which do not divide each other", d, ll(product),
                    ll(next->divisor));
      if (left > next->extent && left % next->extent != 0)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                    "dimension %zu of size %lld ends inside of a tile of %lld: CuTe has no padding inside of a mode", d,
                    ll(size), ll(product * next->extent));
      const int64_t extent = std::min(left, next->extent);  // only the outermost factor may be padded
      extents.push_back(extent);
      steps.push_back(next->stride);
      left /= extent;
      product *= next->extent;
    }
    if (left > 1) return fail(err, XLASHAPE_STATUS_INTERNAL, "dimension %zu has too few digits", d);
    if (extents.empty()) {
      extents.push_back(size);
      steps.push_back(0);
    }
    brackets |= extents.size() > 1;
    if (d > 0) *text += ',', strides += ',';
    add_list(text, extents);
    add_list(&strides, steps);
  }
  *text = brackets ? "(" + *text + "):(" + strides + ")" : *text + ":" + strides;
  return XLASHAPE_STATUS_OK;
}

Status parse_cute(std::string_view text, xlashape_element_type type, uint32_t flags, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  if (in.at("Sw<") || in.at("Swizzle"))
    return fail_at(err, XLASHAPE_STATUS_UNSUPPORTED, in.offset(), "no layout of XLA says a swizzle");
  Leaves sizes, steps;
  std::string form, form_of_strides;
  XLASHAPE_TRY(read_modes(in, "a size", &sizes, &form, err));
  XLASHAPE_TRY(in.need(":", "':' and the strides"));
  in.skip_blanks();
  const int64_t start = in.offset();
  XLASHAPE_TRY(read_modes(in, "a stride", &steps, &form_of_strides, err));
  XLASHAPE_TRY(in.end());
  if (form != form_of_strides) return in.expected_at(start, "as many strides as sizes, in the same brackets");
  SmallVec<int64_t, 8> dimensions, strides;
  SmallVec<Mode, 12> modes;
  bool flat = true;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto d = static_cast<size_t>(sizes[i].dimension);
    if (sizes[i].value < 0) return in.expected_at(0, "sizes that are not negative");
    const bool first = d == dimensions.size();
    flat &= first;
    const int64_t divisor = first ? 1 : dimensions[d];
    if (first) {
      dimensions.push_back(1);
      strides.push_back(steps[i].value);
    }
    if (sizes[i].value != 1) modes.push_back({static_cast<int32_t>(d), sizes[i].value, steps[i].value, divisor, 0});
    if (!checked_mul(dimensions[d], sizes[i].value, &dimensions[d]))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "dimension %zu does not fit 64 bits", d);
  }
  const bool empty = std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end();
  Ref<Layout> layout;
  if (!flat && !empty)
    XLASHAPE_TRY(layout_of_modes(dimensions, modes, flags, &layout, err));
  else if (layout_from_strides(dimensions, strides, 1, flags, &layout, nullptr) &&
           (empty || layout_of_modes(dimensions, modes, flags, &layout, nullptr)))
    return layout_from_strides(dimensions, strides, 1, flags, &layout, err);
  return make_array(type, dimensions, {}, std::move(layout), shape, err);
}

}  // namespace xlashape::core
