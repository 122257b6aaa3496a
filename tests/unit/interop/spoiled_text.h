/* SPDX-License-Identifier: Apache-2.0 */
// Spoiled forms of a text that a parser accepts.
#pragma once
#include <string>
#include <string_view>

namespace xlashape::core::testing {

// Calls f(text) for each beginning of `whole`, and for `whole` with each byte replaced by each of `replacements`.
void for_each_spoiled_text(const std::string& whole, std::string_view replacements, const auto& f) {
  for (size_t size = 0; size <= whole.size(); ++size) f(whole.substr(0, size));
  for (size_t i = 0; i < whole.size(); ++i)
    for (const char c : replacements) {
      std::string changed = whole;
      changed[i] = c;
      f(changed);
    }
}

}  // namespace xlashape::core::testing
