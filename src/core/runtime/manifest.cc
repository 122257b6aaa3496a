// The only file that includes the TOML parser, so that it stays out of every other object and of the symbol table.
#include "runtime/manifest.h"

#include <algorithm>

#include "base/cat.h"
#include "platform/files.h"
#include "runtime/cpu.h"
#include "xlashape_backend.h"

// Some of its assertions fail on malformed text (such as "[=") that the following lines refuse with a message, and
// nothing here may abort. With NDEBUG some of them would become assumptions for the optimizer instead.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

namespace xlashape::core {
namespace {

Status fail_at_node(const toml::source_position& at, Error* err, const std::string& what) {
  return fail(err, XLASHAPE_STATUS_PARSE, "line %u, column %u: %s", at.line, at.column, what.c_str());
}

Status read_text(const toml::key& key, const toml::node& node, std::string* text, Error* err) {
  const auto* value = node.as_string();
  if (value == nullptr)
    return fail_at_node(node.source().begin, err, cat({"\"", key.str(), "\" must be a text in quotes"}));
  *text = value->get();
  return XLASHAPE_STATUS_OK;
}

Status read_number(const toml::key& key, const toml::node& node, int64_t low, int64_t high, int64_t* number,
                   Error* err) {
  const auto* value = node.as_integer();
  if (value == nullptr || value->get() < low || value->get() > high)
    return fail_at_node(
        node.source().begin, err,
        cat({"\"", key.str(), "\" must be a number from ", std::to_string(low), " to ", std::to_string(high)}));
  *number = value->get();
  return XLASHAPE_STATUS_OK;
}

// The parser has undefined behaviour on some non-ASCII letters (such as 0x392 at the start of a key), so it gets none.
Status check_ascii(std::string_view text, Error* err) {
  toml::source_position at{1, 1};
  for (const char c : text) {
    if (static_cast<unsigned char>(c) > 0x7F)
      return fail_at_node(at, err, "a manifest must be ASCII; in quotes, write other letters like \\u00E9");
    ++at.column;
    if (c == '\n') at = {at.line + 1, 1};
  }
  return XLASHAPE_STATUS_OK;
}

// "0.1" -> 1
bool read_version(std::string_view text, uint32_t* version) {
  const auto number = [&](uint32_t* value) {
    size_t digits = 0;
    *value = 0;
    for (; digits < text.size() && digits < 4 && text[digits] >= '0' && text[digits] <= '9'; ++digits)
      *value = 10 * *value + static_cast<uint32_t>(text[digits] - '0');
    text.remove_prefix(digits);
    return digits > 0;
  };
  uint32_t major, minor;
  if (!number(&major) || text.empty() || text[0] != '.') return false;
  text.remove_prefix(1);
  if (!number(&minor) || !text.empty()) return false;
  *version = major << 16 | minor;
  return true;
}

Status read_key(const toml::key& key, const toml::node& node, Manifest* m, bool* versioned, Error* err) {
  const std::string_view name = key.str();
  const auto bad = [&](const std::string& what) { return fail_at_node(node.source().begin, err, what); };
  if (name == "manifest") {
    int64_t version;
    XLASHAPE_TRY(read_number(key, node, 1, 1, &version, err));
    *versioned = true;
    return XLASHAPE_STATUS_OK;
  }
  if (name == "priority") {
    int64_t priority;
    XLASHAPE_TRY(read_number(key, node, -1000000, 1000000, &priority, err));
    m->priority = static_cast<int32_t>(priority);
    m->has_priority = true;
    return XLASHAPE_STATUS_OK;
  }
  if (name == "role") {  // vendor calls, which the backend reads
    m->has_roles = true;
    if (!node.is_table()) return bad("\"role\" must be tables, [role.NAME]");
    for (auto&& [role, table] : *node.as_table())
      if (!table.is_table()) return fail_at_node(role.source().begin, err, "\"role\" must hold tables, [role.NAME]");
    return XLASHAPE_STATUS_OK;
  }
  std::string text;
  std::string* const plain = name == "name"        ? &m->name
                             : name == "library"   ? &m->library
                             : name == "entry"     ? &m->entry
                             : name == "sanitizer" ? &m->sanitizer
                                                   : nullptr;
  if (plain != nullptr) {
    XLASHAPE_TRY(read_text(key, node, plain, err));
    if (plain->find('\0') != std::string::npos) return bad(cat({"\"", name, "\" contains a NUL"}));
    if ((plain == &m->name || plain == &m->entry) && !is_backend_name(*plain))
      return bad(cat({"\"", name, "\" must be letters, digits and _, at most 63"}));
    if (plain == &m->library && plain->empty()) return bad("\"library\" is empty");
    return XLASHAPE_STATUS_OK;
  }
  if (name == "abi") {
    XLASHAPE_TRY(read_text(key, node, &text, err));
    return read_version(text, &m->abi) ? XLASHAPE_STATUS_OK : bad("\"abi\" must be a version such as \"0.1\"");
  }
  if (name == "cpu") {
    XLASHAPE_TRY(read_text(key, node, &text, err));
    std::string_view unknown;
    return features_named(text, &m->cpu_features, &unknown)
               ? XLASHAPE_STATUS_OK
               : bad(cat({"\"cpu\" names ", Quoted(unknown).c_str(), ", which is not a known CPU feature"}));
  }
  if (name == "memory") {
    XLASHAPE_TRY(read_text(key, node, &text, err));
    m->memory = text == "host" ? Memory::kHost : text == "device" ? Memory::kDevice : Memory::kUnknown;
    return m->memory != Memory::kUnknown ? XLASHAPE_STATUS_OK : bad("\"memory\" must be \"host\" or \"device\"");
  }
  return fail_at_node(key.source().begin, err, cat({"unknown key \"", Quoted(name).c_str(), "\""}));
}

}  // namespace

Status parse_manifest(std::string_view text, Manifest* manifest, Error* err) {
  *manifest = {};
  XLASHAPE_TRY(check_ascii(text, err));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) return fail_at_node(parsed.error().source().begin, err, std::string(parsed.error().description()));
  // The table is sorted by name, but the first mistake in the file is reported.
  bool versioned = false;
  Status status = XLASHAPE_STATUS_OK;
  toml::source_position first{};
  for (auto&& [key, node] : parsed.table()) {
    Error own;
    own.struct_size = sizeof own;
    const auto& at = key.source().begin;
    const Status found = read_key(key, node, manifest, &versioned, &own);
    if (found == XLASHAPE_STATUS_OK ||
        (status != XLASHAPE_STATUS_OK && std::pair(at.line, at.column) > std::pair(first.line, first.column)))
      continue;
    first = at;
    status = fail(err, found, "%s", own.message);
  }
  if (status != XLASHAPE_STATUS_OK) return status;
  if (!versioned) return fail(err, XLASHAPE_STATUS_PARSE, "line 1, column 1: \"manifest = 1\" is missing");
  if (manifest->name.empty()) return fail(err, XLASHAPE_STATUS_PARSE, "line 1, column 1: \"name\" is missing");
  if (manifest->abi == 0) return fail(err, XLASHAPE_STATUS_PARSE, "line 1, column 1: \"abi\" is missing");
  if (manifest->entry.empty()) manifest->entry = manifest->name;
  if (manifest->library.empty()) manifest->library = cat({manifest->entry, kLibrarySuffix});
  if (manifest->has_roles && manifest->entry != "bound")
    return fail_at_node(parsed.table().find("role")->second.source().begin, err,
                        cat({"[role.NAME] is for entry = \"bound\", here it is \"", manifest->entry, "\""}));
  return XLASHAPE_STATUS_OK;
}

std::string unfit(const Manifest& m, uint64_t cpu_features, bool (*has_sanitizer)(std::string_view name)) {
  // Before 1.0 versions must be equal; from 1.0 on, a backend's minor must not be newer than this library's.
  constexpr uint32_t kOurs = XLASHAPE_BACKEND_ABI_VERSION;
  const bool fits = kOurs >> 16 == 0 ? m.abi == kOurs : m.abi >> 16 == kOurs >> 16 && m.abi <= kOurs;
  const auto version = [](uint32_t v) { return cat({std::to_string(v >> 16), ".", std::to_string(v & 0xFFFF)}); };
  if (!fits) return cat({"abi: it speaks plugin ABI ", version(m.abi), ", this library ", version(kOurs)});
  if (const uint64_t missing = m.cpu_features & ~cpu_features)
    return cat({"cpu: it needs ", feature_names(missing), ", which this machine (or XLASHAPE_CPU) lacks"});
  if (!m.sanitizer.empty() && !has_sanitizer(m.sanitizer))
    return cat({"sanitizer: it was built for the ", m.sanitizer, " sanitizer, which this process does not have"});
  return {};
}

}  // namespace xlashape::core
