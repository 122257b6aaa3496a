/* SPDX-License-Identifier: Apache-2.0 */
// Counts the heap allocations of the whole program, the library's too: malloc and its kin are this program's.
#pragma once
#include <cstdint>

namespace bench {

// Since the program began; -1 where they cannot be counted.
int64_t allocations();

template <class F>
int64_t allocations_in(F&& call) {
  const int64_t before = allocations();
  call();
  return before < 0 ? -1 : allocations() - before;
}

}  // namespace bench
