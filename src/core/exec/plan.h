/* SPDX-License-Identifier: Apache-2.0 */
// The handles of plans: of relayouts, and of index conversions.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>

#include "exec/tasks.h"
#include "plan/in_place.h"
#include "plan/relayout.h"
#include "runtime/runtime.h"

namespace xlashape::core {

// What both have: an operation, the backend that runs it, and that backend's part. Handle, form and part are one block
// of memory.
struct Planned {
  Ref<Runtime> runtime;
  const Backend* backend = nullptr;
  void* storage = nullptr;  // the backend's part
  xlashape_op op{};
  xlashape_support support{};
  size_t block_bytes = 0;
};

}  // namespace xlashape::core

struct alignas(xlashape::core::FixedArena::kAlignment) xlashape_plan final : xlashape::core::RefCounted {
  xlashape::core::Planned planned;
  xlashape::core::Ref<xlashape::core::Shape> src_shape, dst_shape;
  std::unique_ptr<xlashape::core::InPlace> in_place;  // that runs in place of the backend's part; null: it does not

  xlashape_plan();
  ~xlashape_plan();
  static void destroy(xlashape_plan* plan) noexcept;
};

struct alignas(xlashape::core::FixedArena::kAlignment) xlashape_index_plan final : xlashape::core::RefCounted {
  xlashape::core::Planned planned;

  static void destroy(xlashape_index_plan* plan) noexcept;
};

namespace xlashape::core {

using Plan = ::xlashape_plan;
using IndexPlan = ::xlashape_index_plan;

// How long a backend's ways to run the plan may be timed, 0 for not at all, and on which memory: 0 for the library's.
struct Measuring {
  int64_t budget_ns = 0;
  uint64_t src = 0, dst = 0;
};

// What a plan needs beyond its form.
struct PlanOptions {
  xlashape_memory_space src_space = XLASHAPE_SPACE_CPU;
  xlashape_memory_space dst_space = XLASHAPE_SPACE_CPU;
  int32_t device = 0;  // as in xlashape_op
  std::string_view backend;
  bool allow_fallback = false;
  Measuring measuring;                   // of a relayout that is kept
  std::optional<InPlaceSizes> in_place;  // source and destination are one array
};

inline Prepared prepared(const Plan& plan) {
  const Planned& p = plan.planned;
  return {p.runtime.get(),      p.backend,          &p.op, p.storage, plan.src_shape.get(),
          plan.dst_shape.get(), plan.in_place.get()};
}

// Makes a plan handle, with one allocation by the runtime's allocator, or some more where it runs in place.
Status make_plan(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options, Ref<Plan>* plan,
                 Error* err);
// The same for a conversion of indices; its map is copied.
Status make_index_plan(Runtime& runtime, const xlashape_op& op, const PlanOptions& options, Ref<IndexPlan>* plan,
                       Error* err);

// The bytes that an execution touches, relative to the pointer of each side.
struct Reach {
  int64_t src_low, src_high, dst_low, dst_high;
};
inline Reach reach_of(const xlashape_relayout_ir& ir) { return {ir.src_low, ir.src_high, ir.dst_low, ir.dst_high}; }
// Where an execution's position 0 lies in the buffers given, and how many bytes these have: XLASHAPE_UNCHECKED where
// that is not known.
struct BufferSizes {
  int64_t src_bytes, dst_bytes;
  int64_t src_byte_offset = 0, dst_byte_offset = 0;
};
// OUT_OF_RANGE where the bytes touched are not in the buffers. Buffers without offsets that hold them are seen at once,
// as executions of few elements take no longer than a call does.
Status check_both_sides(const Reach& reach, const BufferSizes& room, Error* err);
inline Status check_buffer_sizes(const Reach& reach, const BufferSizes& room, Error* err) {
  const bool holds = reach.src_low >= 0 && reach.src_high <= room.src_bytes && room.src_byte_offset == 0 &&
                     reach.dst_low >= 0 && reach.dst_high <= room.dst_bytes && room.dst_byte_offset == 0;
  return holds ? XLASHAPE_STATUS_OK : check_both_sides(reach, room, err);
}
// Whether both sides share bytes. False where their memory has handles, not addresses.
bool do_overlap(const xlashape_op& op, const Reach& reach, uint64_t src, uint64_t dst);

// Plans and executes one relayout, on the stack where it has enough room.
Status relayout_once(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options, const void* src,
                     void* dst, const BufferSizes& room, Error* err);

// OVERFLOW where CPU memory would have to extend beyond the address space; never with 64-bit pointers.
Status check_addresses(const xlashape_op& op, const Reach& reach, uint64_t src, uint64_t dst, Error* err);

// Refuses null and overlapping buffers of a relayout, and different ones of one that runs in place. *nothing: it is an
// identity onto itself without padding to fill, so there is nothing to do.
Status check_buffers(const Plan& plan, uint64_t src, uint64_t dst, bool* nothing, Error* err);
Status check_buffers(const xlashape_op& op, uint64_t src, uint64_t dst, bool* nothing, Error* err);

}  // namespace xlashape::core
