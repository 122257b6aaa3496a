// The plan handle: an operation, the backend that runs it, and that backend's part, in one block of memory.
#pragma once
#include <cstddef>

#include "plan/relayout.h"
#include "runtime/runtime.h"

struct xlashape_plan final : xlashape::RefCounted {
  static constexpr size_t kAlignment = alignof(std::max_align_t);  // of the block

  xlashape::Ref<xlashape::Runtime> runtime;
  const xlashape::Backend* backend = nullptr;
  void* storage = nullptr;  // the backend's part
  xlashape_op op{};
  xlashape_support support{};
  size_t block_bytes = 0;

  static void destroy(xlashape_plan* plan) noexcept;
};

namespace xlashape {

using Plan = ::xlashape_plan;

// What a relayout needs beyond its form.
struct PlanOptions {
  xlashape_memory_space src_space = XLASHAPE_SPACE_CPU;
  xlashape_memory_space dst_space = XLASHAPE_SPACE_CPU;
  std::string_view backend;
  bool allow_fallback = false;
};

// A kept plan: one allocation of the runtime's.
Status make_plan(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options, Ref<Plan>* plan,
                 Error* err);

// A prepared operation, on the stack or in a plan.
struct Prepared {
  const Hooks* hooks;
  const Backend* backend;
  const xlashape_op* op;
  const void* storage;
};

// Runs it: all tasks, on `executor` where that has more than one worker; or the tasks that `run` names.
Status execute(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor, Error* err);

// One relayout, planned on the stack where that is enough.
struct Buffers {
  const void* src;
  int64_t src_bytes;
  void* dst;
  int64_t dst_bytes;
};
Status relayout_once(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options,
                     const Buffers& buffers, Error* err);

// One batch of index conversions.
Status convert_indices(Runtime& runtime, const xlashape_op& op, int64_t count, const int64_t* in, int64_t* out,
                       int64_t* first_bad, int64_t* bad_count, Error* err);

// Refuses null and overlapping buffers, where the operation's memory has addresses. *nothing: an identity onto itself that
// has nothing to fill.
Status check_buffers(const xlashape_op& op, uint64_t src, uint64_t dst, bool* nothing, Error* err);

}  // namespace xlashape
