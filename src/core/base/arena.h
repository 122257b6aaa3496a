// A bump allocator over a caller's buffer, so that small plans live on the stack. What does not fit comes from the
// heap; throws bad_alloc when that is exhausted.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

#include "waist/compiler.h"

namespace xlashape::core {

class Arena {
 public:
  Arena(void* buffer, size_t size) : at_(static_cast<char*>(buffer)), end_(at_ + size) {}
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
    return static_cast<T*>(bytes(count * sizeof(T), alignof(T)));
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

  void* bytes(size_t size, size_t align) {
    char* start = at_ + (-reinterpret_cast<uintptr_t>(at_) & (align - 1));
    if (start > end_ || size > static_cast<size_t>(end_ - start)) [[unlikely]]
      start = grow(size);
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
