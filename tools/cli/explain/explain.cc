// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
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
#include "cli/output/wrap.h"
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

// Some characters of a line's spans in their colours.
std::string painted(const Paint& paint, const std::vector<StyledText>& spans, size_t begin, size_t length) {
  std::string text;
  size_t at = 0;
  for (const StyledText& span : spans) {
    const size_t from = std::max(begin, at), to = std::min(begin + length, at + span.text.size());
    if (from < to) {
      StyledText piece = span;
      piece.text = span.text.substr(from - at, to - from);
      text += painted(paint, piece).bytes();
    }
    at += span.text.size();
  }
  return text;
}

std::string whole(const ExplanationLine& line) {
  std::string text;
  for (const StyledText& span : line.spans) text += span.text;
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

// Prints lines with labels; where the terminal is narrow a label has a line of its own.
class LabelledLines {
 public:
  explicit LabelledLines(const Paint& paint) : paint_(paint), width_(output_width()), narrow_(width_ && *width_ < 60) {}

  void print(const ExplanationLine& line) {
    const size_t indent = begin(line.label);
    const std::string text = whole(line);
    size_t at = 0;
    for (const std::string& piece : wrapped(text, room(indent))) {
      at = text.find(piece, at);
      std::string shown = painted(paint_, line.spans, at, piece.size());
      std::replace(shown.begin(), shown.end(), kBlankOfCell, ' ');
      end_line(std::move(shown), indent);
      at += piece.size();
    }
    begun_ = false;
  }

  // Rows of a table; the last piece of a row has a colour of its own.
  void print(std::span<const ExplanationLine> table) {
    std::vector<std::string> rows;
    for (const ExplanationLine& line : table) rows.push_back(whole(line));
    const size_t indent = table[0].label && !narrow_ ? kIndent : table[0].label ? 4 : 2;
    if (width_) fit(&rows, *room(indent));
    for (size_t i = 0; i < rows.size(); ++i) {
      ExplanationLine line{table[i].label, {{rows[i], table[i].spans.front().style}}};
      const StyledText& last = table[i].spans.back();
      const std::string end = last.text.substr(std::min(last.text.find_first_not_of(' '), last.text.size()));
      if (table[i].spans.size() > 1 && !end.empty() && rows[i].ends_with(end)) {
        line.spans.front().text.resize(rows[i].size() - end.size());
        line.spans.push_back({end, last.style, last.ratio});
      }
      print(line);
    }
  }

 private:
  static constexpr size_t kIndent = 18;
  static constexpr char kBlankOfCell = '\x1f';  // where no line may be broken

  // Columns closer together; where that is not enough, each row breaks between its cells.
  static void fit(std::vector<std::string>* rows, size_t width) {
    std::vector<std::string> squeezed = *rows;
    squeeze(&squeezed, width);
    if (std::all_of(squeezed.begin(), squeezed.end(), [&](const std::string& row) { return row.size() <= width; })) {
      *rows = std::move(squeezed);
      return;
    }
    for (std::string& row : *rows) {
      std::string cells;
      for (size_t i = std::min(row.find_first_not_of(' '), row.size()); i < row.size();) {
        const size_t next = std::min(row.find_first_not_of(' ', i), row.size());
        if (next == i)
          cells += row[i];
        else if (next - i == 1)
          cells += kBlankOfCell;
        else
          cells += "  ";
        i = std::max(i + 1, next);
      }
      row = std::move(cells);
    }
  }

  std::optional<size_t> room(size_t indent) const {
    return width_ ? std::optional(*width_ - std::min(*width_, indent)) : std::nullopt;
  }

  size_t begin(const std::optional<std::string>& label) {
    if (!label) return 2;
    if (narrow_ && !label->empty()) say("  {}\n", paint_.label(text("{}", *label)));
    if (narrow_) return 4;
    say("  {}  ", paint_.label(text("{:<14}", *label)));
    begun_ = true;
    return kIndent;
  }

  void end_line(std::string text, size_t indent) {
    say("{:<{}}{}\n", "", begun_ ? 0 : indent, Text::made(std::move(text)));
    begun_ = false;
  }

  const Paint& paint_;
  std::optional<size_t> width_;
  bool narrow_;
  bool begun_ = false;  // the label of this line is printed
};

bool is_row(const ExplanationLine& line) { return whole(line).find("   ") != std::string::npos; }

void print(const Paint& paint, const Explanation& explanation) {
  say("{}\n", paint.title(explanation.title));
  LabelledLines lines(paint);
  const std::vector<ExplanationLine>& all = explanation.lines;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    while (end < all.size() && is_row(all[end]) && all[end].label.has_value() == all[i].label.has_value()) ++end;
    if (end > i)
      lines.print(std::span(all).subspan(i, end - i));
    else
      lines.print(all[end++]);
    i = end;
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
  LabelledLines lines(paint);
  for (const Written& written : kNotations) {
    const Result<std::string> text = try_to_notation(shape, written.notation);
    if (text) lines.print({written.label, {{*text}}});
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
