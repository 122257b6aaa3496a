#include "runtime/select.h"

#include "base/status.h"
#include "runtime/registry.h"

namespace xlashape {
namespace {

bool is_on_host(const xlashape_op& op) {
  return op.src_space == XLASHAPE_SPACE_CPU && op.dst_space == XLASHAPE_SPACE_CPU;
}

// Estimated nanoseconds of one execution.
uint64_t cost(const xlashape_op& op, const xlashape_support& support) {
  if (op.relayout == nullptr) return support.fixed_ns;
  const auto bytes = static_cast<double>(op.relayout->src_high - op.relayout->src_low) +
                     static_cast<double>(op.relayout->dst_high - op.relayout->dst_low);
  const double variable = bytes / 1024 * static_cast<double>(support.ps_per_kib) / 1000;
  return support.fixed_ns + static_cast<uint64_t>(variable < 9e18 ? variable : 9e18);
}

bool better(const xlashape_op& op, const Choice& a, const Choice& b) {
  if (b.backend == nullptr) return true;
  if (a.support.level != b.support.level) return a.support.level > b.support.level;
  if (a.backend->priority != b.backend->priority) return a.backend->priority > b.backend->priority;
  const uint64_t x = cost(op, a.support), y = cost(op, b.support);
  return x != y ? x < y : a.backend->name < b.backend->name;
}

// Loads what this operation may need. One read where that was done.
void make_ready(Runtime& runtime, const xlashape_op& op, const Wish& wish) {
  const uint32_t done = runtime.done.load(std::memory_order_acquire);
  const bool device = !is_on_host(op);
  if (done & (device ? Runtime::kDeviceLoaded : Runtime::kHostLoaded)) return;
  const bool by_name = !wish.name.empty() && !wish.allow_fallback;
  if (by_name && (done & Runtime::kSearched) != 0) {
    bool ready = false, absent = false;
    const int32_t count = runtime.backend_count.load(std::memory_order_acquire);
    for (int32_t i = 0; i < count; ++i) {
      const Backend& b = *runtime.backends[i].load(std::memory_order_acquire);
      if (b.name != wish.name || b.shadowed.load(std::memory_order_acquire)) continue;
      const int32_t state = b.state.load(std::memory_order_acquire);
      ready |= state == XLASHAPE_BACKEND_READY;
      absent |= state == XLASHAPE_BACKEND_ABSENT || state == XLASHAPE_BACKEND_LOADING;
    }
    if (ready && !absent) return;
  }
  load_backends(runtime, by_name ? wish.name : std::string_view(), device);
}

Status explain(Runtime& runtime, const xlashape_op& op, const Wish& wish, bool known, Error* err) {
  const char* kSee = "xlashape_runtime_report tells what was looked at";
  if (!known) return fail(err, XLASHAPE_NOT_FOUND, "no backend is named %s: %s", Quoted(wish.name).c_str(), kSee);
  const auto spaces = "memory spaces " + std::to_string(op.src_space) + " to " + std::to_string(op.dst_space);
  if (wish.name.empty())
    return fail(err, XLASHAPE_NOT_FOUND, "no backend does this operation (%s): %s", spaces.c_str(), kSee);
  std::string why = "does not do this operation (" + spaces + ")";
  {
    const std::lock_guard guard(runtime.lock);
    for (int32_t i = 0; i < runtime.backend_count; ++i) {
      const Backend& b = *runtime.backends[i].load();
      if (b.name == wish.name && !b.shadowed && b.state == XLASHAPE_BACKEND_FAILED) why = "is not in use: " + b.detail;
    }
  }
  return fail(err, XLASHAPE_NOT_FOUND, "backend %s %s: %s", Quoted(wish.name).c_str(), why.c_str(), kSee);
}

}  // namespace

Status select_backend(Runtime& runtime, const xlashape_op& op, const Wish& wish, Choice* choice, Error* err) {
  make_ready(runtime, op, wish);
  Choice best;
  bool known = wish.name.empty();
  const int32_t count = runtime.backend_count.load(std::memory_order_acquire);
  for (int32_t i = 0; i < count; ++i) {
    Choice candidate{runtime.backends[i].load(std::memory_order_acquire), {}};
    Backend& backend = *candidate.backend;
    const bool is_wanted = !wish.name.empty() && backend.name == wish.name;
    known |= is_wanted;
    // Host data never goes to a device by itself, only where its backend is asked for by name.
    const int32_t space = backend.table.memory_space;
    if (!is_wanted && is_on_host(op) && space > XLASHAPE_SPACE_CPU) continue;
    if (!wish.name.empty() && !is_wanted && !wish.allow_fallback) continue;
    if (backend.state.load(std::memory_order_acquire) != XLASHAPE_BACKEND_READY ||
        backend.shadowed.load(std::memory_order_acquire) || (wish.tried >> i & 1) != 0)
      continue;
    candidate.support.struct_size = sizeof candidate.support;
    const xlashape_backend& table = backend.table;
    if (table.supports(table.self, &op, &candidate.support) || candidate.support.level <= XLASHAPE_SUPPORT_NONE ||
        !is_sound(candidate.support))
      continue;
    if (is_wanted) {
      *choice = candidate;
      return XLASHAPE_OK;
    }
    if (better(op, candidate, best)) best = candidate;
  }
  if (best.backend == nullptr) return explain(runtime, op, wish, known, err);
  *choice = best;
  return XLASHAPE_OK;
}

bool try_another(Runtime& runtime, const Choice& choice, Wish* wish, const char* reason) {
  Backend& backend = *choice.backend;
  {
    const std::lock_guard guard(runtime.lock);
    ++backend.refusals;
    backend.last_refusal = reason;
  }
  const std::string line = "backend " + backend.name + ": plan_init: " + reason;
  runtime.hooks.log(XLASHAPE_LOG_WARNING, backend.host.source, line.data(), line.size());
  wish->tried |= uint64_t{1} << (backend.host.source - 1);
  return wish->name.empty() || wish->allow_fallback;
}

}  // namespace xlashape
