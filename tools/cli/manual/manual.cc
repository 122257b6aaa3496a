// SPDX-License-Identifier: Apache-2.0
#include "manual.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <xlashape/element_type.hpp>
#include <xlashape/target.hpp>

#include "cli/base/number.h"

namespace xlashape::cli {
namespace {

// Numbers of element types are small; the library says which of them have names.
constexpr int kNumbers = 256;

// Those of arrays, with `end` after each.
std::vector<std::string> element_type_names(std::string_view end) {
  std::vector<std::string> names;
  for (int number = 0; number < kNumbers; ++number)
    if (const auto type = static_cast<ElementType>(number); bits(type) != 0)
      names.push_back(std::string(name(type)).append(end));
  return names;
}

// The words of "{auto,always,never}", as CLI11 describes a closed set.
std::vector<std::string> closed_set(std::string_view limits) {
  if (!limits.starts_with('{') || !limits.ends_with('}')) return {};
  const std::vector<std::string_view> words = between_commas(limits.substr(1, limits.size() - 2));
  return {words.begin(), words.end()};
}

Json arguments_json(const std::vector<Argument>& arguments) {
  Json list = Json::array();
  for (const Argument& argument : arguments)
    list.add({{"names", argument.names},
              {"value", argument.value},
              {"limits", argument.limits},
              {"default", argument.otherwise},
              {"help", argument.help},
              {"required", argument.required},
              {"repeated", argument.repeated}});
  return list;
}

}  // namespace

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target target : targets()) names.emplace_back(name(target));
  return names;
}

void find_words(Argument& argument, bool operand) {
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), argument.value) != names.end();
  };
  argument.words = closed_set(argument.limits);
  argument.files = is_one_of({"FILE", "PATH", "IN", "OUT", "SHAPE-OR-FILE"});
  if (argument.value == "TARGET") {
    argument.words = target_names();
    argument.list = operand;
  } else if (is_one_of({"SHAPE", "SHAPE-OR-FILE"})) {
    argument.words = element_type_names("[");
    argument.begins = true;
  } else if (argument.value == "TYPE") {
    argument.words = element_type_names("");
  }
}

Json manual_json(const Manual& manual) {
  Json commands = Json::array();
  for (const Manual& command : manual.commands) commands.add(manual_json(command));
  return {{"name", manual.name},
          {"what", manual.what},
          {"operands", arguments_json(manual.operands)},
          {"options", arguments_json(manual.options)},
          {"footer", manual.footer},
          {"commands", commands}};
}

}  // namespace xlashape::cli
