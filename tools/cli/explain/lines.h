/* SPDX-License-Identifier: Apache-2.0 */
// What `explain` tells about one shape: to people a title and lines, as a value that is printed in colours, to programs
// JSON.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include <xlashape/target.hpp>

#include "cli/base/array.h"
#include "cli/output/json.h"

namespace xlashape::cli {

enum class Style { kPlain, kTitle, kFaint, kFair, kWaste };

// A piece of a line; its `ratio` decides the colour of waste.
struct StyledText {
  std::string text;
  Style style = Style::kPlain;
  double ratio = 1;
};

struct ExplanationLine {
  std::optional<std::string> label;  // empty: the line before goes on; none: a row that takes the whole line
  std::vector<StyledText> spans;
};

struct Explanation {
  std::string title;
  std::vector<ExplanationLine> lines;
};

// Throws a Failure where there is no answer.
Explanation explanation_of(const Shape& shape, std::optional<Target> target);
// Without the label, and without blanks at the end.
std::string text_of(const ExplanationLine& line);

Json explain_json(const Shape& shape, std::optional<Target> target);

}  // namespace xlashape::cli
