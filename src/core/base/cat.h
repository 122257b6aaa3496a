/* SPDX-License-Identifier: Apache-2.0 */
// Concatenates texts, for messages. Depends on nothing.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

namespace xlashape::core {

inline std::string cat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

}  // namespace xlashape::core
