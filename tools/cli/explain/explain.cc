// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <xlashape/interop.hpp>
#include <xlashape/target.hpp>

#include "cli/base/array.h"
#include "cli/base/failure.h"
#include "cli/base/subcommands.h"
#include "cli/files/contents.h"
#include "cli/files/file.h"
#include "cli/files/texts.h"
#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "file_table.h"
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

// What a text is about: a shape, or a file that says what it has. Only a person names files, and no line of a pipe.
struct Subject {
  Shape shape;
  std::optional<Contents> file;
};

Subject subject_of(const std::string& text, bool by_person, uint32_t flags) {
  if (by_person && names_contents(text)) return {Shape(), contents_of(text)};
  try {
    return {parse_shape(text, flags), std::nullopt};
  } catch (const Failure&) {
    if (!by_person || !is_regular_file(text)) throw;
    return {Shape(), contents_of(text)};
  }
}

// The array of a file that has one.
Shape shape_in(const std::string& text, const Contents& file) {
  const Content& array = file.arrays.front();
  if (!array.shape) fail_unsupported("{}: {}", text, array.why);
  if (!array.items.descr.empty()) warn("xlashape: {}: {}\n", text, note_of(array.items, array.shape));
  return array.shape;
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
      const auto [given, file] = subject_of(text, line == 0, target ? XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT : 0);
      if (file && file->all) {
        if (target || options.notations)
          fail_usage("{}: --target and --notations are about one array: give {}:NAME", text, text);
        if (common.json) return answers.add(table_json(*file));
        if (!first) say("\n");
        first = false;
        return print_table(paint, *file);
      }
      const Shape shape = file ? shape_in(text, *file) : given;
      if (common.json) {
        Json answer = Json::object();
        if (file)
          answer.add_members_of({{"file", file->path},
                                 {"kind", file->kind},
                                 {"member", file->arrays[0].name.empty() ? Json() : Json(file->arrays[0].name)}});
        answer.add_members_of(as_failures([&] { return explain_json(shape, target); }));
        if (options.notations) answer.add("notations", notations_json(shape));
        answers.add(std::move(answer));
        return;
      }
      if (!first) say("\n");
      Explanation explanation = as_failures([&] { return explanation_of(shape, target); });
      if (file) explanation.lines.insert(explanation.lines.begin(), {"file", {{text}}});
      print(paint, explanation);
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
