/* SPDX-License-Identifier: Apache-2.0 */
// What this extension uses of PyTorch: the C functions of its stable ABI, those of 2.9 directly. Functions that came
// with 2.10 are weak, so that one binary loads in 2.9, where they are null, and uses them wherever they exist. Nothing
// else of PyTorch is used: no C++ class of its crosses the border, and exceptions do so only as std::runtime_error.
#pragma once

// Headers of later versions then declare no function that is newer than this.
#define TORCH_TARGET_VERSION (((0ULL + 2) << 56) | ((0ULL + 9) << 48))

#include <torch/csrc/inductor/aoti_torch/c/shim.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace xlashape_torch {

using BoxedKernel = void (*)(StableIValue*, uint64_t, uint64_t);
using StringHandle = struct StringHandleTarget*;

// The version that a registration names: how arguments are converted for it stays what it was in 2.10.
inline constexpr uint64_t kVersion_2_10 = (uint64_t{2} << 56) | (uint64_t{10} << 48);

extern "C" {
__attribute__((weak)) AOTITorchError torch_library_impl(TorchLibraryHandle self, const char* name, BoxedKernel fn,
                                                        uint64_t extension_build_version);
__attribute__((weak)) AOTITorchError torch_string_length(StringHandle handle, size_t* length);
__attribute__((weak)) AOTITorchError torch_string_c_str(StringHandle handle, const char** data);
__attribute__((weak)) AOTITorchError torch_delete_string(StringHandle handle);
__attribute__((weak)) AOTITorchError torch_delete_stable_ivalue(StableIValue* value);  // 2.13
__attribute__((weak)) AOTITorchError torch_parallel_for(int64_t begin, int64_t end, int64_t grain_size,
                                                        void (*func)(int64_t begin, int64_t end, void* ctx), void* ctx);
__attribute__((weak)) AOTITorchError torch_get_num_threads(uint32_t* out_num_threads);
}

// Whether this PyTorch can pass texts to kernels of the stable ABI, and lets them use its threads: 2.10 and later.
inline bool has_texts() {
  return torch_library_impl != nullptr && torch_string_length != nullptr && torch_string_c_str != nullptr &&
         torch_delete_string != nullptr;
}
inline bool has_threads() { return torch_parallel_for != nullptr && torch_get_num_threads != nullptr; }

// Values that kernels are called with are 64 bits each, the value in the lowest bytes.
template <typename T>
T value_of(StableIValue value) {
  static_assert(sizeof(T) <= sizeof value);
  T result;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::memcpy(&result, &value, sizeof result);
#else
  std::memcpy(&result, reinterpret_cast<const char*>(&value) + sizeof value - sizeof result, sizeof result);
#endif
  return result;
}

inline StableIValue ivalue_of(AtenTensorHandle handle) {
  StableIValue result = 0;
  static_assert(sizeof handle <= sizeof result);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::memcpy(&result, &handle, sizeof handle);
#else
  std::memcpy(reinterpret_cast<char*>(&result) + sizeof result - sizeof handle, &handle, sizeof handle);
#endif
  return result;
}

inline void check(AOTITorchError error, const char* what) {
  if (error != 0) throw std::runtime_error(std::string("xlashape: PyTorch failed to ") + what);
}

// A tensor that this extension owns a reference to.
class OwnedTensor {
 public:
  OwnedTensor() = default;
  explicit OwnedTensor(AtenTensorHandle handle) : handle_(handle) {}
  AtenTensorHandle get() const { return handle_.get(); }
  AtenTensorHandle release() { return handle_.release(); }

 private:
  struct Delete {
    void operator()(AtenTensorOpaque* handle) const { aoti_torch_delete_tensor_object(handle); }
  };
  std::unique_ptr<AtenTensorOpaque, Delete> handle_;
};

// An optional argument: a pointer to the value, or 0. What it points at belongs to the kernel.
struct DeleteOptional {
  void operator()(StableIValue* value) const {
    if (torch_delete_stable_ivalue != nullptr) {
      torch_delete_stable_ivalue(value);
    } else {
      delete value;
    }
  }
};
using OwnedOptional = std::unique_ptr<StableIValue, DeleteOptional>;

// A text that a kernel was called with.
class OwnedText {
 public:
  OwnedText() = default;
  explicit OwnedText(StringHandle handle) : handle_(handle) {}
  OwnedText(OwnedText&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  OwnedText& operator=(OwnedText&&) = delete;
  ~OwnedText() {
    if (handle_ != nullptr) torch_delete_string(handle_);
  }
  std::string_view view() const {
    const char* data = nullptr;
    size_t length = 0;
    check(torch_string_c_str(handle_, &data), "read a text");
    check(torch_string_length(handle_, &length), "read a text");
    return {data, length};
  }

 private:
  StringHandle handle_ = nullptr;
};

}  // namespace xlashape_torch
