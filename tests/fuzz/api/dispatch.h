/* SPDX-License-Identifier: Apache-2.0 */
// A random call of any function of the ABI file: arguments by their roles and names, and what has to hold around any
// call.
#pragma once
#include <deque>
#include <span>

#include "world.h"

namespace api_fuzz {

// Explained in bindings/abi/model.py; what is returned has kStatus, kNothing, kHandle, kText, kValue or kMemory.
enum class Role {
  kNothing,
  kStatus,
  kValue,
  kError,
  kHandle,
  kHandleOut,
  kHandles,
  kStruct,
  kArray,
  kText,
  kScalar,
  kMemory,
  kCallback
};

struct Parameter {
  std::string_view name, base;
  Role role;
  bool is_in, is_out, nullable, owned;
  bool is_sum;  // it has as many items as the array says that `count` names
  size_t size;  // of an item, a struct, or a handle
  int count;    // the parameter that says how many items there are; -1: none
  Handle handle;

  // A struct that the call fills as its fields ask.
  bool is_asked() const { return base == "xlashape_bitcast_steps"; }
  bool is_pointer() const { return role != Role::kValue && role != Role::kError; }
};
struct Signature {
  std::string_view name;
  Role returns;
  Handle handle;  // that it returns
  std::vector<Parameter> parameters;
  uint64_t (*call)(const uint64_t* words);
};
const std::vector<Signature>& signatures();
// -1: there is none of that name.
int find_function(std::string_view name);

// What the arguments of one call have in common.
struct Context {
  const xlashape_shape* shape = nullptr;  // the first one, of which there are the others
  const xlashape_index_map* map = nullptr;
  xlashape_element_type type = XLASHAPE_TYPE_F32;
  std::vector<int64_t> dimensions;  // of the shape, or of an array to be made
  int64_t rank = 0;
};

class Called {
 public:
  Called(int function, Input& input);
  // Calls it, with a room for answers that is none, then mostly one that is enough; drops or keeps the handles made.
  void run();

  const Signature& signature;
  const int function;
  std::vector<uint64_t> words;  // one for each parameter
  xlashape_status status = XLASHAPE_STATUS_OK;
  uint64_t result = 0;
  int64_t needed = -1;  // of the last answer of variable length
  bool lacks() const { return lacks_ || is_short_; }

  // By the parameter's name.
  template <class T>
  T get(std::string_view name) const {
    const uint64_t word = words[place(name)];
    if constexpr (std::is_pointer_v<T>)
      return reinterpret_cast<T>(word);
    else
      return static_cast<T>(word);
  }
  // What is behind a scalar or a handle that was made.
  template <class T>
  T told(std::string_view name) const {
    return *get<const T*>(name);
  }
  template <class T>
  std::vector<T> list(std::string_view name) const {
    const auto* const items = get<const T*>(name);
    return items == nullptr ? std::vector<T>() : std::vector<T>(items, items + blocks_[place(name)].size() / sizeof(T));
  }

 private:
  using Block = Exact<unsigned char>;
  size_t place(std::string_view name) const;
  bool is_counted_as_room(size_t i) const;
  int64_t needed_of(size_t i) const;
  uint64_t draw_handle(const Parameter& parameter);
  void draw_block(size_t i);
  void choose_counts();
  void reset_outputs();
  void set_rooms(int64_t (*choose)(Input&, int64_t needed));
  void call_once();
  void check_outputs();
  void keep_handles();

  Input& input_;
  Context context_;
  std::vector<Block> blocks_, before_;     // what each parameter points to, and what it held before the call
  std::vector<int64_t> counts_;            // how many items there are where a parameter says it; -1: not yet said
  bool lacks_ = false;                     // a pointer that has to be there is NULL
  bool is_short_ = false;                  // a count below 0
  std::deque<std::vector<int64_t>> kept_;  // lists of structs
};

// == Sources of values, by the names of parameters (values.cc) ==

int64_t draw_value(Input& input, const Signature& signature, const Parameter& parameter, const Context& context);
// The items of an array, or the bytes of a text, and how long it has to be if that is known (else -1).
std::vector<int64_t> draw_items(Input& input, const Signature& signature, const Parameter& parameter,
                                const Context& context, int64_t count);
std::string draw_text(Input& input, const Signature& signature, const Parameter& parameter);
// A struct whose lists live as long as `kept`.
std::vector<unsigned char> draw_struct(Input& input, const Parameter& parameter, const Context& context,
                                       std::deque<std::vector<int64_t>>& kept);

xlashape_runtime* draw_runtime_for(Input& input, const Signature& signature);  // runtimes.cc

// What has to hold after a call by the function's name (properties.cc).
void judge(Input& input, const Called& called);

void call_any(Input& input);
// Functions that are called by hand alone: what they take no table can know.
bool is_by_hand(const Signature& signature);

}  // namespace api_fuzz
