/* SPDX-License-Identifier: Apache-2.0 */
// The copies that a relayout is measured against: which is the fastest depends on the machine and on the size.
#pragma once
#include <cstddef>
#include <vector>

namespace bench {

struct Copy {
  const char* name;
  void (*run)(char* dst, const char* src, size_t bytes);
};

// Those that this processor can do. The first one is libc's memcpy.
const std::vector<Copy>& copies();

// A copy whose stores go past the caches, with the widest vectors that the machine has.
void streaming_copy(char* dst, const char* src, size_t bytes);

}  // namespace bench
