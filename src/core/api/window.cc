// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Arrays larger than memory".
#include "window/window.h"

#include "api/answer.h"
#include "base/struct_io.h"
#include "shape/dimensions.h"
#include "window/slabs.h"

using namespace xlashape::core;

namespace {

// The window that a call asks for, with memory for its loops.
class Asked {
 public:
  Status find(const Shape* shape, const int64_t* base, const int64_t* extent, int64_t rank, Error* err) {
    const Shape* array;
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require_array(*shape, &array, err));
    if (rank != array->rank())
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "rank is %lld, the shape has %lld", ll(rank),
                  ll(array->rank()));
    XLASHAPE_TRY(check_list(extent, rank, "extent", "rank", err));
    return window_of(*array, base, extent, arena_, &window, err);
  }

  Window window;

 private:
  alignas(16) char buffer_[4096];
  Arena arena_{buffer_, sizeof buffer_};
};

}  // namespace

extern "C" {

xlashape_status xlashape_shape_window(const xlashape_shape* shape, const int64_t* base, const int64_t* extent,
                                      int64_t rank, xlashape_window* window, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_out_struct(window, "window", err));
    Asked asked;
    XLASHAPE_TRY(asked.find(shape, base, extent, rank, err));
    const Window& found = asked.window;
    write_struct(window, xlashape_window{sizeof(xlashape_window), 0, asked.window.shape.leak(), found.byte_offset,
                                         found.bytes, found.runs.length, found.runs.count});
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_shape_window_runs(const xlashape_shape* shape, const int64_t* base, const int64_t* extent,
                                           int64_t rank, int64_t first, int64_t count, int64_t* byte_offsets,
                                           xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(byte_offsets, count, "byte_offsets", "count", err));
    Asked asked;
    XLASHAPE_TRY(asked.find(shape, base, extent, rank, err));
    return run_offsets(asked.window, first, {byte_offsets, static_cast<size_t>(count)}, err);
  });
}

xlashape_status xlashape_shape_window_granularity(const xlashape_shape* shape, int64_t* out, int64_t capacity,
                                                  int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape* array;
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(require_array(*shape, &array, err));
    SmallVec<int64_t, 16> granularity;
    granularity.resize(array->dimensions.size());
    XLASHAPE_TRY(window_granularity(*array, granularity.data(), err));
    return answer(std::span<const int64_t>(granularity), out, capacity, needed, err);
  });
}

xlashape_status xlashape_relayout_slabs(const xlashape_shape* src_shape, const xlashape_shape* dst_shape,
                                        int64_t max_bytes, int64_t* out, int64_t capacity, int64_t* needed,
                                        xlashape_slabs* slabs, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    const Shape *src, *dst;
    XLASHAPE_TRY(require(src_shape, "src_shape", err));
    XLASHAPE_TRY(require(dst_shape, "dst_shape", err));
    XLASHAPE_TRY(require_array(*src_shape, &src, err));
    XLASHAPE_TRY(require_array(*dst_shape, &dst, err));
    if (max_bytes < 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "max_bytes is %lld, it must not be negative", ll(max_bytes));
    if (slabs != nullptr) XLASHAPE_TRY(check_out_struct(slabs, "slabs", err));
    SmallVec<int64_t, 16> extent;
    extent.resize(src->dimensions.size());
    xlashape_slabs cost{};
    cost.struct_size = sizeof cost;
    XLASHAPE_TRY(choose_slabs(*src, *dst, max_bytes, extent.data(), &cost, err));
    XLASHAPE_TRY(answer(std::span<const int64_t>(extent), out, capacity, needed, err));
    if (slabs != nullptr) write_struct(slabs, cost);
    return XLASHAPE_STATUS_OK;
  });
}

}  // extern "C"
