// SPDX-License-Identifier: Apache-2.0
#include "platform/library.h"

#include <cstdio>
#include <cstring>

#include "platform/files.h"
#include "platform/win32/text.h"

namespace xlashape::core {
namespace {

constexpr WORD kMachine =
#if defined(_M_X64) || defined(__x86_64__)
    IMAGE_FILE_MACHINE_AMD64;
#elif defined(_M_ARM64) || defined(__aarch64__)
    IMAGE_FILE_MACHINE_ARM64;
#elif defined(_M_IX86) || defined(__i386__)
    IMAGE_FILE_MACHINE_I386;
#else
    IMAGE_FILE_MACHINE_UNKNOWN;  // not known here: left to LoadLibrary
#endif

// Whether `address` is in the object: an exported symbol may belong to another one.
bool is_inside(HMODULE object, const void* address) {
  HMODULE holder = nullptr;
  constexpr DWORD kFlags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  return GetModuleHandleExW(kFlags, static_cast<LPCWSTR>(address), &holder) && holder == object;
}

// Without this, a damaged file would open an error window.
class NoErrorWindows {
 public:
  NoErrorWindows() { SetThreadErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX, &before_); }
  ~NoErrorWindows() { SetThreadErrorMode(before_, nullptr); }
  NoErrorWindows(const NoErrorWindows&) = delete;

 private:
  DWORD before_ = 0;
};

}  // namespace

std::string unfit_object(const std::string& path) {
  std::string reason;
  const File file = open_regular(path, &reason);
  if (file == nullptr) return "cannot be read: " + reason;
  IMAGE_DOS_HEADER dos;
  if (std::fread(&dos, 1, sizeof dos, file.get()) != sizeof dos || dos.e_magic != IMAGE_DOS_SIGNATURE)
    return "not a shared object (its first bytes are not those of a DLL)";
  struct {
    DWORD signature;
    IMAGE_FILE_HEADER header;
  } pe;
  if (dos.e_lfanew < 0 || std::fseek(file.get(), dos.e_lfanew, SEEK_SET) != 0 ||
      std::fread(&pe, 1, sizeof pe, file.get()) != sizeof pe)
    return "truncated";
  if (pe.signature != IMAGE_NT_SIGNATURE) return "a damaged object";
  if (kMachine != IMAGE_FILE_MACHINE_UNKNOWN && pe.header.Machine != kMachine)
    return "an object for another processor (machine " + std::to_string(pe.header.Machine) + ")";
  if ((pe.header.Characteristics & IMAGE_FILE_DLL) == 0) return "not a shared object (a program)";
  return {};
}

Status open_symbol(const std::string& path, const std::string& symbol, void** address, const char** stage, Error* err) {
  *stage = "file";
  if (const std::string reason = unfit_object(path); !reason.empty())
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "%s", reason.c_str());
  *stage = "LoadLibrary";
  const NoErrorWindows no_error_windows;
  // Dependencies are searched beside it, beside the program and in the system, not in the working directory or PATH.
  const HMODULE object =
      LoadLibraryExW(wide(path).c_str(), nullptr, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
  if (object == nullptr) return fail(err, XLASHAPE_STATUS_NOT_FOUND, "%s", reason_of(GetLastError()).c_str());
  *stage = "symbol";
  *address = reinterpret_cast<void*>(GetProcAddress(object, symbol.c_str()));
  if (*address == nullptr) return fail(err, XLASHAPE_STATUS_NOT_FOUND, "it does not export %s", symbol.c_str());
  if (!is_inside(object, *address))
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "it does not export %s itself: a library it depends on does",
                symbol.c_str());
  return XLASHAPE_STATUS_OK;
}

// The runtime of MSVC's address sanitizer is a DLL with this name.
bool has_sanitizer(std::string_view name) {
  if (name != "address") return name == "undefined";  // each object brings that runtime along
  return GetModuleHandleW(L"clang_rt.asan_dynamic-x86_64.dll") != nullptr;
}

}  // namespace xlashape::core
