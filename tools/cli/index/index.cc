// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <variant>
#include <xlashape/index_map.hpp>

#include "cli/base/array.h"
#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/base/subcommands.h"
#include "cli/files/file.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

// An index to convert to a position, or a position to convert to an index.
using Question = std::variant<Integers, int64_t>;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n[](){}";
  const size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

int64_t number_or_fail(std::string_view text, std::string_view what) {
  const std::optional<int64_t> value = number(trimmed(text));
  if (!value) fail_usage("\"{}\" is no {}", text, what);
  return *value;
}

// "3,1", or "x=3,y=1" with each dimension once, by letter or number.
Integers parse_index(std::string_view text, int64_t rank) {
  text = trimmed(text);
  const std::vector<std::string_view> parts = text.empty() ? std::vector<std::string_view>() : between_commas(text);
  const bool named = std::any_of(parts.begin(), parts.end(),
                                 [](std::string_view part) { return part.find('=') != std::string_view::npos; });
  Integers index(named ? static_cast<size_t>(rank) : 0);
  std::vector<bool> given(index.size());
  for (const std::string_view part : parts) {
    const size_t equals = part.find('=');
    if (!named) {
      index.push_back(number_or_fail(part, "index"));
      continue;
    }
    if (equals == std::string_view::npos) fail_usage("\"{}\" names no dimension, others do", part);
    const auto dimension = static_cast<size_t>(dimension_named(rank, trimmed(part.substr(0, equals))));
    if (given[dimension])
      fail_usage("dimension {} is given twice", dimension_name(rank, static_cast<int64_t>(dimension)));
    given[dimension] = true;
    index[dimension] = number_or_fail(part.substr(equals + 1), "index");
  }
  for (size_t d = 0; d < given.size(); ++d)
    if (!given[d]) fail_usage("dimension {} is not given", dimension_name(rank, static_cast<int64_t>(d)));
  return index;
}

// Parses a line of standard input. A single number is a position, except in an array of one dimension; "#5" always is
// one.
Question parse_line(std::string_view line, int64_t rank) {
  line = trimmed(line);
  if (!line.empty() && line[0] == '#') return number_or_fail(line.substr(1), "position");
  if (rank != 1 && !line.empty() && line.find_first_of(",=") == std::string_view::npos)
    return number_or_fail(line, "position");
  return parse_index(line, rank);
}

class IndexAnswers {
 public:
  IndexAnswers(const Shape& shape, const Common& common)
      : map_(IndexMap::of(shape)),
        rank_(shape.rank()),
        bits_(container_bits(shape)),
        paint_(common),
        json_(common.json) {
    const Integers dimensions = shape.dimensions();
    for (const int64_t size : dimensions) index_width_ += std::to_string(std::max<int64_t>(size - 1, 0)).size() + 1;
    index_width_ += rank_ == 0 ? 2 : 1;
    linear_width_ = std::to_string(map_.storage_elements()).size();
  }

  int64_t rank() const { return rank_; }

  void answer(const Question& question) {
    if (const auto* asked = std::get_if<Integers>(&question)) {
      tell(*asked, map_.linear_index(*asked), false, true);
    } else {
      const int64_t linear = std::get<int64_t>(question);
      Integers index(static_cast<size_t>(rank_));
      const bool element = map_.multidimensional_index(linear, index);
      tell(index, linear, !element, false);
    }
  }

  void fail(std::string_view question, const Failure& failure) {
    if (json_) {
      all_.add({{"question", question}, {"error", error_json(failure)}});
    } else {
      warn("xlashape: {}{}{}\n", question, question.empty() ? "" : ": ", failure.message);
    }
  }

  void finish() {
    if (json_) say_json(all_);
  }

 private:
  void tell(const Integers& index, int64_t linear, bool padding, bool forward) {
    // The offset in bits may not fit 64 bits where the offset in bytes does.
    const int64_t byte = linear / 8 * bits_ + linear % 8 * bits_ / 8, bit = linear % 8 * bits_ % 8;
    if (json_) {
      Json json = {{"index", padding ? Json() : Json(index)}, {"linear", linear}, {"padding", padding}, {"byte", byte}};
      if (bits_ % 8 != 0) json.add("bit", bit);
      all_.add(json);
      return;
    }
    const std::string place = fmt::format("[{}]", joined(index, ","));
    const std::string where = bits_ % 8 == 0 ? fmt::format("byte {}", byte) : fmt::format("byte {} bit {}", byte, bit);
    if (forward) {
      say("{:<{}} -> {:>{}}  {}\n", place, index_width_, linear, linear_width_, paint_.faint(where));
    } else {
      say("{:>{}} -> {}  {}\n", linear, linear_width_,
          padding ? paint_.fair(text("{:<{}}", "padding", index_width_)) : text("{:<{}}", place, index_width_),
          paint_.faint(where));
    }
  }

  IndexMap map_;
  int64_t rank_, bits_;
  Paint paint_;
  bool json_;
  size_t index_width_ = 0, linear_width_ = 0;
  Json all_ = Json::array();
};

}  // namespace

int run_index(const IndexOptions& options, const Common& common) {
  const Shape shape = parse_shape(options.shape);
  if (!is_array(shape)) fail_data("{} is not an array", shape.to_string());
  IndexAnswers answers(shape, common);
  int exit = kDone;
  const auto ask = [&](std::string_view text, auto parse) {
    try {
      as_failures([&] { answers.answer(parse()); });
    } catch (const Failure& failure) {
      exit = std::max(exit, failure.exit);
      answers.fail(text, failure);
    }
  };
  for (const std::string& text : options.at) ask(text, [&] { return Question(parse_index(text, answers.rank())); });
  for (const std::string& text : options.linear) ask(text, [&] { return Question(number_or_fail(text, "position")); });
  if (options.at.empty() && options.linear.empty())
    for (std::string line; read_line(&line); flush_output())
      if (!line.empty())
        ask(line, [&] {
          try {
            return as_failures([&] { return parse_line(line, answers.rank()); });
          } catch (const Failure& failure) {  // the data is wrong, not the command line
            throw Failure(kData, failure.code, failure.message);
          }
        });
  answers.finish();
  return exit;
}

}  // namespace xlashape::cli
