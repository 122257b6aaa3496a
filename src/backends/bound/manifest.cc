// SPDX-License-Identifier: Apache-2.0
#include "backends/bound/manifest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string_view>

#include "backends/common/entry.h"
#include "ir/manifest_text.h"

namespace xlashape::bound {
namespace {

using backends::fail;
using ir::ManifestText;

struct NamedValue {
  std::string_view name;
  int value;
};

constexpr NamedValue kRoles[] = {{"copy_linear", static_cast<int>(Role::kCopyLinear)},
                                 {"copy_2d", static_cast<int>(Role::kCopy2d)},
                                 {"transpose_2d", static_cast<int>(Role::kTranspose2d)}};
constexpr NamedValue kTypes[] = {
    {"void", static_cast<int>(ArgumentType::kVoid)},      {"i32", static_cast<int>(ArgumentType::kI32)},
    {"u32", static_cast<int>(ArgumentType::kU32)},        {"i64", static_cast<int>(ArgumentType::kI64)},
    {"u64", static_cast<int>(ArgumentType::kU64)},        {"size", static_cast<int>(ArgumentType::kSize)},
    {"f32", static_cast<int>(ArgumentType::kF32)},        {"f64", static_cast<int>(ArgumentType::kF64)},
    {"pointer", static_cast<int>(ArgumentType::kPointer)}};
constexpr NamedValue kValueNames[] = {{"src", static_cast<int>(ArgumentValue::kSrc)},
                                      {"dst", static_cast<int>(ArgumentValue::kDst)},
                                      {"bytes", static_cast<int>(ArgumentValue::kBytes)},
                                      {"row_bytes", static_cast<int>(ArgumentValue::kRowBytes)},
                                      {"rows", static_cast<int>(ArgumentValue::kRows)},
                                      {"columns", static_cast<int>(ArgumentValue::kColumns)},
                                      {"src_pitch", static_cast<int>(ArgumentValue::kSrcPitch)},
                                      {"dst_pitch", static_cast<int>(ArgumentValue::kDstPitch)}};
constexpr NamedValue kElements[] = {{"f32", 32}, {"f64", 64}, {"c64", 64}, {"c128", 128}};

template <size_t kCount>
int find(const NamedValue (&names)[kCount], std::string_view wanted) {
  for (const NamedValue& each : names)
    if (each.name == wanted) return each.value;
  return -1;
}

// Whether a role passes this value to its routine.
bool gives(Role role, ArgumentValue value) {
  switch (value) {
    case ArgumentValue::kSrc:
    case ArgumentValue::kDst:
      return true;
    case ArgumentValue::kBytes:
      return role == Role::kCopyLinear;
    case ArgumentValue::kRowBytes:
      return role == Role::kCopy2d;
    default:
      return role != Role::kCopyLinear;
  }
}

bool is_integer(ArgumentType type) { return type >= ArgumentType::kI32 && type <= ArgumentType::kSize; }
bool is_real(ArgumentType type) { return type == ArgumentType::kF32 || type == ArgumentType::kF64; }

// Reads the whole word as a number, independent of the process's locale.
template <class Number>
bool parse(const std::string& word, Number* number) {
  const char* const end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, *number);
  return result.ec == std::errc() && result.ptr == end;
}

// Whether the argument's type can represent its constant i.
bool holds(const RoutineArgument& argument, size_t i) {
  const int64_t value = argument.integer[i];
  switch (argument.type) {
    case ArgumentType::kI32:
      return value >= INT32_MIN && value <= INT32_MAX;
    case ArgumentType::kU32:
      return value >= 0 && value <= UINT32_MAX;
    case ArgumentType::kU64:
      return value >= 0;
    case ArgumentType::kSize:
      return value >= 0 && static_cast<uint64_t>(value) <= SIZE_MAX;
    case ArgumentType::kF32:
      return !(std::abs(argument.real[i]) > std::numeric_limits<float>::max()) || std::isinf(argument.real[i]);
    default:
      return true;
  }
}

class RoleReader {
 public:
  RoleReader(const char* path, xlashape_error* err) : path_(path), err_(err) {}

  xlashape_status wrong(const ManifestText::Value& value, const std::string& what) const {
    return wrong(value.at, what);
  }
  xlashape_status wrong(const ManifestText::TextPlace& at, const std::string& what) const {
    return fail(err_, XLASHAPE_STATUS_PARSE, "%s: line %u, column %u: %s", path_, at.line, at.column, what.c_str());
  }

  xlashape_status text(const ManifestText::Entry& entry, std::string* out) const {
    *out = entry.value.text;  // "" for other values
    if (out->empty() || out->find('\0') != std::string::npos)
      return wrong(entry.value, "\"" + entry.key.text + "\" must be a text in quotes");
    return XLASHAPE_STATUS_OK;
  }

  xlashape_status number(const ManifestText::Entry& entry, int64_t low, int64_t* out) const {
    *out = entry.value.number;
    if (entry.value.kind != ManifestText::Value::kNumber || *out < low)
      return wrong(entry.value, "\"" + entry.key.text + "\" must be a number from " + std::to_string(low) + " on");
    return XLASHAPE_STATUS_OK;
  }

  // "i32 rows", "f32 1.0", "f32* 1 0", "pointer src"
  xlashape_status argument(const ManifestText::Value& value, Role role, RoutineArgument* out) const {
    if (value.kind != ManifestText::Value::kText)
      return wrong(value, "an argument must be a text such as \"i32 rows\"");
    std::vector<std::string> words;
    for (const char c : value.text) {
      if (c == ' ' && (words.empty() || !words.back().empty())) words.emplace_back();
      if (words.empty()) words.emplace_back();
      if (c != ' ') words.back() += c;
    }
    if (words.size() < 2) return wrong(value, "an argument must be a type and a value, such as \"i32 rows\"");
    out->by_reference = words[0].back() == '*';
    if (out->by_reference) words[0].pop_back();
    const int type = find(kTypes, words[0]);
    if (type < 0 || static_cast<ArgumentType>(type) == ArgumentType::kVoid)
      return wrong(value,
                   "\"" + words[0] + "\" is no type: i32, u32, i64, u64, size, f32, f64, pointer, or one with *");
    out->type = static_cast<ArgumentType>(type);
    const int named = find(kValueNames, words[1]);
    if (named >= 0) return role_value(value, role, static_cast<ArgumentValue>(named), words, out);
    if (out->type == ArgumentType::kPointer) return wrong(value, "a pointer must be src or dst");
    if (words.size() - 1 > (out->by_reference ? size_t{kMaxConstants} : 1)) return wrong(value, "too many values");
    for (size_t i = 1; i < words.size(); ++i) {
      const bool is_number =
          is_real(out->type) ? parse(words[i], &out->real[i - 1]) : parse(words[i], &out->integer[i - 1]);
      if (!is_number || !holds(*out, i - 1))
        return wrong(value, "\"" + words[i] + "\" is neither a number of that type nor a value of this role");
    }
    out->constants = static_cast<int>(words.size() - 1);
    return XLASHAPE_STATUS_OK;
  }

  // One key of a routine.
  xlashape_status key(const ManifestText::Entry& entry, Description* out) const {
    const std::string& name = entry.key.text;
    std::string word;
    if (name == "library") return text(entry, &out->library);
    if (name == "symbol") return text(entry, &out->symbol);
    if (name == "element" && out->role != Role::kCopyLinear) {
      if (text(entry, &word) != XLASHAPE_STATUS_OK || find(kElements, word) < 0)
        return wrong(entry.value, "\"element\" must be \"f32\", \"f64\", \"c64\" or \"c128\"");
      out->element_bits = find(kElements, word);
      return XLASHAPE_STATUS_OK;
    }
    if (name == "min_bytes") return number(entry, 1, &out->min_bytes);
    if (name == "ok") {
      out->has_ok = true;
      return number(entry, INT32_MIN, &out->ok);
    }
    if (name == "returns") {
      if (text(entry, &word) != XLASHAPE_STATUS_OK || find(kTypes, word) < 0)
        return wrong(entry.value, "\"returns\" must be a type, such as \"void\" or \"i32\"");
      out->returns = static_cast<ArgumentType>(find(kTypes, word));
      return XLASHAPE_STATUS_OK;
    }
    if (name == "arguments") return arguments(entry, out);
    return wrong(entry.key.at, "unknown key \"" + name + "\" in [role." + out->label + "]");
  }

  // What a routine has to have, once all of it has been read. `at` is where it begins.
  xlashape_status whole(const Description& made, const ManifestText::TextPlace& at) const {
    const auto missing = [&](const char* key) { return wrong(at, "[role." + made.label + "] has no \"" + key + "\""); };
    if (made.symbol.empty()) return missing("symbol");
    if (made.library.empty()) return missing("library");
    if (made.arguments.empty()) return missing("arguments");
    const bool counts = std::any_of(made.arguments.begin(), made.arguments.end(),
                                    [](const RoutineArgument& each) { return each.value == ArgumentValue::kColumns; });
    if ((made.role == Role::kTranspose2d || counts) && made.element_bits == 0) return missing("element");
    if (made.has_ok && !is_integer(made.returns)) return wrong(at, "\"ok\" needs \"returns\" of an integer type");
    return XLASHAPE_STATUS_OK;
  }

 private:
  xlashape_status role_value(const ManifestText::Value& given, Role role, ArgumentValue value,
                             const std::vector<std::string>& words, RoutineArgument* out) const {
    const bool address = value == ArgumentValue::kSrc || value == ArgumentValue::kDst;
    if (words.size() > 2) return wrong(given, "too many values");
    if (!gives(role, value)) return wrong(given, std::string(name_of(role)) + " has no value \"" + words[1] + "\"");
    if (address != (out->type == ArgumentType::kPointer) || is_real(out->type) || (address && out->by_reference))
      return wrong(given, "\"" + words[1] + "\" cannot be passed as " + words[0]);
    out->value = value;
    return XLASHAPE_STATUS_OK;
  }

  xlashape_status arguments(const ManifestText::Entry& entry, Description* out) const {
    if (entry.value.kind != ManifestText::Value::kList)
      return wrong(entry.value, "\"arguments\" must be a list of texts");
    if (entry.list.size() > kMaxArguments)
      return wrong(entry.value, "more than " + std::to_string(kMaxArguments) + " arguments");
    bool has_src = false, has_dst = false;
    for (const ManifestText::Value& each : entry.list) {
      RoutineArgument made;
      if (const xlashape_status status = argument(each, out->role, &made)) return status;
      has_src |= made.value == ArgumentValue::kSrc;
      has_dst |= made.value == ArgumentValue::kDst;
      out->arguments.push_back(made);
    }
    if (!has_src || !has_dst) return wrong(entry.value, "the arguments must hold \"pointer src\" and \"pointer dst\"");
    return XLASHAPE_STATUS_OK;
  }

  const char* path_;
  xlashape_error* err_;
};

// A name without a slash is left to the dynamic linker; any other is relative to the manifest, never to the process.
std::string located(const std::string& library, std::string_view manifest) {
  if (library[0] == '/' || library.find('/') == std::string::npos) return library;
  const size_t slash = manifest.rfind('/');
  return std::string(manifest.substr(0, slash == std::string_view::npos ? 0 : slash + 1)) + library;
}

}  // namespace

const char* name_of(Role role) { return kRoles[static_cast<int>(role)].name.data(); }

xlashape_status read_manifest(const char* path, std::vector<Description>* roles, xlashape_error* err) {
  const RoleReader reader(path, err);
  std::string text(ManifestText::kMostBytes + 1, '\0');
  {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "rb"), std::fclose);
    text.resize(file != nullptr ? std::fread(text.data(), 1, text.size(), file.get()) : 0);
  }
  if (text.size() > ManifestText::kMostBytes) return fail(err, XLASHAPE_STATUS_PARSE, "%s: larger than 64 KiB", path);
  ManifestText read;
  if (!read.read(text)) return reader.wrong(read.at, read.wrong);
  ManifestText::TextPlace begin;  // of the table that is being read
  for (const ManifestText::Entry& entry : read.entries) {
    if (entry.table.size() < 2 || entry.table[0].text != "role") continue;  // the core's keys
    if (!entry.key.text.empty()) {
      if (const xlashape_status status = reader.key(entry, &roles->back())) return status;
      continue;
    }
    if (!roles->empty())
      if (const xlashape_status status = reader.whole(roles->back(), begin)) return status;
    const ManifestText::Name& name = entry.table[1];
    const int role = find(kRoles, name.text);
    if (role < 0)
      return reader.wrong(name.at, "unknown role \"" + name.text + "\": copy_linear, copy_2d, transpose_2d");
    begin = entry.key.at;
    Description& made = roles->emplace_back();
    made.role = static_cast<Role>(role);
    made.label = name.text + (entry.table.size() > 2 ? "." + entry.table[2].text : "");
  }
  if (roles->empty()) return fail(err, XLASHAPE_STATUS_PARSE, "%s: it has no [role.NAME]: nothing is bound", path);
  if (const xlashape_status status = reader.whole(roles->back(), begin)) return status;
  for (Description& each : *roles) each.library = located(each.library, path);
  std::sort(roles->begin(), roles->end(), [](const auto& a, const auto& b) { return a.label < b.label; });
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::bound
