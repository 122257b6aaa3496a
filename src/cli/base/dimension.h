// Names of dimensions for people.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlashape::cli {

// Reads the name of a dimension: a number (-rank to rank-1) or one of the letters of XLA's documentation.
int64_t dimension_named(int64_t rank, std::string_view text);
// "x", or "2" where the rank has no letters.
std::string dimension_name(int64_t rank, int64_t dimension);

// A whole decimal number with nothing around it.
std::optional<int64_t> number(std::string_view text);

}  // namespace xlashape::cli
