/* SPDX-License-Identifier: Apache-2.0 */
// What the processor and the system report about instructions and caches.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::core {

// The words that CPUID returns, and the registers that the system saves (XCR0).
struct X86Words {
  uint32_t leaf1_ecx = 0, leaf1_edx = 0, leaf7_ebx = 0, leaf7_ecx = 0, extended1_ecx = 0;
  uint64_t xcr0 = 0;
};
// False on other processors.
bool read_x86_words(X86Words* words);

bool has_neon();
bool has_sve();

// What was built for: "x86_64", "aarch64"; "unknown" for those that nobody has named here.
const char* architecture();
// What tells this model of processor from others of its architecture: "genuineintel-6-143-8" (vendor, family, model,
// stepping) or "midr-410fd0c1"; "" where nothing is known.
std::string processor_model();

// Data caches of one core, of levels 1 to 3; 0: not known.
struct Caches {
  int64_t bytes[3] = {};
};
Caches data_caches();

// The processors that the calling thread may use.
struct Processors {
  uint32_t online = 1;            // all of the machine
  uint32_t affinity = 1;          // those that the thread may run on
  int64_t quota_thousandths = 0;  // of a processor's time, on Linux: 1500 for one and a half; 0: no limit

  // How many may be busy at once: the quota counts rounded up. At least 1.
  uint32_t usable() const;
  // "8 processors", "affinity: 3 of 8 processors; quota: 1.5".
  std::string describe() const;
};
Processors processors();
// The smallest quota of the control groups that a process is in, in thousandths of a processor; 0: none. `groups` is
// the text of /proc/self/cgroup, `root` where the groups are mounted.
int64_t control_group_quota(const std::string& root, std::string_view groups);

// "32K" -> 32768, as Linux writes cache sizes; 0 for anything else.
int64_t cache_bytes(std::string_view text);

}  // namespace xlashape::core
