#include "platform/processor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace xlashape::core {
namespace {

// The first line of a kernel file, without its newline; "" where there is none.
[[maybe_unused]] std::string_view read_line(char (&line)[64], const char* format, int index) {
  char path[80];
  std::snprintf(path, sizeof path, format, index);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t size = read(file, line, sizeof line);
  close(file);
  const std::string_view text(line, size > 0 ? static_cast<size_t>(size) : 0);
  return text.substr(0, text.find('\n'));
}

int64_t ask_system([[maybe_unused]] int level) {
#if defined(__APPLE__)
  constexpr const char* kNames[] = {"hw.l1dcachesize", "hw.l2cachesize", "hw.l3cachesize"};
  int64_t bytes = 0;
  size_t size = sizeof bytes;
  if (sysctlbyname(kNames[level - 1], &bytes, &size, nullptr, 0) == 0 && bytes > 0) return bytes;
#elif defined(_SC_LEVEL1_DCACHE_SIZE)
  constexpr int kNames[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  const long bytes = sysconf(kNames[level - 1]);
  if (bytes > 0) return bytes;
#endif
  return 0;
}

}  // namespace

#if defined(__aarch64__) && defined(__linux__)
bool has_neon() { return (getauxval(AT_HWCAP) >> 1 & 1) != 0; }
bool has_sve() { return (getauxval(AT_HWCAP) >> 22 & 1) != 0; }
#elif defined(__aarch64__)
bool has_neon() { return true; }
bool has_sve() { return false; }
#else
bool has_neon() { return false; }
bool has_sve() { return false; }
#endif

#if !defined(__x86_64__) && !defined(__i386__) && !defined(__linux__)
std::string processor_model() { return ""; }
#elif !defined(__x86_64__) && !defined(__i386__)
std::string processor_model() {
  char text[64];
  std::string_view midr = read_line(text, "/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1", 0);
  if (midr.substr(0, 2) == "0x") midr.remove_prefix(2);
  while (midr.size() > 8 && midr[0] == '0') midr.remove_prefix(1);
  return midr.empty() ? "" : "midr-" + std::string(midr);
}
#endif

Caches data_caches() {
  Caches caches;
#if defined(__linux__)
  for (int index = 0; index < 8; ++index) {
    char text[64];
    const std::string_view level = read_line(text, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
    if (level.size() != 1 || level[0] < '1' || level[0] > '3') continue;
    int64_t& bytes = caches.bytes[level[0] - '1'];
    if (read_line(text, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index) == "Instruction") continue;
    bytes = cache_bytes(read_line(text, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index));
  }
#endif
  for (int level = 1; level <= 3; ++level)
    if (caches.bytes[level - 1] == 0) caches.bytes[level - 1] = ask_system(level);
  return caches;
}

}  // namespace xlashape::core
