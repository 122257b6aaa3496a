// The digits of a tile whose rows and columns share some, and how they get from their order in the source to that in the
// destination: by turning planes.
#pragma once
#include <cstdint>

#include "backends/simd/kernels.h"
#include "backends/simd/schedule.h"

namespace xlashape::simd {

struct Digit {
  int64_t count;
  int axis;
  int to;                          // its place in the destination
  bool in_source, in_destination;  // whether it is of those that lie together there
};

// As they lie in the source, innermost first; behind those that lie together there come the others, as in the destination.
struct Digits {
  int count = 0;
  Digit digit[kMaxDigits];
};

// Of a schedule with no more than kMaxDigits axes in its chains.
void list_digits(const Schedule& schedule, Digits* digits);

// Whether a narrow side that no kernel zips at once is turned in two passes that do.
bool composes(int64_t side, int64_t width);

// Passes over a tile with so many of each digit.
void plan_passes(const Digits& digits, const int64_t* counts, int64_t element, Passes* passes);

}  // namespace xlashape::simd
