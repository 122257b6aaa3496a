/* SPDX-License-Identifier: Apache-2.0 */
// Memory of programs: a growing list of plain values in one block, and texts in such blocks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

namespace xlashape::cli {

// Unlike std::vector it grows in place where the system can move pages, so that a large dump never takes twice its
// memory.
template <class T>
class Block {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Block() = default;
  Block(Block&& other) noexcept { swap(other); }
  Block& operator=(Block&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Block() { std::free(data_); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](size_t at) { return data_[at]; }
  const T& operator[](size_t at) const { return data_[at]; }
  T& back() { return data_[size_ - 1]; }

  void push_back(const T& value) {
    const T copy = value;  // it may lie in this block, which moves
    reserve(size_ + 1);
    data_[size_++] = copy;
  }
  void append(const T* values, size_t count) {
    if (count == 0) return;
    const bool own = std::less_equal<>()(data_, values) && std::less<>()(values, data_ + size_);
    const size_t at = own ? static_cast<size_t>(values - data_) : 0;
    reserve(size_ + count);
    std::memcpy(data_ + size_, own ? data_ + at : values, count * sizeof(T));
    size_ += count;
  }
  void resize(size_t size, const T& value = T()) {
    if (size > size_) reserve(size);
    for (; size_ < size; ++size_) data_[size_] = value;
    size_ = size;
  }
  void clear() { size_ = 0; }

 private:
  void swap(Block& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void reserve(size_t wanted) {
    if (wanted <= capacity_) return;
    size_t capacity = capacity_ + capacity_ / 2 + 16;
    if (capacity < wanted) capacity = wanted;
    if (capacity > SIZE_MAX / 2 / sizeof(T)) throw std::bad_alloc();
    auto* data = static_cast<T*>(std::realloc(static_cast<void*>(data_), capacity * sizeof(T)));
    if (data == nullptr) throw std::bad_alloc();
    data_ = data;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

inline constexpr uint32_t kNone = UINT32_MAX;

// Each text takes its bytes, and a number: equal texts have equal ones. The texts stay until the next `of`, which may
// move them.
class TextPool {
 public:
  TextPool();
  uint32_t of(std::string_view text);
  uint32_t find(std::string_view text) const;  // kNone where it is not there
  std::string_view text(uint32_t number) const;
  uint32_t size() const { return static_cast<uint32_t>(ends_.size() - 1); }
  void clear();

 private:
  uint32_t slot_of(std::string_view text, uint32_t hash) const;
  void grow();

  Block<char> bytes_;
  Block<uint64_t> ends_;    // where each text ends; the first entry is 0
  Block<uint32_t> hashes_;  // of each text
  Block<uint32_t> slots_;   // an open hash table of numbers
};

}  // namespace xlashape::cli
