#include <fmt/core.h>

#include <utility>

#include "completion.h"
#include "script.h"

namespace xlashape::cli {
namespace {

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
  if [[ -n $files ]]; then
    compopt -o default
    return 0
  fi
  if [[ -n $list ]]; then prefix=${current%"${current##*,}"}; fi
  mapfile -t COMPREPLY < <(compgen -P "$prefix" -W "$words" -- "${current#"$prefix"}")
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
    if (!argument.words.empty()) sets += " words=" + quoted(joined(argument.words));
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

}  // namespace

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

}  // namespace xlashape::cli
