// SPDX-License-Identifier: Apache-2.0
#include "shape/reshape.h"

#include <algorithm>

#include "base/checked.h"

namespace xlashape::core {
namespace {

Status product(std::span<const int64_t> sizes, int64_t* result, Error* err) {
  int64_t total = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == XLASHAPE_DIMENSION_UNBOUNDED)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "dimension %zu is unbounded, so a reshape of it cannot be checked",
                  i);
    if (sizes[i] < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dimension %zu has size %lld, it must not be negative", i,
                  ll(sizes[i]));
    if (sizes[i] == 0) total = 0;
  }
  for (const int64_t size : sizes)
    if (total != 0 && !checked_mul(total, size, &total))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the product of the dimensions does not fit 64 bits");
  *result = total;
  return XLASHAPE_STATUS_OK;
}

// Adds the runs from (i, j) on. The lists have no zeros and equal products, which no partial product exceeds.
void add_runs(std::span<const int64_t> a, std::span<const int64_t> b, size_t i, size_t j, Numbers* pairs) {
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
    // Extend the side with the smaller product, or else with the smaller dimension, so that a single 1 is a run.
    const bool level = of_a == of_b;
    const bool take_a = more_a && (of_a < of_b || !more_b || (level && a[i] <= b[j]));
    const bool take_b = more_b && (of_b < of_a || !more_a || (level && b[j] <= a[i]));
    if (take_a) of_a *= a[i++];
    if (take_b) of_b *= b[j++];
  }
}

}  // namespace

Status common_factors(std::span<const int64_t> a, std::span<const int64_t> b, Numbers* pairs, Error* err) {
  int64_t of_a, of_b;
  XLASHAPE_TRY(product(a, &of_a, err));
  XLASHAPE_TRY(product(b, &of_b, err));
  if (of_a != of_b)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "%lld elements cannot be reshaped to %lld", ll(of_a), ll(of_b));
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
  // Behind a zero the products may differ, or not fit.
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
    add_runs(a, b, same, same, pairs);
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
    size_t next = side;  // index into pairs
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
  // The numbers of the input's dimensions when those of size 1 are removed.
  Numbers number;
  number.resize(permutation.size(), 1);
  for (size_t i = 0; i < permutation.size(); ++i)
    if (dimensions[i] == 1) number[static_cast<size_t>(permutation[i])] = 0;
  int64_t next = 0;
  for (int64_t& n : number) n = n == 0 ? -1 : next++;

  Numbers first;  // the first input dimension of each merged run
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

}  // namespace xlashape::core
