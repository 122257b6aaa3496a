// SPDX-License-Identifier: Apache-2.0
#include "abi/abi_file.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

namespace foreign {

const Item& Struct::field(const std::string& wanted) const {
  for (const Item& field : fields)
    if (field.name == wanted) return field;
  throw std::runtime_error(name + " has no field " + wanted);
}

Item File::item(const nlohmann::json& from) const {
  Item item;
  item.name = from.value("name", "");
  item.type = from.value("type", "");
  item.base = from.value("base", "");
  item.role = from.value("role", "");
  item.direction = from.value("direction", "in");
  item.len = from.value("len", "");
  item.pointers = from.value("pointers", 0);
  item.nullable = from.value("nullable", false);
  item.owned = from.value("owned", false);
  const char* machine = sizeof(void*) == 8 ? "lp64" : alignof(int64_t) == 8 ? "ilp32" : "ilp32_align4";
  if (from.contains("offset")) item.offset = from["offset"][machine];
  if (from.contains("size")) item.size = from["size"][machine];
  return item;
}

Signature File::signature(const nlohmann::json& from) const {
  Signature signature;
  signature.name = from["name"];
  signature.returns = item(from["returns"]);
  for (const auto& parameter : from["parameters"]) signature.parameters.push_back(item(parameter));
  return signature;
}

File::File(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read " + path);
  const auto json = nlohmann::json::parse(stream);
  for (const auto& entry : json["typedefs"]) typedefs_[entry["name"]] = entry["type"];
  for (const auto& entry : json["functions"]) functions_.push_back(signature(entry));
  for (const auto& entry : json["constants"]) {
    const std::string name = entry["name"];
    const auto& value = entry["value"];
    constants_[name] = value.is_number_unsigned() ? static_cast<int64_t>(value.get<uint64_t>()) : value.get<int64_t>();
  }
  for (const auto& entry : json["structs"]) {
    Struct made;
    made.name = entry["name"];
    for (const auto& field : entry["fields"]) made.fields.push_back(item(field));
    made.size = item(entry).size;
    structs_[made.name] = made;
  }
}

const Signature& File::function(const std::string& name) const {
  for (const Signature& function : functions_)
    if (function.name == name) return function;
  throw std::runtime_error("the ABI file has no function " + name);
}

ffi_type* File::integer(const std::string& name) const {
  const auto alias = typedefs_.find(name);
  const std::string& base = alias != typedefs_.end() ? alias->second : name;
  static const std::map<std::string, ffi_type*> kTypes = {
      {"void", &ffi_type_void},
      {"int32_t", &ffi_type_sint32},
      {"uint32_t", &ffi_type_uint32},
      {"int64_t", &ffi_type_sint64},
      {"uint64_t", &ffi_type_uint64},
      {"uint8_t", &ffi_type_uint8},
      {"char", static_cast<char>(-1) < 0 ? &ffi_type_sint8 : &ffi_type_uint8},
      {"size_t", sizeof(size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32}};
  const auto found = kTypes.find(base);
  if (found == kTypes.end()) throw std::runtime_error("no integer type " + name);
  return found->second;
}

uint64_t widen(const ffi_type& type, uint64_t value) {
  switch (type.type) {
    case FFI_TYPE_SINT8:
      return static_cast<uint64_t>(static_cast<int8_t>(value));
    case FFI_TYPE_UINT8:
      return static_cast<uint8_t>(value);
    case FFI_TYPE_SINT32:
      return static_cast<uint64_t>(static_cast<int32_t>(value));
    case FFI_TYPE_UINT32:
      return static_cast<uint32_t>(value);
    default:
      return type.size == 4 ? static_cast<uint32_t>(value) : value;
  }
}

uint64_t load(const ffi_type& type, const void* from) {
  uint64_t value = 0;
  if (type.size == 1) {
    value = *static_cast<const uint8_t*>(from);
  } else if (type.size == 4) {
    uint32_t narrow;
    std::memcpy(&narrow, from, sizeof narrow);
    value = narrow;
  } else {
    std::memcpy(&value, from, sizeof value);
  }
  return widen(type, value);
}

void store(const ffi_type& type, uint64_t value, void* to) {
  const auto byte = static_cast<uint8_t>(value);
  const auto word = static_cast<uint32_t>(value);
  if (type.size == 1) {
    std::memcpy(to, &byte, sizeof byte);
  } else if (type.size == 4) {
    std::memcpy(to, &word, sizeof word);
  } else {
    std::memcpy(to, &value, sizeof value);
  }
}

namespace {

constexpr uint64_t kGarbage = 0xDEADBEEF00000000u;

}  // namespace

Call::Call(const File& file, const Signature& signature, bool garbage)
    : signature_(signature), result_(file.type(signature.returns)) {
  for (const Item& parameter : signature.parameters) {
    ffi_type* type = file.type(parameter);
    real_.push_back(type);
    passed_.push_back(garbage && type->size < 8 ? &ffi_type_uint64 : type);
  }
  if (ffi_prep_cif(&cif_, FFI_DEFAULT_ABI, static_cast<unsigned>(passed_.size()), result_, passed_.data()) != FFI_OK)
    throw std::runtime_error("libffi cannot call " + signature.name);
}

uint64_t Call::operator()(void (*function)(), const std::vector<uint64_t>& arguments) const {
  if (arguments.size() != real_.size()) throw std::runtime_error(signature_.name + ": wrong number of arguments");
  std::vector<uint64_t> words(arguments.size() + 1);
  std::vector<void*> slots(arguments.size() + 1);
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (passed_[i] != real_[i]) {
      words[i] = kGarbage | static_cast<uint32_t>(widen(*real_[i], arguments[i]));
    } else {
      store(*real_[i], arguments[i], &words[i]);
    }
    slots[i] = &words[i];
  }
  // A result narrower than a register comes as a whole ffi_arg, of which only the low bits count.
  alignas(16) uint64_t result[2] = {0xA5A5A5A5A5A5A5A5u, 0xA5A5A5A5A5A5A5A5u};
  ffi_call(&cif_, function, result, slots.data());
  if (result_->type == FFI_TYPE_VOID) return 0;
  if (result_->size < sizeof(ffi_arg)) return widen(*result_, *reinterpret_cast<ffi_arg*>(result));
  return load(*result_, result);
}

}  // namespace foreign
