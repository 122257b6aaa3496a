// SPDX-License-Identifier: Apache-2.0
#include "bitcast/align.h"

#include <algorithm>

#include "bitcast/bitcast.h"
#include "layout/rearrange.h"
#include "shape/reshape.h"
#include "xlashape_xla.h"

namespace xlashape::core {
namespace {

// Whether `order` holds the run [first, limit) from *place on, its last dimension first; moves *place behind the run.
bool is_contiguous_and_descending(const Numbers& order, int64_t first, int64_t limit, size_t* place) {
  for (int64_t d = limit; d-- > first; ++*place)
    if (*place >= order.size() || order[*place] != d) return false;
  return true;
}

Status not_found(Error* err) {
  return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no layout of the dimensions makes the reshape a bitcast");
}

// Sets the widths of the reshaped dimensions. False where a padded dimension is not a run by itself.
bool carry_widths(const Shape& array, std::span<const int64_t> dimensions, const Numbers& runs,
                  std::span<const int64_t> kept_a, std::span<const int64_t> kept_b, Layout* layout) {
  const Layout& from = *array.layout;
  layout->padded_dimensions.assign(dimensions);
  for (size_t r = 0; r + 2 < runs.size(); r += 2) {
    const auto first_a = static_cast<size_t>(runs[r]), first_b = static_cast<size_t>(runs[r + 1]);
    const auto limit_a = static_cast<size_t>(runs[r + 2]), limit_b = static_cast<size_t>(runs[r + 3]);
    for (size_t i = first_a; i < limit_a; ++i) {
      const auto d = static_cast<size_t>(kept_a[i]);
      if (from.padded_dimensions[d] == array.dimensions[d]) continue;
      if (limit_a - first_a != 1 || limit_b - first_b != 1) return false;
      layout->padded_dimensions[static_cast<size_t>(kept_b[first_b])] = from.padded_dimensions[d];
    }
  }
  return true;
}

// Lists the numbers and the sizes of the dimensions whose size is not 1.
void drop_ones(std::span<const int64_t> dimensions, Numbers* kept, Numbers* sizes) {
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d] == 1) continue;
    kept->push_back(static_cast<int64_t>(d));
    sizes->push_back(dimensions[d]);
  }
}

}  // namespace

Status align_layouts(const Shape& array, std::span<const int64_t> dimensions, uint32_t flags, Ref<Layout>* layout,
                     Error* err) {
  Numbers kept_a, kept_b, sizes_a, sizes_b, runs;
  drop_ones(array.dimensions, &kept_a, &sizes_a);
  drop_ones(dimensions, &kept_b, &sizes_b);
  XLASHAPE_TRY(common_factors(sizes_a, sizes_b, &runs, err));
  Ref<Shape> reshaped;
  XLASHAPE_TRY(make_array(array.element_type, dimensions, {}, nullptr, &reshaped, err));

  Numbers run_of, order;  // of the array without its dimensions of size 1; `order` is most minor first
  for (size_t r = 0; r + 2 < runs.size(); r += 2)
    for (int64_t d = runs[r]; d < runs[r + 2]; ++d) run_of.push_back(static_cast<int64_t>(r));
  for (int64_t i = 0; i < array.rank(); ++i) {
    const int64_t place = array.rank() - 1 - i, d = array.layout ? array.layout->major(place) : place;
    const auto at = std::lower_bound(kept_a.begin(), kept_a.end(), d);
    if (at != kept_a.end() && *at == d) order.push_back(at - kept_a.begin());
  }
  const bool plain = (flags & XLASHAPE_BITCAST_XLA) != 0 || !array.layout;
  Ref<Layout> made = plain ? Ref<Layout>::adopt(new Layout) : copy_layout(*array.layout);
  made->minor_to_major.clear();
  for (size_t place = 0; place < order.size();) {
    const auto r = static_cast<size_t>(run_of[static_cast<size_t>(order[place])]);
    if (!is_contiguous_and_descending(order, runs[r], runs[r + 2], &place)) return not_found(err);
    for (int64_t out = runs[r + 3]; out-- > runs[r + 1];)
      made->minor_to_major.push_back(kept_b[static_cast<size_t>(out)]);
  }
  for (size_t d = dimensions.size(); d-- > 0;)
    if (dimensions[d] == 1) made->minor_to_major.push_back(static_cast<int64_t>(d));
  if (made->rank() != static_cast<int64_t>(dimensions.size())) return not_found(err);
  if (made->has_padding() && !carry_widths(array, dimensions, runs, kept_a, kept_b, made.get())) return not_found(err);
  // The layout's other fields must mean the same for the new dimensions.
  if (!made->split_sizes.empty() && made->rank() != array.rank()) return not_found(err);
  if (with_layout(*reshaped, made, &reshaped, nullptr) || !reshape_is_bitcast(array, *reshaped, flags))
    return not_found(err);
  *layout = std::move(made);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
