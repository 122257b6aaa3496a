// SPDX-License-Identifier: Apache-2.0
#include "platform/processor.h"

#include <algorithm>
#include <bit>
#include <thread>
#include <vector>

#include "platform/win32/text.h"

namespace xlashape::core {

#if defined(__aarch64__) || defined(_M_ARM64)
bool has_neon() { return true; }
#else
bool has_neon() { return false; }
#endif
bool has_sve() { return false; }

#if !defined(__x86_64__) && !defined(__i386__) && !defined(_M_X64) && !defined(_M_IX86)
std::string processor_model() { return {}; }
#endif

Processors processors() {
  DWORD_PTR own = 0, of_group = 0;
  if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &of_group)) own = 0;
  const auto count = static_cast<uint32_t>(std::popcount(own));  // 0: the process uses several groups of processors
  Processors all;
  all.affinity = std::max(count != 0 ? count : std::thread::hardware_concurrency(), 1u);
  all.online = std::max(std::thread::hardware_concurrency(), all.affinity);
  return all;
}

Caches data_caches() {
  Caches caches;
  DWORD bytes = 0;
  GetLogicalProcessorInformation(nullptr, &bytes);
  std::vector<SYSTEM_LOGICAL_PROCESSOR_INFORMATION> all(bytes / sizeof(SYSTEM_LOGICAL_PROCESSOR_INFORMATION));
  if (all.empty() || !GetLogicalProcessorInformation(all.data(), &bytes)) return caches;
  for (const SYSTEM_LOGICAL_PROCESSOR_INFORMATION& one : all) {
    if (one.Relationship != RelationCache || one.Cache.Type == CacheInstruction) continue;
    if (one.Cache.Level < 1 || one.Cache.Level > 3) continue;
    int64_t& known = caches.bytes[one.Cache.Level - 1];
    known = std::max<int64_t>(known, one.Cache.Size);
  }
  return caches;
}

}  // namespace xlashape::core
