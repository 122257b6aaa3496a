/* SPDX-License-Identifier: Apache-2.0 */
// A call of an exported function, with what has to hold around any: the error record is as docs/errors.md promises, an
// answer is written where the call succeeds and nowhere else, and memory that runs out is an error. Each call is
// counted.
#pragma once
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "functions.h"
#include "input.h"

namespace api_fuzz {

// Those of the ABI file, and of the table behind xlashape_get_extension, which it does not have in its list.
constexpr int F_execution_1_execute_async = kApiFunctions, F_execution_1_source_range = kApiFunctions + 1,
              kFunctions = kApiFunctions + 2;

struct Count {
  uint64_t calls, successes;
};
extern Count counts[kFunctions];
const char* name_of(int function);

// Ends the program, naming the function called last.
[[noreturn]] void fault(const char* what);
inline void check(bool holds, const char* what) {
  if (!holds) fault(what);
}

// Where allocations are counted and refused: operator new, malloc and the allocator hooks, on this thread, while a call
// runs.
struct Failing {
  int64_t from = INT64_MAX, count = 0;  // allocations from, from + 1, ... of the call fail
  int64_t calls = 0;
  bool fired = false;
};
extern thread_local Failing* failing;
bool refuse_allocation();

// What a call may do besides: set by operations for the calls in their scope.
struct Allowed {
  bool no_memory = false;  // hooks refuse memory also of other calls, so the cause need not be in this one
  bool internal = false;   // a backend of ours answers INTERNAL
};
extern Allowed allowed;

// Begun before a call, ended after it.
class Attempt {
 public:
  Attempt(int function, Input& input);
  ~Attempt();
  Attempt(const Attempt&) = delete;
  xlashape_error* err() { return reinterpret_cast<xlashape_error*>(record_.get()); }
  void end(xlashape_status status);

 private:
  void check_record(xlashape_status status) const;

  int function_;
  size_t size_ = 0;
  std::unique_ptr<unsigned char[]> record_;
  Failing failing_;
};

extern Input* current;  // of the operation that runs

// Of the call that ended last: what it answered, and whether memory was refused to it, which may change any answer.
struct Ended {
  xlashape_status status = XLASHAPE_STATUS_OK;
  bool was_refused_memory = false;
};
extern Ended ended;

bool is_printable_line(std::string_view text);

template <class Body>
xlashape_status attempt(int function, Body&& body) {
  Attempt call(function, *current);
  const xlashape_status status = body(call.err());
  call.end(status);
  return status;
}

int counted(int function);

// CALL(xlashape_shape_sizes, shape, &sizes): a status. The error record comes by itself. Arguments are drawn before the
// call begins.
template <class Callee, class... Arguments>
xlashape_status call(int function, Callee callee, Arguments... arguments) {
  return attempt(function, [&](xlashape_error* err) { return callee(arguments..., err); });
}
#define CALL(function, ...) ::api_fuzz::call(::api_fuzz::F_##function, function, __VA_ARGS__)
// GET(xlashape_shape_rank, shape): of a function that cannot fail.
#define GET(function, ...) (static_cast<void>(::api_fuzz::counted(::api_fuzz::F_##function)), function(__VA_ARGS__))

// A block of exactly so many items on the heap, so that the sanitizer sees the first byte beyond. NULL for none, or a
// place that must not be looked at.
template <class T>
class Exact {
 public:
  Exact(size_t count, Input& input) : count_(count) {
    if (count > 0 || input.one_in(2)) data_ = static_cast<T*>(std::malloc(count * sizeof(T)));
    if (count > 0) std::memset(static_cast<void*>(data_), 0xA5, count * sizeof(T));
  }
  template <class List>
  static Exact of(const List& items, Input& input) {
    Exact made(items.size(), input);
    if (items.size() > 0) std::memcpy(static_cast<void*>(made.data_), items.data(), items.size() * sizeof(T));
    return made;
  }
  static Exact copy_of(const Exact& other, Input& input) {
    Exact made(other.size(), input);
    if (other.size() > 0) std::memcpy(static_cast<void*>(made.data_), other.data_, other.size() * sizeof(T));
    return made;
  }
  Exact(Exact&& other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Exact& operator=(Exact&& other) noexcept {
    std::swap(data_, other.data_), std::swap(count_, other.count_);
    return *this;
  }
  ~Exact() { std::free(data_); }
  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return count_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  bool is_untouched() const {
    const auto* bytes = reinterpret_cast<const unsigned char*>(data_);
    for (size_t i = 0; i < count_ * sizeof(T); ++i)
      if (bytes[i] != 0xA5) return false;
    return true;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};
using Numbers = Exact<int64_t>;
template <class List>
int64_t size_of(const List& list) {
  return static_cast<int64_t>(list.size());
}

}  // namespace api_fuzz
