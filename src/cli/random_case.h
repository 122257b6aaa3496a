// Random relayouts: shapes, layouts with everything they may say, boxes, strided sides, fill policies. The same seed
// gives the same case on every machine.
#pragma once
#include <cstdint>
#include <string>

#include "movement.h"

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

Numbers shuffled(Random& random, int64_t count);    // 0 to count-1
xlashape_element_type random_type(Random& random);  // that arrays can have
// Strides that give every element its own place: nested in a random order, with gaps, either sign. A source may also
// read one place many times.
Numbers random_strides(Random& random, xlashape_element_type type, const Numbers& dimensions, bool source);

// A relayout that the library must be able to do.
Request random_request(Random& random);

// Everything about it in one line.
std::string request_text(const Request& request);

}  // namespace xlashape::cli
