#include "draw/decimal.h"

namespace xlashape::core::draw {

std::string decimal(int64_t number) { return std::to_string(number); }

std::string grouped(int64_t number) {
  std::string text = decimal(number);
  for (auto at = static_cast<int64_t>(text.size()) - 3; at > (number < 0 ? 1 : 0); at -= 3)
    text.insert(static_cast<size_t>(at), ",");
  return text;
}

}  // namespace xlashape::core::draw
