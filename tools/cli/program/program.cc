// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/base/failure.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "ir/edit_distance.h"

namespace xlashape::cli {
namespace {

Argument argument_of(const CLI::Option& option) {
  Argument argument;
  argument.help = option.get_description();
  argument.required = option.get_required();
  argument.repeated = option.get_items_expected_max() > 1 || option.get_trigger_on_parse();
  argument.otherwise = option.get_default_str();
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  const bool operand = argument.names.empty();
  if (operand) argument.names.push_back(option.get_name(/*positional=*/true));
  // The name of the value, and behind a colon what the validators say. Operands are the name of their value.
  const std::string type = option.get_type_size() == 0 ? "" : option.get_type_name();
  const size_t colon = type.starts_with('[') ? type.npos : type.find(':');
  argument.value = operand ? argument.names[0] : type.substr(0, colon);
  if (colon != type.npos) argument.limits = type.substr(colon + 1);
  find_words(argument, operand);
  return argument;
}

// "; did you mean NAME?" for the name that a word is most like; nothing where none is.
std::string meant(const std::string& word, const std::vector<std::string>& names) {
  std::string nearest;
  int least = 3;
  for (const std::string& name : names) {
    const int distance = ir::edit_distance(word, name, 2);
    if (distance >= least || distance * 2 >= static_cast<int>(word.size())) continue;
    least = distance;
    nearest = name;
  }
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// What is wrong with the command line. CLI11 checks for missing arguments before it reports an unknown word.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  const bool general = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr ||
                       dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
  if (!general || unknown.empty()) return error.what();
  const std::vector<CLI::App*> asked = app.get_subcommands();
  const std::string word = unknown[0].substr(0, unknown[0].find('='));
  if (!asked.empty())
    return fmt::format("{}: \"{}\" is not known{}", asked[0]->get_name(), unknown[0],
                       meant(word, options_of(*asked[0])));
  if (unknown[0].starts_with('-'))
    return fmt::format("\"{}\" is not known{}", unknown[0], meant(word, options_of(app)));
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return fmt::format("\"{}\" is not a subcommand{}", unknown[0], meant(word, names));
}

// For a command line that cannot be parsed as a whole.
bool asks_for_json(int argc, char** argv) {
  const auto end = std::find(argv, argv + argc, std::string_view("--"));
  return std::find(argv, end, std::string_view("--json")) != end;
}

}  // namespace

void add_options(CLI::App& command, Common& common) {
  command.add_flag("--json", common.json, "Print JSON instead of text");
  command.add_option("--color", common.color, "auto (on a terminal), always or never; NO_COLOR is obeyed")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

void set_up(CLI::App& app, std::function<std::string()> version, const char* what) {
  app.set_version_flag("--version", std::move(version), what);
  app.set_help_flag("-h,--help", "Print this help and stop");
  app.failure_message(CLI::FailureMessage::simple);
  app.get_formatter()->column_width(28);
}

void add_repeated(CLI::App& command, const char* name, std::vector<std::string>& texts, const char* help,
                  const char* type) {
  command
      .add_option_function<std::string>(
          name, [&texts](const std::string& text) { texts.push_back(text); }, help)
      ->trigger_on_parse()
      ->type_name(type);
}

Manual manual_of(const CLI::App& app) {
  Manual manual{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? manual.operands : manual.options).push_back(argument_of(*option));
  for (const CLI::App* command : app.get_subcommands({})) manual.commands.push_back(manual_of(*command));
  return manual;
}

std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      const Failure failure(kUsage, "INVALID_ARGUMENT", what_is_wrong(app, error));
      if (asks_for_json(argc, argv)) say_json({{"error", error_json(failure)}});
      warn("xlashape: {}\nRun with --help for more information.\n", failure.message);
      return failure.exit;
    }
    if (dynamic_cast<const CLI::CallForHelp*>(&error) != nullptr && asks_for_json(argc, argv)) {
      const std::vector<CLI::App*> asked_about = app.get_subcommands();
      say_json(manual_json(manual_of(asked_about.empty() ? app : *asked_about[0])));
      return kDone;
    }
    std::ostringstream help, nothing;
    app.exit(error, help, nothing);
    for (const std::string& line : lines_of(help.str())) say("{}\n", line);
    return kDone;
  }
  return std::nullopt;
}

}  // namespace xlashape::cli
