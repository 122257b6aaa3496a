/* SPDX-License-Identifier: Apache-2.0 */
// Random relayouts of real size, in families. Sizes lie at the limits that the backends name: one below, at, one above,
// of elements and of bytes, alone, multiplied, and as products of neighbours.
#pragma once
#include <span>

#include "unit/random_relayout.h"

namespace xlashape::core::testing {

// What a family draws a case from. `number` counts cases within a test, so that a family can go through a list.
struct Draw {
  Random& random;
  uint64_t number;
  int64_t bytes;  // about so many for the elements
};

struct Family {
  const char* name;
  Case (*make)(const Draw& draw);
  int share;  // of all cases
};
std::span<const Family> families();

// How many elements or bytes decide something somewhere, sorted.
std::span<const int64_t> limits();

}  // namespace xlashape::core::testing
