/* SPDX-License-Identifier: Apache-2.0 */
// Random relayouts: shapes, layouts with all their fields, boxes, strided sides, fill policies. The same seed gives the
// same case on every machine.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "cli/execution/execution.h"

namespace xlashape::cli {

// splitmix64: small, and the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next();
  int64_t below(int64_t limit);  // [0, limit)
  bool chance(int percent) { return below(100) < percent; }
  template <size_t n>
  int64_t any(const int64_t (&list)[n]) {
    return list[below(static_cast<int64_t>(n))];
  }

 private:
  uint64_t state_;
};

Integers shuffled(Random& random, int64_t count);  // 0 to count-1
ElementType random_type(Random& random);           // a type that arrays can have
// Strides with which no elements of that width overlap: nested in a random order, with gaps, of either sign. A source
// may also read one element many times.
Integers random_strides(Random& random, int64_t width, const Integers& dimensions, bool source);
int64_t element_bytes(ElementType type);  // of an element that is given by byte strides

// The array in that layout, where it is valid and takes no more than the given bytes.
std::optional<Shape> laid_out(ElementType type, const Integers& dimensions, const LayoutSpec& spec, int64_t most_bytes);

// A relayout that the library must be able to do.
Request random_request(Random& random);

// One that converts values, or takes bits from the highest, or both.
Request random_value_request(Random& random);

// One of a real size, 64 KiB to 64 MiB, with dimensions around the numbers at which implementations switch algorithms.
inline constexpr int64_t kLargeBytes = int64_t{64} << 20;  // a side takes no more

Request large_request(Random& random);

// A full description in one line.
std::string request_text(const Request& request);

}  // namespace xlashape::cli
