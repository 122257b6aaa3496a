/* SPDX-License-Identifier: Apache-2.0 */
// Texts that a subcommand is given: on the command line, or on standard input where the text is "-".
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "cli/base/failure.h"

namespace xlashape::cli {

// A text, and which line of standard input it is, or 0.
using OnText = std::function<void(const std::string& text, int64_t line)>;

// Calls `answer` for each text; for "-" for each line of standard input that is not empty, when it arrives.
void for_each_text(const std::vector<std::string>& texts, const OnText& answer);

// Prints the failure and the text, with a mark under the wrong byte where both fit on one line.
void complain(const std::string& text, const Failure& failure, int64_t line = 0);

}  // namespace xlashape::cli
