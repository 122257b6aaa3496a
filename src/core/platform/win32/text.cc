// SPDX-License-Identifier: Apache-2.0
#include "platform/win32/text.h"

#include "base/status.h"

namespace xlashape::core {

std::wstring wide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  std::wstring all(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), size, all.data(), static_cast<int>(all.size()));
  return all;
}

std::string narrow(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  const int needed = WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string all(static_cast<size_t>(needed), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), size, all.data(), needed, nullptr, nullptr);
  return all;
}

std::string reason_of(DWORD error) {
  if (error == ERROR_TOO_MANY_OPEN_FILES) throw Shortage("too many open files");
  if (error == ERROR_NOT_ENOUGH_MEMORY || error == ERROR_OUTOFMEMORY || error == ERROR_NO_SYSTEM_RESOURCES)
    throw Shortage("out of memory");
  wchar_t text[256];
  DWORD length =
      FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, error, 0, text, 256, nullptr);
  while (length > 0 && (text[length - 1] <= L' ' || text[length - 1] == L'.')) --length;
  return length > 0 ? narrow({text, length}) : "error " + std::to_string(error);
}

Handle open_any(const std::string& path, DWORD access) {
  constexpr DWORD kShare = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE handle = CreateFileW(wide(path).c_str(), access, kShare, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_BACKUP_SEMANTICS, nullptr);  // without it folders cannot be opened
  return Handle(handle == INVALID_HANDLE_VALUE ? nullptr : handle);
}

}  // namespace xlashape::core
