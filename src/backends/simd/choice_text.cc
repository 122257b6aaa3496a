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
  bool number(int64_t least, int64_t most, int64_t* value) {
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
  const bool copies = choice.copy != CopyKind::kPlain;
  const int length = std::snprintf(
      text, capacity, "stores=%s order=%s panels=%d row=%lld column=%lld unit=%lld run=%lld planes=%lld axis=%d%s%s",
      kStores[static_cast<int>(choice.store)], kOrders[static_cast<int>(choice.order)], choice.panels ? 1 : 0,
      ll(choice.sizes.row), ll(choice.sizes.column), ll(choice.sizes.unit), ll(choice.run), ll(choice.planes),
      choice.plane_axis, copies ? " copy=" : "", copies ? kCopies[static_cast<int>(choice.copy)] : "");
  return length > 0 ? static_cast<size_t>(length) : 0;
}

bool parse_choice(const char* text, TileChoice* choice) {
  ChoiceReader reader(text);
  TileChoice read;
  int64_t panels = 0, axis = 0;
  if (!reader.skip("stores=") || !reader.name(kStores, &read.store) || !reader.skip(" order=") ||
      !reader.name(kOrders, &read.order) || !reader.skip(" panels=") || !reader.number(0, 1, &panels) ||
      !reader.skip(" row=") || !reader.number(0, kMostBytes, &read.sizes.row) || !reader.skip(" column=") ||
      !reader.number(0, kMostBytes, &read.sizes.column) || !reader.skip(" unit=") ||
      !reader.number(1, kUnitBytes, &read.sizes.unit) || !reader.skip(" run=") ||
      !reader.number(0, kLongestRun, &read.run) || !reader.skip(" planes=") ||
      !reader.number(0, kMaxSide, &read.planes) || !reader.skip(" axis=") || !reader.number(-1, kMaxAxes - 1, &axis) ||
      (reader.skip(" copy=") && (!reader.name(kCopies, &read.copy) || read.copy == CopyKind::kPlain)) ||
      !reader.ended())
    return false;
  read.panels = panels != 0;
  read.plane_axis = static_cast<int>(axis);
  *choice = read;
  return true;
}

}  // namespace xlashape::simd
