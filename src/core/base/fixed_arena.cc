#include "base/fixed_arena.h"

#include <cstring>
#include <new>

namespace xlashape::core {

void* FixedArena::copy_bytes(const void* items, size_t size, size_t taken) {
  if (items == nullptr) return nullptr;
  if (taken > left_) throw std::bad_alloc();  // an error of ours: it was measured
  char* const own = at_;
  if (size > 0) std::memcpy(own, items, size);
  at_ += taken;
  left_ -= taken;
  return own;
}

}  // namespace xlashape::core
