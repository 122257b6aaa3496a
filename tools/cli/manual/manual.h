/* SPDX-License-Identifier: Apache-2.0 */
// The command line as data: what --help tells, for --help --json, from which man pages are made, and for completions.
#pragma once
#include <string>
#include <vector>

#include "cli/output/json.h"

namespace xlashape::cli {

// An option, or an operand: a word that stands for itself.
struct Argument {
  std::vector<std::string> names;  // -h, --help; of an operand the one that --help shows
  std::string value;               // what is given: TARGET, N; empty for a flag
  std::string limits;              // which values are right, as the parser says it: "INT in [1 - 64]"
  std::string otherwise;           // the value where none is given, if --help tells it
  std::string help;
  bool required = false;
  bool repeated = false;

  // For completions: `files`, or the words that may stand here; or both.
  std::vector<std::string> words;
  bool files = false;
  bool begins = false;  // the words are only how a value begins
  bool list = false;    // several of them, with commas between them
};

struct Manual {
  std::string name;
  std::string what;  // a line
  std::string footer;
  std::vector<Argument> operands, options;
  std::vector<Manual> commands;
};

// All that the library knows.
std::vector<std::string> target_names();

// Fills in what completions need: the words of a closed set, else what the name of the value stands for.
void find_words(Argument& argument, bool operand);

Json manual_json(const Manual& manual);

// `xlashape completion`: what one of the shells that it takes reads to complete the command's words.
std::string completion_for(const std::string& shell, const Manual& manual);

}  // namespace xlashape::cli
