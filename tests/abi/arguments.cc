// SPDX-License-Identifier: Apache-2.0
#include "abi/arguments.h"

#include <cstring>
#include <stdexcept>

namespace foreign {

Buffer::Buffer(size_t bytes, unsigned char value) : size_(bytes), words_((bytes + 7) / 8 + kGuardWords) {
  std::memset(words_.data(), kUnwritten, words_.size() * 8);
  std::memset(words_.data(), value, bytes);
  remember();
}

bool Buffer::guarded() const {
  const auto* now = reinterpret_cast<const unsigned char*>(words_.data());
  for (size_t i = size_; i < words_.size() * 8; ++i)
    if (now[i] != kUnwritten) return false;
  return true;
}

nlohmann::json Session::recipe(const std::string& function, const char* key) const {
  const auto& functions = calls.at("functions");
  const auto found = functions.find(function);
  return found == functions.end() ? nlohmann::json::object() : found->value(key, nlohmann::json::object());
}

Arguments::Arguments(const Session& session, const Signature& function, const nlohmann::json& with)
    : session_(session), function_(function), with_(session.recipe(function.name, "with")) {
  if (with.is_object()) with_.update(with);
  for (const auto& [name, value] : with_.items())
    if (place(name) < 0) throw std::runtime_error("calls.json: " + function.name + " has no parameter " + name);
  values.resize(function.parameters.size());
  choose_lengths();
  for (const bool sums : {false, true})  // lengths that are sums of an array come after the array
    for (size_t i = 0; i < values.size(); ++i) {
      const Item& parameter = function.parameters[i];
      if (parameter.role != "value" && (parameter.len.rfind("sum(", 0) == 0) == sums) values[i] = make(parameter);
    }
  for (Buffer& each : buffers_) each.remember();
}

// Plain numbers: as told, else the size of the list that they count, else the default of their name.
void Arguments::choose_lengths() {
  const auto& numbers = session_.calls.at("value");
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string& name = function_.parameters[i].name;
    values[i] = static_cast<uint64_t>(numbers.value(name, int64_t{0}));
  }
  for (const Item& list : function_.parameters) {
    const int64_t at = place(list.len);
    if (at >= 0 && with_.contains(list.name) && with_[list.name].size() > 0 && with_[list.name].is_array())
      values[static_cast<size_t>(at)] = with_[list.name].size();
    if (at >= 0 && with_.contains(list.name) && with_[list.name].is_string() && list.role == "array")
      values[static_cast<size_t>(at)] = answer(with_[list.name].get<std::string>().substr(1)).size;
    if (at >= 0 && list.role == "text" && list.direction == "in") {
      const uint64_t address = text(list);
      values[static_cast<size_t>(at)] = std::strlen(reinterpret_cast<const char*>(address));
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const Item& parameter = function_.parameters[i];
    if (parameter.role == "value" && with_.contains(parameter.name))
      values[i] = static_cast<uint64_t>(with_[parameter.name].get<int64_t>());
  }
}

Buffer& Arguments::buffer(size_t bytes, unsigned char value) { return buffers_.emplace_back(bytes, value); }

int64_t Arguments::place(const std::string& parameter) const {
  for (size_t i = 0; i < function_.parameters.size(); ++i)
    if (function_.parameters[i].name == parameter) return static_cast<int64_t>(i);
  return -1;
}

// Value of a length: a parameter, the sum of an array, or a product of such.
int64_t Arguments::items(const std::string& len) const {
  const size_t times = len.find(" * ");
  if (times != std::string::npos) return items(len.substr(0, times)) * items(len.substr(times + 3));
  if (len.rfind("sum(", 0) == 0) {
    Buffer& array = *arrays_.at(len.substr(4, len.size() - 5));
    int64_t sum = 0;
    for (size_t i = 0; i < array.size() / 8; ++i) sum += reinterpret_cast<const int64_t*>(array.data())[i];
    return sum;
  }
  const int64_t at = place(len);
  return at >= 0 ? static_cast<int64_t>(values[static_cast<size_t>(at)])
                 : session_.calls.at("value").value(len, int64_t{0});
}

void Arguments::empty(const std::string& len) {
  if (len.empty()) return;
  const size_t times = len.find(" * ");
  const std::string first = len.substr(0, times);
  if (first.rfind("sum(", 0) == 0) {
    Buffer& array = *arrays_.at(first.substr(4, first.size() - 5));
    std::memset(array.data(), 0, array.size());
    array.remember();
  } else if (const int64_t at = place(first); at >= 0) {
    values[static_cast<size_t>(at)] = 0;
  }
}

uint64_t Arguments::make(const Item& parameter) {
  const std::string& role = parameter.role;
  const auto given = with_.find(parameter.name);
  if (role == "error" || (given != with_.end() && given->is_null())) return 0;
  if (given != with_.end() && given->is_string() && role != "text") return named(*given);
  if (role == "handle") return shared_handle(parameter.base);
  if (role == "text") return text(parameter);
  if (role == "memory") return named("$memory");
  if (role == "array" || role == "handles") return array(parameter);
  if (role == "struct") {
    const auto fields = given != with_.end() ? *given : nlohmann::json::object();
    return structure(parameter.base, fields, parameter.direction != "in", parameter.name);
  }
  if (role == "scalar") {
    Buffer& made = buffer(session_.file.width(parameter.base), kUnwritten);
    if (given != with_.end())
      store(*session_.file.integer(parameter.base), static_cast<uint64_t>(given->get<int64_t>()), made.data());
    return made.address();
  }
  if (role == "handle_out") return buffer(sizeof(void*), kUnwritten).address();
  throw std::runtime_error(function_.name + ": no argument can be made up for " + parameter.name);
}

// The numbers told; else 0, 1, 2, ... as long as its length says. Answers: room for them.
uint64_t Arguments::array(const Item& parameter) {
  const auto count = static_cast<size_t>(items(parameter.len));
  const bool handles = parameter.role == "handles";
  const size_t width = handles ? sizeof(void*) : session_.file.width(parameter.base);
  Buffer& made = buffer(count * width, kUnwritten);
  arrays_[parameter.name] = &made;
  made.is_constant = parameter.direction == "in";
  if (parameter.direction == "out") return made.address();
  const auto given = with_.find(parameter.name);
  ffi_type& type = handles ? ffi_type_pointer : *session_.file.integer(parameter.base);
  for (size_t i = 0; i < count; ++i) {
    uint64_t value = i;
    if (given != with_.end() && i < given->size()) {
      value = handles ? shared_handle((*given)[i].get<std::string>().substr(1))
                      : static_cast<uint64_t>((*given)[i].get<int64_t>());
    } else if (handles) {
      value = shared_handle(parameter.base);
    }
    store(type, value, made.data() + i * width);
  }
  return made.address();
}

uint64_t Arguments::text(const Item& parameter) {
  if (parameter.direction == "out") return buffer(static_cast<size_t>(items(parameter.len)), kUnwritten).address();
  std::string value = with_.value(parameter.name, session_.calls.at("text").value(parameter.name, ""));
  if (value == "$plugin") value = session_.plugin;
  if (place(parameter.len) < 0) value.assign(static_cast<size_t>(items(parameter.len)), 'x');
  Buffer& made = buffer(value.size() + 1, 0);
  made.is_constant = true;
  std::memcpy(made.data(), value.data(), value.size());
  return made.address();
}

uint64_t Arguments::structure(const std::string& base, const nlohmann::json& told, bool is_output,
                              const std::string& where) {
  const Struct& kind = session_.file.structure(base);
  Buffer& made = buffer(kind.size + kRoom, 0);
  made.is_constant = !is_output;
  if (is_output) std::memset(made.data(), kUnwritten, kind.size + kRoom);
  if (kind.grows()) {
    store(ffi_type_uint32, kind.size, made.data());
    structs_.push_back({base, where, &made, kind.size, is_output});
  }
  nlohmann::json fields = session_.calls.at("structs").value(base, nlohmann::json::object());
  fields.update(told);
  for (const auto& [name, value] : fields.items()) {
    const Item& field = kind.field(name);
    uint64_t word = 0;
    if (value.is_string()) {
      word = named(value);
    } else if (value.is_object()) {
      word = structure(field.base, value, false, where + "." + name);
    } else if (value.is_array()) {
      Buffer& list = buffer(value.size() * 8, 0);
      list.is_constant = true;
      for (size_t i = 0; i < value.size(); ++i)
        store(ffi_type_sint64, static_cast<uint64_t>(value[i].get<int64_t>()), list.data() + 8 * i);
      word = list.address();
    } else {
      word = static_cast<uint64_t>(value.get<int64_t>());
    }
    store(*session_.file.type(field), word, made.data() + field.offset);
  }
  return made.address();
}

// "@name": a handle; "%name": what another function answers; "$memory": bytes; "$name": a function.
uint64_t Arguments::named(const std::string& name) {
  if (name.at(0) == '%') return answer(name.substr(1)).address;
  if (name.at(0) == '@') return shared_handle(name.substr(1));
  if (name == "$memory") return buffer(kMemory, 0).address();
  const auto found = session_.callbacks.find(name.substr(1));
  if (found == session_.callbacks.end()) throw std::runtime_error("calls.json: nothing is named " + name);
  return reinterpret_cast<uint64_t>(found->second);
}

uint64_t Arguments::shared_handle(const std::string& name) {
  const auto& handles = session_.calls.at("handles");
  if (!handles.contains(name)) throw std::runtime_error("calls.json says of no handle " + name + " how to make it");
  const auto& how = handles.at(name);
  Arguments& maker = makers_.emplace_back(session_, session_.file.function(how.at("call")), how.at("with"));
  if (const uint64_t status = maker.call())
    throw std::runtime_error("making the handle " + name + " failed with " + std::to_string(status));
  const uint64_t handle = maker.handle();
  // A function that takes the caller's reference gets one of its own, ours again until it is called.
  for (const Item& parameter : function_.parameters) {
    if (parameter.role != "handle" || !parameter.owned) continue;
    const std::string retain = parameter.base + "_retain";
    Call(session_.file, session_.file.function(retain))(session_.library.find(retain), {handle});
    owned_.emplace_back(parameter.base, handle);
  }
  return handle;
}

Arguments::Answer Arguments::answer(const std::string& name) {
  if (const auto known = answers_.find(name); known != answers_.end()) return known->second;
  const auto& how = session_.calls.at("answers").at(name);
  Arguments& maker = makers_.emplace_back(session_, session_.file.function(how.at("call")));
  if (const uint64_t status = maker.call())
    throw std::runtime_error("the answer " + name + " failed with " + std::to_string(status));
  const auto at = [&](const char* parameter) { return maker.values[static_cast<size_t>(maker.place(parameter))]; };
  return answers_[name] = {at("out"), load(ffi_type_uint64, reinterpret_cast<void*>(at("needed")))};
}

uint64_t Arguments::call(bool garbage) {
  const Library::Function entry = session_.library.find(function_.name);
  if (entry == nullptr) throw std::runtime_error(function_.name + " is not in the library");
  const uint64_t result = Call(session_.file, function_, garbage)(entry, values);
  for (size_t i = 0; i < values.size(); ++i)
    if (const Item& parameter = function_.parameters[i]; parameter.role == "handle" && parameter.owned)
      owned_.remove({parameter.base, values[i]});
  const bool good = !function_.has_status() || result == 0;
  if (function_.returns.role == "handle" && result != 0) owned_.emplace_back(function_.returns.base, result);
  for (size_t i = 0; i < values.size() && good; ++i) {
    const Item& parameter = function_.parameters[i];
    if (values[i] == 0) continue;
    auto* const at = reinterpret_cast<unsigned char*>(values[i]);
    if (parameter.role == "handle_out") owned_.emplace_back(parameter.base, load(ffi_type_pointer, at));
    if (parameter.role == "struct" && parameter.direction != "in")
      for (const Item& field : session_.file.structure(parameter.base).fields)
        if (field.role == "handle") owned_.emplace_back(field.base, load(ffi_type_pointer, at + field.offset));
  }
  return result;
}

uint64_t Arguments::handle() const { return owned_.front().second; }

bool Arguments::untouched() const {
  for (const Buffer& each : buffers_)
    if (!each.untouched()) return false;
  return true;
}

bool Arguments::guarded() const {
  for (const Buffer& each : buffers_)
    if (!each.guarded() || (each.is_constant && !each.untouched())) return false;
  return true;
}

void Arguments::release(const std::string& base, uint64_t handle) {
  const std::string name = base + "_release";
  Call(session_.file, session_.file.function(name))(session_.library.find(name), {handle});
}

Arguments::~Arguments() {
  for (const auto& [base, handle] : owned_) release(base, handle);
}

}  // namespace foreign
