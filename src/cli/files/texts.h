// Texts that a subcommand is given: on the command line, or on standard input where the text is "-".
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cli/base/failure.h"

namespace xlashape::cli {

// Calls `answer` for each text; for "-" for each line of standard input that is not empty, when it arrives.
void for_each_text(const std::vector<std::string>& texts, const std::function<void(const std::string&)>& answer);

// Prints the failure and, where it fits on one line, the text with a mark under the wrong byte.
void complain(const std::string& text, const Failure& failure);

}  // namespace xlashape::cli
