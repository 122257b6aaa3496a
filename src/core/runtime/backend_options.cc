// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_options.h"

#include <algorithm>

#include "base/line.h"

namespace xlashape::core {
namespace {

constexpr size_t kMostBytes = 64 << 10;

// Whether the text can be the name of a backend or of a key.
bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

Status BackendOptions::add(std::string_view text, const char* name, Error* err) {
  std::list<Option> added;
  if (text.size() > kMostBytes)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is longer than %zu bytes", name, kMostBytes);
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    if (entry.empty()) continue;
    const size_t equals = entry.find('='), dot = entry.substr(0, equals).find('.');
    if (equals == entry.npos || dot == entry.npos || !is_word(entry.substr(0, dot)) ||
        !is_word(entry.substr(dot + 1, equals - dot - 1)))
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s: %s does not have the form NAME.KEY=VALUE", name,
                  clean_line(entry.substr(0, 200)).c_str());
    const std::string_view backend = entry.substr(0, dot), key = entry.substr(dot + 1, equals - dot - 1);
    if (look_up(added, backend, key) != nullptr)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s: %s is given twice", name,
                  clean_line(entry.substr(0, std::min<size_t>(equals, 200))).c_str());
    if (look_up(options_, backend, key) != nullptr) continue;
    Option& option = added.emplace_back();
    option.backend = backend;
    option.key = key;
    option.value = entry.substr(equals + 1);
  }
  options_.splice(options_.end(), added);
  return XLASHAPE_STATUS_OK;
}

const BackendOptions::Option* BackendOptions::look_up(const std::list<Option>& options, std::string_view backend,
                                                      std::string_view key) {
  for (const Option& option : options)
    if (option.backend == backend && option.key == key) return &option;
  return nullptr;
}

const char* BackendOptions::find(std::string_view backend, std::string_view key) const {
  const Option* const option = look_up(options_, backend, key);
  if (option == nullptr) return nullptr;
  option->used.store(true, std::memory_order_relaxed);
  return option->value.c_str();
}

std::string BackendOptions::unused() const {
  std::string text;
  for (const Option& option : options_)
    if (!option.used.load(std::memory_order_relaxed))
      append(&text, "%s%s.%s=%s", text.empty() ? "" : ", ", option.backend.c_str(), option.key.c_str(),
             option.value.c_str());
  return text;
}

}  // namespace xlashape::core
