// SPDX-License-Identifier: Apache-2.0
#include "mlir.h"

#include <algorithm>

namespace pjrt_plugin {
namespace {

constexpr std::size_t kMost = 4096;  // of anything that is counted: an identity has a dozen

[[noreturn]] void refuse(const std::string& why) {
  throw Failure(PJRT_Error_Code_UNIMPLEMENTED, "the program cannot be read: " + why);
}

// Bytes with a place in them; never leaves them.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) refuse("it ends too early");
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  // MLIR's integers: as many bytes follow the first as that has zeros at its lower end.
  std::uint64_t number() {
    const std::uint8_t first = byte();
    std::size_t more = 0;
    while (more < 8 && (first >> more & 1) == 0) ++more;
    std::uint64_t value = 0;
    const std::string_view rest = take(more);
    for (std::size_t i = rest.size(); i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(rest[i]);
    return more == 8 ? value : (value << 8 | first) >> (more + 1);
  }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
  }
  // A count or an index.
  std::size_t small(std::size_t limit = kMost) {
    const std::uint64_t value = number();
    if (value >= limit) refuse("the number " + std::to_string(value) + " is too large for its place");
    return static_cast<std::size_t>(value);
  }
  std::string text_with_nul() {
    const std::size_t end = bytes_.find('\0');
    if (end == std::string_view::npos) refuse("a text does not end");
    std::string text(take(end));
    byte();
    return text;
  }

 private:
  std::string_view bytes_;
};

// An attribute or a type: which dialect wrote it, and how.
struct Entry {
  std::size_t dialect;
  std::string_view bytes;
};

// Kinds of entries: MLIR's own, and those of VHLO, whose numbers are for ever.
enum : std::uint64_t { kBuiltinString = 2 };
enum : std::uint64_t { kArray = 1, kDictionary = 6, kString = 14, kType = 17 };
enum : std::uint64_t { kComplex = 1, kFunction = 8, kTensor = 20 };

xlashape::ElementType element_type(std::uint64_t kind) {
  constexpr std::pair<std::uint64_t, std::int32_t> kTypes[] = {
      {0, XLASHAPE_TYPE_PRED},        {2, XLASHAPE_TYPE_BF16},
      {3, XLASHAPE_TYPE_F16},         {4, XLASHAPE_TYPE_F32},
      {5, XLASHAPE_TYPE_F64},         {6, XLASHAPE_TYPE_F8E4M3FN},
      {7, XLASHAPE_TYPE_F8E5M2},      {10, XLASHAPE_TYPE_S4},
      {11, XLASHAPE_TYPE_S8},         {12, XLASHAPE_TYPE_S16},
      {13, XLASHAPE_TYPE_S32},        {14, XLASHAPE_TYPE_S64},
      {15, XLASHAPE_TYPE_U4},         {16, XLASHAPE_TYPE_U8},
      {17, XLASHAPE_TYPE_U16},        {18, XLASHAPE_TYPE_U32},
      {19, XLASHAPE_TYPE_U64},        {27, XLASHAPE_TYPE_F8E4M3FNUZ},
      {28, XLASHAPE_TYPE_F8E5M2FNUZ}, {29, XLASHAPE_TYPE_F8E4M3B11FNUZ},
      {31, XLASHAPE_TYPE_S2},         {32, XLASHAPE_TYPE_U2},
      {35, XLASHAPE_TYPE_F8E4M3},     {36, XLASHAPE_TYPE_F8E3M4},
      {37, XLASHAPE_TYPE_F4E2M1FN},   {40, XLASHAPE_TYPE_F8E8M0FNU}};
  for (const auto& [number, type] : kTypes)
    if (number == kind) return static_cast<xlashape::ElementType>(type);
  refuse("VHLO's type " + std::to_string(kind) + " is not known here");
}

class Module {
 public:
  explicit Module(std::string_view code) {
    Reader reader(code);
    if (reader.take(4) != "ML\xefR") refuse("it is no bytecode of MLIR");
    const std::uint64_t version = reader.number();
    if (version != 6) refuse("version " + std::to_string(version) + " of MLIR's bytecode is not known here");
    const std::string producer = reader.text_with_nul();
    if (producer.rfind("StableHLO_v", 0) != 0) refuse("'" + producer + "' is not StableHLO");
    while (!reader.at_end()) {
      const std::uint8_t id = reader.byte();
      const std::size_t size = reader.small(code.size());
      if (id >= kSections) refuse("section " + std::to_string(id) + " is aligned or not known");
      sections_[id] = reader.take(size);
    }
    read_strings();
    read_dialects();
    read_entries();
    read_properties();
  }

  ProgramText text() {
    ProgramText program;
    Reader reader(sections_[kIr]);
    if (reader.small() != 1 << 1) refuse("it has not one module");
    const Operation module = operation(reader);
    if (*module.name != "builtin.module" || module.properties.empty()) refuse("it is no module");
    Reader properties(module.properties);
    if (const std::size_t name = properties.small(2 * kMost); name & 1) program.name = builtin_string(name >> 1);
    Reader body = region(module);
    if (body.small() != 1) refuse("the module has not one block");
    body.small();  // values
    const std::size_t count = body.small();
    if ((count & 1) != 0) refuse("the module has arguments");
    bool found = false;
    for (std::size_t i = 0; i < count >> 1; ++i) {
      const Operation inner = operation(body);
      if (*inner.name == "sdy.mesh") continue;  // names devices for shardings
      if (*inner.name != "vhlo.func_v1" || found) {
        program.computes = *inner.name;
        return program;
      }
      found = true;
      function(inner, program);
      if (!program.computes.empty()) return program;
    }
    if (!found) refuse("the module has no function");
    return program;
  }

 private:
  enum Section : std::uint8_t {
    kStrings,
    kDialects,
    kEntries,
    kEntryOffsets,
    kIr,
    kResources,
    kResourceOffsets,
    kVersions,
    kProperties,
    kSections
  };

  struct Operation {
    const std::string* name;
    std::string_view properties;
    std::size_t results = 0;
    std::vector<std::size_t> operands;
    std::size_t regions = 0;
    std::string_view region;  // the first, where it is isolated
  };

  void read_strings() {
    Reader reader(sections_[kStrings]);
    std::vector<std::size_t> lengths(reader.small());
    for (std::size_t i = lengths.size(); i-- > 0;) lengths[i] = reader.small(sections_[kStrings].size());
    for (const std::size_t length : lengths) {
      if (length == 0) refuse("a text has no end");
      strings_.emplace_back(reader.take(length).substr(0, length - 1));
    }
  }

  const std::string& string(std::size_t index) const {
    if (index >= strings_.size()) refuse("there is no text " + std::to_string(index));
    return strings_[index];
  }

  void read_dialects() {
    Reader reader(sections_[kDialects]);
    for (std::size_t left = reader.small(); left > 0; --left) {
      const std::size_t name = reader.small();
      if ((name & 1) != 0) refuse("dialect " + string(name >> 1) + " has a version");
      dialects_.push_back(string(name >> 1));
    }
    const std::size_t count = reader.small();
    while (operations_.size() < count) {
      const std::size_t dialect = reader.small();
      if (dialect >= dialects_.size()) refuse("there is no dialect " + std::to_string(dialect));
      for (std::size_t left = reader.small(count + 1); left > 0; --left)
        operations_.push_back(dialects_[dialect] + '.' + string(reader.small() >> 1));
    }
  }

  void read_entries() {
    Reader reader(sections_[kEntryOffsets]), data(sections_[kEntries]);
    const std::size_t attributes = reader.small(), types = reader.small();
    std::size_t have = 0;
    while (have < attributes + types) {
      const std::size_t dialect = reader.small();
      if (dialect >= dialects_.size()) refuse("there is no dialect " + std::to_string(dialect));
      for (std::size_t left = reader.small(attributes + types + 1); left > 0; --left, ++have) {
        const std::size_t size = reader.small(2 * sections_[kEntries].size() + 2);
        (have < attributes ? attributes_ : types_).push_back({dialect, data.take(size >> 1)});
        if ((size & 1) == 0)
          (have < attributes ? attributes_ : types_).back().bytes = {};  // a text: nothing here reads it
      }
    }
  }

  void read_properties() {
    if (sections_[kProperties].empty()) return;
    Reader reader(sections_[kProperties]);
    for (std::size_t left = reader.small(); left > 0; --left)
      properties_.push_back(reader.take(reader.small(sections_[kProperties].size())));
  }

  Operation operation(Reader& reader) {
    Operation found;
    const std::size_t name = reader.small();
    if (name >= operations_.size()) refuse("there is no operation " + std::to_string(name));
    found.name = &operations_[name];
    const std::uint8_t has = reader.byte();
    if ((has & ~0x57) != 0) refuse(*found.name + " has successors, or an order of uses");
    reader.number();                         // location
    if ((has & 0x01) != 0) reader.number();  // attributes
    if ((has & 0x40) != 0) {
      const std::size_t index = reader.small();
      if (index >= properties_.size()) refuse("there are no properties " + std::to_string(index));
      found.properties = properties_[index];
    }
    if ((has & 0x02) != 0)
      for (found.results = reader.small(); found.results > found.operands.size(); found.operands.push_back(0))
        reader.number();
    found.operands.clear();
    if ((has & 0x04) != 0)
      for (std::size_t left = reader.small(); left > 0; --left) found.operands.push_back(reader.small());
    if ((has & 0x10) != 0) {
      const std::size_t regions = reader.small();
      if (regions != (1 << 1 | 1)) refuse(*found.name + " has not one isolated region");
      if (reader.byte() != kIr) refuse("the region of " + *found.name + " is no section");
      found.regions = 1;
      found.region = reader.take(reader.small(sections_[kIr].size()));
    }
    return found;
  }

  Reader region(const Operation& operation) {
    if (operation.regions != 1) refuse(*operation.name + " has no region");
    return Reader(operation.region);
  }

  const Entry& attribute(std::size_t index) const {
    if (index >= attributes_.size()) refuse("there is no attribute " + std::to_string(index));
    return attributes_[index];
  }
  std::string builtin_string(std::size_t index) const {
    const Entry& entry = attribute(index);
    Reader reader(entry.bytes);
    if (dialects_[entry.dialect] != "builtin" || reader.number() != kBuiltinString) refuse("a name is no text");
    return string(reader.small());
  }
  // One of VHLO's entries, behind its kind.
  Reader vhlo(const Entry& entry, std::uint64_t kind, const char* what) const {
    Reader reader(entry.bytes);
    if (dialects_[entry.dialect] != "vhlo" || reader.number() != kind)
      refuse(std::string(what) + " is of another kind");
    return reader;
  }
  const Entry& type(std::size_t index) const {
    if (index >= types_.size()) refuse("there is no type " + std::to_string(index));
    return types_[index];
  }
  std::string vhlo_string(std::size_t index, const char* what) const {
    return string(vhlo(attribute(index), kString, what).small());
  }

  Value value_of(const Entry& entry) const {
    Reader reader = vhlo(entry, kTensor, "a type");
    Value value;
    for (std::size_t left = reader.small(); left > 0; --left) value.dimensions.push_back(reader.signed_number());
    for (const std::int64_t size : value.dimensions)
      if (size < 0) refuse("an array has a dynamic dimension");
    const Entry& element = type(reader.small());
    Reader kind(element.bytes);
    if (dialects_[element.dialect] != "vhlo") refuse("an element type is not VHLO's");
    const std::uint64_t number = kind.number();
    if (number != kComplex) {
      value.type = element_type(number);
      return value;
    }
    const Entry& part = type(kind.small());
    const bool is_double = element_type(Reader(part.bytes).number()) == xlashape::ElementType::kF64;
    value.type = is_double ? xlashape::ElementType::kC128 : xlashape::ElementType::kC64;
    return value;
  }

  // The layouts in a list of dictionaries, one for each value.
  void layouts_in(std::size_t index, std::vector<Value>& values, const char* what) const {
    Reader list = vhlo(attribute(index), kArray, what);
    const std::size_t count = list.small();
    if (count == 0) return;
    if (count != values.size()) refuse(std::string(what) + " are too few or too many");
    for (Value& value : values) {
      Reader dictionary = vhlo(attribute(list.small()), kDictionary, what);
      for (std::size_t left = dictionary.small(); left > 0; --left) {
        const std::size_t key = dictionary.small(), entry = dictionary.small();
        if (vhlo_string(key, "a key") != "mhlo.layout_mode") continue;
        value.layout = vhlo_string(entry, "mhlo.layout_mode");
        if (value.layout == "default" || value.layout == "auto") value.layout.clear();
      }
    }
  }

  void function(const Operation& operation, ProgramText& program) {
    // The properties in the alphabetical order of their names.
    Reader properties(operation.properties);
    const std::size_t arguments = properties.small(), function_type = properties.small(), results = properties.small();
    vhlo_string(properties.small(), "the function's name");
    vhlo_string(properties.small(), "the function's visibility");
    if (!properties.at_end()) refuse("the function has properties that are not known here");
    Reader signature = vhlo(type(vhlo(attribute(function_type), kType, "the function's type").small()), kFunction,
                            "the function's type");
    for (auto* values : {&program.arguments, &program.results})
      for (std::size_t left = signature.small(); left > 0; --left) values->push_back(value_of(type(signature.small())));
    layouts_in(arguments, program.arguments, "the arguments' attributes");
    layouts_in(results, program.results, "the results' attributes");

    Reader body = region(operation);
    if (body.small() != 1) refuse("the function has not one block");
    body.small();  // values
    const std::size_t count = body.small();
    std::vector<std::size_t> values;  // by value, the argument that it is
    if ((count & 1) != 0) {
      for (std::size_t left = body.small(); left > 0; --left) {
        if ((body.small() & 1) != 0) body.number();  // type, location
        values.push_back(values.size());
      }
      if (body.byte() != 0) refuse("the function's arguments have an order of uses");
    }
    if (values.size() != program.arguments.size()) refuse("the block and the function have different arguments");
    for (std::size_t i = 0; i < count >> 1; ++i) {
      const Operation inner = this->operation(body);
      for (const std::size_t operand : inner.operands)
        if (operand >= values.size()) refuse("there is no value " + std::to_string(operand));
      if (*inner.name == "vhlo.return_v1") {
        if (i + 1 != count >> 1 || inner.operands.size() != program.results.size())
          refuse("the function returns something else");
        for (const std::size_t operand : inner.operands) program.sources.push_back(values[operand]);
      } else if (is_sharding(inner)) {
        values.push_back(values[inner.operands[0]]);
      } else {
        program.computes = *inner.name;
        return;
      }
    }
    if (program.sources.size() != program.results.size()) refuse("the function does not return");
    for (std::size_t i = 0; i < program.results.size(); ++i) {
      const Value& from = program.arguments[program.sources[i]];
      if (from.type != program.results[i].type || from.dimensions != program.results[i].dimensions)
        refuse("a result is not of its argument's type");
    }
  }

  // What jax 0.8 writes to say how a result is sharded: it returns its operand.
  bool is_sharding(const Operation& operation) const {
    if (*operation.name != "vhlo.custom_call_v1" || operation.operands.size() != 1 || operation.results != 1)
      return false;
    Reader properties(operation.properties);  // api_version, backend_config, call_target_name, ...
    properties.small();
    properties.small();
    return vhlo_string(properties.small(), "a custom call's target") == "xla.sdy.FuncResultSharding";
  }

  std::string_view sections_[kSections];
  std::vector<std::string> strings_, dialects_, operations_;
  std::vector<Entry> attributes_, types_;
  std::vector<std::string_view> properties_;
};

}  // namespace

// "attention" in "module @attention attributes {...} {".
std::string name_in_text(std::string_view code) {
  constexpr std::string_view kModule = "module @";
  const std::size_t at = code.find(kModule);
  if (at == std::string_view::npos) return {};
  code.remove_prefix(at + kModule.size());
  return std::string(code.substr(0, std::min(code.find_first_of(" \t\r\n{("), code.size())));
}

ProgramText read_program(std::string_view code) {
  if (const std::string name = name_in_text(code.substr(0, kMost)); code.substr(0, 4) != "ML\xefR" && !name.empty())
    throw Failure(PJRT_Error_Code_UNIMPLEMENTED,
                  "program " + name + " is MLIR as text: only portable artifacts of StableHLO are read");
  return Module(code).text();
}

}  // namespace pjrt_plugin
