/* SPDX-License-Identifier: Apache-2.0 */
// Numbers of every format that decide something when they are converted.
#pragma once
#include "unit/random_relayout.h"

namespace xlashape::core::testing {

// Values of the wide formats that decide something: around every power of two and every rounding step, and the ends.
inline uint64_t draw_bits(Random& random, const ElementTypeInfo& info) {
  const uint64_t any = random.engine()();
  if ((info.classes & XLASHAPE_CLASS_FLOAT) == 0)
    return random.chance(30) ? any : static_cast<uint64_t>(static_cast<int64_t>(any) >> random.in(0, 63));
  const int fraction = info.format.significand_width - 1;
  const uint64_t exponents = any >> fraction << fraction;  // with the sign
  switch (random.in(0, 4)) {
    case 0:
      return any;
    case 1:  // few digits, so that it lies in the middle between two numbers of a narrower format
      return exponents |
             (random.engine()() & ((uint64_t{1} << fraction) - 1) & (~uint64_t{0} << random.in(0, fraction)));
    case 2:
      return exponents + static_cast<uint64_t>(random.in(-2, 2));
    default: {  // an exponent that narrow formats have
      const uint64_t near = static_cast<uint64_t>(info.format.exponent_bias + random.in(-30, 30)) << fraction;
      const uint64_t digits = random.engine()() & ((uint64_t{1} << fraction) - 1);
      return near | (digits & (~uint64_t{0} << random.in(0, fraction))) | (any >> 63 << (info.bits - 1));
    }
  }
}

}  // namespace xlashape::core::testing
