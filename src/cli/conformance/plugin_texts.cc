#include <iterator>

#include "guards.h"
#include "xlashape_backend.h"

namespace xlashape::cli {

bool is_one_line(const char* text) {
  const auto* at = reinterpret_cast<const unsigned char*>(text);
  while (*at != 0) {
    const int more = *at < 0x80                  ? 0
                     : *at >= 0xC2 && *at < 0xE0 ? 1
                     : *at >= 0xE0 && *at < 0xF0 ? 2
                     : *at >= 0xF0 && *at < 0xF5 ? 3
                                                 : -1;
    if (more < 0 || *at < 0x20 || *at == 0x7F) return false;
    uint32_t code = more == 0 ? *at : *at & (0x3F >> more);
    for (int i = 1; i <= more; ++i) {
      if ((at[i] & 0xC0) != 0x80) return false;
      code = code << 6 | (at[i] & 0x3F);
    }
    static constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (code < kLeast[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) || (code >= 0x80 && code < 0xA0))
      return false;
    at += more + 1;
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
