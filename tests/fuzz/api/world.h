// The handles that operations work on, and how they make and ask them.
#pragma once
#include <algorithm>
#include <optional>
#include <string>

#include "call.h"

namespace api_fuzz {

// A few handles of a kind. What leaves the pool is released when the operation is over, which may still use it.
template <class T>
class Pool {
 public:
  Pool(Function retain, Function release, T* (*retain_it)(T*), void (*release_it)(T*))
      : retain_(retain), release_(release), retain_it_(retain_it), release_it_(release_it) {}
  static constexpr size_t kMost = 16;

  bool empty() const { return items_.empty(); }
  // Now and then NULL, and where there is none.
  T* pick(Input& input) const { return input.one_in(60) ? nullptr : any(input); }
  T* any(Input& input) const {
    return items_.empty() ? nullptr : items_[static_cast<size_t>(input.below(static_cast<int64_t>(items_.size())))];
  }
  void add(T* item, Input& input) {
    if (items_.size() < kMost) return items_.push_back(item);
    std::swap(items_[static_cast<size_t>(input.below(kMost))], item);
    dead_.push_back(item);
  }
  // Takes or gives back a reference: a handle may be in the pool several times.
  void churn(Input& input) {
    if (input.one_in(30)) {
      counted(release_), release_it_(nullptr);
      counted(retain_), check(retain_it_(nullptr) == nullptr, "retain of NULL");
    }
    if (items_.empty()) return;
    const size_t i = static_cast<size_t>(input.below(static_cast<int64_t>(items_.size())));
    if (input.one_in(2)) {
      T* const item = items_[i];
      counted(retain_), check(retain_it_(item) == item, "retain answers another handle");
      add(item, input);
    } else {
      dead_.push_back(items_[i]);
      items_[i] = items_.back();
      items_.pop_back();
    }
  }
  // What is being released is here no longer: its last reference may be this one.
  void bury() {
    while (!dead_.empty()) {
      T* const item = dead_.back();
      dead_.pop_back();
      counted(release_), release_it_(item);
    }
  }
  // True where there is a reference to one of that kind, one that leaves with the operation counted.
  template <class Body>
  bool any_of(const Body& body) const {
    return std::any_of(items_.begin(), items_.end(), body) || std::any_of(dead_.begin(), dead_.end(), body);
  }
  void clear() {
    dead_.insert(dead_.end(), items_.begin(), items_.end());
    items_.clear();
    bury();
  }
  // Takes one reference out, which is the caller's from now on. False where there is none.
  bool take(T* item) {
    const auto at = std::find(items_.begin(), items_.end(), item);
    if (at == items_.end()) return false;
    std::swap(*at, items_.back());
    items_.pop_back();
    return true;
  }
  // Released with the operation.
  void drop(T* item) { dead_.push_back(item); }

 private:
  std::vector<T*> items_, dead_;
  Function retain_, release_;
  T* (*retain_it_)(T*);
  void (*release_it_)(T*);
};
#define POOL(kind)                                                                                      \
  Pool<xlashape_##kind> {                                                                               \
    F_xlashape_##kind##_retain, F_xlashape_##kind##_release,                                            \
        [](xlashape_##kind* item) { return xlashape_##kind##_retain(item); }, xlashape_##kind##_release \
  }

struct World {
  Pool<xlashape_layout> layouts = POOL(layout);
  Pool<xlashape_shape> shapes = POOL(shape);
  Pool<xlashape_program_shape> programs = POOL(program_shape);
  Pool<xlashape_index_map> maps = POOL(index_map);
  Pool<xlashape_plan> plans = POOL(plan);
  Pool<xlashape_runtime> runtimes = POOL(runtime);

  void bury() { layouts.bury(), shapes.bury(), programs.bury(), maps.bury(), plans.bury(), runtimes.bury(); }
  void clear() { layouts.clear(), shapes.clear(), programs.clear(), maps.clear(), plans.clear(), runtimes.clear(); }
};
extern World world;

// A handle made by callee(arguments..., &made, err), which goes into the pool; NULL where that failed.
template <class T, class Callee, class... Arguments>
T* make(Pool<T>& pool, Function function, Callee callee, Arguments... arguments) {
  T* const nothing = reinterpret_cast<T*>(uintptr_t{0x5A5A5A5A5A5A0});
  T* made = nothing;
  const xlashape_status status =
      attempt(function, [&](xlashape_error* err) { return callee(arguments..., &made, err); });
  check(status != XLASHAPE_STATUS_OK || (made != nullptr && made != nothing), "success without a handle");
  check(status == XLASHAPE_STATUS_OK || made == nothing, "a handle is written on failure");
  if (status != XLASHAPE_STATUS_OK) return nullptr;
  pool.add(made, *current);
  return made;
}
// MAKE(shapes, xlashape_shape_create_token): all arguments save the last two.
#define MAKE(pool, function, ...) \
  ::api_fuzz::make(::api_fuzz::world.pool, ::api_fuzz::F_##function, function __VA_OPT__(, ) __VA_ARGS__)

// An answer of variable length: first its size, then itself into a block one too small, fitting, or too large. A
// negative capacity is refused, whatever else is right.
template <class T, class Body>
std::optional<std::vector<T>> answer(Function function, Body&& body) {
  constexpr bool kText = std::is_same_v<T, char>;
  constexpr int64_t kUntold = -0x5A5A;
  Input& input = *current;
  int64_t needed = kUntold;
  xlashape_status status =
      attempt(function, [&](xlashape_error* err) { return body(static_cast<T*>(nullptr), int64_t{0}, &needed, err); });
  if (status != XLASHAPE_STATUS_OK) return std::nullopt;
  check(needed >= (kText ? 1 : 0), "needed is not set");
  const int64_t size = needed;
  if (input.one_in(10)) {
    Exact<T> out(4, input);
    const int64_t below = input.one_in(2) ? -1 - input.below(4) : INT64_MIN + input.below(2);
    int64_t untouched = kUntold;
    status = attempt(function, [&](xlashape_error* err) { return body(out.data(), below, &untouched, err); });
    check(status == XLASHAPE_STATUS_INVALID_ARGUMENT || ended.was_refused_memory, "a negative capacity is taken");
    check(untouched == kUntold && out.is_untouched(), "an answer is written for a negative capacity");
  }
  const int64_t capacity = input.one_in(3)   ? size + input.below(9)
                           : input.one_in(4) ? input.below(size + 1)
                                             : size - input.one_in(8);
  if (capacity <= 0) return size == 0 ? std::optional(std::vector<T>()) : std::nullopt;
  Exact<T> out(static_cast<size_t>(capacity), input);
  int64_t again = kUntold;
  status = attempt(function, [&](xlashape_error* err) { return body(out.data(), capacity, &again, err); });
  if (status == XLASHAPE_STATUS_NO_MEMORY) return std::nullopt;
  check(again == needed, "needed differs when asked again");
  check((status == XLASHAPE_STATUS_OK) == (capacity >= size), "capacity and status disagree");
  if (kText) {
    check(std::memchr(out.data(), 0, out.size()) != nullptr, "text is not terminated");
    const size_t length = std::strlen(reinterpret_cast<const char*>(out.data()));
    check(capacity < size || length + 1 == static_cast<size_t>(size), "text is not as long as needed says");
  } else if (status != XLASHAPE_STATUS_OK) {
    check(out.is_untouched(), "an answer is written on failure");
  }
  if (status != XLASHAPE_STATUS_OK) return std::nullopt;
  return std::vector<T>(out.data(), out.data() + (kText ? size - 1 : size));
}
template <class T, class Callee, class... Arguments>
std::optional<std::vector<T>> answer_of(Function function, Callee callee, Arguments... arguments) {
  return answer<T>(function, [&](T* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return callee(arguments..., out, capacity, needed, err);
  });
}
// ANSWER(int64_t, xlashape_shape_dimensions, shape), TEXT(xlashape_shape_print, shape, flags): nullopt where it failed
// or was cut.
#define ANSWER(T, function, ...) ::api_fuzz::answer_of<T>(::api_fuzz::F_##function, function, __VA_ARGS__)
#define TEXT(function, ...) ::api_fuzz::answer_of<char>(::api_fuzz::F_##function, function, __VA_ARGS__)

// A struct as some other version of the header has it: shorter, or longer with a tail of zeros or of unknown fields.
// Mostly as it is.
template <class T>
Exact<unsigned char> resized(T value, Input& input) {
  size_t size = sizeof value;
  if (input.one_in(12)) size = static_cast<size_t>(input.below(input.one_in(2) ? 4097 : sizeof value + 16));
  value.struct_size = static_cast<uint32_t>(size);
  Exact<unsigned char> block(size < 4 ? 4 : size, input);
  std::memset(block.data(), 0, block.size());
  std::memcpy(block.data(), &value, block.size() < sizeof value ? block.size() : sizeof value);
  if (size > sizeof value && input.one_in(2))
    block[sizeof value + static_cast<size_t>(input.below(static_cast<int64_t>(size - sizeof value)))] = 1;
  return block;
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
Operations number_operations();
Operations layout_operations();
Operations shape_operations();
Operations utility_operations();
Operations tuple_operations();
Operations bitcast_operations();
Operations text_operations();
Operations wire_operations();
Operations interop_operations();
Operations map_operations();
Operations runtime_operations();
Operations device_operations();
Operations plan_operations();
Operations extension_operations();

// Shared by several files.
xlashape_element_type draw_type(Input& input);
std::vector<int64_t> draw_dimensions(Input& input);
xlashape_layout* draw_layout(Input& input,
                             const std::vector<int64_t>& dimensions);  // one that fits them, mostly; or NULL
xlashape_shape* draw_array(Input& input);                              // a small array; or NULL
xlashape_shape* pick_tuple(Input& input);                              // a tuple, where one is soon found
std::vector<int64_t> dimensions_of(const xlashape_shape* shape);
void pictures(Input& input, xlashape_shape* shape);  // xlashape_shape_draw; `shape` may be NULL
void targets(Input& input, xlashape_shape* shape);   // the functions about targets; `shape` may be NULL

}  // namespace api_fuzz
