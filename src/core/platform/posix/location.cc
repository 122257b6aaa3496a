// SPDX-License-Identifier: Apache-2.0
// The name that the dynamic linker keeps may be relative, and then it means another file after each chdir. It may also
// mean another file after chroot, or when the file was replaced. So the name is taken from the mapping, and the file of
// that name must be the one that is mapped.
#include "platform/location.h"

#if __has_include(<link.h>)
#include <link.h>
#define XLASHAPE_ELF 1
#else
#include <dlfcn.h>
#endif
#if defined(__linux__)
#include <linux/magic.h>
#include <sys/vfs.h>
#endif
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cinttypes>
#include <climits>
#include <cstdio>
#include <cstring>

#include "base/cat.h"
#include "platform/files.h"
#include "platform/posix/reason.h"

namespace xlashape::core {
namespace {

struct Loaded {
  uintptr_t begin = 0;    // of the object that holds this code
  const char* name = "";  // as the dynamic linker keeps it
  bool in_program = false;
};

#ifdef XLASHAPE_ELF
struct ObjectSearch {
  uintptr_t address;
  Loaded* loaded;
  bool is_first = true;
};

// Allocates nothing, because it runs under a lock of the loader.
int visit_object(dl_phdr_info* info, size_t, void* opaque) {
  auto& search = *static_cast<ObjectSearch*>(opaque);
  uintptr_t begin = UINTPTR_MAX;
  bool holds = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t from = info->dlpi_addr + segment.p_vaddr;
    if (from < begin) begin = from;
    holds |= search.address >= from && search.address - from < segment.p_memsz;
  }
  if (holds) *search.loaded = {begin, info->dlpi_name, search.is_first};
  search.is_first = false;
  return holds;
}
#endif

Loaded find_loaded() {
  Loaded loaded;
#ifdef XLASHAPE_ELF
  ObjectSearch search{reinterpret_cast<uintptr_t>(&visit_object), &loaded};
  dl_iterate_phdr(visit_object, &search);
#else
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&find_loaded), &info) != 0) loaded.name = info.dli_fname;
#endif
  return loaded;
}

struct Mapping {
  std::string path;  // without links; what follows it ("(deleted)") included
  unsigned major = 0, minor = 0;
  uint64_t inode = 0;  // 0 where no file is mapped
};

// What the system reports as mapped at an address.
Mapping mapping_at(uintptr_t address) {
  Mapping mapping;
#if defined(__linux__)
  std::string reason;
  constexpr const char* kMaps = "/proc/self/maps";
  struct statfs system;
  // After chroot, /proc may be any folder.
  if (statfs(kMaps, &system) != 0 || system.f_type != PROC_SUPER_MAGIC) return {};
  const File maps = open_regular(kMaps, &reason);
  if (maps == nullptr) return {};
  std::string line(4 * PATH_MAX + 256, '\0');  // a path's line breaks are written as \012
  while (std::fgets(line.data(), static_cast<int>(line.size()), maps.get()) != nullptr) {
    uintptr_t begin, end;
    int path = 0;
    // NOLINTNEXTLINE(cert-err34-c): the kernel wrote these numbers
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %*s %*s %x:%x %" SCNu64 " %n", &begin, &end,
                    &mapping.major, &mapping.minor, &mapping.inode, &path) != 5 ||
        address < begin || address >= end || path <= 0)
      continue;
    mapping.path.assign(line.c_str() + path, std::strcspn(line.c_str() + path, "\n"));
    return mapping;
  }
#endif
  return {};
}

// Whether the file at mapping.path is the one that is mapped. Devices and inodes are compared as mappings show them:
// those of some file systems (overlayfs, btrfs) differ from what stat returns.
bool is_mapped_file(const Mapping& mapping, struct stat* status) {
  std::string reason;
  const File file = open_regular(mapping.path, &reason);
  if (file == nullptr || fstat(fileno(file.get()), status) != 0) return false;
  void* page = mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, fileno(file.get()), 0);
  if (page == MAP_FAILED) {
    reason = reason_of(errno);  // which throws if memory is short
    return false;
  }
  const Mapping now = mapping_at(reinterpret_cast<uintptr_t>(page));
  munmap(page, 1);
  return now.major == mapping.major && now.minor == mapping.minor && now.inode == mapping.inode;
}

}  // namespace

Location own_location() {
  Location location;
  const Loaded loaded = find_loaded();
  location.in_program = loaded.in_program;
  const Mapping mapping = mapping_at(loaded.begin);
  struct stat status;
  if (mapping.inode != 0) {
    location.verified = is_mapped_file(mapping, &status);
    if (location.verified) {
      location.file = mapping.path;
      location.owner = status.st_uid;
      location.group = status.st_gid;
      location.mode = status.st_mode;
    } else {
      location.unknown = cat({mapping.path, " is no longer the file that the library was loaded from"});
    }
  } else if (loaded.name[0] == '/') {
    std::string reason;  // no /proc
    location.file = real_path(loaded.name, &reason);
    if (location.file.empty()) location.unknown = cat({loaded.name, ": ", reason});
  } else if (!loaded.in_program) {
    location.unknown = cat({"the library was loaded by the relative name ", loaded.name,
                            ", and /proc/self/maps does not say where it is"});
  }
  return location;
}

}  // namespace xlashape::core
