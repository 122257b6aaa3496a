// SPDX-License-Identifier: Apache-2.0
#include "platform/files.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>

#include "base/cat.h"
#include "platform/win32/text.h"

namespace xlashape::core {
namespace {

bool is_slash(char c) { return c == '/' || c == '\\'; }

}  // namespace

bool is_absolute(std::string_view path) {
  if (path.size() < 2) return false;
  if (is_slash(path[0]) && is_slash(path[1])) return true;
  const char drive = static_cast<char>(path[0] | 0x20);
  return path.size() > 2 && drive >= 'a' && drive <= 'z' && path[1] == ':' && is_slash(path[2]);
}

std::string folder_of(std::string_view path) {
  const size_t slash = path.find_last_of(kSlashes);
  if (slash == std::string_view::npos) return ".";
  const bool is_root = slash == 0 || (slash == 2 && path[1] == ':');
  return std::string(path.substr(0, is_root ? slash + 1 : slash));
}

std::string in_folder(std::string_view folder, std::string_view name) {
  std::string path = cat({folder, folder.empty() || is_slash(folder.back()) ? "" : "\\", name});
  std::replace(path.begin(), path.end(), '/', '\\');
  return path;
}

std::string real_path(const std::string& path, std::string* reason) {
  const Handle file = open_any(path, 0);
  std::wstring real(32768, L'\0');
  const DWORD length =
      file == nullptr
          ? 0
          : GetFinalPathNameByHandleW(file.get(), real.data(), static_cast<DWORD>(real.size()), FILE_NAME_NORMALIZED);
  if (length == 0 || length >= real.size()) {
    if (reason != nullptr) *reason = reason_of(GetLastError());
    return {};
  }
  std::wstring_view text(real.data(), length);  // \\?\C:\a or \\?\UNC\server\share
  if (text.substr(0, 8) == L"\\\\?\\UNC\\") return cat({"\\\\", narrow(text.substr(8))});
  if (text.substr(0, 4) == L"\\\\?\\") text.remove_prefix(4);
  return narrow(text);
}

bool exists(const std::string& path) { return GetFileAttributesW(wide(path).c_str()) != INVALID_FILE_ATTRIBUTES; }

std::string working_folder() {
  std::wstring folder(32768, L'\0');
  const DWORD length = GetCurrentDirectoryW(static_cast<DWORD>(folder.size()), folder.data());
  return length < folder.size() ? narrow({folder.data(), length}) : "";
}

bool list_folder(const std::string& folder, std::vector<std::string>* names, std::string* reason) {
  WIN32_FIND_DATAW entry;
  const HANDLE listing = FindFirstFileW(wide(in_folder(folder, "*")).c_str(), &entry);
  if (listing == INVALID_HANDLE_VALUE) {
    const DWORD error = GetLastError();
    *reason =
        error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND ? std::string(kNotThere) : reason_of(error);
    return false;
  }
  const std::unique_ptr<void, decltype(&FindClose)> closing(listing, FindClose);
  do names->push_back(narrow(entry.cFileName));
  while (FindNextFileW(listing, &entry));
  return true;
}

File open_regular(const std::string& path, std::string* reason) {
  File file(nullptr, std::fclose);
  Handle handle = open_any(path, GENERIC_READ);
  BY_HANDLE_FILE_INFORMATION facts;
  if (handle == nullptr) {
    *reason = reason_of(GetLastError());
  } else if (GetFileType(handle.get()) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle.get(), &facts) ||
             (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
    *reason = "not a regular file";
  } else {
    const int descriptor = _open_osfhandle(reinterpret_cast<intptr_t>(handle.get()), _O_RDONLY | _O_BINARY);
    if (descriptor >= 0) static_cast<void>(handle.release());
    if (descriptor >= 0) file.reset(_fdopen(descriptor, "rb"));
    if (descriptor >= 0 && file == nullptr) _close(descriptor);
    if (file == nullptr) *reason = "no descriptor is left";
  }
  return file;
}

}  // namespace xlashape::core
