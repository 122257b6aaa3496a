// Layouts and types in words.
#pragma once
#include <string>
#include <vector>

#include "facts.h"

namespace xlashape::cli {

std::string type_in_words(ElementType type);                    // "brain float, 16 bits"
std::string order_in_words(const Facts& facts);                 // "x varies fastest, then y"
std::string reverse_in_words(const Facts& facts);               // "y is major: row-major"
std::vector<std::string> tiles_in_words(const Facts& facts);    // one line per level
std::string braced(const Integers& numbers);                    // "{1,0}"
std::string extent_text(const Facts& facts, size_t dimension);  // "128", "<=5", "?"

}  // namespace xlashape::cli
