// The plan handle: an operation, the backend that runs it, and that backend's part, in one block of memory.
#pragma once
#include <cstddef>

#include "exec/tasks.h"
#include "plan/relayout.h"
#include "runtime/runtime.h"

struct alignas(xlashape::core::FixedArena::kAlignment) xlashape_plan final : xlashape::core::RefCounted {
  static constexpr size_t kAlignment = alignof(std::max_align_t);  // of the block

  xlashape::core::Ref<xlashape::core::Runtime> runtime;
  const xlashape::core::Backend* backend = nullptr;
  void* storage = nullptr;  // the backend's part
  xlashape_op op{};
  xlashape_support support{};
  xlashape::core::Ref<xlashape::core::Shape> src_shape, dst_shape;  // of a relayout
  size_t block_bytes = 0;

  static void destroy(xlashape_plan* plan) noexcept;
};

namespace xlashape::core {

using Plan = ::xlashape_plan;

// What a plan needs beyond its form.
struct PlanOptions {
  xlashape_memory_space src_space = XLASHAPE_SPACE_CPU;
  xlashape_memory_space dst_space = XLASHAPE_SPACE_CPU;
  int32_t device = 0;  // as in xlashape_op
  std::string_view backend;
  bool allow_fallback = false;
};

// A kept plan: one allocation of the runtime's.
Status make_plan(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options, Ref<Plan>* plan,
                 Error* err);
// The same of an operation in its form, which is copied.
Status keep_plan(Runtime& runtime, const xlashape_op& op, const PlanOptions& options, Ref<Plan>* plan, Error* err);

// One relayout, planned on the stack where that is enough.
struct Buffers {
  const void* src;
  int64_t src_bytes;
  void* dst;
  int64_t dst_bytes;
};
Status relayout_once(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options,
                     const Buffers& buffers, Error* err);

// One run of any operation, with the backend's part on the stack where that is enough. `request` is null but for a relayout.
Status run_once(Runtime& runtime, const xlashape_op& op, const PlanOptions& options, const RelayoutRequest* request,
                xlashape_run& run, const xlashape_executor& executor, Error* err);

// Bytes that an execution touches, from where its sides lie.
struct Reach {
  int64_t src_low, src_high, dst_low, dst_high;
};
Reach reach_of(const xlashape_relayout_ir& ir);
// Where the operation's memory has addresses.
bool do_overlap(const xlashape_op& op, const Reach& reach, uint64_t src, uint64_t dst);

// OVERFLOW for what memory of the CPU cannot be: with pointers of 64 bits nothing is.
Status check_addresses(const xlashape_op& op, const Reach& reach, uint64_t src, uint64_t dst, Error* err);

// Refuses null and overlapping buffers of a relayout. *nothing: an identity onto itself that has nothing to fill.
Status check_buffers(const xlashape_op& op, uint64_t src, uint64_t dst, bool* nothing, Error* err);

}  // namespace xlashape::core
