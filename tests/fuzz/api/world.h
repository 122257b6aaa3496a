/* SPDX-License-Identifier: Apache-2.0 */
// The handles that operations work on, and how they are made by hand. Each kind of the ABI file has a pool.
#pragma once
#include <algorithm>
#include <string>

#include "call.h"
#include "xlashape_xla.h"

namespace api_fuzz {

// A few handles of a kind. What leaves the pool is released when the operation is over, which may still use it.
class Pool {
 public:
  static constexpr size_t kMost = 16;

  bool empty() const { return items_.empty(); }
  void* any(Input& input) const {
    return items_.empty() ? nullptr : items_[static_cast<size_t>(input.below(static_cast<int64_t>(items_.size())))];
  }
  void add(void* item, Input& input) {
    if (items_.size() < kMost) return items_.push_back(item);
    std::swap(items_[static_cast<size_t>(input.below(kMost))], item);
    dead_.push_back(item);
  }
  // Released with the operation.
  void drop(void* item) { dead_.push_back(item); }
  // Takes one reference out, which is the caller's from now on. False where there is none.
  bool take(const void* item) {
    const auto at = std::find(items_.begin(), items_.end(), item);
    if (at == items_.end()) return false;
    std::swap(*at, items_.back());
    items_.pop_back();
    return true;
  }
  // True where there is a reference to one of that kind, one that leaves with the operation counted.
  template <class Body>
  bool any_of(const Body& body) const {
    return std::any_of(items_.begin(), items_.end(), body) || std::any_of(dead_.begin(), dead_.end(), body);
  }
  // What is being released is here no longer: its last reference may be this one.
  template <class Release>
  void bury(const Release& release) {
    while (!dead_.empty()) {
      void* const item = dead_.back();
      dead_.pop_back();
      release(item);
    }
  }
  void kill_all() {
    dead_.insert(dead_.end(), items_.begin(), items_.end());
    items_.clear();
  }

 private:
  std::vector<void*> items_, dead_;
};
extern Pool pools[kHandles];
template <class T>
Pool& pool_of() {
  return pools[kHandleOf<T>];
}
template <class T>
T* any(Input& input) {
  return static_cast<T*>(pool_of<T>().any(input));
}
// Now and then NULL, and where there is none.
template <class T>
T* pick(Input& input) {
  return input.one_in(60) ? nullptr : any<T>(input);
}
// Releases what left the pools; then all of them.
void bury();
void clear();

// A handle made by callee(arguments..., &made, err), which goes into its pool; NULL where that failed.
template <class T, class Callee, class... Arguments>
T* make(int function, Callee callee, Arguments... arguments) {
  T* const nothing = reinterpret_cast<T*>(uintptr_t{0x5A5A5A5A5A5A0});
  T* made = nothing;
  const xlashape_status status =
      attempt(function, [&](xlashape_error* err) { return callee(arguments..., &made, err); });
  check((status == XLASHAPE_STATUS_OK) == (made != nothing) && made != nullptr,
        "a handle is written on failure, or none");
  if (status != XLASHAPE_STATUS_OK) return nullptr;
  pool_of<T>().add(made, *current);
  return made;
}
// MAKE(plan, xlashape_plan_create, runtime, src, dst, options): all arguments save the last two.
#define MAKE(kind, function, ...) \
  ::api_fuzz::make<xlashape_##kind>(::api_fuzz::F_##function, function __VA_OPT__(, ) __VA_ARGS__)

// == Without records and refused memory, for what is asked besides ==

// A reference that ends with its scope.
template <class T, void (*kRelease)(T*)>
class Held {
 public:
  explicit Held(T* it = nullptr) : it_(it) {}
  Held(Held&& other) noexcept : it_(std::exchange(other.it_, nullptr)) {}
  Held& operator=(Held&& other) noexcept {
    std::swap(it_, other.it_);
    return *this;
  }
  ~Held() { kRelease(it_); }
  T* get() const { return it_; }
  operator T*() const { return it_; }

 private:
  T* it_;
};
using HeldShape = Held<xlashape_shape, xlashape_shape_release>;
using HeldLayout = Held<xlashape_layout, xlashape_layout_release>;
using HeldMap = Held<xlashape_index_map, xlashape_index_map_release>;
using HeldPlan = Held<xlashape_plan, xlashape_plan_release>;
using HeldProgram = Held<xlashape_program_shape, xlashape_program_shape_release>;
// HeldShape a = held<HeldShape>(xlashape_shape_parse, text, size, 0): NULL where that fails.
template <class H, class Callee, class... Arguments>
H held(Callee callee, Arguments... arguments) {
  decltype(std::declval<H>().get()) made = nullptr;
  return H(callee(arguments..., &made, nullptr) == XLASHAPE_STATUS_OK ? made : nullptr);
}
// An answer of variable length; nothing where there is none.
template <class T = int64_t, class Callee, class... Arguments>
std::vector<T> list_of(Callee callee, Arguments... arguments) {
  int64_t needed = 0;
  if (callee(arguments..., static_cast<T*>(nullptr), 0, &needed, nullptr) != XLASHAPE_STATUS_OK) return {};
  std::vector<T> list(static_cast<size_t>(needed));
  check(callee(arguments..., list.data(), needed, &needed, nullptr) == XLASHAPE_STATUS_OK,
        "an answer that was told is not");
  return list;
}
// The same of a text, without its end.
template <class Callee, class... Arguments>
std::string text_of(Callee callee, Arguments... arguments) {
  const std::vector<char> list = list_of<char>(callee, arguments...);
  return list.empty() ? "" : std::string(list.data(), list.size() - 1);
}

// A struct as some other version of the header has it: shorter, or longer with a tail of zeros or of unknown fields.
// Mostly as it is.
Exact<unsigned char> resized(const void* value, size_t size, Input& input);
template <class T>
Exact<unsigned char> resized(const T& value, Input& input) {
  return resized(&value, sizeof value, input);
}

struct Operation {
  void (*run)(Input& input);
  int weight;
};
struct Operations {
  const Operation* list;
  size_t size;
};
// One list for each file.
Operations property_operations();
Operations runtime_operations();
Operations conversion_operations();
Operations plan_operations();
Operations extension_operations();

// == Values (values.cc) ==

xlashape_element_type draw_type(Input& input);
std::vector<int64_t> draw_dimensions(Input& input);
std::vector<int64_t> dimensions_of(const xlashape_shape* shape);
// These go into the pool, or are NULL.
xlashape_layout* draw_layout(Input& input, const std::vector<int64_t>& dimensions);  // one that fits them, mostly
xlashape_shape* draw_array(Input& input);                                            // a small array
xlashape_shape* draw_view(Input& input, const xlashape_shape* shape);  // other dimensions of the same memory
bool is_array(const xlashape_shape* shape);
std::vector<int64_t> draw_path(Input& input, const xlashape_shape* shape);  // to a part, mostly one that is there

}  // namespace api_fuzz
