/* SPDX-License-Identifier: Apache-2.0 */
// Copies forms into one block that is measured beforehand: the forms of plans and index maps, which live as long as it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "ir/arrays.h"

namespace xlashape::core {

// A bump allocator that never allocates memory itself, because the copies must outlive the arena.
class FixedArena {
 public:
  static constexpr size_t kAlignment = 8;  // of the block, and of each array

  FixedArena(void* block, size_t size) : at_(static_cast<char*>(block)), left_(size) {}

  template <class T>
  static constexpr size_t bytes(size_t count) {
    static_assert(alignof(T) <= kAlignment);
    return (count * sizeof(T) + kAlignment - 1) & ~(kAlignment - 1);
  }

  // Returns null for null.
  template <class T>
  T* copy(const T* items, size_t count) {
    return static_cast<T*>(copy_bytes(items, count * sizeof(T), bytes<T>(count)));
  }

 private:
  void* copy_bytes(const void* items, size_t size, size_t taken);

  char* at_;
  size_t left_;
};

// The bytes that the arrays of a form take in the block, and copying those arrays there.
template <class Form>
size_t arrays_bytes(const Form& form) {
  size_t bytes = 0;
  ir::for_each_array(
      form, [&bytes]<class T>(const T*, int32_t count) { bytes += FixedArena::bytes<T>(static_cast<size_t>(count)); });
  return bytes;
}
template <class Form>
void keep_arrays(Form* form, FixedArena& arena) {
  ir::for_each_array(*form, [&arena]<class T>(const T*& array, int32_t count) {
    array = arena.copy(array, static_cast<size_t>(count));
  });
}

// The same for the form itself together with its arrays.
template <class Form>
size_t kept_bytes(const Form& form) {
  return FixedArena::bytes<Form>(1) + arrays_bytes(form);
}
template <class Form>
Form* keep(const Form& form, FixedArena& arena) {
  Form* copied = arena.copy(&form, 1);
  keep_arrays(copied, arena);
  return copied;
}

}  // namespace xlashape::core
