#include "dimension.h"

#include <charconv>
#include <xlashape/reshape.hpp>

#include "failure.h"

namespace xlashape::cli {

int64_t dimension_named(int64_t rank, std::string_view text) {
  if (const std::optional<int64_t> given = number(text)) return dimension_number(rank, *given);
  if (text.size() == 1)
    if (const Result<int64_t> found = try_dimension_from_letter(rank, text[0])) return *found;
  fail_data("\"{}\" names no dimension of rank {}: give a number or a letter, x for the last one", text, rank);
}

std::string dimension_name(int64_t rank, int64_t dimension) {
  const char letter = dimension_letter(rank, dimension);
  return letter != 0 ? std::string(1, letter) : std::to_string(dimension);
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace xlashape::cli
