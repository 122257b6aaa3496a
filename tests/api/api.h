/* SPDX-License-Identifier: Apache-2.0 */
// What the API tests share: handles that release themselves, and the rules that hold for every function (errors,
// answers of variable length), each as one check. Knows the C API only. That NULL is refused for each parameter, and
// the rules for the sizes of structs and of error records, are tested for all functions from the ABI file:
// tests/abi/ffi_call_test.cc.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "byte_count.h"
#include "xlashape_runtime.h"

namespace api {

// Memory as an allocator's hooks have to give it, without what only some C libraries have.
inline void* aligned_memory(size_t size, size_t alignment) {
  return ::operator new (size, std::align_val_t{alignment}, std::nothrow);
}
inline void free_aligned(void* memory, size_t alignment) { ::operator delete (memory, std::align_val_t{alignment}); }

using Ints = std::vector<int64_t>;
template <class List>
int64_t size_of(const List& list) {
  return static_cast<int64_t>(list.size());
}

// An error record whose every byte is known, so that a write to it shows.
struct Error : xlashape_error {
  Error() {
    std::memset(static_cast<void*>(this), 0x5A, sizeof *this);
    struct_size = sizeof(xlashape_error);
  }
  bool untouched() const {
    const Error fresh;
    return std::memcmp(static_cast<const void*>(this), static_cast<const void*>(&fresh), sizeof *this) == 0;
  }
};

// Calls function(arguments..., err) with a record and without one: both succeed and the record is left alone.
template <class F, class... A>
void ok(F&& function, A... arguments) {
  Error err;
  const xlashape_status status = function(arguments..., static_cast<xlashape_error*>(&err));
  EXPECT_EQ(status, XLASHAPE_STATUS_OK) << (status != XLASHAPE_STATUS_OK ? err.message : "");
  if (status == XLASHAPE_STATUS_OK) {
    EXPECT_TRUE(err.untouched());
  }
  EXPECT_EQ(function(arguments..., static_cast<xlashape_error*>(nullptr)), status);
}

// Calls function(arguments..., err) with a record and without one:
// both fail with `want`, and the record is whole. Returns it.
template <class F, class... A>
Error failure(xlashape_status want, F&& function, A... arguments) {
  Error err;
  EXPECT_EQ(function(arguments..., static_cast<xlashape_error*>(&err)), want);
  EXPECT_EQ(function(arguments..., static_cast<xlashape_error*>(nullptr)), want);
  if (err.untouched()) {
    ADD_FAILURE() << "the error record was not filled";
    err.message[0] = '\0';
    return err;
  }
  EXPECT_EQ(err.code, want);
  EXPECT_EQ(err.struct_size, sizeof(xlashape_error));
  EXPECT_EQ(err.source, 0u);
  EXPECT_GT(err.message_len, 0u);
  EXPECT_LT(err.message_len, sizeof err.message);
  EXPECT_EQ(err.message_len, strnlen(err.message, sizeof err.message));
  return err;
}

// The same for a failure that is about a parameter: no element of a batch, no place in a text.
template <class F, class... A>
std::string message(xlashape_status want, F&& function, A... arguments) {
  const Error err = failure(want, function, arguments...);
  EXPECT_EQ(err.index, -1);
  EXPECT_EQ(err.offset, -1);
  return err.message;
}

// Every rule of (out, capacity, needed): function(arguments..., out, capacity, needed, err) must answer `want`.
template <class T, class F, class... A>
void answers(const std::vector<T>& want, F&& function, A... arguments) {
  constexpr T kOld = static_cast<T>(0x6B);
  const auto size = static_cast<int64_t>(want.size());
  int64_t needed = -7;
  std::vector<T> out(want.size() + 3, kOld);
  ok(function, arguments..., nullptr, 0, &needed);
  EXPECT_EQ(needed, size);

  ok(function, arguments..., out.data(), size, &needed);
  EXPECT_EQ(std::vector<T>(out.begin(), out.begin() + size), want);
  out.assign(out.size(), kOld);
  ok(function, arguments..., out.data(), size + 3, &needed);
  EXPECT_EQ(std::vector<T>(out.begin(), out.begin() + size), want);
  EXPECT_EQ(std::vector<T>(out.begin() + size, out.end()), std::vector<T>(3, kOld)) << "wrote past its answer";

  if (size > 1) {
    needed = -7;
    out.assign(out.size(), kOld);
    EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, function, arguments..., out.data(), size - 1, &needed),
                testing::HasSubstr("capacity"));
    EXPECT_EQ(needed, size);
    EXPECT_EQ(out, std::vector<T>(out.size(), kOld)) << "wrote although the capacity was too small";
  }
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, function, arguments..., out.data(), -1, &needed),
              testing::HasSubstr("capacity is -1"));
}

// The same for text: capacities count the final NUL, and what does not fit is cut and terminated.
template <class F, class... A>
void answers_text(const std::string& want, F&& function, A... arguments) {
  int64_t needed = 99999;
  ok(function, arguments..., nullptr, 0, &needed);
  const auto size = static_cast<int64_t>(want.size()) + 1;
  EXPECT_EQ(needed, size);
  std::string text(want.size() + 4, '#');
  ok(function, arguments..., text.data(), size, &needed);
  EXPECT_EQ(text, want + std::string(1, '\0') + "###");
  ok(function, arguments..., text.data(), size + 3, &needed);
  EXPECT_STREQ(text.c_str(), want.c_str());
  EXPECT_EQ(needed, size);
  for (int64_t capacity = 1; capacity < size; ++capacity) {
    needed = 99999;
    text.assign(text.size(), '#');
    failure(XLASHAPE_STATUS_OUT_OF_RANGE, function, arguments..., text.data(), capacity, &needed);
    EXPECT_EQ(needed, size);
    const auto room = static_cast<size_t>(capacity);
    EXPECT_EQ(text.substr(0, room), want.substr(0, room - 1) + std::string(1, '\0'));
    EXPECT_EQ(text.substr(room), std::string(text.size() - room, '#'));
  }
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, function, arguments..., text.data(), -1, &needed),
              testing::HasSubstr("capacity is -1"));
}

struct Release {
  void operator()(xlashape_layout* layout) const { xlashape_layout_release(layout); }
  void operator()(xlashape_shape* shape) const { xlashape_shape_release(shape); }
  void operator()(xlashape_index_map* map) const { xlashape_index_map_release(map); }
  void operator()(xlashape_runtime* runtime) const { xlashape_runtime_release(runtime); }
  void operator()(xlashape_plan* plan) const { xlashape_plan_release(plan); }
  void operator()(xlashape_index_plan* plan) const { xlashape_index_plan_release(plan); }
};
using Layout = std::unique_ptr<xlashape_layout, Release>;
using Shape = std::unique_ptr<xlashape_shape, Release>;
using IndexMap = std::unique_ptr<xlashape_index_map, Release>;
using Runtime = std::unique_ptr<xlashape_runtime, Release>;
using Plan = std::unique_ptr<xlashape_plan, Release>;
using IndexPlan = std::unique_ptr<xlashape_index_plan, Release>;

// Makes a handle by create(arguments..., T**, err); null and a failed test where that fails.
template <class Handle, class F, class... A>
Handle make(F&& create, A... arguments) {
  typename Handle::pointer made = nullptr;
  Error err;
  const xlashape_status status = create(arguments..., &made, static_cast<xlashape_error*>(&err));
  EXPECT_EQ(status, XLASHAPE_STATUS_OK) << (status != XLASHAPE_STATUS_OK ? err.message : "");
  return Handle(made);
}

inline Shape shape(std::string_view text, uint32_t flags = 0) {
  SCOPED_TRACE(text);
  return make<Shape>(xlashape_shape_parse, text.data(), size_of(text), flags);
}

inline Layout layout(std::string_view text) {
  SCOPED_TRACE(text);
  return make<Layout>(xlashape_layout_parse, text.data(), size_of(text), 0u);
}

// What function(arguments..., text, capacity, needed, err) answers; "" where it fails.
template <class F, class... A>
std::string text_from(F&& function, A... arguments) {
  int64_t needed = 0;
  if (function(arguments..., nullptr, 0, &needed, nullptr) != XLASHAPE_STATUS_OK) return "";
  std::string text(static_cast<size_t>(needed), '\0');
  if (function(arguments..., text.data(), needed, &needed, nullptr) != XLASHAPE_STATUS_OK) return "";
  text.pop_back();
  return text;
}
inline std::string text_of(const xlashape_shape* shape, uint32_t flags = 0) {
  return text_from(xlashape_shape_print, shape, flags);
}
inline std::string text_of(const xlashape_layout* layout) { return text_from(xlashape_layout_print, layout, 0); }
inline std::string backend_text(xlashape_runtime* runtime, int64_t ordinal, int32_t which) {
  return text_from(xlashape_runtime_backend_text, runtime, ordinal, which);
}
inline std::string report_of(const Runtime& runtime) { return text_from(xlashape_runtime_report, runtime.get()); }

inline Runtime runtime_of(int32_t threads, int64_t verify_count = 0) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.threads = threads;
  options.verify_count = verify_count;
  return make<Runtime>(xlashape_runtime_create, &options);
}
// Of a runtime that sees no backends but the built-in ones and those that are added to it.
constexpr uint32_t kAlone =
    XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
inline xlashape_runtime_options alone(uint32_t flags = kAlone) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = flags;
  return options;
}
inline Runtime runtime_of(const xlashape_runtime_options& options) {
  return make<Runtime>(xlashape_runtime_create, &options);
}
inline void add_backend(const Runtime& runtime, std::string_view name, xlashape_backend_open_fn open,
                        int32_t priority = 0) {
  Error err;
  ASSERT_EQ(
      xlashape_runtime_add_backend(runtime.get(), name.data(), size_of(name), open, nullptr, nullptr, priority, &err),
      XLASHAPE_STATUS_OK)
      << err.message;
}
// An empty value takes the variable away.
inline void set_environment(const char* name, const std::string& value) {
#ifdef _WIN32
  ASSERT_EQ(_putenv_s(name, value.c_str()), 0);
#else
  ASSERT_EQ(value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1), 0);
#endif
}
// An executor that runs everything on the calling thread.
inline xlashape_executor in_order(uint32_t workers) {
  auto executor = XLASHAPE_INIT(xlashape_executor);
  executor.max_workers = workers;
  executor.parallel_for = [](void*, int64_t count, void* opaque, xlashape_task_fn task) {
    for (int64_t i = 0; i < count; ++i) task(opaque, i, 0);
    return 0;
  };
  return executor;
}
inline Plan plan(xlashape_runtime* runtime, std::string_view src, std::string_view dst,
                 const xlashape_relayout_options* options = nullptr) {
  return make<Plan>(xlashape_plan_create, runtime, shape(src).get(), shape(dst).get(), options);
}

inline IndexMap index_map(std::string_view text) {
  return make<IndexMap>(xlashape_index_map_create, shape(text).get());
}

}  // namespace api
