#include "backends/bound/manifest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string_view>

#include "backends/common/entry.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

namespace xlashape::bound {
namespace {

using backends::fail;

struct Named {
  std::string_view name;
  int value;
};

constexpr Named kRoles[] = {{"copy_linear", static_cast<int>(Role::kCopyLinear)},
                            {"copy_2d", static_cast<int>(Role::kCopy2d)},
                            {"transpose_2d", static_cast<int>(Role::kTranspose2d)}};
constexpr Named kTypes[] = {{"void", static_cast<int>(Type::kVoid)},      {"i32", static_cast<int>(Type::kI32)},
                            {"u32", static_cast<int>(Type::kU32)},        {"i64", static_cast<int>(Type::kI64)},
                            {"u64", static_cast<int>(Type::kU64)},        {"size", static_cast<int>(Type::kSize)},
                            {"f32", static_cast<int>(Type::kF32)},        {"f64", static_cast<int>(Type::kF64)},
                            {"pointer", static_cast<int>(Type::kPointer)}};
constexpr Named kValueNames[] = {{"src", static_cast<int>(Value::kSrc)},
                                 {"dst", static_cast<int>(Value::kDst)},
                                 {"bytes", static_cast<int>(Value::kBytes)},
                                 {"row_bytes", static_cast<int>(Value::kRowBytes)},
                                 {"rows", static_cast<int>(Value::kRows)},
                                 {"columns", static_cast<int>(Value::kColumns)},
                                 {"src_pitch", static_cast<int>(Value::kSrcPitch)},
                                 {"dst_pitch", static_cast<int>(Value::kDstPitch)}};
constexpr Named kElements[] = {{"f32", 32}, {"f64", 64}, {"c64", 64}, {"c128", 128}};

template <size_t kCount>
int find(const Named (&names)[kCount], std::string_view wanted) {
  for (const Named& each : names)
    if (each.name == wanted) return each.value;
  return -1;
}

// Whether a role passes this value to its routine.
bool gives(Role role, Value value) {
  switch (value) {
    case Value::kSrc:
    case Value::kDst:
      return true;
    case Value::kBytes:
      return role == Role::kCopyLinear;
    case Value::kRowBytes:
      return role == Role::kCopy2d;
    default:
      return role != Role::kCopyLinear;
  }
}

bool is_integer(Type type) { return type >= Type::kI32 && type <= Type::kSize; }
bool is_real(Type type) { return type == Type::kF32 || type == Type::kF64; }

// Reads the whole word as a number, independent of the process's locale.
template <class Number>
bool parse(const std::string& word, Number* number) {
  const char* const end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, *number);
  return result.ec == std::errc() && result.ptr == end;
}

// Whether the argument's type can represent its constant i.
bool holds(const Argument& argument, size_t i) {
  const int64_t value = argument.integer[i];
  switch (argument.type) {
    case Type::kI32:
      return value >= INT32_MIN && value <= INT32_MAX;
    case Type::kU32:
      return value >= 0 && value <= UINT32_MAX;
    case Type::kU64:
      return value >= 0;
    case Type::kSize:
      return value >= 0 && static_cast<uint64_t>(value) <= SIZE_MAX;
    case Type::kF32:
      return !(std::abs(argument.real[i]) > std::numeric_limits<float>::max()) || std::isinf(argument.real[i]);
    default:
      return true;
  }
}

class Reader {
 public:
  Reader(const char* path, xlashape_error* err) : path_(path), err_(err) {}

  xlashape_status wrong(const toml::node& node, const std::string& what) const {
    return wrong(node.source().begin, what);
  }
  xlashape_status wrong(const toml::source_position& at, const std::string& what) const {
    return fail(err_, XLASHAPE_STATUS_PARSE, "%s: line %u, column %u: %s", path_, at.line, at.column, what.c_str());
  }

  xlashape_status text(const toml::node& node, const std::string& key, std::string* out) const {
    const auto* value = node.as_string();
    if (value == nullptr || value->get().empty() || value->get().find('\0') != std::string::npos)
      return wrong(node, "\"" + key + "\" must be a text in quotes");
    *out = value->get();
    return XLASHAPE_STATUS_OK;
  }

  xlashape_status number(const toml::node& node, const std::string& key, int64_t low, int64_t* out) const {
    const auto* value = node.as_integer();
    if (value == nullptr || value->get() < low)
      return wrong(node, "\"" + key + "\" must be a number from " + std::to_string(low) + " on");
    *out = value->get();
    return XLASHAPE_STATUS_OK;
  }

  // "i32 rows", "f32 1.0", "f32* 1 0", "pointer src"
  xlashape_status argument(const toml::node& node, Role role, Argument* out) const {
    const auto* value = node.as_string();
    if (value == nullptr) return wrong(node, "an argument must be a text such as \"i32 rows\"");
    std::vector<std::string> words;
    for (const char c : value->get()) {
      if (c == ' ' && (words.empty() || !words.back().empty())) words.emplace_back();
      if (words.empty()) words.emplace_back();
      if (c != ' ') words.back() += c;
    }
    if (words.size() < 2) return wrong(node, "an argument must be a type and a value, such as \"i32 rows\"");
    out->by_reference = words[0].back() == '*';
    if (out->by_reference) words[0].pop_back();
    const int type = find(kTypes, words[0]);
    if (type < 0 || static_cast<Type>(type) == Type::kVoid)
      return wrong(node, "\"" + words[0] + "\" is no type: i32, u32, i64, u64, size, f32, f64, pointer, or one with *");
    out->type = static_cast<Type>(type);
    const int named = find(kValueNames, words[1]);
    if (named >= 0) return role_value(node, role, static_cast<Value>(named), words, out);
    if (out->type == Type::kPointer) return wrong(node, "a pointer must be src or dst");
    if (words.size() - 1 > (out->by_reference ? size_t{kMaxConstants} : 1)) return wrong(node, "too many values");
    for (size_t i = 1; i < words.size(); ++i) {
      const bool is_number =
          is_real(out->type) ? parse(words[i], &out->real[i - 1]) : parse(words[i], &out->integer[i - 1]);
      if (!is_number || !holds(*out, i - 1))
        return wrong(node, "\"" + words[i] + "\" is neither a number of that type nor a value of this role");
    }
    out->constants = static_cast<int>(words.size() - 1);
    return XLASHAPE_STATUS_OK;
  }

  xlashape_status routine(const toml::table& table, Description* out) const {
    bool has_arguments = false;
    for (auto&& [key, node] : table) {
      const std::string name(key.str());
      xlashape_status status = XLASHAPE_STATUS_OK;
      std::string word;
      if (name == "library") {
        status = text(node, name, &out->library);
      } else if (name == "symbol") {
        status = text(node, name, &out->symbol);
      } else if (name == "element" && out->role != Role::kCopyLinear) {
        if (text(node, name, &word) != XLASHAPE_STATUS_OK || find(kElements, word) < 0)
          return wrong(node, "\"element\" must be \"f32\", \"f64\", \"c64\" or \"c128\"");
        out->element_bits = find(kElements, word);
      } else if (name == "min_bytes") {
        status = number(node, name, 1, &out->min_bytes);
      } else if (name == "ok") {
        out->has_ok = true;
        status = number(node, name, INT32_MIN, &out->ok);
      } else if (name == "returns") {
        if (text(node, name, &word) != XLASHAPE_STATUS_OK || find(kTypes, word) < 0)
          return wrong(node, "\"returns\" must be a type, such as \"void\" or \"i32\"");
        out->returns = static_cast<Type>(find(kTypes, word));
      } else if (name == "arguments") {
        has_arguments = true;
        status = arguments(node, out);
      } else {
        return wrong(key.source().begin, "unknown key \"" + name + "\" in [role." + out->label + "]");
      }
      if (status != XLASHAPE_STATUS_OK) return status;
    }
    const auto missing = [&](const char* key) {
      return wrong(table, "[role." + out->label + "] has no \"" + key + "\"");
    };
    if (out->symbol.empty()) return missing("symbol");
    if (out->library.empty()) return missing("library");
    if (!has_arguments) return missing("arguments");
    const bool counts = std::any_of(out->arguments.begin(), out->arguments.end(),
                                    [](const Argument& each) { return each.value == Value::kColumns; });
    if ((out->role == Role::kTranspose2d || counts) && out->element_bits == 0) return missing("element");
    if (out->has_ok && !is_integer(out->returns)) return wrong(table, "\"ok\" needs \"returns\" of an integer type");
    return XLASHAPE_STATUS_OK;
  }

 private:
  xlashape_status role_value(const toml::node& node, Role role, Value value, const std::vector<std::string>& words,
                             Argument* out) const {
    const bool address = value == Value::kSrc || value == Value::kDst;
    if (words.size() > 2) return wrong(node, "too many values");
    if (!gives(role, value)) return wrong(node, std::string(name_of(role)) + " has no value \"" + words[1] + "\"");
    if (address != (out->type == Type::kPointer) || is_real(out->type) || (address && out->by_reference))
      return wrong(node, "\"" + words[1] + "\" cannot be passed as " + words[0]);
    out->value = value;
    return XLASHAPE_STATUS_OK;
  }

  xlashape_status arguments(const toml::node& node, Description* out) const {
    const auto* list = node.as_array();
    if (list == nullptr) return wrong(node, "\"arguments\" must be a list of texts");
    if (list->size() > kMaxArguments) return wrong(node, "more than " + std::to_string(kMaxArguments) + " arguments");
    bool has_src = false, has_dst = false;
    for (const toml::node& each : *list) {
      Argument made;
      if (const xlashape_status status = argument(each, out->role, &made)) return status;
      has_src |= made.value == Value::kSrc;
      has_dst |= made.value == Value::kDst;
      out->arguments.push_back(made);
    }
    if (!has_src || !has_dst) return wrong(node, "the arguments must hold \"pointer src\" and \"pointer dst\"");
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
  const toml::parse_result parsed = toml::parse_file(std::string_view(path));
  const Reader reader(path, err);
  if (!parsed) return reader.wrong(parsed.error().source().begin, std::string(parsed.error().description()));
  const auto* all = parsed.table()["role"].as_table();
  if (all == nullptr || all->empty())
    return fail(err, XLASHAPE_STATUS_PARSE, "%s: it has no [role.NAME]: nothing is bound", path);
  for (auto&& [key, node] : *all) {
    const std::string name(key.str());
    const int role = find(kRoles, name);
    if (role < 0)
      return reader.wrong(key.source().begin, "unknown role \"" + name + "\": copy_linear, copy_2d, transpose_2d");
    if (!node.is_table()) return reader.wrong(node, "\"role." + name + "\" must be a table");
    // One routine, or a table of them: [role.transpose_2d.f32]
    const toml::table& table = *node.as_table();
    const bool several =
        !table.empty() && std::all_of(table.begin(), table.end(), [](auto&& entry) { return entry.second.is_table(); });
    const auto add = [&](const toml::table& routine, const std::string& label) {
      Description made;
      made.role = static_cast<Role>(role);
      made.label = label;
      if (const xlashape_status status = reader.routine(routine, &made)) return status;
      made.library = located(made.library, path);
      roles->push_back(std::move(made));
      return static_cast<xlashape_status>(XLASHAPE_STATUS_OK);
    };
    if (!several) {
      if (const xlashape_status status = add(table, name)) return status;
      continue;
    }
    for (auto&& [kind, routine] : table)
      if (const xlashape_status status = add(*routine.as_table(), name + "." + std::string(kind.str()))) return status;
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::bound
