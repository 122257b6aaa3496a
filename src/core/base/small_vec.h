/* SPDX-License-Identifier: Apache-2.0 */
// A vector of trivially copyable items that stores up to N of them inline, so that common ranks allocate nothing.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>

namespace xlashape::core {

// The memory of a vector's `size` items of `item_bytes` each, moved to where there is room for `wanted` or more, from
// `heap` or, where that is null, from `inlined`. Throws bad_alloc, and then nothing has changed.
void* grown_small_vec(void* heap, void* inlined, uint32_t size, size_t item_bytes, size_t wanted, uint32_t* capacity);

template <class T, uint32_t N>
class SmallVec {
  static_assert(std::is_trivially_copyable_v<T> && N > 0);

 public:
  SmallVec() = default;
  SmallVec(std::initializer_list<T> items) { assign({items.begin(), items.size()}); }
  explicit SmallVec(std::span<const T> items) { assign(items); }
  SmallVec(const SmallVec& other) { assign(other); }
  SmallVec(SmallVec&& other) noexcept { take(other); }
  SmallVec& operator=(const SmallVec& other) {
    if (this != &other) assign(other);
    return *this;
  }
  SmallVec& operator=(SmallVec&& other) noexcept {
    if (this != &other) {
      drop();
      take(other);
    }
    return *this;
  }
  ~SmallVec() { drop(); }

  T* data() { return heap_ ? heap_ : inline_; }
  const T* data() const { return heap_ ? heap_ : inline_; }
  size_t size() const { return size_; }
  int64_t ssize() const { return static_cast<int64_t>(size_); }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  operator std::span<const T>() const { return {data(), size_}; }

  void reserve(size_t wanted) {
    if (wanted > capacity_)
      heap_ = static_cast<T*>(grown_small_vec(heap_, inline_, size_, sizeof(T), wanted, &capacity_));
  }
  void push_back(T item) {
    if (size_ == capacity_) reserve(size_t{size_} + 1);
    data()[size_++] = item;
  }
  void append(std::span<const T> items) {  // not part of this vector
    reserve(size_ + items.size());
    if (!items.empty()) std::memcpy(static_cast<void*>(data() + size_), items.data(), items.size_bytes());
    size_ += static_cast<uint32_t>(items.size());
  }
  void pop_back() { --size_; }
  void resize(size_t size, T value = T{}) {
    reserve(size);
    for (size_t i = size_; i < size; ++i) data()[i] = value;
    size_ = static_cast<uint32_t>(size);
  }
  void clear() { size_ = 0; }
  void assign(std::span<const T> items) {
    reserve(items.size());
    if (!items.empty()) std::memmove(static_cast<void*>(data()), items.data(), items.size_bytes());
    size_ = static_cast<uint32_t>(items.size());
  }
  friend bool operator==(const SmallVec& a, const SmallVec& b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

 private:
  void drop() {
    std::free(heap_);
    heap_ = nullptr;
    size_ = 0;
    capacity_ = N;
  }
  void take(SmallVec& other) noexcept {
    heap_ = other.heap_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    if (heap_ == nullptr && size_ > 0) std::memcpy(static_cast<void*>(inline_), other.inline_, size_ * sizeof(T));
    other.heap_ = nullptr;
    other.size_ = 0;
    other.capacity_ = N;
  }

  T* heap_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = N;
  T inline_[N];
};

}  // namespace xlashape::core
