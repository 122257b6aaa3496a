// SPDX-License-Identifier: Apache-2.0
#include "imports.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <new>

// Other systems have other names of relocations, or other tables in the loader.
#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__) || defined(__s390x__))
#define XLASHAPE_KNOWS_IMPORTS
#endif

namespace xlashape::cli {
namespace {

thread_local bool is_forbidden = false;
thread_local const char* first_called = nullptr;

#if defined(XLASHAPE_KNOWS_IMPORTS)
void note(const char* name) {
  if (is_forbidden && first_called == nullptr) first_called = name;
}

void* my_malloc(size_t size) {
  note("malloc");
  return std::malloc(size);
}
void* my_calloc(size_t count, size_t size) {
  note("calloc");
  return std::calloc(count, size);
}
void* my_realloc(void* pointer, size_t size) {
  note("realloc");
  return std::realloc(pointer, size);
}
void* my_aligned_alloc(size_t alignment, size_t size) {
  note("aligned_alloc");
  return std::aligned_alloc(alignment, size);
}
int my_posix_memalign(void** pointer, size_t alignment, size_t size) {
  note("posix_memalign");
  return posix_memalign(pointer, alignment, size);
}
void* my_new(size_t size) {
  note("operator new");
  return ::operator new(size);
}
void* my_new_nothrow(size_t size, const std::nothrow_t&) noexcept {
  note("operator new");
  return ::operator new(size, std::nothrow);
}
void* my_new_aligned(size_t size, std::align_val_t alignment) {
  note("operator new");
  return ::operator new(size, alignment);
}
void* my_mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) {
  note("mmap");
  return mmap(address, size, protection, flags, file, offset);
}
int my_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  note("pthread_create");
  return pthread_create(thread, attributes, start, argument);
}
pid_t my_fork() {
  note("fork");
  return fork();
}

struct Import {
  const char* name;
  void* function;
};
template <class F>
Import import(const char* name, F* function) {
  return {name, reinterpret_cast<void*>(function)};
}

// Global data entries and jump slots: the two kinds of relocations by which functions are imported.
bool is_import(uint32_t type) {
#if defined(__x86_64__)
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
  return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
#else
  return type == R_390_JMP_SLOT || type == R_390_GLOB_DAT;
#endif
}

void change(const Import& import, ElfW(Addr) at) {
  const auto page = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  void* const first = reinterpret_cast<void*>(at / page * page);
  if (mprotect(first, page, PROT_READ | PROT_WRITE) == 0)
    std::memcpy(reinterpret_cast<void*>(at), &import.function, sizeof import.function);
}

struct ImportSearch {
  ElfW(Addr) address;
  bool found = false;
};

int look(dl_phdr_info* info, size_t, void* opaque) {
  static const Import kImports[] = {
      import("malloc", my_malloc),
      import("calloc", my_calloc),
      import("realloc", my_realloc),
      import("aligned_alloc", my_aligned_alloc),
      import("memalign", my_aligned_alloc),
      import("posix_memalign", my_posix_memalign),
      import("_Znwm", my_new),
      import("_Znam", my_new),
      import("_ZnwmRKSt9nothrow_t", my_new_nothrow),
      import("_ZnamRKSt9nothrow_t", my_new_nothrow),
      import("_ZnwmSt11align_val_t", my_new_aligned),
      import("_ZnamSt11align_val_t", my_new_aligned),
      import("mmap", my_mmap),
      import("mmap64", my_mmap),
      import("pthread_create", my_pthread_create),
      import("fork", my_fork),
  };
  auto* const search = static_cast<ImportSearch*>(opaque);
  const ElfW(Dyn)* dynamic = nullptr;
  bool here = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const ElfW(Addr) begin = info->dlpi_addr + part.p_vaddr;
    here = here || (part.p_type == PT_LOAD && search->address >= begin && search->address - begin < part.p_memsz);
    if (part.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(begin);
  }
  if (!here || dynamic == nullptr) return 0;
  // The loader has replaced these entries by addresses.
  const ElfW(Sym)* symbols = nullptr;
  const char* strings = nullptr;
  const ElfW(Rela) * tables[2] = {}, *end[2] = {};
  size_t sizes[2] = {};
  for (const ElfW(Dyn)* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    const ElfW(Addr) value = entry->d_un.d_ptr;
    if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(value);
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(value);
    if (entry->d_tag == DT_JMPREL) tables[0] = reinterpret_cast<const ElfW(Rela)*>(value);
    if (entry->d_tag == DT_PLTRELSZ) sizes[0] = value;
    if (entry->d_tag == DT_RELA) tables[1] = reinterpret_cast<const ElfW(Rela)*>(value);
    if (entry->d_tag == DT_RELASZ) sizes[1] = value;
    if (entry->d_tag == DT_PLTREL && value != DT_RELA) return 1;
  }
  if (symbols == nullptr || strings == nullptr) return 1;
  for (int t = 0; t < 2; ++t) {
    end[t] = tables[t] == nullptr ? nullptr : tables[t] + sizes[t] / sizeof(ElfW(Rela));
    for (const ElfW(Rela)* relocation = tables[t]; relocation != end[t]; ++relocation) {
      if (!is_import(static_cast<uint32_t>(ELF64_R_TYPE(relocation->r_info)))) continue;
      const char* const name = strings + symbols[ELF64_R_SYM(relocation->r_info)].st_name;
      for (const Import& import : kImports)
        if (std::strcmp(name, import.name) == 0) change(import, info->dlpi_addr + relocation->r_offset);
    }
  }
  search->found = true;
  return 1;
}
#endif

}  // namespace

#if defined(XLASHAPE_KNOWS_IMPORTS)
bool watch_imports(const void* address) {
  ImportSearch search{reinterpret_cast<ElfW(Addr)>(address)};
  dl_iterate_phdr(look, &search);
  return search.found;
}
#else
bool watch_imports(const void*) { return false; }
#endif

NoCalls::NoCalls() : before_(first_called) {
  first_called = nullptr;
  is_forbidden = true;
}
NoCalls::~NoCalls() {
  is_forbidden = false;
  first_called = before_;
}
const char* NoCalls::called() const { return first_called; }

}  // namespace xlashape::cli
