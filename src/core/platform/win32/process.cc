// SPDX-License-Identifier: Apache-2.0
#include "platform/process.h"

#include <malloc.h>

#include <cstdlib>
#include <string>

#include "platform/win32/text.h"

namespace xlashape::core {

int64_t process_id() { return GetCurrentProcessId(); }

void* allocate(size_t size, size_t alignment) {
  return alignment <= alignof(max_align_t) ? std::malloc(size) : _aligned_malloc(size, alignment);
}

void deallocate(void* pointer, size_t alignment) {
  if (alignment <= alignof(max_align_t)) {
    std::free(pointer);
  } else {
    _aligned_free(pointer);
  }
}

const char* variable(const char* name) {
  const std::wstring key = wide(name);
  const DWORD size = GetEnvironmentVariableW(key.c_str(), nullptr, 0);  // with its NUL; 0: not set
  if (size == 0) return nullptr;
  std::wstring value(size, L'\0');
  value.resize(GetEnvironmentVariableW(key.c_str(), value.data(), size));
  thread_local std::string text;
  text = narrow(value);
  return text.c_str();
}

// A process with elevated rights does not inherit the environment of the user who starts it.
const char* trusted_variable(const char* name) { return variable(name); }

}  // namespace xlashape::core
