// SPDX-License-Identifier: Apache-2.0
// A mapped file can be renamed, but not replaced. So this returns the name by which it was loaded, and nothing more.
#include "platform/location.h"

#include "platform/files.h"
#include "platform/win32/text.h"

namespace xlashape::core {

Location own_location() {
  Location location;
  HMODULE own = nullptr;
  constexpr DWORD kFlags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  if (!GetModuleHandleExW(kFlags, reinterpret_cast<LPCWSTR>(&own_location), &own)) {
    location.unknown = reason_of(GetLastError());
    return location;
  }
  location.in_program = own == GetModuleHandleW(nullptr);
  std::wstring name(32768, L'\0');
  const DWORD length = GetModuleFileNameW(own, name.data(), static_cast<DWORD>(name.size()));
  if (length == 0 || length >= name.size()) {
    location.unknown = reason_of(GetLastError());
  } else {
    location.file = real_path(narrow({name.data(), length}), &location.unknown);
  }
  return location;
}

}  // namespace xlashape::core
