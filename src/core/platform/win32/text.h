/* SPDX-License-Identifier: Apache-2.0 */
// Windows has its texts in UTF-16, the library in UTF-8.
#pragma once
#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <memory>
#include <string>
#include <string_view>

namespace xlashape::core {

std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);

// The system's text for one of its errors. Throws Shortage where that is one.
std::string reason_of(DWORD error);

struct CloseHandleDeleter {
  void operator()(HANDLE handle) const { CloseHandle(handle); }
};
using Handle = std::unique_ptr<void, CloseHandleDeleter>;

// Opens any file or folder; null where there is none.
Handle open_any(const std::string& path, DWORD access);

}  // namespace xlashape::core
