// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/choice_text.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace xlashape::simd {
namespace {

constexpr const char* kStores[] = {"ordinary", "streaming"};
constexpr const char* kCopies[] = {"plain", "vectors", "string", "pages"};  // as CopyKind
constexpr const char* kOrders[] = {"nearest", "source", "destination"};
constexpr int64_t kMostBytes = int64_t{1} << 30;

class ChoiceReader {
 public:
  explicit ChoiceReader(std::string_view text) : rest_(text) {}
  bool skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool number(std::string_view name, int64_t least, int64_t most, int64_t* value) {
    if (!skip(name)) return false;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), *value);
    if (error != std::errc() || *value < least || *value > most) return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return true;
  }
  template <class Names, class Value>
  bool name(const Names& names, Value* value) {
    for (size_t i = 0; i < std::size(names); ++i) {
      if (!skip(names[i])) continue;
      *value = static_cast<Value>(i);
      return true;
    }
    return false;
  }
  bool ended() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace

size_t print_choice(const TileChoice& choice, char* text, size_t capacity) {
  const auto ll = [](int64_t value) { return static_cast<long long>(value); };
  char tile[160] = "";
  if (const SidesChoice* const sides = choice.as<SidesChoice>())
    std::snprintf(tile, sizeof tile, "row=%lld column=%lld unit=%lld panels=%d axis=%d planes=%lld",
                  ll(sides->sizes.row), ll(sides->sizes.column), ll(sides->sizes.unit), sides->panels ? 1 : 0,
                  sides->plane_axis, ll(sides->planes));
  else if (const PermutedChoice* const permuted = choice.as<PermutedChoice>())
    std::snprintf(tile, sizeof tile, "permuted=%lld", ll(permuted->run));
  else if (const UnitsChoice* const units = choice.as<UnitsChoice>())
    std::snprintf(tile, sizeof tile, "units=%lld most=%lld", ll(units->run), ll(units->most));
  const bool copies = choice.copy != CopyKind::kPlain;
  const int length = std::snprintf(text, capacity, "stores=%s order=%s %s%s%s", kStores[static_cast<int>(choice.store)],
                                   kOrders[static_cast<int>(choice.order)], tile, copies ? " copy=" : "",
                                   copies ? kCopies[static_cast<int>(choice.copy)] : "");
  return length > 0 ? static_cast<size_t>(length) : 0;
}

bool parse_choice(const char* text, TileChoice* choice) {
  ChoiceReader reader(text);
  TileChoice read;
  SidesChoice sides;
  PermutedChoice permuted;
  UnitsChoice units;
  int64_t panels = 0, axis = 0;
  if (!reader.skip("stores=") || !reader.name(kStores, &read.store) || !reader.skip(" order=") ||
      !reader.name(kOrders, &read.order))
    return false;
  if (reader.number(" permuted=", 1, kLongestRun, &permuted.run)) {
    read.tile = permuted;
  } else if (reader.number(" units=", 1, kLongestRun, &units.run)) {
    if (!reader.number(" most=", 1, kMaxSide, &units.most)) return false;
    read.tile = units;
  } else {
    if (!reader.number(" row=", 0, kMostBytes, &sides.sizes.row) ||
        !reader.number(" column=", 0, kMostBytes, &sides.sizes.column) ||
        !reader.number(" unit=", 1, kUnitBytes, &sides.sizes.unit) || !reader.number(" panels=", 0, 1, &panels) ||
        !reader.number(" axis=", -1, kMaxAxes - 1, &axis) || !reader.number(" planes=", 0, kMaxSide, &sides.planes))
      return false;
    sides.panels = panels != 0;
    sides.plane_axis = static_cast<int>(axis);
    read.tile = sides;
  }
  if ((reader.skip(" copy=") && (!reader.name(kCopies, &read.copy) || read.copy == CopyKind::kPlain)) ||
      !reader.ended())
    return false;
  *choice = read;
  return true;
}

}  // namespace xlashape::simd
