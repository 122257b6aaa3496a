#include "exec/plan.h"

#include <algorithm>
#include <cstring>

#include "exec/verify.h"
#include "runtime/select.h"

void xlashape_plan::destroy(xlashape_plan* plan) noexcept {
  plan->backend->slots.plan_destroy(plan->storage);
  const xlashape::Ref<xlashape::Runtime> runtime = std::move(plan->runtime);  // its allocator must outlive the block
  const size_t bytes = plan->block_bytes;
  plan->~xlashape_plan();
  runtime->hooks.free(plan, bytes, kAlignment);
}

namespace xlashape {
namespace {

xlashape_op relayout_op(const xlashape_relayout_ir* ir, const PlanOptions& options) {
  xlashape_op op{};
  op.struct_size = sizeof op;
  op.kind = XLASHAPE_OP_RELAYOUT;
  op.src_space = options.src_space;
  op.device = options.device;
  op.dst_space = options.dst_space;
  op.relayout = ir;
  return op;
}

// Scratch for a backend's part: on the stack when small.
class Storage {
 public:
  explicit Storage(const Hooks& hooks) : hooks_(hooks) {}
  ~Storage() { hooks_.free(heap_, size_, alignment_); }
  void* get(size_t size, size_t alignment) {
    if (size <= sizeof stack_ && alignment <= 64) return stack_;
    hooks_.free(heap_, size_, alignment_);  // of a backend that was tried before
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
  ~Initialised() { backend->slots.plan_destroy(storage); }
};

size_t round_up(size_t value, size_t alignment) { return (value + alignment - 1) / alignment * alignment; }

// Chooses a backend and calls make(choice, err), which gives it the operation; where that fails, the next one is tried
// if the wish allows it, and the failure is noted. What the first one said is what the caller hears.
template <class Make>
Status choose(Runtime& runtime, const xlashape_op& op, Wish wish, Error* err, const Make& make) {
  Choice choice;
  XLASHAPE_TRY(select_backend(runtime, op, wish, &choice, err));
  xlashape_error first, own;
  first.struct_size = own.struct_size = sizeof own;
  if (make(choice, &first) == XLASHAPE_STATUS_OK) [[likely]]
    return XLASHAPE_STATUS_OK;
  const uint32_t source = choice.backend->slots.source();
  const char* reason = first.message;
  while (try_another(runtime, choice, &wish, reason)) {
    if (select_backend(runtime, op, wish, &choice, nullptr) != XLASHAPE_STATUS_OK) break;
    if (make(choice, &own) == XLASHAPE_STATUS_OK) return XLASHAPE_STATUS_OK;
    reason = own.message;
  }
  return fail_again(err, first, source);
}

}  // namespace

Status make_plan(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options, Ref<Plan>* result,
                 Error* err) {
  alignas(16) char buffer[8192];
  Arena arena(buffer, sizeof buffer);
  xlashape_relayout_ir ir;
  XLASHAPE_TRY(build_relayout(request, arena, &ir, err));
  const ShapeTexts shapes(runtime, request);
  return keep_plan(runtime, relayout_op(&ir, options), options, shapes.text, result, err);
}

Status keep_plan(Runtime& runtime, const xlashape_op& op, const PlanOptions& options, const char* shapes,
                 Ref<Plan>* result, Error* err) {
  const size_t form_bytes = op.relayout != nullptr ? relayout_bytes(*op.relayout) : sizeof *op.map + map_bytes(*op.map);
  Plan* plan = nullptr;
  const auto make = [&](const Choice& choice, Error* own) -> Status {
    const Slots& slots = choice.backend->slots;
    size_t part_bytes, part_alignment;
    XLASHAPE_TRY(slots.plan_size(op, &part_bytes, &part_alignment, own));
    const size_t part_at = round_up(sizeof(Plan) + form_bytes, part_alignment);
    const size_t shapes_at = part_at + part_bytes + part_alignment,
                 shapes_bytes = *shapes != 0 ? std::strlen(shapes) + 1 : 0;
    const size_t total = shapes_at + shapes_bytes;
    char* block = static_cast<char*>(runtime.hooks.alloc(total, Plan::kAlignment));
    if (block == nullptr) throw std::bad_alloc();
    plan = new (block) Plan;
    Arena arena(plan + 1, form_bytes);
    plan->op = op;
    if (op.relayout != nullptr) {
      plan->op.relayout = copy_relayout(*op.relayout, arena);
    } else {
      auto* map = arena.make<xlashape_map_ir>(1);
      *map = copy_map(*op.map, arena);
      plan->op.map = map;
    }
    plan->support = choice.support;
    plan->backend = choice.backend;
    if (shapes_bytes > 0) plan->shapes = std::strcpy(block + shapes_at, shapes);
    plan->block_bytes = total;
    plan->storage = block + part_at + (-reinterpret_cast<uintptr_t>(block + part_at) & (part_alignment - 1));
    const Status status = slots.plan_init(plan->op, plan->storage, own);
    if (status == XLASHAPE_STATUS_OK) return status;
    plan->~xlashape_plan();
    runtime.hooks.free(block, total, Plan::kAlignment);
    return status;
  };
  XLASHAPE_TRY(choose(runtime, op, wish_of(runtime, options.backend, options.allow_fallback), err, make));
  plan->runtime = Ref<Runtime>::share(&runtime);
  *result = Ref<Plan>::adopt(plan);
  return XLASHAPE_STATUS_OK;
}

namespace {

// One execution spread over an executor: the first failure is kept.
struct Spread {
  const Prepared& prepared;
  const xlashape_run& whole;
  Error* err;
  std::mutex guard;
  Status status = XLASHAPE_STATUS_OK;
  std::atomic<int64_t> ended{0};
  std::atomic<uint64_t> which{0};  // of the tasks that came to their end, the sum of their marks

  // A number that only this task has: sums of marks tell which tasks ran, without memory for each.
  static uint64_t mark(int64_t index) {
    uint64_t x = (static_cast<uint64_t>(index) + 1) * 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
  }
  // Whether each task came to its end, and once.
  bool is_whole() const {
    uint64_t all = 0;
    for (int64_t i = 0; i < whole.task_count; ++i) all += mark(i);
    return ended == whole.task_count && which == all;
  }

  static void task(void* opaque, int64_t index, uint32_t) { static_cast<Spread*>(opaque)->run(index); }

  void run(int64_t index) {
    if (index < 0 || index >= whole.task_count) {  // there is no such task
      ended.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    xlashape_run part = whole;
    part.task_begin = index;
    part.task_end = index + 1;
    int64_t first_bad = whole.count, bad = 0;
    part.first_bad = whole.first_bad != nullptr ? &first_bad : nullptr;
    part.bad_count = whole.bad_count != nullptr ? &bad : nullptr;
    xlashape_error own;
    own.struct_size = sizeof own;
    const Slots& slots = prepared.backend->slots;
    const Status result = slots.plan_execute(prepared.storage, *prepared.op, part, &own);
    ended.fetch_add(1, std::memory_order_relaxed);
    which.fetch_add(mark(index), std::memory_order_relaxed);
    if (result == XLASHAPE_STATUS_OK && first_bad == whole.count && bad == 0) return;
    const std::lock_guard lock(guard);
    if (whole.first_bad != nullptr) *whole.first_bad = std::min(*whole.first_bad, first_bad);
    if (whole.bad_count != nullptr)  // any numbers: looked at when all are there
      *whole.bad_count = static_cast<int64_t>(static_cast<uint64_t>(*whole.bad_count) + static_cast<uint64_t>(bad));
    if (result == XLASHAPE_STATUS_OK || status != XLASHAPE_STATUS_OK) return;
    status = fail_again(err, own, slots.source());
  }
};

Status perform(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor, Error* err) {
  const Slots& slots = prepared.backend->slots;
  if (run.task_count == 0) {
    run.task_begin = 0;
    run.task_end = run.task_count = 1;
    if (executor.max_workers > 1) {
      const int64_t tasks = slots.plan_tasks(prepared.storage, *prepared.op, executor.max_workers);
      if (tasks > 1) {
        run.task_end = run.task_count = tasks;
        Spread spread{prepared, run, err, {}, XLASHAPE_STATUS_OK, {0}, {0}};
        const int32_t gave_up = executor.parallel_for(executor.opaque, tasks, &spread, Spread::task);
        if (spread.status != XLASHAPE_STATUS_OK) return spread.status;
        if (gave_up != 0)
          return fail(err, XLASHAPE_STATUS_CANCELLED, "the executor gave up: the destination is unspecified");
        if (!spread.is_whole())  // a thread that ended within a task, say
          return fail(err, XLASHAPE_STATUS_CANCELLED,
                      "the executor did not run each of %lld tasks once and to its end (%lld came to an end): the "
                      "destination is unspecified",
                      static_cast<long long>(tasks), static_cast<long long>(spread.ended));
        return XLASHAPE_STATUS_OK;
      }
    }
  }
  return slots.plan_execute(prepared.storage, *prepared.op, run, err);
}

// What a backend says of bad indices is looked at before anybody goes by it.
Status check_bad(const Prepared& prepared, const xlashape_run& run, Error* err) {
  const auto wrong = [&](const char* what, int64_t value) {
    fail(err, XLASHAPE_STATUS_INTERNAL, "backend %s: %s is %lld, in a batch of %lld", prepared.backend->name.c_str(),
         what, static_cast<long long>(value), static_cast<long long>(run.count));
    set_source(err, prepared.backend->slots.source());
    return XLASHAPE_STATUS_INTERNAL;
  };
  if (run.first_bad != nullptr && (*run.first_bad < 0 || *run.first_bad > run.count))
    return wrong("the first bad index", *run.first_bad);
  if (run.bad_count != nullptr && (*run.bad_count < 0 || *run.bad_count > run.count))
    return wrong("the number of bad indices", *run.bad_count);
  return XLASHAPE_STATUS_OK;
}

}  // namespace

Status execute(const Prepared& prepared, xlashape_run& run, const xlashape_executor& executor, Error* err) {
  Status status = perform(prepared, run, executor, err);
  if (status == XLASHAPE_STATUS_OK) status = check_bad(prepared, run, err);
  if (prepared.runtime->verify_positions == 0) [[likely]]
    return status;
  const bool is_whole = run.task_begin == 0 && run.task_end == run.task_count;
  return status == XLASHAPE_STATUS_OK && is_whole ? verify(prepared, run, err) : status;
}

Reach reach_of(const xlashape_relayout_ir& ir) { return {ir.src_low, ir.src_high, ir.dst_low, ir.dst_high}; }

bool do_overlap(const xlashape_op& op, const Reach& reach, uint64_t src, uint64_t dst) {
  // A cl_mem is a handle, and so may be what others' devices have: how far two of them are apart says nothing.
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
  if (ir.elements == 0 || !do_overlap(op, reach_of(ir), src, dst)) return XLASHAPE_STATUS_OK;
  if (src == dst && (ir.flags & XLASHAPE_IR_IS_IDENTITY)) {
    *nothing = !(ir.has_padding && ir.fill_policy == XLASHAPE_FILL_PADDING);
    return XLASHAPE_STATUS_OK;
  }
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "source and destination overlap: there is no relayout in place");
}

Status relayout_once(Runtime& runtime, const RelayoutRequest& request, const PlanOptions& options,
                     const Buffers& buffers, Error* err) {
  alignas(16) char buffer[8192];
  Arena arena(buffer, sizeof buffer);
  xlashape_relayout_ir ir;
  XLASHAPE_TRY(build_relayout(request, arena, &ir, err));
  const auto check_room = [&](const char* side, int64_t low, int64_t high, int64_t bytes) {
    if (low >= 0 && high <= bytes) return XLASHAPE_STATUS_OK;
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the relayout touches bytes [%lld, %lld) of the %s, %lld were given",
                static_cast<long long>(low), static_cast<long long>(high), side, static_cast<long long>(bytes));
  };
  XLASHAPE_TRY(check_room("source", ir.src_low, ir.src_high, buffers.src_bytes));
  XLASHAPE_TRY(check_room("destination", ir.dst_low, ir.dst_high, buffers.dst_bytes));
  const xlashape_op op = relayout_op(&ir, options);
  bool nothing;
  XLASHAPE_TRY(check_buffers(op, reinterpret_cast<uint64_t>(buffers.src), reinterpret_cast<uint64_t>(buffers.dst),
                             &nothing, err));
  if (nothing) return XLASHAPE_STATUS_OK;

  xlashape_run run{};
  run.struct_size = sizeof run;
  run.src = reinterpret_cast<uint64_t>(buffers.src);
  run.dst = reinterpret_cast<uint64_t>(buffers.dst);
  const ShapeTexts shapes(runtime, request);
  return run_once(runtime, op, options, shapes.text, run, runtime.hooks.executor, err);
}

Status run_once(Runtime& runtime, const xlashape_op& op, const PlanOptions& options, const char* shapes,
                xlashape_run& run, const xlashape_executor& executor, Error* err) {
  Storage storage(runtime.hooks);
  void* part = nullptr;
  const Backend* backend = nullptr;
  XLASHAPE_TRY(choose(runtime, op, wish_of(runtime, options.backend, options.allow_fallback), err,
                      [&](const Choice& choice, Error* own) {
                        size_t bytes, alignment;
                        XLASHAPE_TRY(choice.backend->slots.plan_size(op, &bytes, &alignment, own));
                        part = storage.get(bytes, alignment);
                        backend = choice.backend;
                        return backend->slots.plan_init(op, part, own);
                      }));
  const Initialised initialised{backend, part};
  return execute({&runtime, backend, &op, part, shapes}, run, executor, err);
}

}  // namespace xlashape
