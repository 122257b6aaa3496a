// Texts that a plugin writes, and texts that it must bear.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace xlashape::cli {

// Whether the text can be printed unchanged: UTF-8 without control characters.
bool is_one_line(const char* text);

// A text for plan_choose that hardly any candidate of a plan has: of another operation, cut, changed, or any.
// `candidates`: the plan's own; `other`: one of another plan.
std::string strange_choice(const std::string& other, const std::vector<std::string>& candidates, uint64_t turn);

}  // namespace xlashape::cli
