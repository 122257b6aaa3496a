// SPDX-License-Identifier: Apache-2.0
#include "platform/library.h"

#include <dlfcn.h>
#if __has_include(<elf.h>) && __has_include(<link.h>)
#include <elf.h>
#include <link.h>
#define XLASHAPE_ELF 1
#endif
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <bit>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "platform/files.h"

namespace xlashape::core {
namespace {

#ifdef XLASHAPE_ELF
constexpr uint16_t kMachine =
#if defined(__x86_64__)
    EM_X86_64;
#elif defined(__aarch64__)
    EM_AARCH64;
#elif defined(__riscv)
    EM_RISCV;
#elif defined(__s390__)
    EM_S390;
#else
    EM_NONE;  // not known here: left to dlopen
#endif

std::string unfit_elf(std::FILE* file, uint64_t file_bytes) {
  ElfW(Ehdr) header;
  if (std::fread(&header, 1, EI_NIDENT, file) != EI_NIDENT || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return "not a shared object (its first bytes are not those of ELF)";
  if (header.e_ident[EI_CLASS] != (sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32))
    return header.e_ident[EI_CLASS] == ELFCLASS32 ? "a 32-bit object (wrong ELF class)" : "wrong ELF class";
  if (header.e_ident[EI_DATA] != (std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB))
    return "an object of the other byte order";
  constexpr size_t kRest = sizeof header - EI_NIDENT;
  if (std::fread(reinterpret_cast<char*>(&header) + EI_NIDENT, 1, kRest, file) != kRest) return "truncated";
  if (kMachine != EM_NONE && header.e_machine != kMachine)
    return "an object for another processor (ELF machine " + std::to_string(header.e_machine) + ")";
  if (header.e_type != ET_DYN) return "not a shared object (ELF type " + std::to_string(header.e_type) + ")";
  if (header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phoff > LONG_MAX ||
      std::fseek(file, static_cast<long>(header.e_phoff), SEEK_SET) != 0)
    return "a damaged object";
  for (int i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    if (std::fread(&segment, 1, sizeof segment, file) != sizeof segment) return "truncated";
    if (segment.p_type == PT_LOAD &&
        (segment.p_offset > file_bytes || segment.p_filesz > file_bytes - segment.p_offset))
      return "truncated: it has " + std::to_string(file_bytes) + " bytes, its segments reach to " +
             std::to_string(segment.p_offset + segment.p_filesz);
  }
  return {};
}
#endif

// Whether `address` is in the object of `handle`, which is the file at `path`.
bool is_inside([[maybe_unused]] void* handle, [[maybe_unused]] const std::string& path, void* address) {
#ifdef XLASHAPE_ELF
  link_map* map = nullptr;
  Dl_info of_symbol, of_object;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && dladdr(address, &of_symbol) != 0 &&
         dladdr(map->l_ld, &of_object) != 0 && of_symbol.dli_fbase == of_object.dli_fbase;
#else
  Dl_info of_symbol;
  return dladdr(address, &of_symbol) != 0 && real_path(of_symbol.dli_fname, nullptr) == real_path(path, nullptr);
#endif
}

// Whether the dynamic linker, which gives its errors as texts only, had too few descriptors or too little memory for
// the object at `path` or one that this needs. Paths come before ": ".
bool says_shortage(std::string_view text, const std::string& path) {
  if (text.starts_with(path + ": ")) text.remove_prefix(path.size() + 2);
  for (const int error : {EMFILE, ENFILE, ENOMEM})
    if (text.find(std::strerror(error)) != text.npos) return true;
  // Where glibc cannot map an object it leaves the error out.
  return text.find("out of memory") != text.npos || text.ends_with("failed to map segment from shared object");
}

}  // namespace

std::string unfit_object(const std::string& path) {
  if (path.find('$') != std::string::npos) return "its path has a $, which dlopen may expand: rename it";
  std::string reason;
  const File file = open_regular(path, &reason);
  struct stat status;
  if (file == nullptr || fstat(fileno(file.get()), &status) != 0) return "cannot be read: " + reason;
#ifdef ST_NOEXEC
  struct statvfs system;
  if (fstatvfs(fileno(file.get()), &system) == 0 && (system.f_flag & ST_NOEXEC) != 0)
    return "its file system is mounted noexec: put it where programs may be";
#endif
#ifdef XLASHAPE_ELF
  return unfit_elf(file.get(), static_cast<uint64_t>(status.st_size));
#else
  return {};
#endif
}

Status open_symbol(const std::string& path, const std::string& symbol, void** address, const char** stage, Error* err) {
  *stage = "file";
  if (const std::string reason = unfit_object(path); !reason.empty())
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "%s", reason.c_str());
  *stage = "dlopen";
  // LOCAL: nobody else sees its symbols. NOW: missing symbols are reported here, not by a crash later. NODELETE:
  // nothing is ever unloaded, see docs/backends.md.
  // dlopen is declared not to throw, but it does if an initialiser throws. A volatile pointer hides the declaration.
  void* (*volatile open)(const char*, int) = dlopen;
  void* handle = nullptr;
  try {
    handle = open(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  } catch (...) {
    // The exception went through the dynamic linker, which may still hold its lock; that cannot be repaired.
    return fail(err, XLASHAPE_STATUS_INTERNAL, "an initialiser threw an exception");
  }
  if (handle == nullptr) {
    const char* reason = dlerror();
    const Status status =
        reason != nullptr && says_shortage(reason, path) ? XLASHAPE_STATUS_NO_MEMORY : XLASHAPE_STATUS_NOT_FOUND;
    fail(err, status, "%s", reason != nullptr ? reason : "no reason given");
    dlerror();  // frees the text
    return status;
  }
  *stage = "symbol";
  *address = dlsym(handle, symbol.c_str());
  if (*address == nullptr) dlerror(), dlerror();  // takes its text, then frees it
  if (*address == nullptr) return fail(err, XLASHAPE_STATUS_NOT_FOUND, "it does not export %s", symbol.c_str());
  if (!is_inside(handle, path, *address))
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "it does not export %s itself: a library it depends on does",
                symbol.c_str());
  return XLASHAPE_STATUS_OK;
}

bool has_sanitizer(std::string_view name) {
  const char* symbol = name == "address"  ? "__asan_init"
                       : name == "thread" ? "__tsan_init"
                       : name == "memory" ? "__msan_init"
                       : name == "leak"   ? "__lsan_init"
                                          : nullptr;
  if (symbol == nullptr) return name == "undefined";  // each object brings that runtime along
  const bool found = dlsym(RTLD_DEFAULT, symbol) != nullptr;
  if (!found) dlerror(), dlerror();
  return found;
}

}  // namespace xlashape::core
