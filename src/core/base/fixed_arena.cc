// SPDX-License-Identifier: Apache-2.0
#include "base/fixed_arena.h"

#include <cstring>
#include <new>

namespace xlashape::core {

void* FixedArena::copy_bytes(const void* items, size_t size, size_t taken) {
  if (items == nullptr) return nullptr;
  if (taken > left_) throw std::bad_alloc();  // a bug: the block was measured beforehand
  char* const copied = at_;
  if (size > 0) std::memcpy(copied, items, size);
  at_ += taken;
  left_ -= taken;
  return copied;
}

}  // namespace xlashape::core
