/* SPDX-License-Identifier: Apache-2.0 */
// What backends need of the system: process, variables, and libraries that are found at run time.
#pragma once
#include <cstdint>
#include <cstdlib>

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#include <unistd.h>
#endif

namespace xlashape::backends {

#if defined(_WIN32)

inline int64_t process_id() { return GetCurrentProcessId(); }

// Libraries are never unloaded, as drivers keep threads. On failure returns null and sets the reason.
inline void* open_library(const char* name, const char** reason) {
  void* library = reinterpret_cast<void*>(LoadLibraryA(name));
  *reason = library == nullptr ? "LoadLibrary failed" : "";
  return library;
}
inline void* find_symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(library), name));
}

#else

inline int64_t process_id() { return getpid(); }

// Libraries are never unloaded, as drivers keep threads; their symbols are visible to nothing else. On failure returns
// null and sets the reason.
inline void* open_library(const char* name, const char** reason) {
  void* library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const char* const said = library == nullptr ? dlerror() : nullptr;
  *reason = said != nullptr ? said : "";
  return library;
}
inline void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

#endif

}  // namespace xlashape::backends
