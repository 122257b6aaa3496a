// SPDX-License-Identifier: Apache-2.0
#include "base/small_vec.h"

namespace xlashape::core {

void* grown_small_vec(void* heap, void* inlined, uint32_t size, size_t item_bytes, size_t wanted, uint32_t* capacity) {
  const size_t room = wanted < 2 * size_t{*capacity} ? 2 * size_t{*capacity} : wanted;
  if (room > UINT32_MAX / item_bytes) throw std::bad_alloc();
  void* made = std::malloc(room * item_bytes);
  if (made == nullptr) throw std::bad_alloc();
  if (size > 0) std::memcpy(made, heap != nullptr ? heap : inlined, size * item_bytes);
  std::free(heap);
  *capacity = static_cast<uint32_t>(room);
  return made;
}

}  // namespace xlashape::core
