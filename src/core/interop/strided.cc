// SPDX-License-Identifier: Apache-2.0
#include "interop/strided.h"

#include <algorithm>

#include "index/sizes.h"
#include "xlashape_interop.h"

namespace xlashape::core {
namespace {

Status unsupported(Error* err, const char* format, int64_t a, int64_t b, int64_t c) {
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, format, ll(a), ll(b), ll(c));
}

}  // namespace

Status layout_from_strides(std::span<const int64_t> dimensions, std::span<const int64_t> strides, int64_t unit,
                           uint32_t flags, Ref<Layout>* result, Error* err) {
  const auto rank = static_cast<int64_t>(dimensions.size());
  const auto size = [&](int64_t d) { return dimensions[static_cast<size_t>(d)]; };
  const auto stride = [&](int64_t d) { return strides[static_cast<size_t>(d)]; };
  auto layout = Ref<Layout>::adopt(new Layout);
  for (int64_t d = rank - 1; d >= 0; --d) layout->minor_to_major.push_back(d);
  std::sort(layout->minor_to_major.begin(), layout->minor_to_major.end(),
            [&](int64_t a, int64_t b) { return stride(a) != stride(b) ? stride(a) < stride(b) : a > b; });
  const bool empty = std::find(dimensions.begin(), dimensions.end(), 0) != dimensions.end();
  SmallVec<int64_t, 8> widths(dimensions);
  bool gaps = false;
  int64_t inner = -1;   // the previous dimension with a size other than 1
  int64_t single = -1;  // before there is one: a dimension of size 1, which may be wider in memory
  for (const int64_t d : layout->minor_to_major) {
    if (empty || size(d) == 1) {
      if (single < 0 && inner < 0) single = d;
      continue;
    }
    const int64_t step = stride(d);
    if (step < 0)
      return unsupported(err, "dimension %lld runs backwards, with stride %lld: no layout allows that", d, step, 0);
    if (step == 0)
      return unsupported(err, "dimension %lld repeats its elements, with stride 0: no layout allows that", d, 0, 0);
    if (inner < 0 && step != unit && step % unit == 0 && single >= 0) {
      widths[static_cast<size_t>(single)] = step / unit;
      gaps = true;
    } else if (inner < 0 && step != unit)
      return unsupported(err,
                         "the most minor dimension %lld has stride %lld, an element takes %lld: no layout allows that",
                         d, step, unit);
    if (inner >= 0) {
      const int64_t width = step / stride(inner);
      if (width < size(inner))
        return unsupported(err, "dimensions %lld and %lld overlap: no layout allows that", inner, d, 0);
      if (step % stride(inner) != 0)
        return unsupported(
            err, "stride %lld of dimension %lld is not a multiple of the next smaller one, %lld: no layout allows that",
            step, d, stride(inner));
      gaps |= width != size(inner);
      widths[static_cast<size_t>(inner)] = width;
    }
    inner = d;
  }
  if (gaps && (flags & XLASHAPE_STRIDES_COMPACT))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the strides leave gaps, and the flags allow no padding");
  if (gaps) layout->padded_dimensions.assign(widths);
  *result = std::move(layout);
  return XLASHAPE_STATUS_OK;
}

Status strides_of(const Shape& shape, const char* format, const Shape** array, SmallVec<int64_t, 8>* strides,
                  Error* err) {
  *array = shape.array();
  if (*array == nullptr || shape.is_buffer())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the shape is not an array: %s cannot express that", format);
  if (shape.any_dynamic)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the shape is dynamic: %s cannot express that", format);
  const Layout* layout = shape.layout.get();
  if (layout != nullptr && !layout->split_sizes.empty())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the array is split: %s cannot express that", format);
  if (layout != nullptr && layout->metadata_prefix_bytes != 0)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the array has a metadata prefix: %s cannot express that", format);
  strides->resize(shape.dimensions.size());
  return array_strides(shape, strides->data(), err);
}

Ref<Layout> unsaid_layout(int64_t rank, uint32_t flags) {
  return rank > 0 && (flags & XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT) != 0 ? Ref<Layout>() : make_row_major(rank);
}

bool is_plain(const Shape& array) {
  const Layout* layout = array.layout.get();
  if (layout == nullptr) return true;
  return equal(*layout, *make_row_major(array.rank()), 0);
}

}  // namespace xlashape::core
