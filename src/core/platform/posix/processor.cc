// SPDX-License-Identifier: Apache-2.0
#include "platform/processor.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <thread>
#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif
#if defined(__linux__)
#include <sched.h>
#endif

#include "base/cat.h"

namespace xlashape::core {
namespace {

// The beginning of a kernel file, or of what is in its place; "" where there is none.
template <size_t kSize>
[[maybe_unused]] std::string_view read_file(char (&text)[kSize], const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return {};
  const ssize_t size = read(file, text, sizeof text);
  close(file);
  return {text, size > 0 ? static_cast<size_t>(size) : 0};
}

// Its first line, without the newline.
[[maybe_unused]] std::string_view read_line(char (&line)[64], const char* format, int index) {
  char path[80];
  std::snprintf(path, sizeof path, format, index);
  const std::string_view text = read_file(line, path);
  return text.substr(0, text.find('\n'));
}

// The number at the start of a text; 0 where there is none.
int64_t number_of(std::string_view text) {
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// What so many microseconds of each period are of a processor, rounded up; 0: no limit, or nothing that Linux writes.
int64_t thousandths(int64_t quota, int64_t period) {
  constexpr int64_t kMost = int64_t{1} << 50;  // the kernel's periods are at most 1,000,000
  return quota > 0 && quota < kMost && period > 0 && period < kMost ? (1000 * quota - 1) / period + 1 : 0;
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

int64_t control_group_quota(const std::string& root, std::string_view groups) {
  int64_t least = 0;
  while (!groups.empty()) {
    // "0::/group" of version 2, "4:cpu,cpuacct:/group" of version 1
    const std::string_view line = groups.substr(0, groups.find('\n'));
    groups.remove_prefix(std::min(line.size() + 1, groups.size()));
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = cat({",", line.substr(first + 1, second - first - 1), ","});
    const bool is_first_version = controllers != ",,";
    if (is_first_version && controllers.find(",cpu,") == controllers.npos) continue;
    std::string_view group = line.substr(second + 1);
    if (group.find("..") != group.npos) group = "";  // it is outside of what this process sees
    // A group has no more than those that it is in.
    for (int depth = 0; depth < 32; ++depth) {
      const std::string folder = cat({root, is_first_version ? "/cpu" : "", group, "/cpu."});
      char text[64], more[64];
      const std::string_view quota = read_file(text, (folder + (is_first_version ? "cfs_quota_us" : "max")).c_str());
      const std::string_view period = is_first_version ? read_file(more, (folder + "cfs_period_us").c_str())
                                                       : quota.substr(std::min(quota.find(' '), quota.size() - 1) + 1);
      const int64_t found = thousandths(number_of(quota), number_of(period));
      if (found > 0 && (least == 0 || found < least)) least = found;
      if (group.empty()) break;
      const size_t slash = group.rfind('/');
      group = group.substr(0, slash == group.npos ? 0 : slash);
    }
  }
  return least;
}

Processors processors() {
  Processors all;
  all.online = all.affinity = std::max(std::thread::hardware_concurrency(), 1u);
#if defined(__linux__)
  cpu_set_t sets[8];  // 8192 processors
  if (sched_getaffinity(0, sizeof sets, sets) == 0)
    all.affinity = static_cast<uint32_t>(std::max(CPU_COUNT_S(sizeof sets, sets), 1));
  // Some C libraries count those of the affinity.
  all.online = static_cast<uint32_t>(std::max<long>(sysconf(_SC_NPROCESSORS_ONLN), all.affinity));
  char groups[8192];
  all.quota_thousandths = control_group_quota("/sys/fs/cgroup", read_file(groups, "/proc/self/cgroup"));
#endif
  return all;
}

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
