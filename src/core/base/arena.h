/* SPDX-License-Identifier: Apache-2.0 */
// A bump allocator over a caller's buffer, so that small plans live on the stack. What does not fit comes from the
// heap; throws bad_alloc when that is exhausted.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

#include "ir/compiler.h"

namespace xlashape::core {

class Arena {
 public:
  Arena(void* buffer, size_t size) : at_(static_cast<char*>(buffer)), end_(at_ + size) {
    at_ = misaligned(at_, kAlignment) <= size ? at_ + misaligned(at_, kAlignment) : end_;
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    while (chunks_ != nullptr) {
      Chunk* next = chunks_->next;
      std::free(chunks_);
      chunks_ = next;
    }
  }

  // Uninitialised; lives as long as the arena.
  template <class T>
  T* make(size_t count) {
    if (count > SIZE_MAX / 2 / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(bytes<alignof(T)>(count * sizeof(T)));
  }
  template <class T>
  T* zeroed(size_t count) {
    T* items = make<T>(count);
    std::memset(static_cast<void*>(items), 0, count * sizeof(T));
    return items;
  }
  template <class T>
  T* copy(const T* items, size_t count) {
    if (items == nullptr) return nullptr;
    T* copied = make<T>(count);
    if (count > 0) std::memcpy(static_cast<void*>(copied), items, count * sizeof(T));
    return copied;
  }

 private:
  struct Chunk {
    Chunk* next;
    max_align_t start[1];
  };

  // Of all that is made here, so that most places need not be aligned: planning a relayout of rank 2 asks for fifty.
  static constexpr size_t kAlignment = 8;

  // How many bytes after `p` the next multiple of the alignment is.
  static size_t misaligned(const char* p, size_t alignment) {
    return -reinterpret_cast<uintptr_t>(p) & (alignment - 1);
  }

  template <size_t kAligned>
  void* bytes(size_t size) {
    size = (size + kAlignment - 1) & ~(kAlignment - 1);
    char* start = at_;
    size_t gap = 0;
    if constexpr (kAligned > kAlignment) gap = misaligned(start, kAligned);
    if (size + gap > static_cast<size_t>(end_ - start)) [[unlikely]] {
      start = grow(size);
    } else {
      start += gap;
    }
    at_ = start + size;
    return start;
  }

  // Not inlined, because `bytes` is inlined in about a hundred places.
  XLASHAPE_COLD XLASHAPE_NOINLINE char* grow(size_t size) {
    const size_t room = size + 4096;
    auto* chunk = static_cast<Chunk*>(std::malloc(sizeof(Chunk) + room));
    if (chunk == nullptr) throw std::bad_alloc();
    chunk->next = chunks_;
    chunks_ = chunk;
    at_ = reinterpret_cast<char*>(chunk->start);
    end_ = at_ + room;
    return at_;
  }

  char* at_;
  char* end_;
  Chunk* chunks_ = nullptr;
};

}  // namespace xlashape::core
