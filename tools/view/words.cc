// SPDX-License-Identifier: Apache-2.0
#include "words.h"

namespace xlashape::view {

std::string cat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::string decimal(int64_t number) { return std::to_string(number); }

std::string grouped(int64_t number) {
  std::string text = decimal(number);
  for (auto at = static_cast<int64_t>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<size_t>(at), ",");
  return text;
}

std::string counted(int64_t number, const char* noun) {
  return cat({grouped(number), " ", noun, number == 1 ? "" : "s"});
}

}  // namespace xlashape::view
