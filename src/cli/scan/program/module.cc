#include "module.h"

namespace xlashape::cli {

void Unparsed::add(uint64_t number, std::string_view text, std::string_view why) {
  constexpr size_t kKept = 10, kLength = 160;
  ++count_;
  if (first_.size() < kKept) first_.push_back({number, std::string(text.substr(0, kLength)), std::string(why)});
}

}  // namespace xlashape::cli
