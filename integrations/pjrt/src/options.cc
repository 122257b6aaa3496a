// SPDX-License-Identifier: Apache-2.0
// Options of a client, from PJRT and from the environment.
#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "device.h"

namespace pjrt_plugin {
namespace {

std::int64_t in_range(const std::string& name, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value < least || value > most)
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, name + " is " + std::to_string(value) + ", and must be between " +
                                                        std::to_string(least) + " and " + std::to_string(most));
  return value;
}

std::int64_t number_in(const std::string& name, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, name + " is no number: '" + std::string(text) + "'");
  return value;
}

// The fields by their names, in options and in the environment.
template <class Text, class Number>
bool set(Options& options, std::string_view name, const Text& text, const Number& number) {
  if (name == "devices")
    options.devices = text();
  else if (name == "backend_files")
    options.backend_files = text();
  else if (name == "memory_bytes")
    options.memory_bytes = in_range("memory_bytes", number(), 0, INT64_MAX);
  else if (name == "threads")
    options.threads = in_range("threads", number(), 0, 256);
  else
    return false;
  return true;
}

}  // namespace

Options options_of(const PJRT_NamedValue* values, std::size_t count) {
  Options options;
  const std::pair<const char*, const char*> environment[] = {
      {"devices", std::getenv("XLASHAPE_PJRT_DEVICES")},
      {"backend_files", std::getenv("XLASHAPE_PJRT_BACKEND_FILES")},
      {"memory_bytes", std::getenv("XLASHAPE_PJRT_MEMORY_BYTES")},
      {"threads", std::getenv("XLASHAPE_PJRT_THREADS")}};
  for (const auto& [name, value] : environment)
    if (value != nullptr && *value != '\0')
      set(
          options, name, [text = value] { return std::string(text); },
          [name = name, text = value] { return number_in(std::string(name) + " of the environment", text); });
  check_list("create_options", values, count);
  for (std::size_t i = 0; i < count; ++i) {
    const PJRT_NamedValue& given = values[i];
    const std::string name(text_of("create_options[" + std::to_string(i) + "].name", given.name, given.name_size));
    const auto wrong = [&](const char* wanted) {
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "option " + name + " must be " + wanted);
    };
    const auto text = [&] {
      if (given.type != PJRT_NamedValue_kString) wrong("a string");
      return std::string(text_of("option " + name, given.string_value, given.value_size));
    };
    const auto number = [&] {  // clients that know only texts give numbers as texts
      if (given.type == PJRT_NamedValue_kString) return number_in(name, text());
      if (given.type != PJRT_NamedValue_kInt64) wrong("an integer");
      return given.int64_value;
    };
    if (!set(options, name, text, number))
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT,
                    "there is no option " + name + ": devices, backend_files, memory_bytes and threads are known");
  }
  return options;
}

std::vector<DeviceName> device_names(const std::string& list) {
  std::vector<DeviceName> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const std::size_t at = name.find('@'), slash = at == std::string::npos ? at : name.find('/', at);
    DeviceName device;
    device.target = value_at("devices '" + list + "'", xlashape::try_target(name.substr(0, at)));
    if (at != std::string::npos)
      device.backend = name.substr(at + 1, slash == std::string::npos ? slash : slash - at - 1);
    if (at != std::string::npos && device.backend.empty())
      throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "devices '" + list + "': no backend is named after @");
    if (slash != std::string::npos) {
      const std::string what = "devices '" + list + "': the backend's device";
      device.number = static_cast<int>(in_range(what, number_in(what, name.substr(slash + 1)), 0, INT32_MAX - 1));
    }
    names.push_back(std::move(device));
    begin = end + 1;
  }
  if (names.size() > 1024) throw Failure(PJRT_Error_Code_INVALID_ARGUMENT, "more than 1024 devices");
  return names;
}

PJRT_NamedValue& NamedValues::append(std::string name, PJRT_NamedValue_Type type) {
  PJRT_NamedValue& value = values_.emplace_back();
  value.struct_size = sizeof value;
  value.type = type;
  give(texts_.emplace_back(std::move(name)), value.name, value.name_size);
  return value;
}

void NamedValues::add(std::string name, std::string text) {
  PJRT_NamedValue& value = append(std::move(name), PJRT_NamedValue_kString);
  give(texts_.emplace_back(std::move(text)), value.string_value, value.value_size);
}
void NamedValues::add(std::string name, Numbers list) {
  PJRT_NamedValue& value = append(std::move(name), PJRT_NamedValue_kInt64List);
  give(lists_.emplace_back(std::move(list)), value.int64_array_value, value.value_size);
}

}  // namespace pjrt_plugin
