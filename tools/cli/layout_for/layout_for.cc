// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>
#include <xlashape/target.hpp>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/base/subcommands.h"
#include "cli/explain/facts.h"
#include "cli/files/texts.h"
#include "cli/output/json.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

struct Alternative {
  Layout layout;
  std::optional<int64_t> bytes;  // none where they do not fit 64 bits
};

struct TargetLayout {
  Shape shape;  // the array with the layout
  std::optional<SizesWithWaste> sizes;
  std::string no_sizes;                  // why there are none
  std::optional<Alternative> row_major;  // where the shape is not row-major
  std::optional<Alternative> own;        // the compiler's own choice, where an order was given and it is another
};

// One leaf of a tuple: a token or an opaque has no choice.
struct LeafChoice {
  Leaf leaf;
  std::optional<TargetLayout> choice;
};
struct TupleChoice {
  Shape shape;
  std::vector<LeafChoice> leaves;
  std::optional<int64_t> logical_bytes, bytes;  // of all arrays; none where one is not known or they do not fit 64 bits
  int64_t table_bytes;                          // the outermost tuple's table of pointers
};

std::optional<int64_t> bytes_of(const Shape& shape) {
  const Result<int64_t> bytes = shape.try_byte_size();
  if (!bytes) return std::nullopt;
  return *bytes;
}

// What another layout costs; none if there is no such layout, or it is the shape's.
std::optional<Alternative> alternative(const Shape& shape, const Result<Layout>& layout) {
  if (!layout) {
    if (layout.error().status() != Status::kOverflow) throw Failure(layout.error());
    return std::nullopt;
  }
  if (*layout == layout_of(shape)) return std::nullopt;
  return Alternative{*layout, bytes_of(shape.with_layout(*layout))};
}

void add(std::optional<int64_t>* total, std::optional<int64_t> more) {
  if (total->has_value() && (!more || __builtin_add_overflow(**total, *more, &**total))) total->reset();
}

// `array`: without a layout the compiler chooses; of a layout the order is kept. Throws a Failure.
TargetLayout choice_for(Target target, const Shape& array) {
  return as_failures([&] {
    TargetLayout choice{for_target(array, target, XLASHAPE_TARGET_KEEP_ORDER), {}, {}, {}, {}};
    choice.sizes = sizes_with_waste(choice.shape, &choice.no_sizes);
    const Integers dimensions = array.dimensions();
    const ElementType type = array.element_type();
    choice.row_major = alternative(
        choice.shape, try_layout_for(target, type, dimensions, Layout::row_major(array.rank()).minor_to_major()));
    if (layout_of(array)) choice.own = alternative(choice.shape, try_layout_for(target, type, dimensions));
    return choice;
  });
}

TupleChoice tuple_choice_for(Target target, const Shape& tuple) {
  return as_failures([&] {
    TupleChoice choice{{}, {}, 0, 0, tuple_bytes(target, tuple.tuple_element_count())};
    for (Leaf& leaf : leaves_of(tuple)) {
      std::optional<TargetLayout> chosen;
      if (is_array(leaf.shape)) {
        try {
          chosen = choice_for(target, leaf.shape);
        } catch (const Failure& failure) {
          throw Failure(failure.exit, failure.code, leaf.path + ": " + failure.message);
        }
        leaf.shape = chosen->shape;
        const std::optional<SizesWithWaste>& sizes = chosen->sizes;
        add(&choice.logical_bytes, sizes ? std::optional(sizes->logical_bytes) : std::nullopt);
        add(&choice.bytes, sizes ? std::optional(sizes->exact.bytes) : std::nullopt);
      }
      choice.leaves.push_back({std::move(leaf), std::move(chosen)});
    }
    choice.shape = for_target(tuple, target, XLASHAPE_TARGET_KEEP_ORDER);
    return choice;
  });
}

std::vector<Target> targets_of(const std::string& names) {
  std::vector<Target> targets;
  for (const std::string_view one : between_commas(names)) {
    const Result<Target> found = try_target(one);
    if (!found) fail_usage("{}", found.error().message());
    if (std::find(targets.begin(), targets.end(), *found) == targets.end()) targets.push_back(*found);
  }
  return targets;
}

std::string bytes_text(const std::optional<int64_t>& bytes) {
  return bytes ? grouped(*bytes) + (*bytes == 1 ? " byte" : " bytes") : "? bytes";
}

// "16,384 bytes (12,000 of data, 1.37x); row-major would be {1,0:T(8,128)} with 512,000 bytes"
Text cost_text(const TargetLayout& choice, const Paint& paint) {
  if (!choice.sizes) return text("? bytes: {}", choice.no_sizes);
  const SizesWithWaste& sizes = *choice.sizes;
  const double ratio = sizes.waste_ratio.value_or(1);
  std::string data;
  if (sizes.exact.bytes != sizes.logical_bytes)
    data = fmt::format(" ({} of data, {})", grouped(sizes.logical_bytes),
                       sizes.waste_ratio ? human_ratio(ratio) : "no element");
  std::string others;
  if (choice.own)
    others = fmt::format("; the compiler's own choice is {} with {}", choice.own->layout.to_string(),
                         bytes_text(choice.own->bytes));
  else if (choice.row_major)
    others = fmt::format("; row-major would be {} with {}", choice.row_major->layout.to_string(),
                         bytes_text(choice.row_major->bytes));
  return text("{}{}", paint.by_waste(ratio, bytes_text(sizes.exact.bytes) + data), paint.faint(others));
}

// A shape and what is said of it, which stand in columns; or one text alone.
struct AnswerLine {
  std::string shape;
  Text words;
};

// One answer for some targets, as lines.
std::vector<AnswerLine> lines_for(const TargetLayout& choice, const Paint& paint) {
  return {{choice.shape.to_string(), cost_text(choice, paint)}};
}

std::vector<AnswerLine> lines_for(const TupleChoice& choice, const Paint& paint) {
  std::vector<AnswerLine> lines = {{"", paint.title(choice.shape.to_string())}};
  size_t path_width = 4, text_width = 8;
  for (const LeafChoice& leaf : choice.leaves) {
    path_width = std::max(path_width, std::min<size_t>(leaf.leaf.path.size(), 40));
    text_width = std::max(text_width, std::min<size_t>(leaf.leaf.shape.to_string().size(), 60));
  }
  for (const LeafChoice& leaf : choice.leaves)
    lines.push_back(
        {"", text("  {:<{}}  {:<{}}  {}", leaf.leaf.path, path_width, leaf.leaf.shape.to_string(), text_width,
                  leaf.choice ? cost_text(*leaf.choice, paint) : paint.faint("has no layout"))});
  lines.push_back({"", text("  {:<{}}  {:<{}}  {}, and {} for the outermost table of pointers", "", path_width,
                            "all arrays", text_width, bytes_text(choice.bytes), bytes_text(choice.table_bytes))});
  return lines;
}

Json alternative_json(const std::optional<Alternative>& other) {
  if (!other) return {};
  return {{"layout", other->layout.to_string()}, {"bytes", other->bytes}};
}

Json choice_json(const TargetLayout& choice) {
  return {{"shape", choice.shape.to_string()},
          {"layout", layout_of(choice.shape).to_string()},
          {"logical_bytes", choice.sizes ? Json(choice.sizes->logical_bytes) : Json()},
          {"bytes", choice.sizes ? Json(choice.sizes->exact.bytes) : Json()},
          {"waste_ratio", choice.sizes ? Json(choice.sizes->waste_ratio) : Json()},
          {"row_major", alternative_json(choice.row_major)},
          {"own_choice", alternative_json(choice.own)}};
}

Json choice_json(const TupleChoice& choice) {
  Json leaves = Json::array();
  for (const LeafChoice& leaf : choice.leaves) {
    Json json = {{"path", leaf.leaf.path}};
    json.add_members_of(leaf.choice ? choice_json(*leaf.choice)
                                    : Json{{"shape", leaf.leaf.shape.to_string()}, {"layout", {}}});
    leaves.add(json);
  }
  return {{"shape", choice.shape.to_string()},       {"layout", {}},
          {"logical_bytes", choice.logical_bytes},   {"bytes", choice.bytes},
          {"tuple_table_bytes", choice.table_bytes}, {"leaves", leaves}};
}

// Answers for a text that are the same for several targets.
struct Group {
  std::string names;
  std::vector<AnswerLine> lines;
  std::optional<Failure> failure;
};

bool alike(const Group& a, const Group& b) {
  if (a.failure || b.failure) return false;
  return std::equal(a.lines.begin(), a.lines.end(), b.lines.begin(), b.lines.end(),
                    [](const AnswerLine& x, const AnswerLine& y) {
                      return x.shape == y.shape && x.words.bytes() == y.words.bytes();
                    });
}

class LayoutAnswers {
 public:
  // `waits`: prints when all are known, with their columns below each other.
  LayoutAnswers(const LayoutForOptions& options, const Common& common, bool waits)
      : targets_(targets_of(options.targets)), json_(common.json), waits_(waits), paint_(common) {}

  void answer(const std::string& given, int64_t line) {
    line_ = line;
    std::optional<Shape> shape;
    try {
      shape = parse_shape(given, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
    } catch (const Failure& failure) {
      for (const Target target : json_ ? targets_ : std::vector<Target>{targets_.front()})
        refuse(given, target, failure);
      return;
    }
    std::vector<Group> groups;
    for (const Target target : targets_) {
      Group group{std::string(name(target)), {}, {}};
      try {
        as_failures([&] { answer_for(target, *shape, given, &group.lines); });
      } catch (Failure& failure) {
        if (failure.code == "OVERFLOW") failure.exit = kUnsupported;  // the text is well-formed
        if (json_) {
          refuse(given, target, failure);
          continue;
        }
        exit_ = std::max(exit_, failure.exit);
        group.failure = failure;
      }
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return alike(g, group); });
      if (same == groups.end())
        groups.push_back(std::move(group));
      else
        same->names += " " + group.names;
    }
    if (json_) return;
    for (const Group& group : groups) {
      names_width_ = std::max(names_width_, group.names.size());
      for (const AnswerLine& answer : group.lines)
        shapes_width_ = std::max(shapes_width_, std::min<size_t>(answer.shape.size(), 100));
    }
    if (waits_)
      waiting_.push_back({given, line, std::move(groups)});
    else
      print(given, groups);
  }

  int finish() {
    for (const Answered& answered : waiting_) {
      line_ = answered.line;
      print(answered.given, answered.groups);
    }
    if (json_) say_json(answers_);
    return exit_;
  }

 private:
  void answer_for(Target target, const Shape& shape, const std::string& given, std::vector<AnswerLine>* lines) {
    const auto add = [&](const auto& choice) {
      if (!json_) {
        *lines = lines_for(choice, paint_);
        return;
      }
      Json json = {{"given", given}, {"target", name(target)}};
      json.add_members_of(choice_json(choice));
      answers_.add(json);
    };
    if (shape.category() == Category::kTuple)
      add(tuple_choice_for(target, shape));
    else
      add(choice_for(target, shape));
  }

  void refuse(const std::string& given, Target target, const Failure& failure) {
    exit_ = std::max(exit_, failure.exit);
    if (json_)
      answers_.add({{"given", given}, {"target", name(target)}, {"error", error_json(failure)}});
    else
      complain(given, failure, line_);
  }

  void print(const std::string& given, const std::vector<Group>& groups) {
    for (const Group& group : groups) {
      if (group.failure) {
        complain(given,
                 Failure(group.failure->exit, group.failure->code,
                         targets_.size() > 1 && !group.failure->message.starts_with(group.names)
                             ? group.names + ": " + group.failure->message
                             : group.failure->message),
                 line_);
        continue;
      }
      bool first = true;
      for (const AnswerLine& answer : group.lines) {
        const Text front = paint_.title(text("{:<{}}", answer.shape, shapes_width_));
        const Text line = answer.shape.empty() ? answer.words : text("{}  {}", front, answer.words);
        if (targets_.size() > 1)
          say("{}  {}\n", paint_.label(text("{:<{}}", first ? group.names : "", names_width_)), line);
        else
          say("{}\n", line);
        first = false;
      }
    }
  }

  std::vector<Target> targets_;
  bool json_, waits_;
  Paint paint_;
  Json answers_ = Json::array();
  struct Answered {
    std::string given;
    int64_t line;
    std::vector<Group> groups;
  };
  std::vector<Answered> waiting_;
  // Of all texts so far, so that their columns stay below each other.
  size_t names_width_ = 0, shapes_width_ = 34;
  int64_t line_ = 0;  // of standard input
  int exit_ = kDone;
};

}  // namespace

int run_layout_for(const LayoutForOptions& options, const Common& common) {
  const bool piped = std::find(options.texts.begin(), options.texts.end(), "-") != options.texts.end();
  LayoutAnswers answers(options, common, !piped);
  for_each_text(options.texts, [&](const std::string& text, int64_t line) { answers.answer(text, line); });
  return answers.finish();
}

}  // namespace xlashape::cli
