#include <fmt/core.h>

#include "completion.h"
#include "script.h"

namespace xlashape::cli {
namespace {

// ":TARGET:..." of _arguments: the name of a value, and what completes it.
std::string value_spec(const Argument& argument) {
  std::string action = " ";
  if (argument.files) action = "_files";
  if (!argument.words.empty()) {
    std::string words;
    for (const std::string& word : argument.words) words += fmt::format(" \"{}\"", word);
    action = fmt::format("{{{} -{}}}",
                         argument.list     ? "_sequence compadd"
                         : argument.begins ? "compadd -S \"\""
                                           : "compadd",
                         words);
  }
  return fmt::format(":{}:{}", marked(argument.value, ":\\"), marked(action, ":\\"));
}

std::string specs(const Manual& manual, const std::string& indent) {
  std::string text;
  const auto add = [&](const std::string& spec) { text += fmt::format(" \\\n{}{}", indent, quoted(spec)); };
  for (const Argument& option : manual.options)
    for (const std::string& name : option.names) {
      const bool flag = option.value.empty();
      const std::string once = option.repeated ? "*" : fmt::format("({})", joined(option.names));
      add(fmt::format("{}{}{}[{}]{}", once, name, flag ? "" : "=", marked(option.help, "[]\\"),
                      flag ? "" : value_spec(option)));
    }
  for (size_t i = 0; i < manual.operands.size(); ++i) {
    const Argument& operand = manual.operands[i];
    add((operand.repeated ? "*" : std::to_string(i + 1)) + value_spec(operand));
  }
  return text;
}

}  // namespace

std::string zsh_completion(const Manual& manual) {
  std::string commands, cases;
  for (const Manual& command : manual.commands) {
    commands += fmt::format("        {}\n", quoted(marked(command.name, ":\\") + ":" + command.what));
    cases += fmt::format("        {})\n          _arguments{}\n          ;;\n", command.name,
                         specs(command, "            "));
  }
  return fmt::format(R"(#compdef xlashape
# Completions of xlashape for zsh, as `xlashape completion zsh` prints them.

_xlashape() {{
  local curcontext=$curcontext state line
  local -A opt_args
  local -a commands
  _arguments -C{} \
    '1:command:->command' \
    '*::argument:->argument'
  case $state in
    command)
      commands=(
{}      )
      _describe command commands
      ;;
    argument)
      case $words[1] in
{}      esac
      ;;
  esac
}}

if [[ $funcstack[1] == _xlashape ]]; then
  _xlashape "$@"
else
  compdef _xlashape xlashape
fi
)",
                     specs(manual, "    "), commands, cases);
}

}  // namespace xlashape::cli
