// SPDX-License-Identifier: Apache-2.0
// The simd backend: relayouts and index batches on CPU memory, with the kernels of the best target that the CPU has.
#include <algorithm>
#include <new>

#include "backends/common/entry.h"
#include "backends/simd/calibrate.h"
#include "backends/simd/candidates.h"
#include "backends/simd/choice_text.h"
#include "backends/simd/index.h"
#include "backends/simd/limits.h"
#include "backends/simd/predict.h"
#include "backends/simd/relayout.h"
#include "ir/address.h"

namespace xlashape::simd {
namespace {

struct Self {
  xlashape_host host;
  Processor processor;
};

using backends::is_relayout;

const Processor& machine_of(void* self) { return static_cast<const Self*>(self)->processor; }

xlashape_status supports(void*, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  if (op->src_space != XLASHAPE_SPACE_CPU || op->dst_space != XLASHAPE_SPACE_CPU) {
    backends::refuse_spaces(*op, err);
    return XLASHAPE_STATUS_OK;
  }
  const bool indices = op->kind == XLASHAPE_OP_TO_LINEAR || op->kind == XLASHAPE_OP_TO_MULTIDIMENSIONAL;
  if (!indices && !is_relayout(*op)) return XLASHAPE_STATUS_OK;
  const char* const why_not = indices ? index_refusal(*op) : refusal(*op->relayout);
  if (why_not != nullptr) backends::fail(err, XLASHAPE_STATUS_OK, "%s", why_not);
  support->level = why_not == nullptr ? XLASHAPE_SUPPORT_NATIVE : XLASHAPE_SUPPORT_NONE;
  // Kernels read and write whole lines where the pointers allow it, and stream only whole lines past the caches.
  if (!indices) support->src_preferred_alignment = support->dst_preferred_alignment = kLineBytes;
  return XLASHAPE_STATUS_OK;
}

xlashape_status plan_size(void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
  *bytes = sizeof(SimdRelayoutPlan);
  *align = alignof(SimdRelayoutPlan);
  return XLASHAPE_STATUS_OK;
}

xlashape_status plan_init(void* self, const xlashape_op* op, void* storage, xlashape_error*) {
  if (is_relayout(*op)) init(machine_of(self), *op->relayout, static_cast<SimdRelayoutPlan*>(storage));
  return XLASHAPE_STATUS_OK;
}

int64_t plan_tasks(void* self, const void*, const xlashape_op* op, int64_t max_workers) {
  if (!is_relayout(*op)) return max_workers > 1 ? 4 * max_workers : 1;
  return tasks(machine_of(self), *op->relayout, max_workers);
}

xlashape_status plan_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                             xlashape_error*) {
  const Processor& processor = machine_of(self);
  if (!is_relayout(*op)) return run_indices(*processor.kernels, processor.profile.stream_indices, *op, *run);
  const auto* src = ir::pointer_at<const char>(run->src + static_cast<uint64_t>(run->src_byte_offset));
  auto* dst = ir::pointer_at<char>(run->dst + static_cast<uint64_t>(run->dst_byte_offset));
  execute(processor, *op->relayout, *static_cast<const SimdRelayoutPlan*>(storage), src, dst,
          {run->task_begin, run->task_end, run->task_count});
  return XLASHAPE_STATUS_OK;
}

int64_t describe_plan(void* self, const void* storage, const xlashape_op* op, char* text, int64_t room) {
  const Processor& processor = machine_of(self);
  const size_t capacity = static_cast<size_t>(room);
  return static_cast<int64_t>(
      is_relayout(*op)
          ? describe(processor, *op->relayout, *static_cast<const SimdRelayoutPlan*>(storage), text, capacity)
          : describe_indices(*processor.kernels, *op, text, capacity));
}

int64_t plan_candidate(void*, const void* storage, const xlashape_op* op, int64_t index, char* text, int64_t room) {
  TileChoice choice;
  if (!is_relayout(*op) || !candidate(*op->relayout, *static_cast<const SimdRelayoutPlan*>(storage), index, &choice))
    return 0;
  return static_cast<int64_t>(print_choice(choice, text, static_cast<size_t>(room)));
}

xlashape_status plan_choose(void*, void* storage, const xlashape_op* op, const char* text, xlashape_error* err) {
  TileChoice choice;
  if (!parse_choice(text, &choice))
    return backends::fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "\"%.80s\" is not a choice of this backend", text);
  if (!is_relayout(*op) || !choose_for(*op->relayout, choice, static_cast<SimdRelayoutPlan*>(storage)))
    return backends::fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "\"%.80s\" does not suit this plan", text);
  return XLASHAPE_STATUS_OK;
}

xlashape_status calibrate_machine(void* self, const xlashape_calibration* how, char* text, int64_t capacity,
                                  int64_t* needed, xlashape_error* err) {
  const auto* own = static_cast<const Self*>(self);
  SpeedProfile profile = own->processor.profile;
  if (const xlashape_status status = calibrate(*own->processor.kernels, own->host, *how, &profile, err)) return status;
  *needed = write_profile(profile, text, capacity) + 1;
  return XLASHAPE_STATUS_OK;
}

xlashape_status use_profile(void* self, const char* text, xlashape_error* err) {
  const std::string_view wrong = read_profile(text, &static_cast<Self*>(self)->processor.profile);
  if (wrong.empty()) return XLASHAPE_STATUS_OK;
  return backends::fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%.*s is not a number from 1 to %lld",
                        static_cast<int>(std::min<size_t>(wrong.size(), 80)), wrong.data(),
                        static_cast<long long>(most_of(wrong)));
}

xlashape_status plan_predict(void* self, const void* storage, const xlashape_op* op, int64_t max_workers, int64_t* ns,
                             xlashape_error* err) {
  const char* why_not = "times of index batches are not predicted";
  *ns = is_relayout(*op) ? predict(machine_of(self), *op->relayout, *static_cast<const SimdRelayoutPlan*>(storage),
                                   max_workers, &why_not)
                         : 0;
  if (*ns > 0) return XLASHAPE_STATUS_OK;
  return backends::fail(err, XLASHAPE_STATUS_UNSUPPORTED, "not predicted: %s", why_not);
}

int64_t plan_stack(void*, const void* storage, const xlashape_op* op) {
  if (!is_relayout(*op)) return kIndexStack;
  return stack_bytes(*op->relayout, *static_cast<const SimdRelayoutPlan*>(storage));
}

void close(void* self) {
  auto* own = static_cast<Self*>(self);
  const xlashape_host host = own->host;
  host.free(host.opaque, own, sizeof *own, alignof(Self));
}

}  // namespace
}  // namespace xlashape::simd

XLASHAPE_BACKEND_ENTRY(simd)(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  using namespace xlashape;
  using simd::Self;
  // Features 0: the host does not say. The manifest requires the least target, so that one can run.
  const uint64_t features = host != nullptr ? host->cpu_features[0] : 0;
#if defined(__x86_64__) || defined(__i386__)
  constexpr uint64_t kLeast = XLASHAPE_CPU_SSSE3;
  constexpr const char* kLeastName = "SSSE3";
#else
  constexpr uint64_t kLeast = XLASHAPE_CPU_NEON;
  constexpr const char* kLeastName = "NEON";
#endif
  if (features != 0 && (features & kLeast) == 0)
    return backends::fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the CPU has no %s, or XLASHAPE_CPU forbids it",
                          kLeastName);

  xlashape_backend table{};
  table.abi_version = XLASHAPE_BACKEND_ABI_VERSION;
  table.name = "simd";
  table.build_id = "xlashape 0.1.0 simd";
  table.sanitizer = backends::kSanitizer;
  table.memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  table.close = simd::close;
  table.supports = simd::supports;
  table.plan_size = simd::plan_size;
  table.plan_init = simd::plan_init;
  table.plan_tasks = simd::plan_tasks;
  table.plan_execute = simd::plan_execute;
  table.describe = simd::describe_plan;
  table.plan_candidate = simd::plan_candidate;
  table.plan_choose = simd::plan_choose;
  table.calibrate = simd::calibrate_machine;
  table.use_profile = simd::use_profile;
  table.plan_predict = simd::plan_predict;
  table.plan_stack = simd::plan_stack;
  if (const xlashape_status status = backends::publish(host, table, backend, err)) return status;

  void* block = host->alloc(host->opaque, sizeof(Self), alignof(Self));
  if (block == nullptr) return backends::fail(err, XLASHAPE_STATUS_NO_MEMORY, "no memory for %zu bytes", sizeof(Self));
  auto* self = new (block) Self;
  self->host = *host;
  self->processor.kernels = &simd::choose_kernels(features);
  self->processor.profile = simd::default_profile(features, host->l2_bytes, host->l3_bytes);
  backend->self = self;
  return XLASHAPE_STATUS_OK;
}
