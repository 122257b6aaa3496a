// SPDX-License-Identifier: Apache-2.0
// CuTe's layouts, shape:stride in elements: (2,3):(3,1). A tiled dimension is a nested mode, its fastest part first.
#include <algorithm>
#include <vector>

#include "index/lower.h"
#include "interop/foreign.h"
#include "interop/scanner.h"
#include "interop/strided.h"

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

// Reads (1,2) or 3. A `_` before a number marks a compile-time size, and is ignored.
Status read_list(Scanner& in, const char* what, SmallVec<int64_t, 8>* items) {
  const bool many = in.eat("(");
  if (many && in.eat(")")) return XLASHAPE_STATUS_OK;
  do {
    if (in.at("(")) return in.expected("a number: modes inside of modes are not read");
    in.eat("_");
    int64_t value = 0;
    XLASHAPE_TRY(in.integer(&value, true, what));
    items->push_back(value);
  } while (many && in.eat(","));
  return many ? in.need(")", "',' or ')'") : XLASHAPE_STATUS_OK;
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
  if (rank != 1) *text += '(', strides += '(';
  for (size_t d = 0; d < rank; ++d) {
    SmallVec<int64_t, 4> extents, steps;
    std::vector<Factor> dimension_factors;
    for (const Factor& factor : lowered.factors)
      if (factor.dimension == static_cast<int32_t>(d)) dimension_factors.push_back(factor);
    // Outer factors come first; CuTe wants the fastest one first.
    std::sort(dimension_factors.begin(), dimension_factors.end(),
              [](const Factor& a, const Factor& b) { return a.divisor < b.divisor; });
    const int64_t size = array->dimensions[d];
    int64_t left = size, product = 1;
    for (const Factor& factor : dimension_factors) {
      if (left <= 1) break;
      if (factor.divisor != product)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                    "dimension %zu is cut at %lld and %lld, which do not divide each other", d, ll(product),
                    ll(factor.divisor));
      if (left > factor.extent && left % factor.extent != 0)
        return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                    "dimension %zu of size %lld ends inside of a tile of %lld: CuTe has no padding inside of a mode", d,
                    ll(size), ll(product * factor.extent));
      const int64_t extent = std::min(left, factor.extent);  // only the outermost factor may be padded
      extents.push_back(extent);
      steps.push_back(factor.stride);
      left /= extent;
      product *= factor.extent;
    }
    if (left > 1) return fail(err, XLASHAPE_STATUS_INTERNAL, "dimension %zu has too few digits", d);
    if (extents.empty()) {
      extents.push_back(size);
      steps.push_back(0);
    }
    if (d > 0) *text += ',', strides += ',';
    add_list(text, extents);
    add_list(&strides, steps);
  }
  if (rank != 1) *text += ')', strides += ')';
  *text += ':' + strides;
  return XLASHAPE_STATUS_OK;
}

Status parse_cute(std::string_view text, xlashape_element_type type, uint32_t flags, Ref<Shape>* shape, Error* err) {
  Scanner in(text, err);
  SmallVec<int64_t, 8> dimensions, strides;
  XLASHAPE_TRY(read_list(in, "a size", &dimensions));
  XLASHAPE_TRY(in.need(":", "':' and the strides"));
  in.skip_blanks();
  const int64_t start = in.offset();
  XLASHAPE_TRY(read_list(in, "a stride", &strides));
  XLASHAPE_TRY(in.end());
  if (strides.size() != dimensions.size()) return in.expected_at(start, "as many strides as sizes");
  for (const int64_t size : dimensions)
    if (size <= 0) return in.expected_at(0, "positive sizes");
  Ref<Layout> layout;
  XLASHAPE_TRY(layout_from_strides(dimensions, strides, 1, flags, &layout, err));
  return make_array(type, dimensions, {}, std::move(layout), shape, err);
}

}  // namespace xlashape::core
