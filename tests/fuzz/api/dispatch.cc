// SPDX-License-Identifier: Apache-2.0
#include "dispatch.h"

#include <cstdio>
#include <optional>

namespace api_fuzz {
namespace {

constexpr unsigned char kUnwritten = 0xA5;  // what memory for answers holds before the call

template <class T>
T as(uint64_t word) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(word);
  else
    return static_cast<T>(word);
}
template <class T>
uint64_t word(T value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<uint64_t>(value);
  else
    return static_cast<uint64_t>(static_cast<int64_t>(value));
}

bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> heads) {
  return std::any_of(heads.begin(), heads.end(), [&](std::string_view head) { return name.starts_with(head); });
}

bool is_unwritten(const Exact<unsigned char>& block, size_t from) {
  for (size_t i = from; i < block.size(); ++i)
    if (block[i] != kUnwritten) return false;
  return true;
}

// What the header says is written where a call fails, too.
bool is_told_on_failure(const Parameter& parameter) {
  return parameter.name.find("needed") != std::string_view::npos || parameter.name == "ns";
}

// Room for `needed` items: one too small, fitting, or too large.
int64_t draw_room(Input& input, int64_t needed) {
  if (input.one_in(20)) return input.one_in(2) ? -1 - input.below(4) : INT64_MIN + input.below(2);
  return input.one_in(3)   ? needed + input.below(9)
         : input.one_in(4) ? input.below(needed + 1)
                           : needed - input.one_in(8);
}

// More parts than that would double with each tuple of tuples; more dimensions make each call slow.
bool is_large(Handle kind, void* handle) {
  if (kind != H_xlashape_shape) return false;
  const auto* const shape = static_cast<const xlashape_shape*>(handle);
  return xlashape_shape_subshape_count(shape) > 500 || xlashape_shape_rank(shape) > 60;
}

}  // namespace

const std::vector<Signature>& signatures() {
  static const auto& all = *new std::vector<Signature>{
#include "functions.inc"
#include "xlashape_xla.h"
  };
  return all;
}

int find_function(std::string_view name) {
  for (size_t i = 0; i < signatures().size(); ++i)
    if (signatures()[i].name == name) return static_cast<int>(i);
  return -1;
}

const char* name_of(int function) {
  if (function == F_execution_1_execute_async) return "execution_1_execute_async";
  if (function == F_execution_1_source_range) return "execution_1_source_range";
  return signatures()[static_cast<size_t>(function)].name.data();
}

bool is_by_hand(const Signature& signature) {
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.role == Role::kMemory || parameter.role == Role::kCallback) return true;
    if (parameter.role == Role::kStruct && parameter.is_in && !parameter.is_out &&
        starts_with_any(parameter.base,
                        {"xlashape_execute_options", "xlashape_runtime_", "xlashape_calibrate_", "xlashape_index_"}))
      return true;
  }
  // A path that is given and taken; plans, of which has to be known what they are made from.
  return starts_with_any(signature.name,
                         {"xlashape_shape_next_subshape", "xlashape_plan_create", "xlashape_index_plan_create"});
}

Called::Called(int what, Input& input)
    : signature(signatures()[static_cast<size_t>(what)]), function(what), input_(input) {
  const auto& parameters = signature.parameters;
  words.resize(parameters.size());
  counts_.assign(parameters.size(), -1);
  for (size_t i = 0; i < parameters.size(); ++i) blocks_.emplace_back(0, input_), before_.emplace_back(0, input_);
  const auto for_each = [&](auto&& holds, auto&& act) {
    for (size_t i = 0; i < parameters.size(); ++i)
      if (holds(parameters[i])) act(i);
  };
  const auto draw = [&](size_t i) { draw_block(i); };
  for_each([](const Parameter& p) { return p.role == Role::kHandle && p.handle != H_xlashape_layout; },
           [&](size_t i) { words[i] = draw_handle(parameters[i]); });
  if (context_.shape == nullptr && context_.map == nullptr) context_.dimensions = draw_dimensions(input_);
  if (context_.map == nullptr) context_.rank = static_cast<int64_t>(context_.dimensions.size());
  for_each([](const Parameter& p) { return p.base == "xlashape_element_type" && p.role == Role::kValue; },
           [&](size_t) { context_.type = draw_type(input_); });
  for_each([](const Parameter& p) { return p.role == Role::kHandle && p.handle == H_xlashape_layout; },
           [&](size_t i) { words[i] = draw_handle(parameters[i]); });
  for_each([](const Parameter& p) { return p.is_pointer() && p.role != Role::kHandle && !p.is_sum; }, draw);
  for_each([](const Parameter& p) { return p.is_sum; }, draw);
  choose_counts();
  // A pointer that has to be there, and is not.
  std::vector<size_t> required;
  for_each([](const Parameter& p) { return p.is_pointer() && !p.nullable; }, [&](size_t i) { required.push_back(i); });
  if (!required.empty() && input_.one_in(16)) words[required[static_cast<size_t>(input_.below(size_of(required)))]] = 0;
  for_each([](const Parameter& p) { return p.is_pointer() && !p.nullable; },
           [&](size_t i) {
             lacks_ |= words[i] == 0 && (parameters[i].count < 0 || parameters[i].is_out || blocks_[i].size() > 0);
           });
}

size_t Called::place(std::string_view name) const {
  for (size_t i = 0; i < signature.parameters.size(); ++i)
    if (signature.parameters[i].name == name) return i;
  std::fprintf(stderr, "%.*s has no parameter %.*s\n", static_cast<int>(signature.name.size()), signature.name.data(),
               static_cast<int>(name.size()), name.data());
  std::abort();
}

uint64_t Called::draw_handle(const Parameter& p) {
  Pool& pool = pools[p.handle];
  if (p.owned) {  // the last one that the pool knows of, perhaps
    void* const item = pool.any(input_);
    return pool.take(item) ? word(item) : 0;
  }
  if (input_.one_in(p.nullable ? 8 : 60)) return 0;
  if (p.handle == H_xlashape_layout && !input_.one_in(3)) {
    xlashape_layout* layout = draw_layout(input_, context_.dimensions);
    for (int i = 0; i < 6 && signature.name.ends_with("split") && xlashape_layout_split_count(layout) == 0; ++i)
      layout = draw_layout(input_, context_.dimensions);
    return word(layout);
  }
  if (p.handle == H_xlashape_shape) {
    xlashape_shape* shape = input_.one_in(4) ? draw_array(input_) : any<xlashape_shape>(input_);
    if (context_.shape != nullptr && input_.one_in(2)) shape = draw_view(input_, context_.shape);
    if (shape == nullptr) shape = draw_array(input_);
    const bool wants_tuple = p.name == "tuple" || signature.name.find("tuple_element") != std::string_view::npos ||
                             signature.name.find("subshape") != std::string_view::npos;
    if (wants_tuple && xlashape_shape_tuple_element_count(shape) == 0 && shape != nullptr && !input_.one_in(4)) {
      xlashape_shape* const elements[] = {shape, any<xlashape_shape>(input_)};
      shape = MAKE(shape, xlashape_shape_create_tuple, elements, input_.within(1, 2));
    }
    if (context_.shape == nullptr && shape != nullptr) {
      context_.shape = shape;
      context_.dimensions = dimensions_of(shape);
      context_.type = xlashape_shape_element_type(shape);
    }
    return word(shape);
  }
  // The steady runtime is nobody's: it is not retained.
  const bool may_be_any = p.handle == H_xlashape_runtime && signature.returns != Role::kHandle;
  void* item = may_be_any ? draw_runtime_for(input_, signature) : pool.any(input_);
  if (p.handle == H_xlashape_index_map) {
    if (item == nullptr || input_.one_in(4))
      if (const xlashape_shape* const shape = draw_array(input_); shape != nullptr)
        item = MAKE(index_map, xlashape_index_map_create, shape);
    context_.map = static_cast<const xlashape_index_map*>(item);
    context_.rank = xlashape_index_map_rank(context_.map);
  }
  if (item == nullptr && p.handle == H_xlashape_program_shape)
    if (xlashape_shape* const shape = draw_array(input_); shape != nullptr)
      item = MAKE(program_shape, xlashape_program_shape_create, &shape, int64_t{1}, "x", nullptr, shape);
  return word(item);
}

void Called::draw_block(size_t i) {
  const Parameter& p = signature.parameters[i];
  const auto put = [&](const void* bytes, size_t size) {
    blocks_[i] = Block(size, input_);
    if (size > 0) std::memcpy(blocks_[i].data(), bytes, size);
    words[i] = word(blocks_[i].data());
  };
  const auto told = [&](size_t items) {
    if (p.count < 0 || p.is_sum) return;
    int64_t& count = counts_[static_cast<size_t>(p.count)];
    count = static_cast<int64_t>(items);
  };
  const int64_t wanted = p.is_sum ? -1 : p.count < 0 ? 1 : counts_[static_cast<size_t>(p.count)];
  if (p.role == Role::kStruct) {
    if (p.nullable && input_.one_in(4)) return;
    std::vector<unsigned char> value(p.size);
    if (p.is_out && !p.is_asked())
      std::fill(value.begin(), value.end(), kUnwritten);
    else
      value = draw_struct(input_, p, context_, kept_);
    if (p.base == "xlashape_queue") return put(value.data(), value.size());  // it has no size of its own
    blocks_[i] = resized(value.data(), value.size(), input_);
    if (p.is_out && !p.is_asked()) std::memset(blocks_[i].data() + 4, kUnwritten, blocks_[i].size() - 4);
    words[i] = word(blocks_[i].data());
  } else if (p.role == Role::kScalar || p.role == Role::kHandleOut) {
    if (p.nullable && input_.one_in(4)) return;
    const int64_t value = static_cast<int64_t>(input_.wild());
    put(&value, p.size);
  } else if (p.role == Role::kText && !p.is_out) {
    std::string text = draw_text(input_, signature, p);
    if (p.is_sum) {
      size_t sum = 0;
      for (const int64_t length : list<int64_t>(signature.parameters[static_cast<size_t>(p.count)].name))
        sum += length < 0 || length > 100 ? 0 : static_cast<size_t>(length);
      text.resize(sum, 'y');
    }
    put(text.data(), text.size());
    told(text.size());
  } else if (p.role == Role::kHandles) {
    std::vector<void*> items(static_cast<size_t>(wanted >= 0 ? wanted : input_.below(5)));
    for (void*& item : items) item = input_.one_in(60) ? nullptr : pools[p.handle].any(input_);
    put(items.data(), items.size() * sizeof(void*));
    told(items.size());
  } else if (!is_counted_as_room(i)) {
    std::vector<int64_t> items;
    if (p.is_in)
      items = draw_items(input_, signature, p, context_, wanted);
    else
      items.resize(static_cast<size_t>(wanted >= 0 ? wanted : context_.rank), -1);
    if (p.size == 8) put(items.data(), items.size() * 8);
    if (p.size == 1) put(std::vector<uint8_t>(items.begin(), items.end()).data(), items.size());
    told(items.size());
  }
}

// An answer of variable length: the caller says for how much there is room.
bool Called::is_counted_as_room(size_t i) const {
  const Parameter& p = signature.parameters[i];
  return (p.role == Role::kArray || p.role == Role::kText) && p.is_out && p.count >= 0 &&
         signature.parameters[static_cast<size_t>(p.count)].name.find("capacity") != std::string_view::npos;
}

// How many items the answer has, as the call told.
int64_t Called::needed_of(size_t i) const {
  std::string name(signature.parameters[static_cast<size_t>(signature.parameters[i].count)].name);
  return told<int64_t>(name.replace(name.find("capacity"), 8, "needed"));
}

void Called::choose_counts() {
  for (size_t i = 0; i < words.size(); ++i) {
    const Parameter& p = signature.parameters[i];
    if (p.role != Role::kValue) continue;
    if (counts_[i] < 0) {
      words[i] = static_cast<uint64_t>(p.base == "xlashape_element_type" ? context_.type
                                                                         : draw_value(input_, signature, p, context_));
      continue;
    }
    const int64_t edge = input_.below(100);
    const int64_t count = edge == 0 ? -1 - input_.below(3) : edge == 1 ? INT64_MIN + input_.below(2) : counts_[i];
    is_short_ |= count < 0;
    words[i] = static_cast<uint64_t>(edge == 2 ? input_.below(count + 1) : count);
  }
}

// What is written by the call holds what nobody writes.
void Called::reset_outputs() {
  for (size_t i = 0; i < words.size(); ++i) {
    const Parameter& p = signature.parameters[i];
    if (p.is_out && !p.is_in && (p.role == Role::kScalar || p.role == Role::kHandleOut || p.role == Role::kArray))
      std::memset(blocks_[i].data(), kUnwritten, blocks_[i].size());
    before_[i] = Block::copy_of(blocks_[i], input_);
  }
}

void Called::set_rooms(int64_t (*choose)(Input&, int64_t)) {
  for (size_t count = 0; count < words.size(); ++count) {
    std::optional<int64_t> room;  // of all answers that have this capacity
    for (size_t i = 0; i < words.size(); ++i) {
      const Parameter& p = signature.parameters[i];
      if (!is_counted_as_room(i) || p.count != static_cast<int>(count)) continue;
      if (!room) room = choose == nullptr ? 0 : choose(input_, needed_of(i));
      words[count] = static_cast<uint64_t>(*room);
      is_short_ |= *room < 0;
      blocks_[i] = Block(static_cast<size_t>(*room < 0 ? 4 : *room) * p.size, input_);
      words[i] = word(blocks_[i].data());
    }
  }
}

void Called::call_once() {
  reset_outputs();
  if (signature.returns != Role::kStatus) {
    counted(function);
    result = signature.call(words.data());
    ended = {};
  } else {
    Attempt call(function, input_);
    words.back() = word(call.err());
    status = static_cast<xlashape_status>(signature.call(words.data()));
    call.end(status);
  }
  check_outputs();
  keep_handles();
}

void Called::check_outputs() {
  const bool ok = status == XLASHAPE_STATUS_OK, returns = signature.returns == Role::kStatus;
  if (returns && lacks_) check(!ok, "NULL is taken where there has to be something");
  if (lacks_ && signature.returns == Role::kValue) check(result == 0, "NULL has another answer than 0");
  if (returns && is_short_) check(!ok, "less than nothing is taken");
  for (size_t i = 0; i < words.size(); ++i) {
    const Parameter& p = signature.parameters[i];
    const Block& now = blocks_[i];
    if (p.role == Role::kText && p.is_in && p.count >= 0 &&
        get<int64_t>(signature.parameters[static_cast<size_t>(p.count)].name) < 0)
      check(!returns || status == XLASHAPE_STATUS_INVALID_ARGUMENT || status == XLASHAPE_STATUS_INCOMPATIBLE ||
                ended.was_refused_memory,
            "a text of negative length is read");
    if (now.size() == 0 || words[i] == 0) continue;
    const bool is_same = std::memcmp(now.data(), before_[i].data(), now.size()) == 0;
    if (!p.is_out) {
      check(is_same, "an argument is written that is only read");
    } else if (!ok) {
      check(is_same || p.role == Role::kText || is_told_on_failure(p), "an answer is written on failure");
    } else if (returns && !p.is_in && (p.role == Role::kScalar || p.role == Role::kHandleOut)) {
      check(!is_unwritten(now, 0), "an answer is not written on success");
      check(p.role != Role::kHandleOut || *get<void**>(p.name) != nullptr, "success without a handle");
    } else if (p.role == Role::kStruct) {
      uint32_t size;
      std::memcpy(&size, now.data(), sizeof size);
      check(size <= now.size() && size <= p.size, "a struct is filled beyond its end");
    }
  }
  if (signature.returns == Role::kText && result != 0)
    check(is_printable_line(as<const char*>(result)), "a text that is no line");
  for (const char* question : {"_is_", "_has_", "_equal", "_compatible", "_fits_", "_are_"})
    if (signature.returns == Role::kValue && signature.name.find(question) != std::string_view::npos)
      check(result <= 1, "an answer that is neither yes nor no");
}

void Called::keep_handles() {
  const auto keep = [&](Handle kind, void* handle) {
    is_large(kind, handle) ? pools[kind].drop(handle) : pools[kind].add(handle, input_);
  };
  if (signature.returns == Role::kHandle && result != 0) {
    check(result == words[0], "retain answers another handle");
    keep(signature.handle, as<void*>(result));
  }
  if (signature.returns != Role::kStatus || status != XLASHAPE_STATUS_OK) return;
  for (size_t i = 0; i < words.size(); ++i) {
    if (signature.parameters[i].role == Role::kHandleOut && words[i] != 0)
      keep(signature.parameters[i].handle, *as<void**>(words[i]));
    if (signature.parameters[i].is_asked())
      for (xlashape_shape* const shape :
           {as<xlashape_bitcast_steps*>(words[i])->reshape_from, as<xlashape_bitcast_steps*>(words[i])->reshape_to})
        keep(H_xlashape_shape, shape);
    if (signature.parameters[i].base == "xlashape_window" && words[i] != 0)
      keep(H_xlashape_shape, as<xlashape_window*>(words[i])->shape);
  }
}

void Called::run() {
  set_rooms(nullptr);
  call_once();
  int64_t rooms = 0;
  for (size_t i = 0; i < words.size(); ++i) rooms += is_counted_as_room(i) ? 1 : 0;
  if (rooms == 0 || status != XLASHAPE_STATUS_OK) return;
  std::vector<int64_t> wanted(words.size(), -1);
  for (size_t i = 0; i < words.size(); ++i) {
    if (!is_counted_as_room(i)) continue;
    wanted[i] = needed = needed_of(i);
    check(needed >= (signature.parameters[i].role == Role::kText ? 1 : 0), "needed is not set");
  }
  set_rooms(draw_room);
  const bool was_short = is_short_;
  call_once();
  if (ended.was_refused_memory) return;
  if (was_short)  // of two capacities the other one may be too small
    return check(status == XLASHAPE_STATUS_INVALID_ARGUMENT || rooms > 1, "a negative capacity is taken");
  bool fits = true;
  for (size_t i = 0; i < words.size(); ++i) {
    if (wanted[i] < 0) continue;
    const Parameter& p = signature.parameters[i];
    const auto room = static_cast<int64_t>(blocks_[i].size() / p.size);
    fits &= room == 0 || room >= wanted[i];
    check(needed_of(i) == wanted[i], "needed differs when asked again");
    if (room == 0) continue;
    if (p.role == Role::kText) {
      const auto* const end = static_cast<const unsigned char*>(std::memchr(blocks_[i].data(), 0, blocks_[i].size()));
      check(end != nullptr, "a text is not terminated");
      check(room < wanted[i] || end - blocks_[i].data() + 1 == wanted[i], "a text is not as long as needed says");
    }
    if (room > wanted[i])
      check(is_unwritten(blocks_[i], static_cast<size_t>(wanted[i]) * p.size), "more is written than needed says");
  }
  check((status == XLASHAPE_STATUS_OK) == fits, "capacity and status disagree");
}

void call_any(Input& input) {
  // The more parameters a function has, the more there is to find.
  static const auto& all = *new std::vector<int>([] {
    std::vector<int> list;
    for (size_t i = 0; i < signatures().size(); ++i)
      if (!is_by_hand(signatures()[i]))
        list.insert(list.end(), signatures()[i].parameters.size() + 1, static_cast<int>(i));
    return list;
  }());
  Called called(all[static_cast<size_t>(input.below(static_cast<int64_t>(all.size())))], input);
  called.run();
  judge(input, called);
}

}  // namespace api_fuzz
