// SPDX-License-Identifier: Apache-2.0
// The bound backend: relayouts as calls of a vendor's routines, which a manifest names. See docs/bound.md.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <new>
#include <string>

#include "backends/bound/match.h"
#include "backends/bound/self_test.h"
#include "backends/common/entry.h"
#include "ir/address.h"
#include "ir/int128.h"
#include "xlashape_runtime.h"

namespace xlashape::bound {
namespace {

using backends::fail;

struct BoundBackend {
  std::list<Routine> routines;  // those that passed the self-test, in the manifest's order
  std::string build_id;
};

const Routine* routine_at(const BoundBackend& backend, int32_t number) {
  auto at = backend.routines.begin();
  std::advance(at, number);
  return &*at;
}

// Finds the routine that needs the fewest calls.
bool best_match(const BoundBackend& backend, const xlashape_op& op, Match* best) {
  if (op.kind != XLASHAPE_OP_RELAYOUT || op.src_space != XLASHAPE_SPACE_CPU || op.dst_space != XLASHAPE_SPACE_CPU)
    return false;
  bool found = false;
  int32_t number = 0;
  Match match;
  for (const Routine& routine : backend.routines) {
    if (bound::match(*op.relayout, routine, &match) && (!found || match.calls < best->calls)) {
      *best = match;
      best->routine = number;
      found = true;
    }
    ++number;
  }
  return found;
}

xlashape_status supports(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
  Match match;
  const bool found = best_match(*static_cast<const BoundBackend*>(self), *op, &match);
  if (!found)
    fail(err, XLASHAPE_STATUS_OK,
         op->kind == XLASHAPE_OP_RELAYOUT ? "no routine of the manifest does this relayout"
                                          : "its routines move arrays, they convert no indices");
  support->level = found ? XLASHAPE_SUPPORT_NATIVE : XLASHAPE_SUPPORT_NONE;
  if (found && op->relayout->dst_container_bits > 8) {
    // The self-test runs routines on aligned elements only, except copies of bytes.
    const int64_t width = op->relayout->dst_container_bits / 8;
    if (routine_at(*static_cast<const BoundBackend*>(self), match.routine)->description().element_bits != 0)
      support->src_alignment = support->dst_alignment = width;
  }
  return XLASHAPE_STATUS_OK;
}

xlashape_status plan_size(void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
  *bytes = sizeof(Match);
  *align = alignof(Match);
  return XLASHAPE_STATUS_OK;
}

xlashape_status plan_init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
  if (best_match(*static_cast<const BoundBackend*>(self), *op, static_cast<Match*>(storage))) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "no routine of the manifest does this relayout");
}

int64_t plan_tasks(void*, const void* storage, const xlashape_op*, int64_t max_workers) {
  const auto& match = *static_cast<const Match*>(storage);
  return max_workers <= 1 ? 1 : std::min(match.calls, 4 * max_workers);
}

xlashape_status plan_execute(void* self, const void* storage, const xlashape_op*, const xlashape_run* run,
                             xlashape_error* err) {
  const auto& match = *static_cast<const Match*>(storage);
  const Routine& routine = *routine_at(*static_cast<const BoundBackend*>(self), match.routine);
  const auto at = [&](int64_t task) { return ir::part_begin(match.calls, task, run->task_count); };
  const auto* src = ir::pointer_at<const char>(run->src + static_cast<uint64_t>(run->src_byte_offset));
  auto* dst = ir::pointer_at<char>(run->dst + static_cast<uint64_t>(run->dst_byte_offset));
  RoutineCall move = match.move;
  for (int64_t call = at(run->task_begin), end = at(run->task_end); call < end; ++call) {
    int64_t from = match.src_offset, to = match.dst_offset, rest = call;
    for (int32_t l = match.outer_count; l-- > 0;) {
      const OuterLoop& loop = match.outer[l];
      from += rest % loop.extent * loop.src_stride;
      to += rest % loop.extent * loop.dst_stride;
      rest /= loop.extent;
    }
    move.src = src + from;
    move.dst = dst + to;
    if (const xlashape_status status = routine.call(move, err)) return status;
  }
  return XLASHAPE_STATUS_OK;
}

int64_t describe(void* self, const void* storage, const xlashape_op*, char* text, int64_t capacity) {
  const auto& match = *static_cast<const Match*>(storage);
  const Description& description = routine_at(*static_cast<const BoundBackend*>(self), match.routine)->description();
  const int n = std::snprintf(text, static_cast<size_t>(capacity), "bound %s by %s, %lld calls of %lld bytes",
                              name_of(description.role), description.symbol.c_str(),
                              static_cast<long long>(match.calls), static_cast<long long>(match.bytes_per_call));
  return std::max(n, 0);
}

void close(void* self) { delete static_cast<BoundBackend*>(self); }

// Loads and tests every routine of the manifest. Routines that fail the self-test are left out and logged; if none is
// left the backend is refused.
xlashape_status make(const xlashape_host& host, BoundBackend* backend, xlashape_error* err) {
  if (host.manifest_path == nullptr || host.manifest_path[0] == '\0')
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "it needs a manifest that says which routines to bind: docs/bound.md");
  std::vector<Description> roles;
  if (const xlashape_status status = read_manifest(host.manifest_path, &roles, err)) return status;
  backend->build_id = "xlashape 0.1.0 bound:";
  std::string refused;
  for (Description& role : roles) {
    const std::string label = role.label + " " + role.symbol;
    Routine& routine = backend->routines.emplace_back(std::move(role));
    if (const xlashape_status status = routine.load(err)) return status;
    xlashape_error reason{};
    reason.struct_size = sizeof reason;
    if (self_test(routine, &reason) == XLASHAPE_STATUS_OK) {
      backend->build_id += " " + label + ";";
      continue;
    }
    backend->routines.pop_back();
    refused += " refused " + label + ": " + reason.message + ";";
    if (host.log != nullptr)
      host.log(host.opaque, XLASHAPE_LOG_WARNING, host.source, reason.message, reason.message_len);
  }
  if (backend->routines.empty())
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "no routine is left:%s", refused.c_str());
  backend->build_id += refused;
  backend->build_id.pop_back();
  return XLASHAPE_STATUS_OK;
}

}  // namespace
}  // namespace xlashape::bound

XLASHAPE_BACKEND_ENTRY(bound)(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  using namespace xlashape;
  if (host == nullptr || host->struct_size < offsetof(xlashape_host, process_id))
    return backends::fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "the host table has no manifest_path");
  auto* self = new (std::nothrow) bound::BoundBackend;
  if (self == nullptr) return backends::fail(err, XLASHAPE_STATUS_NO_MEMORY, "out of memory");
  xlashape_status status;
  try {
    status = bound::make(*host, self, err);
  } catch (...) {  // bad_alloc only: nothing else throws
    status = backends::fail(err, XLASHAPE_STATUS_NO_MEMORY, "out of memory");
  }
  xlashape_backend table{};
  table.abi_version = XLASHAPE_BACKEND_ABI_VERSION;
  table.self = self;
  table.name = "bound";
  table.build_id = self->build_id.c_str();
  table.sanitizer = backends::kSanitizer;
  table.memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  table.close = bound::close;
  table.supports = bound::supports;
  table.plan_size = bound::plan_size;
  table.plan_init = bound::plan_init;
  table.plan_tasks = bound::plan_tasks;
  table.plan_execute = bound::plan_execute;
  table.describe = bound::describe;
  if (status == XLASHAPE_STATUS_OK) status = backends::publish(host, table, backend, err);
  if (status != XLASHAPE_STATUS_OK) delete self;
  return status;
}
