// SPDX-License-Identifier: Apache-2.0
#include "exec/indices.h"

#include "base/checked.h"
#include "ir/address.h"
#include "ir/compiler.h"
#include "ir/map.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

// For fewer entries waking workers does not pay.
constexpr int64_t kSpreadFrom = 1 << 14;

// Describes the invalid entry `at` of the batch. `in` is null where the host cannot read it.
XLASHAPE_COLD Status fail_invalid(const xlashape_op& op, const int64_t* in, int64_t at, Error* err) {
  const xlashape_map_ir& map = *op.map;
  const Status code = XLASHAPE_STATUS_OUT_OF_RANGE;
  const auto fail_backend = [&] {
    return fail_index(err, XLASHAPE_STATUS_INTERNAL, at,
                      "the backend calls index %lld of the batch invalid, but it is valid", ll(at));
  };
  if (in != nullptr && op.kind == XLASHAPE_OP_TO_MULTIDIMENSIONAL) {
    int64_t index[ir::kMaxValues];
    if (in[at] >= 0 && in[at] < map.positions && ir::index_at(map, in[at], index)) return fail_backend();
    if (in[at] >= 0 && in[at] < map.positions)
      return fail_index(err, code, at, "index %lld of the batch, %lld, holds padding, not an element", ll(at),
                        ll(in[at]));
    return fail_index(err, code, at, "index %lld of the batch is %lld, not in [0, %lld)", ll(at), ll(in[at]),
                      ll(map.positions));
  }
  for (int32_t d = 0; in != nullptr && d < map.rank; ++d) {
    const int64_t value = in[at * op.index_step + d * op.dimension_step];
    if (value < 0 || value >= map.dimensions[d])
      return fail_index(err, code, at, "index %lld of the batch: entry %d is %lld, not in [0, %lld)", ll(at), d,
                        ll(value), ll(map.dimensions[d]));
  }
  if (in != nullptr) return fail_backend();
  return fail_index(err, code, at, "index %lld of the batch is out of range%s", ll(at),
                    op.kind == XLASHAPE_OP_TO_MULTIDIMENSIONAL ? ", or holds padding" : "");
}

// Reports the first invalid index of a run, or how many were invalid.
Status report_invalid(const xlashape_op& op, const int64_t* in, const xlashape_run& run, int64_t* invalid_count,
                      Error* err) {
  if ((op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0 && *run.first_invalid < run.count)
    return fail_invalid(op, in, *run.first_invalid, err);
  if (invalid_count != nullptr) *invalid_count = *run.invalid_count;
  return XLASHAPE_STATUS_OK;
}

xlashape_executor executor_for(int64_t count, const xlashape_executor& executor) {
  xlashape_executor single{};
  single.max_workers = 1;
  return count >= kSpreadFrom ? executor : single;
}

// Entries that are written must not overlap: one step must exceed what the other spans, which fits.
Status check_entries(const xlashape_op& op, int64_t count, Error* err) {
  if (op.kind != XLASHAPE_OP_TO_MULTIDIMENSIONAL) return XLASHAPE_STATUS_OK;
  const int64_t rank = op.map->rank, a = op.index_step, b = op.dimension_step;
  if (count == 1 || rank == 1 || a > b * (rank - 1) || b > a * (count - 1)) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
              "%lld indices of rank %lld may overlap with index_step %lld, dimension_step %lld", ll(count), ll(rank),
              ll(a), ll(b));
}

}  // namespace

Status reach_of(const xlashape_op& op, int64_t count, Reach* reach, Error* err) {
  *reach = {};
  if (count == 0) return XLASHAPE_STATUS_OK;
  const bool to_multi = op.kind == XLASHAPE_OP_TO_MULTIDIMENSIONAL;
  const int64_t rank = op.map->rank;
  int64_t linear, along = 0, across = 0, index = 0;
  bool fits = checked_mul(count, 8, &linear);
  if (rank > 0) {
    fits = fits && checked_mul(count - 1, op.index_step, &along) && checked_mul(rank - 1, op.dimension_step, &across) &&
           checked_add(along, across, &index) && checked_add(index, 1, &index) && checked_mul(index, 8, &index);
    if (fits) XLASHAPE_TRY(check_entries(op, count, err));
  }
  if (!fits) return fail(err, XLASHAPE_STATUS_OVERFLOW, "%lld indices take more bytes than fit int64", ll(count));
  *reach = to_multi ? Reach{0, linear, 0, index} : Reach{0, index, 0, linear};
  return XLASHAPE_STATUS_OK;
}

Status execute_indices(const Prepared& prepared, const Reach& reach, xlashape_run run,
                       const xlashape_executor& executor, const Control& control, int64_t* invalid_count, Error* err) {
  const xlashape_op& op = *prepared.op;
  const bool waits = run.queue.kind == XLASHAPE_QUEUE_NONE;
  if (!waits && ((op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0 || invalid_count != nullptr))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "with a queue, invalid indices can only be marked: %s",
                invalid_count != nullptr ? "invalid_count must be NULL" : "the plan must mark them");
  const auto address = [&](const char* name, xlashape_memory_space space, uint64_t base, int64_t offset, int64_t bytes,
                           uint64_t* at) {
    const bool is_handle = space == XLASHAPE_SPACE_OPENCL;
    *at = (is_handle ? 0 : base) + static_cast<uint64_t>(offset);
    // A scalar's indices have no entries, but a device needs the buffer, too.
    if (base == 0 && (bytes > 0 || space != XLASHAPE_SPACE_CPU) && run.count > 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is NULL", name);
    if (*at % 8 != 0 && bytes > 0)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s plus its offset is not a multiple of 8 bytes", name);
    return XLASHAPE_STATUS_OK;
  };
  uint64_t src, dst;
  XLASHAPE_TRY(address("src", op.src_space, run.src, run.src_byte_offset, reach.src_high, &src));
  XLASHAPE_TRY(address("dst", op.dst_space, run.dst, run.dst_byte_offset, reach.dst_high, &dst));
  if (reach.src_high > 0 && reach.dst_high > 0 && do_overlap(op, reach, src, dst))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "source and destination must not overlap");
  int64_t first_invalid = run.count, count = 0;
  if (waits) {
    run.first_invalid = &first_invalid;
    run.invalid_count = &count;
  }
  if (run.count > 0) XLASHAPE_TRY(execute(prepared, run, executor_for(run.count, executor), control, err));
  const bool is_readable = op.src_space == XLASHAPE_SPACE_CPU;
  return waits ? report_invalid(op, is_readable ? ir::pointer_at<const int64_t>(src) : nullptr, run, invalid_count, err)
               : XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
