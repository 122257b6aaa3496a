#include "shape/reshape.h"

#include <algorithm>

#include "base/checked.h"
#include "layout/rearrange.h"
#include "shape/bitcast.h"

namespace xlashape {
namespace {

Status product(std::span<const int64_t> sizes, int64_t* result, Error* err) {
  int64_t total = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == XLASHAPE_DIMENSION_UNBOUNDED)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu is unbounded, so a reshape of it cannot be judged",
                  i);
    if (sizes[i] < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %zu has size %lld, it must not be negative", i,
                  static_cast<long long>(sizes[i]));
    if (sizes[i] == 0) total = 0;
  }
  for (const int64_t size : sizes)
    if (total != 0 && !checked_mul(total, size, &total))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the product of the dimensions does not fit 64 bits");
  *result = total;
  return XLASHAPE_STATUS_OK;
}

// Runs of lists without zeros and of equal product, from (i, j) on. Partial products stay below the product of all.
void cut(std::span<const int64_t> a, std::span<const int64_t> b, size_t i, size_t j, Numbers* pairs) {
  const auto add = [pairs](size_t first, size_t second) {
    pairs->push_back(static_cast<int64_t>(first));
    pairs->push_back(static_cast<int64_t>(second));
  };
  int64_t of_a = 1, of_b = 1;
  while (true) {
    if (of_a == of_b) {
      add(i, j);
      of_a = of_b = 1;
    }
    const bool more_a = i < a.size(), more_b = j < b.size();
    if (!more_a && !more_b) return;
    // The side that is behind goes on; where both are level, the smaller dimension, so that a lone 1 is a run.
    const bool level = of_a == of_b;
    const bool take_a = more_a && (of_a < of_b || !more_b || (level && a[i] <= b[j]));
    const bool take_b = more_b && (of_b < of_a || !more_a || (level && b[j] <= a[i]));
    if (take_a) of_a *= a[i++];
    if (take_b) of_b *= b[j++];
  }
}

// Whether the run [first, limit) goes on dimension by dimension from order[*place], most minor first; moves behind it.
bool is_contiguous_and_descending(const Numbers& order, int64_t first, int64_t limit, size_t* place) {
  for (int64_t d = limit; d-- > first; ++*place)
    if (*place >= order.size() || order[*place] != d) return false;
  return true;
}

Status not_found(Error* err) {
  return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no layout of the dimensions makes the reshape a bitcast");
}

// Widths for the reshaped dimensions, where each padded dimension is a run of its own; false where one is not.
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

// Dimensions other than 1, by number and by size.
void drop_ones(std::span<const int64_t> dimensions, Numbers* kept, Numbers* sizes) {
  for (size_t d = 0; d < dimensions.size(); ++d) {
    if (dimensions[d] == 1) continue;
    kept->push_back(static_cast<int64_t>(d));
    sizes->push_back(dimensions[d]);
  }
}

}  // namespace

Status common_factors(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* pairs, Error* err) {
  int64_t of_a, of_b;
  XLASHAPE_TRY(product(a, &of_a, err));
  XLASHAPE_TRY(product(b, &of_b, err));
  if (of_a != of_b)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "%lld elements cannot be reshaped to %lld",
                static_cast<long long>(of_a), static_cast<long long>(of_b));
  pairs->clear();
  const auto add = [pairs](size_t first, size_t second) {
    pairs->push_back(static_cast<int64_t>(first));
    pairs->push_back(static_cast<int64_t>(second));
  };
  // Equal dimensions at the start are paired one to one, whatever follows.
  size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) {
    add(same, same);
    ++same;
  }
  // Behind a zero the products may differ, or fit no longer.
  const bool fit =
      !product(a.subspan(same), &of_a, nullptr) && !product(b.subspan(same), &of_b, nullptr) && of_a == of_b;
  if (same == a.size() && same == b.size()) {
    add(same, same);
  } else if (!fit) {
    pairs->clear();
    add(0, 0);
    add(a.size(), b.size());
  } else if (of_a == 0) {
    add(same, same);
    add(a.size(), b.size());
  } else {
    cut(a, b, same, same, pairs);
  }
  return XLASHAPE_STATUS_OK;
}

Status unmodified_by_reshape(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* pairs, Error* err) {
  Numbers runs;
  XLASHAPE_TRY(common_factors(a, b, &runs, err));
  pairs->clear();
  for (size_t r = 0; r + 2 < runs.size(); r += 2) {
    if (runs[r + 2] - runs[r] != 1 || runs[r + 3] - runs[r + 1] != 1) continue;
    pairs->push_back(runs[r]);
    pairs->push_back(runs[r + 1]);
  }
  return XLASHAPE_STATUS_OK;
}

Status inserted_or_deleted_ones(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* deleted,
                                Numbers* inserted, Error* err) {
  Numbers pairs;
  XLASHAPE_TRY(unmodified_by_reshape(a, b, &pairs, err));
  const auto collect = [&pairs](std::span<const int64_t> sizes, size_t side, Numbers* out) {
    out->clear();
    size_t next = side;  // in pairs
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (next < pairs.size() && pairs[next] == static_cast<int64_t>(d)) {
        next += 2;
      } else if (sizes[d] > 1) {
        return false;
      } else {
        out->push_back(static_cast<int64_t>(d));
      }
    }
    return true;
  };
  if (!collect(a, 0, deleted) || !collect(b, 1, inserted))
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "the reshape changes more than dimensions of size 1");
  return XLASHAPE_STATUS_OK;
}

Status normalized_transpose(std::span<const int64_t> dimensions, std::span<const int64_t> permutation,
                            Numbers* out_dimensions, Numbers* out_permutation, Error* err) {
  int64_t all;
  XLASHAPE_TRY(product(dimensions, &all, err));
  out_dimensions->clear();
  out_permutation->clear();
  // Numbers of the input's dimensions once those of size 1 are gone.
  Numbers number;
  number.resize(permutation.size(), 1);
  for (size_t i = 0; i < permutation.size(); ++i)
    if (dimensions[i] == 1) number[static_cast<size_t>(permutation[i])] = 0;
  int64_t next = 0;
  for (int64_t& n : number) n = n == 0 ? -1 : next++;

  Numbers first;  // of each merged run, its first dimension in the input
  int64_t previous = -2;
  for (size_t i = 0; i < permutation.size(); ++i) {
    const int64_t from = number[static_cast<size_t>(permutation[i])];
    if (from < 0) continue;
    if (from != previous + 1) {
      first.push_back(from);
      out_dimensions->push_back(1);
    }
    previous = from;
    if (!checked_mul(out_dimensions->back(), dimensions[i], &out_dimensions->back()))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the product of merged dimensions does not fit 64 bits");
  }
  if (first.empty()) {  // a scalar in effect
    out_dimensions->push_back(1);
    out_permutation->push_back(0);
    return XLASHAPE_STATUS_OK;
  }
  for (const int64_t f : first)
    out_permutation->push_back(std::count_if(first.begin(), first.end(), [f](int64_t other) { return other < f; }));
  return XLASHAPE_STATUS_OK;
}

Status align_layouts(const Shape& array, std::span<const int64_t> dimensions, uint32_t flags, Ref<Layout>* layout,
                     Error* err) {
  Numbers kept_a, kept_b, sizes_a, sizes_b, runs;
  drop_ones(array.dimensions, &kept_a, &sizes_a);
  drop_ones(dimensions, &kept_b, &sizes_b);
  XLASHAPE_TRY(common_factors(sizes_a, sizes_b, &runs, err));
  Ref<Shape> reshaped;
  XLASHAPE_TRY(make_array(array.element_type, dimensions, {}, nullptr, &reshaped, err));

  Numbers run_of, order;  // of the array without its ones; the order most minor first
  for (size_t r = 0; r + 2 < runs.size(); r += 2)
    for (int64_t d = runs[r]; d < runs[r + 2]; ++d) run_of.push_back(static_cast<int64_t>(r));
  for (int64_t i = 0; i < array.rank(); ++i) {
    const int64_t d = array.layout ? array.layout->minor_to_major[static_cast<size_t>(i)] : array.rank() - 1 - i;
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
  // What else the layout says must mean the same for the new dimensions.
  if (!made->split_sizes.empty() && made->rank() != array.rank()) return not_found(err);
  if (with_layout(*reshaped, made, &reshaped, nullptr) || !reshape_is_bitcast(array, *reshaped, flags))
    return not_found(err);
  *layout = std::move(made);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape
