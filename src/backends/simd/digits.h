// The digits of a tile whose rows and columns share some, and how they get from their order in the source to that in the
// destination: by turning planes.
#pragma once
#include <cstdint>

#include "backends/simd/kernels.h"

namespace xlashape::simd {

inline constexpr int kMaxLoops = 32;
inline constexpr int kMaxDigits = 16;

struct Axis {
  int64_t count, src, dst;  // strides in bytes
};

struct Digit {
  int64_t count;
  int axis;
  int to;                     // its place in the destination
  bool in_source, in_target;  // whether it is of those that lie together there
};

// As they lie in the source, innermost first; behind those that lie together there come the others, as in the destination.
struct Digits {
  int count = 0;
  Digit digit[kMaxDigits];
  int64_t piece = 1, run = 1;  // elements that lie together in the source, in the destination
};

// Those that follow one another from the smallest on, in the source and in the destination, until `wanted` elements of either
// side lie together or there are `most`; of the last of each side maybe a part.
void pick_digits(const Axis* axes, int count, int64_t element, int64_t wanted, int64_t most, Digits* digits);

// Whether a narrow side that no kernel zips at once is turned in two passes that do.
bool composes(int64_t side, int64_t width);

// Passes over a tile with so many of each digit.
void plan_passes(const Digits& digits, const int64_t* counts, int64_t element, Passes* passes);

}  // namespace xlashape::simd
