/* SPDX-License-Identifier: Apache-2.0 */
// Addresses in the IR are 64 bits, also where pointers have fewer.
#pragma once
#include <cstdint>

namespace xlashape::ir {

// Casts through uintptr_t, because compilers sign-extend a shorter pointer.
inline uint64_t address_of(const void* p) { return reinterpret_cast<uintptr_t>(p); }

// The pointer with this address, which must be one of this process: callers check addresses from outside first.
template <class T>
T* pointer_at(uint64_t address) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(address));
}

}  // namespace xlashape::ir
