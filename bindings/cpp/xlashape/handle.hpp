// SPDX-License-Identifier: Apache-2.0
// References to C objects, and answers of variable length.
#ifndef XLASHAPE_HANDLE_HPP_
#define XLASHAPE_HANDLE_HPP_

#include <cstddef>
#include <iterator>
#include <vector>

#include "result.hpp"

namespace xlashape::detail {

// The size of a range, as C takes it.
template <class R>
constexpr std::int64_t length(const R& range) noexcept {
  return static_cast<std::int64_t>(std::size(range));
}

// One reference to a counted C object, or none.
template <class T, auto kRetain, void (*kRelease)(T*)>
class Handle {
 public:
  Handle() noexcept = default;
  // Takes over a reference.
  explicit Handle(T* owned) noexcept : object_(owned) {}
  Handle(const Handle& other) noexcept : object_(kRetain(other.object_)) {}
  Handle(Handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Handle& operator=(Handle other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Handle() {
    if (object_ != nullptr) kRelease(object_);
  }

  // False for an empty one.
  explicit operator bool() const noexcept { return object_ != nullptr; }
  // For calls of the C interface; the reference stays here.
  T* get() const noexcept { return object_; }
  // Returns the reference without releasing it.
  T* release() noexcept { return std::exchange(object_, nullptr); }
  void reset() noexcept { Handle().swap(*this); }
  void swap(Handle& other) noexcept { std::swap(object_, other.object_); }

 private:
  T* object_ = nullptr;
};

// function(arguments..., &object, &err), to a wrapper of the object.
template <class W, class Object, class F, class... A>
Result<W> make(F function, A... arguments) {
  Result<W> result;
  Object* object = nullptr;
  if (function(arguments..., &object, result.record()) == XLASHAPE_STATUS_OK) result.emplace(object);
  return result;
}

// function(arguments..., &number, &err)
template <class T, class F, class... A>
Result<T> number(F function, A... arguments) {
  Result<T> result;
  T value{};
  if (function(arguments..., &value, result.record()) == XLASHAPE_STATUS_OK) result.emplace(value);
  return result;
}

// function(arguments..., out, capacity, &needed, &err)
template <class T, class F, class... A>
Result<std::vector<T>> list(F function, A... arguments) {
  Result<std::vector<T>> result;
  T first[16];
  std::int64_t needed = 0;
  const xlashape_status status = function(arguments..., first, length(first), &needed, result.record());
  if (status == XLASHAPE_STATUS_OK) {
    result.emplace(first, first + needed);
  } else if (status == XLASHAPE_STATUS_OUT_OF_RANGE && needed > length(first)) {
    std::vector<T> out(static_cast<std::size_t>(needed));
    Result<std::vector<T>> again;
    if (function(arguments..., out.data(), needed, &needed, again.record()) == XLASHAPE_STATUS_OK)
      again.emplace(std::move(out));
    return again;
  }
  return result;
}

// The same for text, whose needs count the final NUL.
template <class F, class... A>
Result<std::string> text(F function, A... arguments) {
  Result<std::string> result;
  char first[256];
  std::int64_t needed = 0;
  xlashape_status status = function(arguments..., first, length(first), &needed, result.record());
  if (status == XLASHAPE_STATUS_OK) {
    result.emplace(first, first + needed - 1);
    return result;
  }
  std::string out;
  // The text may grow between two calls (a runtime's report).
  while (status == XLASHAPE_STATUS_OUT_OF_RANGE && needed > length(out) && needed > length(first)) {
    out.resize(static_cast<std::size_t>(needed) + 256);
    result = {};
    status = function(arguments..., out.data(), length(out), &needed, result.record());
  }
  if (status == XLASHAPE_STATUS_OK) {
    out.resize(static_cast<std::size_t>(needed) - 1);
    result.emplace(std::move(out));
  }
  return result;
}

}  // namespace xlashape::detail

#endif  // XLASHAPE_HANDLE_HPP_
