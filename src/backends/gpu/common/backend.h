/* SPDX-License-Identifier: Apache-2.0 */
// The slots of a GPU backend for operations, and its backend table.
#pragma once
#include <mutex>
#include <new>
#include <vector>

#include "backends/common/guarded_loops.h"
#include "backends/gpu/common/memory.h"
#include "backends/gpu/common/planner.h"
#include "backends/gpu/common/tables.h"
#include "xlashape_runtime.h"

namespace xlashape::gpu {

// A buffer of the session that is freed at the end of the scope.
template <class Session>
class Staged {
 public:
  explicit Staged(Session& session) : session_(session) {}
  Staged(const Staged&) = delete;
  ~Staged() {
    if (memory_ != 0) session_.free(memory_);
  }
  xlashape_status alloc(int64_t bytes, xlashape_error* err) {
    return session_.alloc(bytes > 0 ? bytes : 1, &memory_, err);
  }
  uint64_t memory() const { return memory_; }

 private:
  Session& session_;
  uint64_t memory_ = 0;
};

template <class Api>
class GpuBackend {
  using Session = typename Api::Session;

  // Bases aligned to the widest access, to their elements, and not at all.
  static constexpr int kVariants = 3;
  static constexpr int64_t kWidest = 16;
  struct GpuPlan {
    typename Api::Tables tables;
    std::mutex counting;  // index batches: the words that count bad entries belong to the plan
    int64_t alignment[kVariants];
    Launches variant[kVariants];
  };

  static Api& api(void* self) { return *static_cast<Api*>(self); }

 public:
  static void fill(xlashape_backend* table) {
    table->supports = supports;
    table->plan_size = plan_size;
    table->plan_init = plan_init;
    table->plan_tasks = [](void*, const void*, const xlashape_op*, int64_t) { return int64_t{1}; };
    table->plan_execute = plan_execute;
    table->plan_destroy = plan_destroy;
    table->describe = describe;
    GpuMemory<Api>::fill(table);
  }

 private:
  static xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
    const bool known = op->kind == XLASHAPE_OP_RELAYOUT || op->kind == XLASHAPE_OP_TO_LINEAR ||
                       op->kind == XLASHAPE_OP_TO_MULTIDIMENSIONAL;
    const bool reached =
        (is_host(op->src_space) || owns<Api>(op->src_space)) && (is_host(op->dst_space) || owns<Api>(op->dst_space));
    const bool staged = is_host(op->src_space) && is_host(op->dst_space);
    // A thread writes whole bytes, and finds what is in them by the way back, which strides have not.
    const bool shares_bytes = op->kind == XLASHAPE_OP_RELAYOUT && op->relayout->dst_container_bits < 8 &&
                              op->relayout->dst->output_extent == nullptr;
    support->level = !known || !reached || shares_bytes ? XLASHAPE_SUPPORT_NONE
                     : staged                           ? XLASHAPE_SUPPORT_WORKS
                                                        : XLASHAPE_SUPPORT_NATIVE;
    if (shares_bytes) fail(err, XLASHAPE_STATUS_OK, "its kernels write no packed elements by strides");
    if (!reached)
      fail(err, XLASHAPE_STATUS_OK, "its kernels do not reach memory spaces %d to %d", op->src_space, op->dst_space);
    // The widest access of the kernels. Staged sides are copied first, so their alignment does not matter.
    if (op->kind == XLASHAPE_OP_RELAYOUT) {
      support->src_preferred_alignment = owns<Api>(op->src_space) ? kWidest : 0;
      support->dst_preferred_alignment = owns<Api>(op->dst_space) ? kWidest : 0;
    }
    return XLASHAPE_STATUS_OK;
  }

  static xlashape_status plan_size(void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
    *bytes = sizeof(GpuPlan);
    *align = alignof(GpuPlan);
    return XLASHAPE_STATUS_OK;
  }

  static xlashape_status plan_init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) try {
    Api& a = api(self);
    XS_TRY(check_process(a, err));
    XS_TRY(check_number(op->device, err));
    XS_TRY(a.check_device(err));
    GpuPlan* plan = new (storage) GpuPlan;
    const xlashape_status status = op->kind == XLASHAPE_OP_RELAYOUT ? init_relayout(a, *op->relayout, plan, err)
                                                                    : init_indices(a, *op->map, plan, err);
    if (status != XLASHAPE_STATUS_OK) plan->~GpuPlan();
    return status;
  } catch (const std::bad_alloc&) {
    return fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for the tables of a plan");
  }

  static xlashape_status init_relayout(Api& a, const xlashape_relayout_ir& ir, GpuPlan* plan, xlashape_error* err) {
    plan->alignment[0] = kWidest;
    plan->alignment[1] = std::max(1, std::max(ir.src_container_bits, ir.dst_container_bits) / 8);
    plan->alignment[2] = 1;
    bool needs_tables = false;
    for (int v = 0; v < kVariants; ++v) {
      XS_TRY(plan_relayout(ir, plan->alignment[v], a.effort(), &plan->variant[v], err));
      needs_tables |= plan->variant[v].needs_tables;
    }
    if (!needs_tables) return XLASHAPE_STATUS_OK;
    std::vector<int64_t> words(static_cast<size_t>(table_layout(ir).words));
    write_tables(ir, words.data());
    return make_tables(a, words, plan, err);
  }

  static xlashape_status init_indices(Api& a, const xlashape_map_ir& map, GpuPlan* plan, xlashape_error* err) {
    std::vector<int64_t> words(static_cast<size_t>(needs_map(map) ? table_words(map) : 1));
    if (needs_map(map)) write_tables(map, words.data());
    return make_tables(a, words, plan, err);
  }

  static xlashape_status make_tables(Api& a, const std::vector<int64_t>& words, GpuPlan* plan, xlashape_error* err) {
    return a.make_tables(words.data(), static_cast<int64_t>(words.size()), &plan->tables, err);
  }

  static void plan_destroy(void*, void* storage) { static_cast<GpuPlan*>(storage)->~GpuPlan(); }

  static xlashape_status plan_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                                      xlashape_error* err) {
    Api& a = api(self);
    GpuPlan& plan = *static_cast<GpuPlan*>(const_cast<void*>(storage));
    XS_TRY(check_process(a, err));
    const bool stages = is_host(op->src_space) || is_host(op->dst_space);
    if (run->queue.kind != XLASHAPE_QUEUE_NONE && stages)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "queue.kind is %d: a side in host memory is copied, which waits",
                  run->queue.kind);
    Session session(a);
    XS_TRY(session.start(run->queue, !is_host(op->src_space) ? run->src : !is_host(op->dst_space) ? run->dst : 0, err));
    if (!is_host(op->src_space)) XS_TRY(session.reach("src", op->src_space, run->src, err));
    if (!is_host(op->dst_space)) XS_TRY(session.reach("dst", op->dst_space, run->dst, err));
    if (op->kind != XLASHAPE_OP_RELAYOUT) return run_indices(session, plan, *op, *run, err);
    if (run->task_begin > 0 || run->task_end == 0) return XLASHAPE_STATUS_OK;  // the first task does everything
    return run_relayout(session, plan, *op, *run, err);
  }

  struct DeviceAddress {
    uint64_t memory;
    int64_t offset;
  };

  static const char* host_address(uint64_t base, int64_t offset) {
    return reinterpret_cast<const char*>(base + static_cast<uint64_t>(offset));
  }

  static xlashape_status run_relayout(Session& session, const GpuPlan& plan, const xlashape_op& op,
                                      const xlashape_run& run, xlashape_error* err) {
    const xlashape_relayout_ir& ir = *op.relayout;
    const int64_t src_bytes = ir.src_high - ir.src_low, dst_bytes = ir.dst_high - ir.dst_low;
    if (plan.variant[0].count == 0) return XLASHAPE_STATUS_OK;
    DeviceAddress src{run.src, run.src_byte_offset}, dst{run.dst, run.dst_byte_offset};
    Staged<Session> src_copy(session), dst_copy(session);
    if (is_host(op.src_space)) {
      XS_TRY(src_copy.alloc(src_bytes, err));
      if (src_bytes > 0)
        XS_TRY(session.write(src_copy.memory(), host_address(run.src, src.offset + ir.src_low), src_bytes, err));
      src = {src_copy.memory(), -ir.src_low};
    }
    if (is_host(op.dst_space)) {
      XS_TRY(dst_copy.alloc(dst_bytes, err));
      // Bytes that the kernels do not write must come back unchanged.
      const bool keeps =
          ir.fill_policy != XLASHAPE_FILL_PADDING || (ir.flags & XLASHAPE_IR_HAS_BOX) != 0 || ir.dst_container_bits < 8;
      if (keeps && dst_bytes > 0)
        XS_TRY(session.write(dst_copy.memory(), host_address(run.dst, dst.offset + ir.dst_low), dst_bytes, err));
      dst = {dst_copy.memory(), -ir.dst_low};
    }
    XS_TRY(launch_all(session, plan, src, dst, err));
    if (is_host(op.dst_space) && dst_bytes > 0)
      XS_TRY(session.read(const_cast<char*>(host_address(run.dst, run.dst_byte_offset + ir.dst_low)), dst_copy.memory(),
                          dst_bytes, err));
    return session.finish(err);
  }

  static xlashape_status launch_all(Session& session, const GpuPlan& plan, DeviceAddress src, DeviceAddress dst,
                                    xlashape_error* err) {
    const int64_t alignment =
        std::min(session.alignment(src.memory, src.offset), session.alignment(dst.memory, dst.offset));
    int v = 0;
    while (v + 1 < kVariants && alignment < plan.alignment[v]) ++v;
    const Launches& launches = plan.variant[v];
    uint64_t tables = 0;
    if (launches.needs_tables) XS_TRY(session.tables(plan.tables, &tables, err));
    for (int32_t i = 0; i < launches.count; ++i) {
      Launch launch = launches.launch[i];
      if (launch.blocks == 0) continue;
      launch.arguments.offsets.src += src.offset;
      launch.arguments.offsets.dst += dst.offset;
      XS_TRY(session.launch(launch, src.memory, dst.memory, tables, err));
    }
    return XLASHAPE_STATUS_OK;
  }

  // -- Batches of indices ---------------------------------------------------------------------------------------------

  static xlashape_status run_indices(Session& session, GpuPlan& plan, const xlashape_op& op, const xlashape_run& run,
                                     xlashape_error* err) {
    const bool waits = run.queue.kind == XLASHAPE_QUEUE_NONE;
    if (!waits && (op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED,
                  "on a queue, invalid indices can only be marked: the plan must be made to mark them");
    const int64_t blocks = (run.count + 63) / 64;
    const auto part = backends::share(blocks, run.task_begin, run.task_end, run.task_count);
    const int64_t begin = std::min(run.count, part.begin * 64), end = std::min(run.count, part.end * 64);
    if (begin >= end) return XLASHAPE_STATUS_OK;
    std::unique_lock<std::mutex> lock(plan.counting, std::defer_lock);
    if (waits) lock.lock();
    uint64_t tables = 0;
    XS_TRY(session.tables(plan.tables, &tables, err));
    const bool to_linear = op.kind == XLASHAPE_OP_TO_LINEAR;
    constexpr int64_t kPiece = int64_t{1} << 24;
    for (int64_t at = begin; at < end; at += kPiece) {
      const int64_t count = std::min(kPiece, end - at);
      const int64_t index_bytes =
          8 * ((count - 1) * op.index_step + (std::max(op.map->rank, 1) - 1) * op.dimension_step + 1);
      const int64_t src_bytes = to_linear ? index_bytes : 8 * count, dst_bytes = to_linear ? 8 * count : index_bytes;
      DeviceAddress src{run.src, run.src_byte_offset + 8 * at * (to_linear ? op.index_step : 1)};
      DeviceAddress dst{run.dst, run.dst_byte_offset + 8 * at * (to_linear ? 1 : op.index_step)};
      const char* const from = host_address(run.src, src.offset);
      char* const to = const_cast<char*>(host_address(run.dst, dst.offset));
      Staged<Session> src_copy(session), dst_copy(session);
      if (is_host(op.src_space)) {
        XS_TRY(src_copy.alloc(src_bytes, err));
        if (op.map->rank > 0 || !to_linear) XS_TRY(session.write(src_copy.memory(), from, src_bytes, err));
        src = {src_copy.memory(), 0};
      }
      if (is_host(op.dst_space)) {
        XS_TRY(dst_copy.alloc(dst_bytes, err));
        if (op.map->rank > 0 || to_linear) XS_TRY(session.write(dst_copy.memory(), to, dst_bytes, err));
        dst = {dst_copy.memory(), 0};
      }
      uint32_t bad[2] = {0xFFFFFFFFu, 0};
      if (waits) XS_TRY(session.write(tables, bad, sizeof bad, err));
      Launch launch;
      plan_indices(op, count, &launch);
      launch.arguments.offsets.src += src.offset;
      launch.arguments.offsets.dst += dst.offset;
      launch.arguments.index.counts = waits;
      XS_TRY(session.launch(launch, src.memory, dst.memory, tables, err));
      if (!waits) continue;
      XS_TRY(session.read(bad, tables, sizeof bad, err));
      if (is_host(op.dst_space) && (op.map->rank > 0 || to_linear))
        XS_TRY(session.read(to, dst_copy.memory(), dst_bytes, err));
      if (bad[1] == 0) continue;
      if ((op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0) {
        if (run.first_invalid != nullptr) *run.first_invalid = std::min(*run.first_invalid, at + bad[0]);
        break;
      }
      if (run.invalid_count != nullptr) *run.invalid_count += bad[1];
    }
    return session.finish(err);
  }

  // -- Words ----------------------------------------------------------------------------------------------------------

  static int64_t describe(void* self, const void* storage, const xlashape_op* op, char* text, int64_t room) {
    return static_cast<int64_t>(describe_plan(self, storage, op, text, static_cast<size_t>(room)));
  }

  static size_t describe_plan(void* self, const void* storage, const xlashape_op* op, char* text, size_t capacity) {
    const GpuPlan& plan = *static_cast<const GpuPlan*>(storage);
    size_t used = 0;
    const auto add = [&](const char* format, auto... args) {
      const int n = std::snprintf(used < capacity ? text + used : nullptr, used < capacity ? capacity - used : 0,
                                  format, args..., 0);
      used += static_cast<size_t>(n > 0 ? n : 0);
    };
    add("%s", api(self).name());
    if (op->kind != XLASHAPE_OP_RELAYOUT) {
      Launch launch;
      plan_indices(*op, 1, &launch);
      add(" %s, rank %d, %d sums", name_of(launch.kernel), op->map->rank, op->map->sum_count);
      return used;
    }
    const Launches& launches = plan.variant[0];
    for (int32_t i = 0; i < launches.count; ++i)
      add("%s %s of %u blocks", i > 0 ? "," : "", name_of(launches.launch[i].kernel), launches.launch[i].blocks);
    if (launches.count == 0) add(" nothing");
    if (is_host(op->src_space) || is_host(op->dst_space)) add(", staged: slow");
    return used;
  }
};

// Implements the entry symbol of a plugin: makes the Gpu and fills the backend table.
template <class Gpu>
xlashape_status open_backend(const char* name, const char* build_id, const xlashape_host* host, xlashape_backend* out,
                             xlashape_error* err) {
  xlashape_backend table{};
  table.abi_version = XLASHAPE_BACKEND_ABI_VERSION;
  table.name = name;
  table.build_id = build_id;
  table.sanitizer = backends::kSanitizer;
  table.memory_spaces = Gpu::kSpaces;
  table.device_count = Gpu::device_count;
  table.device_info = Gpu::device_info;
  table.close = [](void* self) { delete static_cast<Gpu*>(self); };
  GpuBackend<Gpu>::fill(&table);
  if (host == nullptr) return backends::publish(host, table, out, err);
  Gpu* gpu = new (std::nothrow) Gpu(*host);
  if (gpu == nullptr) return backends::fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for the backend");
  table.self = gpu;
  xlashape_status status = gpu->open(err);
  if (status == XLASHAPE_STATUS_OK) status = backends::publish(host, table, out, err);
  if (status != XLASHAPE_STATUS_OK) delete gpu;
  return status;
}

}  // namespace xlashape::gpu
