// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <utility>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/subcommands.h"
#include "cli/output/output.h"
#include "manual.h"

namespace xlashape::cli {
namespace {

// `text` with a backslash before each of the `characters`.
std::string marked(std::string_view text, std::string_view characters) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != characters.npos) result += '\\';
    result += c;
  }
  return result;
}

// One word of bash or zsh.
std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// bash: a table of what may stand where, and a program that looks it up.

constexpr const char* kBegin = R"(# Completions of xlashape for bash, as `xlashape completion bash` prints them.

# What may stand behind the option $2 of the subcommand $1, as its operand $2 (a number), or for - as an option.
# False for a flag, and where no operand is expected.
_xlashape_expects() {
  words='' files='' begins='' list=''
  case "$1 $2" in
)";

constexpr const char* kEnd = R"(    *) return 1 ;;
  esac
}

_xlashape() {
  local all=() word i current quoted='' command='' operand=1 option='' ended='' prefix='' breaks='' cut
  local words files begins list
  COMPREPLY=()
  # bash splits words at : and =; here they are whole.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if ((${#all[@]})) && [[ -n $word ]] && [[ $word =~ ^[:=]+$ || ${all[-1]} == *[:=] ]]; then
      all[-1]+=$word
    else
      all+=("$word")
    fi
  done
  current=${all[-1]}
  unset 'all[-1]'
  if [[ $current == [\'\"]* ]]; then quoted=1 current=${current:1}; fi
  for word in "${all[@]}"; do
    if [[ -n $option ]]; then
      option=''
    elif [[ -z $command ]]; then
      if [[ $word != -* ]]; then command=$word; fi
    elif [[ -n $ended || $word == - || $word != -* ]]; then
      operand=$((operand + 1))
    elif [[ $word == -- ]]; then
      ended=1
    elif _xlashape_expects "$command" "$word"; then
      option=$word
    fi
  done
  if [[ -z $option && -z $ended && $current == --*=* ]]; then
    option=${current%%=*} prefix=$option=
  elif [[ -z $option && -z $ended && $current == -* || -z $command ]]; then
    option=-
  fi
  _xlashape_expects "$command" "${option:-$operand}" || return 0
  if [[ -n $list ]]; then prefix=${current%"${current##*,}"}; fi
  mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "${current#"$prefix"}")
  if [[ -n $files && ${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o default
    return 0
  fi
  # bash replaces only what is behind the last character at which it splits.
  if [[ $COMP_WORDBREAKS == *:* ]]; then breaks+=:; fi
  if [[ $COMP_WORDBREAKS == *=* ]]; then breaks+='='; fi
  if [[ -z $quoted && -n $breaks && $current == *["$breaks"]* ]]; then
    cut=${current%"${current##*["$breaks"]}"}
    COMPREPLY=("${COMPREPLY[@]#"$cut"}")
  fi
  if [[ -n $begins ]]; then compopt -o nospace; fi
}

complete -F _xlashape xlashape
)";

// The branches of the table, each with all the places for which it is right.
class Branches {
 public:
  void add(const std::string& place, const Argument& argument) {
    std::string sets;
    if (!argument.words.empty()) sets += " words=" + quoted(joined(argument.words, " "));
    if (argument.files) sets += " files=1";
    if (argument.begins) sets += " begins=1";
    if (argument.list) sets += " list=1";
    for (auto& [known, places] : branches_)
      if (known == sets) return places.push_back(place);
    branches_.push_back({sets, {place}});
  }
  std::string text() const {
    std::string all;
    for (const auto& [sets, places] : branches_) all += fmt::format("    {}){} ;;\n", joined(places, " | "), sets);
    return all;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> branches_;
};

// The first words of the options, and of the command also its subcommands.
Argument first_words(const Manual& manual) {
  Argument all;
  for (const Manual& command : manual.commands) all.words.push_back(command.name);
  for (const Argument& option : manual.options)
    all.words.insert(all.words.end(), option.names.begin(), option.names.end());
  return all;
}

std::string bash_completion(const Manual& manual) {
  Branches exact, further;
  exact.add("' -'", first_words(manual));
  for (const Manual& command : manual.commands) {
    const auto place = [&](std::string_view behind) { return quoted(fmt::format("{} {}", command.name, behind)); };
    exact.add(place("-"), first_words(command));
    for (const Argument& option : command.options)
      for (const std::string& name : option.names)
        if (!option.value.empty()) exact.add(place(name), option);
    for (size_t i = 0; i < command.operands.size(); ++i) {
      exact.add(place(std::to_string(i + 1)), command.operands[i]);
      if (command.operands[i].repeated) further.add(place("") + "[1-9]*", command.operands[i]);
    }
  }
  return kBegin + exact.text() + further.text() + kEnd;
}

// zsh: specs of _arguments.

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
    if (argument.files) action.insert(1, "_files; ");
  }
  return fmt::format(":{}:{}", marked(argument.value, ":\\"), marked(action, ":\\"));
}

std::string specs(const Manual& manual, const std::string& indent) {
  std::string text;
  const auto add = [&](const std::string& spec) { text += fmt::format(" \\\n{}{}", indent, quoted(spec)); };
  for (const Argument& option : manual.options)
    for (const std::string& name : option.names) {
      const bool flag = option.value.empty();
      const std::string once = option.repeated ? "*" : fmt::format("({})", joined(option.names, " "));
      add(fmt::format("{}{}{}[{}]{}", once, name, flag ? "" : "=", marked(option.help, "[]\\"),
                      flag ? "" : value_spec(option)));
    }
  for (size_t i = 0; i < manual.operands.size(); ++i) {
    const Argument& operand = manual.operands[i];
    add((operand.repeated ? "*" : std::to_string(i + 1)) + value_spec(operand));
  }
  return text;
}

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

// fish: a line for each option and operand.

std::string fish_quoted(std::string_view text) { return "'" + marked(text, "'\\") + "'"; }

// What completes a value: its words, files, or nothing that is known.
std::string value_of(const Argument& argument) {
  if (argument.files) return " -F";
  if (argument.words.empty() || argument.begins) return "";  // fish would set a blank behind what only begins a word
  const std::string words =
      argument.list ? fmt::format("(__fish_append , {})", joined(argument.words, " ")) : joined(argument.words, " ");
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

std::string fish_completion(const Manual& manual) {
  std::string script =
      "# Completions of xlashape for fish, as `xlashape completion fish` prints them.\n\ncomplete -c xlashape -f\n" +
      lines(manual, "__fish_use_subcommand");
  for (const Manual& command : manual.commands)
    script += fmt::format("\ncomplete -c xlashape -n __fish_use_subcommand -a {} -d {}\n{}", fish_quoted(command.name),
                          fish_quoted(command.what), lines(command, "__fish_seen_subcommand_from " + command.name));
  return script;
}

}  // namespace

std::string completion_for(const std::string& shell, const Manual& manual) {
  if (shell == "bash") return bash_completion(manual);
  if (shell == "zsh") return zsh_completion(manual);
  return fish_completion(manual);
}

int run_completion(const CompletionOptions& options, const Common& common) {
  if (common.json) {
    say_json({{"shell", options.shell}, {"script", options.script}});
  } else {
    put_out(Text::made(options.script));
  }
  return kDone;
}

}  // namespace xlashape::cli
