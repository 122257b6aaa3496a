/* SPDX-License-Identifier: Apache-2.0 */
// The ABI file as the tests use it: signatures and structs, and calls through libffi that know nothing else.
#pragma once
#include <ffi.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace foreign {

// A parameter, a field or a result. Roles are explained in model.py.
struct Item {
  std::string name, type, base, role, direction, len;
  int pointers = 0;
  bool nullable = false, owned = false;
  size_t offset = 0, size = 0;  // of fields

  bool is_pointer() const { return pointers > 0 || role == "callback"; }
};

struct Signature {
  std::string name;
  Item returns;
  std::vector<Item> parameters;

  bool has_status() const { return returns.role == "status"; }
};

struct Struct {
  std::string name;
  size_t size = 0;
  std::vector<Item> fields;

  const Item& field(const std::string& name) const;
  bool grows() const { return fields.front().name == "struct_size"; }
};

class File {
 public:
  // Throws std::runtime_error with the reason when the file cannot be read.
  explicit File(const std::string& path);

  const std::vector<Signature>& functions() const { return functions_; }
  const Signature& function(const std::string& name) const;
  const Struct& structure(const std::string& name) const { return structs_.at(name); }
  int64_t constant(const std::string& name) const { return constants_.at(name); }

  // Integer types by name, typedefs included; "void" too.
  size_t width(const std::string& base) const { return integer(base)->size; }
  ffi_type* integer(const std::string& base) const;
  ffi_type* type(const Item& item) const { return item.is_pointer() ? &ffi_type_pointer : integer(item.base); }

 private:
  Item item(const nlohmann::json& from) const;
  Signature signature(const nlohmann::json& from) const;

  std::vector<Signature> functions_;
  std::map<std::string, Struct> structs_;
  std::map<std::string, std::string> typedefs_;
  std::map<std::string, int64_t> constants_;
};

// Whether a caller may leave the upper half of a register undefined when it passes a narrower integer. Where it may,
// the tests put garbage there.
#if defined(__x86_64__) || (defined(__aarch64__) && !defined(__APPLE__))
inline constexpr bool kGarbageAbove = true;
#else
inline constexpr bool kGarbageAbove = false;
#endif

// A prepared call of one signature.
class Call {
 public:
  Call(const File& file, const Signature& signature, bool garbage = kGarbageAbove);
  // One word per parameter; narrow integers in its low bits.
  // The result in the same way, sign-extended where it has one.
  uint64_t operator()(void (*function)(), const std::vector<uint64_t>& arguments) const;

 private:
  const Signature& signature_;
  ffi_type* result_;
  std::vector<ffi_type*> real_, passed_;
  mutable ffi_cif cif_;
};

// The value of a narrow integer as a word.
uint64_t widen(const ffi_type& type, uint64_t value);
// The same out of memory; and back.
uint64_t load(const ffi_type& type, const void* from);
void store(const ffi_type& type, uint64_t value, void* to);

}  // namespace foreign
