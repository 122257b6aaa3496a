#include <fmt/core.h>

#include "completion.h"
#include "script.h"

namespace xlashape::cli {
namespace {

std::string fish_quoted(std::string_view text) { return "'" + marked(text, "'\\") + "'"; }

// What completes a value: its words, files, or nothing that is known.
std::string value_of(const Argument& argument) {
  if (argument.files) return " -F";
  if (argument.words.empty() || argument.begins) return "";  // fish would set a blank behind what only begins a word
  const std::string words =
      argument.list ? fmt::format("(__fish_append , {})", joined(argument.words)) : joined(argument.words);
  return " -a " + fish_quoted(words);
}

// Lines that hold where `condition` does.
std::string lines(const Manual& manual, const std::string& condition) {
  std::string text;
  const auto add = [&](const std::string& rest) {
    text += fmt::format("complete -c xlashape -n {}{}\n", fish_quoted(condition), rest);
  };
  for (const Argument& option : manual.options) {
    std::string rest;
    for (const std::string& name : option.names)
      rest += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty()) rest += (option.files ? " -r" : " -x") + value_of(option);
    add(rest + " -d " + fish_quoted(option.help));
  }
  for (const Argument& operand : manual.operands)
    if (const std::string value = value_of(operand); !value.empty()) add(value);
  return text;
}

}  // namespace

std::string fish_completion(const Manual& manual) {
  std::string script =
      "# Completions of xlashape for fish, as `xlashape completion fish` prints them.\n\ncomplete -c xlashape -f\n" +
      lines(manual, "__fish_use_subcommand");
  for (const Manual& command : manual.commands)
    script += fmt::format("\ncomplete -c xlashape -n __fish_use_subcommand -a {} -d {}\n{}", fish_quoted(command.name),
                          fish_quoted(command.what), lines(command, "__fish_seen_subcommand_from " + command.name));
  return script;
}

}  // namespace xlashape::cli
