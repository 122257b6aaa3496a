// SPDX-License-Identifier: Apache-2.0
// What all calls of ffi_call_test share: the library, and the functions that calls.json names, an executor's, an
// allocator's, a logger's, and the entry of a backend.
#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "abi/arguments.h"

namespace foreign {
namespace {

int32_t parallel_for(void*, int64_t count, void* task_opaque, void (*task)(void*, int64_t, uint32_t)) {
  for (int64_t i = 0; i < count; ++i) task(task_opaque, i, 0);
  return 0;
}

void* allocate(void*, size_t size, size_t alignment) {
  void* pointer = nullptr;
  return posix_memalign(&pointer, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) == 0 ? pointer : nullptr;
}

void release(void*, void* pointer, size_t, size_t) { std::free(pointer); }

void forget(void*) {}
void ignore(void*, int32_t, uint32_t, const char*, int64_t) {}

template <class F>
Library::Function plain(F* function) {
  return reinterpret_cast<Library::Function>(function);
}

}  // namespace

Library::Library(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

Library::Function Library::find(const std::string& name) const {
  return reinterpret_cast<Function>(dlsym(handle_, name.c_str()));
}

Session make_session(const File& file, const Library& library, const std::string& calls, const std::string& plugin) {
  std::ifstream stream(calls);
  if (!stream) throw std::runtime_error("cannot read " + calls);
  // The default runtime is there before one is set, which is then BUSY in whatever order the tests run.
  reinterpret_cast<int64_t (*)(void*)>(library.find("xlashape_runtime_backend_count"))(nullptr);
  const size_t slash = plugin.rfind('/') + 1;
  const std::string entry = "xlashape_backend_open_" + plugin.substr(slash, plugin.find('.', slash) - slash);
  return {file,
          library,
          nlohmann::json::parse(stream),
          plugin,
          {{"parallel_for", plain(parallel_for)},
           {"alloc", plain(allocate)},
           {"free", plain(release)},
           {"log", plain(ignore)},
           {"release", plain(forget)},
           {"open", Library(plugin).find(entry)}}};
}

}  // namespace foreign
