// SPDX-License-Identifier: Apache-2.0
// Views of arguments, numbers and memory, which refer to the caller's data during the call.
#ifndef XLASHAPE_VIEW_HPP_
#define XLASHAPE_VIEW_HPP_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

#if __has_include(<version>)
#include <version>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif

namespace xlashape {

#if defined(__cpp_lib_span)
template <class T>
using Span = std::span<T>;
#else
// A replacement of std::span for C++17.
template <class T>
class Span {
 public:
  constexpr Span() noexcept = default;
  constexpr Span(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <class R, class = std::enable_if_t<std::is_convertible_v<
                         std::remove_pointer_t<decltype(std::data(std::declval<R&>()))> (*)[], T (*)[]>>>
  constexpr Span(R&& range) noexcept : data_(std::data(range)), size_(std::size(range)) {}
  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T& operator[](std::size_t i) const noexcept { return data_[i]; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};
#endif

// int64 in a row: dimensions, indices, strides. A braced list, or anything with data and size.
class Numbers {
 public:
  constexpr Numbers() noexcept = default;
  constexpr Numbers(const std::int64_t* data, std::size_t size) noexcept : data_(data), size_(size) {}
  // Exists until the end of the full expression, and so during a call.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr Numbers(std::initializer_list<std::int64_t> list) noexcept : data_(list.begin()), size_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  template <class R, class = std::enable_if_t<
                         std::is_convertible_v<decltype(std::data(std::declval<const R&>())), const std::int64_t*>>>
  constexpr Numbers(const R& range) noexcept : data_(std::data(range)), size_(std::size(range)) {}

  constexpr const std::int64_t* data() const noexcept { return data_; }
  constexpr std::int64_t size() const noexcept { return static_cast<std::int64_t>(size_); }
  constexpr bool empty() const noexcept { return size_ == 0; }

 private:
  const std::int64_t* data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

// The element type of a contiguous range.
template <class R>
using Item = std::remove_pointer_t<decltype(std::data(std::declval<R&>()))>;

template <class R>
inline constexpr bool kIsMemory = std::is_trivially_copyable_v<Item<R>>;

}  // namespace detail

}  // namespace xlashape

#endif  // XLASHAPE_VIEW_HPP_
