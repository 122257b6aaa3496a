/* SPDX-License-Identifier: Apache-2.0 */
// Reference counting for immutable handles. A handle type derives from RefCounted and has `static void destroy(T*)`.
#pragma once
#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace xlashape::core {

class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;
  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  // Returns true if this was the last reference.
  bool drop() const noexcept { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }

 private:
  // 64 bits where the processor has lock-free 64-bit atomics: 2^31 references can be made in seconds.
  using Count = std::conditional_t<std::atomic<int64_t>::is_always_lock_free, int64_t, int32_t>;
  mutable std::atomic<Count> count_{1};
};

template <class T>
void release(const T* object) noexcept {
  if (object != nullptr && object->drop()) T::destroy(const_cast<T*>(object));
}

// Owns one reference to T, or none.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  static Ref adopt(T* object) { return Ref(object); }  // takes over the caller's reference
  // Adds a reference. `object` may be const, because its count is not a visible part of a handle.
  static Ref share(const T* object) {
    if (object != nullptr) object->retain();
    return Ref(const_cast<T*>(object));
  }
  Ref(const Ref& other) : object_(other.object_) {
    if (object_ != nullptr) object_->retain();
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { xlashape::core::release(object_); }

  T* get() const { return object_; }
  T* leak() { return std::exchange(object_, nullptr); }  // hands the reference over to C
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Ref(T* object) : object_(object) {}
  T* object_ = nullptr;
};

}  // namespace xlashape::core
