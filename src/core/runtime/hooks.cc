// SPDX-License-Identifier: Apache-2.0
#include "runtime/hooks.h"

#include <algorithm>
#include <cstdio>

#include "base/line.h"
#include "base/struct_io.h"
#include "platform/process.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

void* default_alloc(void*, size_t size, size_t alignment) { return allocate(size, alignment); }

void default_free(void*, void* pointer, size_t, size_t alignment) { deallocate(pointer, alignment); }

}  // namespace

void Hooks::release() const {
  if (executor.release != nullptr) executor.release(executor.opaque);
  if (allocator.release != nullptr) allocator.release(allocator.opaque);
  if (logger.release != nullptr) logger.release(logger.opaque);
}

void Hooks::log(int32_t level, uint32_t source, std::string_view text) const {
  const bool on_stderr = stderr_level > 0 && level <= stderr_level;
  if (logger.log == nullptr && !on_stderr) return;
  char line[6144];  // room for the longest path and a message about it
  const size_t length = clean_line(text.substr(0, sizeof line), text.size() > sizeof line, line, sizeof line);
  if (logger.log != nullptr) logger.log(logger.opaque, level, source, line, static_cast<int64_t>(length));
  constexpr const char* kNames[] = {"error", "warning", "info", "debug"};
  if (on_stderr) std::fprintf(stderr, "xlashape: %s: %s\n", kNames[std::clamp(level, 1, 4) - 1], line);
}

Status read_executor(const xlashape_executor* given, xlashape_executor* executor, Error* err) {
  *executor = {};
  executor->max_workers = 1;
  if (given == nullptr) return XLASHAPE_STATUS_OK;
  XLASHAPE_TRY(read_struct(given, executor, "executor", err));
  if (executor->parallel_for == nullptr)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "executor.parallel_for is NULL");
  if (executor->max_workers == 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "executor.max_workers is 0, it must be at least 1");
  return XLASHAPE_STATUS_OK;
}

Status read_hooks(const xlashape_runtime_options& options, Hooks* hooks, Error* err) {
  XLASHAPE_TRY(read_executor(options.executor, &hooks->executor, err));
  hooks->allocator = {sizeof(xlashape_allocator), 0, nullptr, default_alloc, default_free, nullptr};
  if (options.allocator != nullptr) {
    XLASHAPE_TRY(read_struct(options.allocator, &hooks->allocator, "allocator", err));
    if (hooks->allocator.alloc == nullptr || hooks->allocator.free == nullptr)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "allocator.%s is NULL",
                  hooks->allocator.alloc == nullptr ? "alloc" : "free");
  }
  hooks->logger = {};
  if (options.logger != nullptr) XLASHAPE_TRY(read_struct(options.logger, &hooks->logger, "logger", err));
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
