#include <iterator>
#include <string_view>

#include "cli/output/output.h"
#include "guards.h"
#include "xlashape_backend.h"

namespace xlashape::cli {

bool is_one_line(const char* text) {
  for (std::string_view rest = text; !rest.empty();) {
    uint32_t code = 0;
    const size_t length = character(rest, &code);
    if (length == 0 || code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
    rest.remove_prefix(length);
  }
  return true;
}

std::string strange_choice(const std::string& other, const std::vector<std::string>& candidates, uint64_t turn) {
  static const std::string kAny[] = {"", " ", "fast", "-1", "99999999999999999999", std::string(255, '9'), "%s%n"};
  std::string text = candidates.empty() ? other : candidates[turn % candidates.size()];
  const uint64_t kind = turn % 5, at = text.empty() ? 0 : turn * 7 % text.size();
  if (kind == 0) return other;
  if (kind == 1 || text.empty()) return kAny[turn / 5 % std::size(kAny)];
  if (kind == 2) return text.substr(0, at);
  if (kind == 3) return text.insert(at, 1, text[at]).substr(0, XLASHAPE_CHOICE_BYTES - 1);
  constexpr char kOthers[] = {'0', '9', 'a', ',', 'x', '-', ' '};
  text[at] = kOthers[turn / 5 % std::size(kOthers)];
  return text;
}

}  // namespace xlashape::cli
