// SPDX-License-Identifier: Apache-2.0
#include "exec/plan.h"

#include <cstdio>
#include <cstring>

#include "base/checked.h"
#include "exec/in_place.h"
#include "exec/measure.h"
#include "ir/address.h"
#include "runtime/select.h"

namespace xlashape::core {
namespace {

constexpr size_t kBlockAlignment = alignof(std::max_align_t);

template <class Handle>
void destroy_block(Handle* plan) noexcept {
  Planned& planned = plan->planned;
  planned.backend->calls.plan_destroy(planned.storage);
  const Ref<Runtime> runtime = std::move(planned.runtime);  // its allocator must outlive the block
  const size_t bytes = planned.block_bytes;
  plan->~Handle();
  runtime->hooks.free(plan, bytes, kBlockAlignment);
}

xlashape_op relayout_op(const xlashape_relayout_ir* ir, const PlanOptions& options) {
  xlashape_op op{};
  op.struct_size = sizeof op;
  op.kind = ir->values != nullptr ? XLASHAPE_OP_RELAYOUT_VALUES : XLASHAPE_OP_RELAYOUT;
  op.src_space = options.src_space;
  op.device = options.device;
  op.dst_space = options.dst_space;
  op.relayout = ir;
  return op;
}

// Memory for a backend's part: on the stack when small.
class BackendStorage {
 public:
  explicit BackendStorage(const Hooks& hooks) : hooks_(hooks) {}
  ~BackendStorage() { hooks_.free(heap_, size_, alignment_); }
  void* get(size_t size, size_t alignment) {
    if (size <= sizeof stack_ && alignment <= 64) return stack_;
    hooks_.free(heap_, size_, alignment_);  // for a backend that was tried before
    heap_ = nullptr;
    size_ = size;
    alignment_ = alignment;
    heap_ = hooks_.alloc(size, alignment);
    if (heap_ == nullptr) throw std::bad_alloc();
    return heap_;
  }

 private:
  const Hooks& hooks_;
  void* heap_ = nullptr;
  size_t size_ = 0, alignment_ = 0;
  alignas(64) char stack_[2048];
};

// Destroys a backend's part when the scope ends.
struct Initialised {
  const Backend* backend;
  void* storage;
  ~Initialised() { backend->calls.plan_destroy(storage); }
};

size_t round_up(size_t value, size_t alignment) { return (value + alignment - 1) / alignment * alignment; }

// Selects a backend and calls make(choice, err), which has it plan the operation. Where that fails, the failure is
// recorded, and the next backend is tried if the request allows it. The caller gets the first failure.
template <class Make>
Status choose(Runtime& runtime, const xlashape_op& op, SelectionRequest request, Error* err, const Make& make) {
  Selection choice;
  XLASHAPE_TRY(select_backend(runtime, op, request, &choice, err));
  xlashape_error first, own;
  first.struct_size = own.struct_size = sizeof own;
  if (make(choice, &first) == XLASHAPE_STATUS_OK) [[likely]]
    return XLASHAPE_STATUS_OK;
  const uint32_t source = choice.backend->calls.source();
  const char* reason = first.message;
  while (try_another(runtime, choice, &request, reason)) {
    if (select_backend(runtime, op, request, &choice, nullptr) != XLASHAPE_STATUS_OK) break;
    if (make(choice, &own) == XLASHAPE_STATUS_OK) return XLASHAPE_STATUS_OK;
    reason = own.message;
  }
  return fail_again(err, first, source);
}

// Makes the handle of an operation, whose form is copied behind it.
template <class Handle>
Status keep_plan(Runtime& runtime, const xlashape_op& op, const PlanOptions& options, Ref<Handle>* result, Error* err) {
  const size_t form_bytes = op.relayout != nullptr ? relayout_bytes(*op.relayout) : kept_bytes(*op.map);
  Handle* plan = nullptr;
  const auto make = [&](const Selection& choice, Error* own) -> Status {
    const BackendCalls& calls = choice.backend->calls;
    size_t part_bytes, part_alignment;
    XLASHAPE_TRY(calls.plan_size(op, &part_bytes, &part_alignment, own));
    const size_t part_at = round_up(sizeof(Handle) + form_bytes, part_alignment);
    const size_t total = part_at + part_bytes + part_alignment;
    char* block = static_cast<char*>(runtime.hooks.alloc(total, kBlockAlignment));
    if (block == nullptr) throw std::bad_alloc();
    plan = new (block) Handle;
    Planned& planned = plan->planned;
    FixedArena arena(plan + 1, form_bytes);
    planned.op = op;
    if (op.relayout != nullptr) {
      planned.op.relayout = keep_relayout(*op.relayout, arena);
    } else {
      planned.op.map = keep(*op.map, arena);
    }
    planned.support = choice.support;
    planned.backend = choice.backend;
    planned.block_bytes = total;
    planned.storage = block + part_at + (-reinterpret_cast<uintptr_t>(block + part_at) & (part_alignment - 1));
    const Status status = calls.plan_init(planned.op, planned.storage, own);
    if (status == XLASHAPE_STATUS_OK) return status;
    plan->~Handle();
    runtime.hooks.free(block, total, kBlockAlignment);
    return status;
  };
  XLASHAPE_TRY(choose(runtime, op, selection_request(runtime, options.backend, options.allow_fallback), err, make));
  plan->planned.runtime = Ref<Runtime>::share(&runtime);
  *result = Ref<Handle>::adopt(plan);
  return XLASHAPE_STATUS_OK;
}

// A plan that moves units of so many bytes by the digits' strides.
Status make_part(Runtime& runtime, const PlanOptions& options, int64_t unit, const std::vector<Digit>& digits,
                 Ref<Plan>* part, Error* err) {
  constexpr xlashape_element_type kOfBytes[] = {XLASHAPE_TYPE_U8, XLASHAPE_TYPE_U16, XLASHAPE_TYPE_U32,
                                                XLASHAPE_TYPE_U64, XLASHAPE_TYPE_C128};
  size_t type = 0;
  while (type < 4 && unit % (int64_t{2} << type) == 0) ++type;
  const int64_t element = int64_t{1} << type;
  std::vector<int64_t> extents, src, dst;
  const auto add = [&](const Digit& d) { extents.push_back(d.extent), src.push_back(d.src), dst.push_back(d.dst); };
  for (const Digit& digit : digits) add(digit);
  add({unit / element, element, element});
  Ref<Shape> shape;
  XLASHAPE_TRY(make_array(kOfBytes[type], extents, {}, nullptr, &shape, err));
  RelayoutRequest request;
  request.src = {shape.get(), src.data()};
  request.dst = {shape.get(), dst.data()};
  request.keep_in_cache = true;  // these lines were read a moment ago
  XLASHAPE_TRY(make_plan(runtime, request, options, part, err));
  const Planned& planned = (*part)->planned;
  if (planned.support.src_alignment <= 1 && planned.support.dst_alignment <= 1) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
              "in place: backend %s moves only what begins at multiples of some bytes: choose another backend",
              planned.backend->name.c_str());
}

Status make_in_place(Runtime& runtime, const PlanOptions& options, Plan& plan, Error* err) {
  Planned& planned = plan.planned;
  PlanOptions of_parts = options;
  of_parts.in_place.reset();
  XLASHAPE_TRY(InPlace::make(
      *planned.op.relayout, *options.in_place,
      [&](int64_t unit, const std::vector<Digit>& digits, Ref<Plan>* part, Error* own) {
        return make_part(runtime, of_parts, unit, digits, part, own);
      },
      &plan.in_place, err));
  planned.support.scratch_bytes = plan.in_place->scratch_bytes(std::max(runtime.hooks.executor.max_workers, 1u));
  planned.support.scratch_alignment = InPlace::kScratchAlignment;
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status make_plan(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options, Ref<Plan>* result,
                 Error* err) {
  alignas(16) char buffer[8192];
  Arena arena(buffer, sizeof buffer);
  xlashape_relayout_ir ir;
  XLASHAPE_TRY(build_relayout(request, arena, &ir, err));
  const xlashape_op op = relayout_op(&ir, options);
  if (options.in_place && !is_on_host(op))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "in place: only in CPU memory, not from space %d to %d", op.src_space,
                op.dst_space);
  if (options.in_place && ir.values != nullptr)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "in place: values are not converted there, nor their bits reordered");
  const bool measures = options.measuring.budget_ns > 0 && !options.in_place;
  if (measures) XLASHAPE_TRY(check_measuring(op, options.measuring, err));
  Ref<Plan> plan;
  XLASHAPE_TRY(keep_plan(runtime, op, options, &plan, err));
  const Planned& planned = plan->planned;
  const bool is_known = runtime.wisdom.any() && use_wisdom(runtime, *planned.backend, planned.op, planned.storage);
  if (measures && !is_known) XLASHAPE_TRY(measure(planned, options.measuring, err));
  plan->src_shape = Ref<Shape>::share(request.src.array);
  plan->dst_shape = Ref<Shape>::share(request.dst.array);
  if (options.in_place) XLASHAPE_TRY(make_in_place(runtime, options, *plan, err));
  *result = std::move(plan);
  return XLASHAPE_STATUS_OK;
}

Status make_index_plan(Runtime& runtime, const xlashape_op& op, const PlanOptions& options, Ref<IndexPlan>* result,
                       Error* err) {
  return keep_plan(runtime, op, options, result, err);
}

namespace {

// With 32-bit addresses a shape may be larger than the address space: it has sizes and indices, but no memory.
[[maybe_unused]] Status check_side_addresses(const char* side, int32_t space, uint64_t at, int64_t low, int64_t high,
                                             Error* err) {
  if (space != XLASHAPE_SPACE_CPU || low == high) return XLASHAPE_STATUS_OK;
  const uint64_t last = UINTPTR_MAX, below = low < 0 ? magnitude(low) : 0;
  if (at <= last && below <= at && (high <= 0 || static_cast<uint64_t>(high) - 1 <= last - at))
    return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OVERFLOW,
              "bytes [%lld, %lld) of the %s, counted from 0x%llx, do not fit into addresses of %d bits", ll(low),
              ll(high), side, static_cast<unsigned long long>(at), static_cast<int>(8 * sizeof(void*)));
}

}  // namespace

Status check_addresses([[maybe_unused]] const xlashape_op& op, [[maybe_unused]] const Reach& reach,
                       [[maybe_unused]] uint64_t src, [[maybe_unused]] uint64_t dst, [[maybe_unused]] Error* err) {
  if constexpr (sizeof(void*) < sizeof src) {
    XLASHAPE_TRY(check_side_addresses("source", op.src_space, src, reach.src_low, reach.src_high, err));
    XLASHAPE_TRY(check_side_addresses("destination", op.dst_space, dst, reach.dst_low, reach.dst_high, err));
  }
  return XLASHAPE_STATUS_OK;
}

bool do_overlap(const xlashape_op& op, const Reach& reach, uint64_t src, uint64_t dst) {
  // A cl_mem is a handle, and other devices may have handles, too: the difference of two handles means nothing.
  const auto has_handles = [](int32_t space) { return space == XLASHAPE_SPACE_OPENCL || space >= 32; };
  if (has_handles(op.src_space) || has_handles(op.dst_space)) return false;
  const uint64_t src_begin = src + static_cast<uint64_t>(reach.src_low),
                 src_end = src + static_cast<uint64_t>(reach.src_high);
  const uint64_t dst_begin = dst + static_cast<uint64_t>(reach.dst_low),
                 dst_end = dst + static_cast<uint64_t>(reach.dst_high);
  return src_end > dst_begin && dst_end > src_begin;
}

Status check_buffers(const xlashape_op& op, uint64_t src, uint64_t dst, bool* nothing, Error* err) {
  const xlashape_relayout_ir& ir = *op.relayout;
  *nothing = false;
  if (src == 0 && ir.src_high > ir.src_low) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "src is NULL");
  if (dst == 0 && ir.dst_high > ir.dst_low) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "dst is NULL");
  XLASHAPE_TRY(check_addresses(op, reach_of(ir), src, dst, err));
  if (ir.elements == 0 || !do_overlap(op, reach_of(ir), src, dst)) return XLASHAPE_STATUS_OK;
  if (src == dst && (ir.flags & XLASHAPE_IR_IS_IDENTITY)) {
    *nothing = !(ir.has_padding && ir.fill_policy == XLASHAPE_FILL_PADDING);
    return XLASHAPE_STATUS_OK;
  }
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "source and destination must not overlap");
}

Status check_buffers(const Plan& plan, uint64_t src, uint64_t dst, bool* nothing, Error* err) {
  const xlashape_op& op = plan.planned.op;
  if (plan.in_place == nullptr) return check_buffers(op, src, dst, nothing, err);
  *nothing = op.relayout->elements == 0;
  if (*nothing) return XLASHAPE_STATUS_OK;
  if (src == 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "src is NULL");
  if (src != dst)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "the plan runs in place: src and dst must be equal");
  return check_addresses(op, reach_of(*op.relayout), src, dst, err);
}

namespace {

Status check_side_bytes(const char* side, int64_t low, int64_t high, int64_t offset, int64_t bytes, Error* err) {
  if (bytes < XLASHAPE_UNCHECKED)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "%s_bytes is %lld, it must not be negative, but for UNCHECKED (-1)", side, ll(bytes));
  int64_t first, end;
  const bool fits = checked_add(low, offset, &first) && checked_add(high, offset, &end);
  // Of a buffer whose bytes are not known strides may reach bytes before it, an offset alone may not.
  const bool begins = first >= 0 || low == high || (bytes == XLASHAPE_UNCHECKED && offset >= 0);
  if (fits && begins && (bytes == XLASHAPE_UNCHECKED || end <= bytes)) return XLASHAPE_STATUS_OK;
  char from[48] = "";
  if (offset != 0) std::snprintf(from, sizeof from, ", counted from offset %lld,", ll(offset));
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "bytes [%lld, %lld) of %s%s would be touched, %s_bytes is %lld",
              ll(low), ll(high), side, from, side, ll(bytes));
}

XLASHAPE_NOINLINE Status in_place_once(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options,
                                       const void* src, void* dst, const BufferSizes& room, Error* err) {
  Ref<Plan> plan;
  XLASHAPE_TRY(make_plan(runtime, request, options, &plan, err));
  XLASHAPE_TRY(check_buffer_sizes(reach_of(*plan->planned.op.relayout), room, err));
  xlashape_run run = run_at(ir::address_of(src), ir::address_of(dst));
  bool nothing;
  XLASHAPE_TRY(check_buffers(*plan, run.src, run.dst, &nothing, err));
  return nothing ? XLASHAPE_STATUS_OK : execute(prepared(*plan), run, runtime.hooks.executor, {}, err);
}

}  // namespace

Status check_both_sides(const Reach& reach, const BufferSizes& room, Error* err) {
  XLASHAPE_TRY(check_side_bytes("src", reach.src_low, reach.src_high, room.src_byte_offset, room.src_bytes, err));
  return check_side_bytes("dst", reach.dst_low, reach.dst_high, room.dst_byte_offset, room.dst_bytes, err);
}

Status relayout_once(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options, const void* src,
                     void* dst, const BufferSizes& room, Error* err) {
  if (options.in_place) [[unlikely]]
    return in_place_once(runtime, request, options, src, dst, room, err);
  alignas(16) char buffer[8192];
  Arena arena(buffer, sizeof buffer);
  xlashape_relayout_ir ir;
  XLASHAPE_TRY(build_relayout(request, arena, &ir, err));
  XLASHAPE_TRY(check_buffer_sizes(reach_of(ir), room, err));
  const xlashape_op op = relayout_op(&ir, options);
  xlashape_run run = run_at(ir::address_of(src), ir::address_of(dst));
  bool nothing;
  XLASHAPE_TRY(check_buffers(op, run.src, run.dst, &nothing, err));
  if (nothing) return XLASHAPE_STATUS_OK;

  BackendStorage storage(runtime.hooks);
  void* part = nullptr;
  const Backend* backend = nullptr;
  XLASHAPE_TRY(choose(runtime, op, selection_request(runtime, options.backend, options.allow_fallback), err,
                      [&](const Selection& choice, Error* own) {
                        size_t bytes, alignment;
                        XLASHAPE_TRY(choice.backend->calls.plan_size(op, &bytes, &alignment, own));
                        part = storage.get(bytes, alignment);
                        backend = choice.backend;
                        return backend->calls.plan_init(op, part, own);
                      }));
  const Initialised initialised{backend, part};
  if (runtime.wisdom.any()) [[unlikely]]
    use_wisdom(runtime, *backend, op, part);
  return execute({&runtime, backend, &op, part, request.src.array, request.dst.array}, run, runtime.hooks.executor, {},
                 err);
}

}  // namespace xlashape::core

xlashape_plan::xlashape_plan() = default;
xlashape_plan::~xlashape_plan() = default;
void xlashape_plan::destroy(xlashape_plan* plan) noexcept { xlashape::core::destroy_block(plan); }
void xlashape_index_plan::destroy(xlashape_index_plan* plan) noexcept { xlashape::core::destroy_block(plan); }
