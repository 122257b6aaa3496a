// The embedder's hooks, with the defaults for those not given, and what the core gives its runtimes. Fixed when a runtime is made.
#pragma once
#include <string_view>

#include "base/arena.h"
#include "base/status.h"
#include "xlashape_backend.h"

namespace xlashape::core {

// Makes the form of the trial (smoke.h) in the arena: whoever makes the runtime knows layouts, this folder does not.
using PlanTrial = Status (*)(Arena& arena, xlashape_relayout_ir* trial, Error* err);

struct Hooks {
  xlashape_allocator allocator;
  xlashape_executor executor;  // max_workers 1 and parallel_for NULL: the calling thread
  xlashape_logger logger;      // log NULL: nobody listens
  int32_t stderr_level;        // XLASHAPE_LOG: what goes to stderr as well; 0 or less: nothing
  PlanTrial plan_trial;

  void* alloc(size_t size, size_t alignment) const { return allocator.alloc(allocator.opaque, size, alignment); }
  void free(void* pointer, size_t size, size_t alignment) const {
    if (pointer != nullptr) allocator.free(allocator.opaque, pointer, size, alignment);
  }
  // Tells each hook that it is not called again. Not for a runtime that was never given to anybody.
  void release() const;
  // Whatever `text` holds becomes one printable line, cut where it is very long.
  void log(int32_t level, uint32_t source, std::string_view text) const;
};

// Reads the caller's hooks, each of which may be null.
Status read_hooks(const xlashape_runtime_options& options, Hooks* hooks, Error* err);

// An executor given for one execution.
Status read_executor(const xlashape_executor* given, xlashape_executor* executor, Error* err);

}  // namespace xlashape::core
