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

// How many processors this thread may use at once: by its affinity and, on Linux, by the quota of its control groups. At
// least 1.
uint32_t usable_processors();
// Those that the quotas leave of `most`. `groups` is the text of /proc/self/cgroup, `root` where the groups are mounted.
uint32_t processors_within_quota(const std::string& root, std::string_view groups, uint32_t most);

// "32K" -> 32768, as Linux writes cache sizes; 0 for anything else.
int64_t cache_bytes(std::string_view text);

}  // namespace xlashape::core
