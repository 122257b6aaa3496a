// Addresses cross the waist as 64 bits, also where pointers have fewer.
#pragma once
#include <cstdint>

namespace xlashape::waist {

// By way of uintptr_t, as compilers extend the sign of a shorter pointer.
inline uint64_t address_of(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// The pointer at `address`, which is one of this process: whoever takes addresses from outside has looked at that.
template <class T>
T* pointer_at(uint64_t address) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
}

}  // namespace xlashape::waist
