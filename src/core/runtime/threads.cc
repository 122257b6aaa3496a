#include "runtime/threads.h"

#include <unistd.h>

#include "base/cat.h"
#include "runtime/library.h"

namespace xlashape {
namespace {

int32_t parallel_for(void* opaque, int64_t count, void* task_opaque, void (*task)(void*, int64_t, uint32_t)) {
  const Pool& pool = *static_cast<const Pool*>(opaque);
  if (pool.process == getpid()) return pool.threads.parallel_for(pool.threads.pool, count, task_opaque, task);
  for (int64_t i = 0; i < count; ++i) task(task_opaque, i, 0);
  return 0;
}

Status open_in(const Place& place, int32_t threads, Pool* pool, Error* err) {
  if (!place.refused.empty()) return fail(err, XLASHAPE_NOT_FOUND, "%s", place.refused.c_str());
  std::string reason;
  const std::string file = place.folder + "/" + std::string(kThreadsFile);
  const std::string path = trusted_path(own_trust(own_location()), "", file, &reason);
  if (path.empty()) return fail(err, XLASHAPE_NOT_FOUND, "%s", reason.c_str());
  void* address;
  const char* stage;
  XLASHAPE_TRY(open_symbol(path, XLASHAPE_THREADS_OPEN, &address, &stage, err));
  const auto open = reinterpret_cast<xlashape_threads_open_function>(address);
  if (open(XLASHAPE_THREADS_VERSION, threads, &pool->threads) != 0)
    return fail(err, XLASHAPE_VERSION, "it is of another version, or could not start its threads");
  pool->process = getpid();
  pool->path = path;
  return XLASHAPE_OK;
}

}  // namespace

Pool::~Pool() {
  if (threads.close != nullptr && process == getpid()) threads.close(threads.pool);
}

Status open_pool(const std::vector<Place>& places, int32_t threads, Pool* pool, Error* err) {
  std::string reasons;
  for (const Place& place : places) {
    xlashape_error own{};
    own.struct_size = sizeof own;
    if (open_in(place, threads, pool, &own) == XLASHAPE_OK) return XLASHAPE_OK;
    reasons += cat({reasons.empty() ? "" : "; ", place.folder, "/", kThreadsFile, ": ", own.message});
  }
  return fail(err, XLASHAPE_UNSUPPORTED, "options.threads is %d, and there is no pool for more than one: %s", threads,
              reasons.empty() ? "no place to look for threads.so in" : reasons.c_str());
}

xlashape_executor executor_of(Pool& pool, int32_t threads) {
  return {sizeof(xlashape_executor), static_cast<uint32_t>(threads), &pool, parallel_for};
}

}  // namespace xlashape
