// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <xlashape/interop.hpp>
#include <xlashape/target.hpp>

#include "cli/base/array.h"
#include "cli/base/failure.h"
#include "cli/base/subcommands.h"
#include "cli/files/texts.h"
#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "lines.h"

namespace xlashape::cli {
namespace {

Text painted(const Paint& paint, const StyledText& span) {
  switch (span.style) {
    case Style::kTitle:
      return paint.title(span.text);
    case Style::kFaint:
      return paint.faint(span.text);
    case Style::kFair:
      return paint.fair(span.text);
    case Style::kWaste:
      return paint.by_waste(span.ratio, span.text);
    case Style::kPlain:
      break;
  }
  return span.text;
}

void print(const Paint& paint, const Explanation& explanation) {
  say("{}\n", paint.title(explanation.title));
  for (const ExplanationLine& line : explanation.lines) {
    std::string value;
    for (const StyledText& span : line.spans) value += painted(paint, span).bytes();
    value.resize(value.find_last_not_of(' ') + 1);
    if (line.label)
      say("  {}  {}\n", paint.label(text("{:<14}", *line.label)), Text::made(std::move(value)));
    else
      say("  {}\n", Text::made(std::move(value)));
  }
}

struct Written {
  const char* label;  // in the text; in JSON in small letters
  const char* key;
  Notation notation;
};
constexpr Written kNotations[] = {{"MLIR tensor", "mlir", Notation::kMlir},    {"memref", "memref", Notation::kMemref},
                                  {"CuTe", "cute", Notation::kCute},           {"NumPy", "numpy", Notation::kNumpy},
                                  {"oneDNN tag", "onednn", Notation::kOnednn}, {"linalg.pack", "pack", Notation::kPack},
                                  {"jax Layout", "jax", Notation::kJax}};

// The shape as other projects write it, where they can say what it is.
void print_notations(const Paint& paint, const Shape& shape) {
  for (const Written& written : kNotations) {
    const Result<std::string> text = try_to_notation(shape, written.notation);
    if (text) say("  {}  {}\n", paint.label(cli::text("{:<14}", written.label)), *text);
  }
}

Json notations_json(const Shape& shape) {
  Json json = Json::object();
  for (const Written& written : kNotations) {
    const Result<std::string> text = try_to_notation(shape, written.notation);
    json.add(written.key, text ? Json(*text) : Json());
  }
  return json;
}

}  // namespace

int run_explain(const ExplainOptions& options, const Common& common) {
  const Paint paint(common);
  Json answers = Json::array();
  int exit = kDone;
  bool first = true;
  const std::optional<Target> target = target_option(options.target);
  const auto explain = [&](const std::string& text, int64_t line) {
    try {
      const Shape shape = parse_shape(text, target ? XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT : 0);
      if (common.json) {
        Json answer = as_failures([&] { return explain_json(shape, target); });
        if (options.notations) answer.add("notations", notations_json(shape));
        answers.add(std::move(answer));
        return;
      }
      if (!first) say("\n");
      print(paint, as_failures([&] { return explanation_of(shape, target); }));
      if (options.notations) print_notations(paint, shape);
    } catch (Failure& failure) {
      if (failure.code == "OVERFLOW" && failure.offset < 0) failure.exit = kUnsupported;  // the text is well-formed
      exit = std::max(exit, failure.exit);
      if (common.json) {
        answers.add({{"shape", text}, {"error", error_json(failure)}});
      } else {
        if (!first) say("\n");
        complain(text, failure, line);
      }
    }
    first = false;
  };
  for_each_text(options.texts, explain);
  if (common.json) say_json(answers);
  return exit;
}

}  // namespace xlashape::cli
