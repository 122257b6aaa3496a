/* SPDX-License-Identifier: Apache-2.0 */
// The embedding program's hooks, with defaults for missing ones, and what the core gives its runtimes. Fixed when a
// runtime is made.
#pragma once
#include <string_view>

#include "base/arena.h"
#include "base/status.h"
#include "xlashape_backend.h"

namespace xlashape::core {

// Makes the relayout of the smoke test (smoke.h) in the arena. It is passed in because this folder knows no layouts.
using PlanSmokeForm = Status (*)(Arena& arena, xlashape_relayout_ir* form, Error* err);

struct Hooks {
  xlashape_allocator allocator;
  xlashape_executor executor;  // max_workers 1 and parallel_for NULL: the calling thread
  xlashape_logger logger;      // log NULL: none
  int32_t stderr_level;        // XLASHAPE_LOG: what goes to stderr as well; 0 or less: nothing
  PlanSmokeForm plan_smoke_form;

  void* alloc(size_t size, size_t alignment) const { return allocator.alloc(allocator.opaque, size, alignment); }
  void free(void* pointer, size_t size, size_t alignment) const {
    if (pointer != nullptr) allocator.free(allocator.opaque, pointer, size, alignment);
  }
  // Calls the release function of each hook. Not for a runtime whose creation failed.
  void release() const;
  // Logs `text` as one printable line, truncated where it is very long.
  void log(int32_t level, uint32_t source, std::string_view text) const;
};

// Reads the caller's hooks, each of which may be null.
Status read_hooks(const xlashape_runtime_options& options, Hooks* hooks, Error* err);

// An executor given for one execution.
Status read_executor(const xlashape_executor* given, xlashape_executor* executor, Error* err);

}  // namespace xlashape::core
