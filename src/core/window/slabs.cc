// SPDX-License-Identifier: Apache-2.0
#include "window/slabs.h"

#include <algorithm>
#include <numeric>

#include "base/checked.h"

namespace xlashape::core {
namespace {

// A side while extents are tried.
struct Side {
  explicit Side(const Shape& of) : array(of) {}

  const Shape& array;
  StorageForm form;
  int64_t* extents = nullptr;  // of the factors in a slab
  int64_t* granularity = nullptr;
  int64_t* order = nullptr;  // the dimensions, most minor first
  int64_t bytes = 0;         // of the window
  Runs runs;                 // of the window, in positions

  Status make(Arena& arena, Error* err) {
    const auto rank = array.dimensions.size();
    XLASHAPE_TRY(storage_form(array, arena, &form, err));
    extents = arena.make<int64_t>(form.factors.size());
    granularity = arena.make<int64_t>(rank);
    XLASHAPE_TRY(window_granularity(array, granularity, err));
    order = arena.make<int64_t>(rank);
    for (size_t i = 0; i < rank; ++i) {
      const auto place = static_cast<int64_t>(rank - 1 - i);
      order[i] = array.layout ? array.layout->major(place) : place;
    }
    return XLASHAPE_STATUS_OK;
  }

  // What a slab of these extents, multiples of the granularity or whole dimensions, has here.
  void measure(const int64_t* slab) {
    int64_t positions = 1;
    bool whole = true;
    for (size_t i = 0; i < form.factors.size(); ++i) {
      const Factor& factor = form.factors[i];
      const auto d = static_cast<size_t>(factor.dimension);
      const bool is_cut =
          d < array.dimensions.size() && form.outermost[d] == static_cast<int32_t>(i) && slab[d] < array.dimensions[d];
      // The last slab also has the padding at the dimension's end.
      extents[i] = is_cut ? std::max(ceil_div(slab[d], factor.divisor),
                                     factor.extent - (array.dimensions[d] - 1) / slab[d] * slab[d] / factor.divisor)
                          : factor.extent;
      positions *= extents[i];  // at most those of the storage
      whole = whole && !is_cut;
    }
    // A window ends before the alignment of the tail, which only the whole array has.
    if (whole || !checked_bytes(positions, form.bits, &bytes)) bytes = form.bytes;
    runs = runs_of(form, extents, nullptr);
  }
};

class SlabSearch {
 public:
  SlabSearch(const Shape& src, const Shape& dst, int64_t max_bytes, int64_t* best, Arena& arena)
      : src_(src), dst_(dst), max_bytes_(max_bytes), rank_(src.dimensions.size()), best_(best), arena_(arena) {}

  Status run(xlashape_slabs* slabs, Error* err) {
    XLASHAPE_TRY(src_.make(arena_, err));
    XLASHAPE_TRY(dst_.make(arena_, err));
    unit_ = arena_.make<int64_t>(rank_);
    slab_ = arena_.make<int64_t>(rank_);
    for (size_t d = 0; d < rank_; ++d) {
      const int64_t a = src_.granularity[d], b = dst_.granularity[d], size = size_of(d);
      if (!checked_mul(a / std::gcd(a, b), b, &unit_[d]) || unit_[d] > size) unit_[d] = size;
      empty_ = empty_ || size == 0;
    }
    if (empty_) std::copy_n(src_.array.dimensions.data(), rank_, unit_);  // one slab, which may have padding
    std::copy_n(unit_, rank_, slab_);
    std::copy_n(unit_, rank_, best_);
    if (!fits())
      return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE,
                  "max_bytes is %lld: the smallest slab takes %lld bytes of the source and %lld of the destination",
                  ll(max_bytes_), ll(src_.bytes), ll(dst_.bytes));
    if (empty_) return report(slabs, err);
    // Some of the minor dimensions of each side whole, and of the next ones as much as there is room for.
    for (size_t i = 0; i <= rank_; ++i)
      for (size_t j = 0; j <= rank_; ++j) {
        if (j > 0 && is_whole(dst_.order[j - 1], unit_)) continue;  // as without it
        if (i > 0 && is_whole(src_.order[i - 1], unit_)) continue;
        std::copy_n(unit_, rank_, slab_);
        for (size_t k = 0; k < i; ++k) slab_[src_.order[k]] = size_of(src_.order[k]);
        for (size_t k = 0; k < j; ++k) slab_[dst_.order[k]] = size_of(dst_.order[k]);
        if (!fits()) break;
        extend(next_of(src_.order), next_of(dst_.order));
      }
    return report(slabs, err);
  }

 private:
  int64_t size_of(size_t d) const { return src_.array.dimensions[d]; }
  int64_t size_of(int64_t d) const { return size_of(static_cast<size_t>(d)); }
  bool is_whole(int64_t d, const int64_t* extents) const { return extents[d] >= size_of(d); }

  bool fits() {
    src_.measure(slab_);
    dst_.measure(slab_);
    return src_.bytes <= max_bytes_ && dst_.bytes <= max_bytes_ - src_.bytes;
  }

  // The most minor dimension that is not whole; -1: all are.
  int64_t next_of(const int64_t* order) const {
    for (size_t i = 0; i < rank_; ++i)
      if (!is_whole(order[i], slab_)) return order[i];
    return -1;
  }

  // The largest extent of a dimension that fits.
  void grow(int64_t d) {
    if (d < 0) return;
    int64_t low = slab_[d] / unit_[d], high = ceil_div(size_of(d), unit_[d]);  // in units; `low` fits
    while (low < high) {
      const int64_t middle = low + (high - low + 1) / 2;
      set(d, middle);
      if (fits())
        low = middle;
      else
        high = middle - 1;
    }
    set(d, low);
  }
  void set(int64_t d, int64_t units) {
    slab_[d] = units >= ceil_div(size_of(d), unit_[d]) ? size_of(d) : units * unit_[d];
  }

  // Tries extents of `p`, each with the largest one of `q` that fits then.
  void extend(int64_t p, int64_t q) {
    if (p < 0) return keep();
    const int64_t first_p = slab_[p], first_q = q < 0 ? 0 : slab_[q];
    for (int64_t units = 1;; units *= 2) {
      slab_[p] = first_p;
      if (q >= 0) slab_[q] = first_q;
      set(p, units);
      if (!fits()) return;
      if (q != p) grow(q);
      grow(p);
      keep();
      if (is_whole(p, slab_)) return;
    }
  }

  int64_t slab_count() const {
    int64_t count = 1;
    for (size_t d = 0; d < rank_ && !empty_; ++d) count *= ceil_div(size_of(d), slab_[d]);
    return count;
  }
  void keep() {
    if (!fits()) return;
    const double slabs = static_cast<double>(slab_count());
    const double cost = slabs * (static_cast<double>(src_.runs.count) + static_cast<double>(dst_.runs.count));
    if (cost > best_cost_ || (cost == best_cost_ && slabs >= best_slabs_)) return;
    best_cost_ = cost;
    best_slabs_ = slabs;
    std::copy_n(slab_, rank_, best_);
  }

  Status report(xlashape_slabs* slabs, Error* err) {
    std::copy_n(best_, rank_, slab_);
    fits();
    slabs->count = slab_count();
    slabs->src_bytes = src_.bytes;
    slabs->dst_bytes = dst_.bytes;
    if (!checked_mul(slabs->count, src_.runs.count, &slabs->src_runs) ||
        !checked_mul(slabs->count, dst_.runs.count, &slabs->dst_runs))
      return fail(err, XLASHAPE_STATUS_OVERFLOW, "the runs of all slabs are more than fit 64 bits");
    return XLASHAPE_STATUS_OK;
  }

  Side src_, dst_;
  int64_t max_bytes_;
  size_t rank_;
  int64_t* best_;
  Arena& arena_;
  int64_t* unit_ = nullptr;  // the least extents, at whose multiples both sides may be cut
  int64_t* slab_ = nullptr;  // those being tried
  bool empty_ = false;
  double best_cost_ = 1e300, best_slabs_ = 0;
};

}  // namespace

Status choose_slabs(const Shape& src, const Shape& dst, int64_t max_bytes, int64_t* extent, xlashape_slabs* slabs,
                    Error* err) {
  if (src.dimensions != dst.dimensions)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the source and the destination have other dimensions");
  alignas(16) char buffer[8192];
  Arena arena(buffer, sizeof buffer);
  return SlabSearch(src, dst, max_bytes, extent, arena).run(slabs, err);
}

}  // namespace xlashape::core
