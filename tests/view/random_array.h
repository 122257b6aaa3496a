/* SPDX-License-Identifier: Apache-2.0 */
// The random arrays of the unit tests, as pictures get them.
#pragma once
#include <xlashape/shape.hpp>

#include "unit/random_shape.h"

namespace xlashape::view::testing {

using core::testing::all_types;
using core::testing::case_count;
using core::testing::Random;
using core::testing::random_dimensions;

inline Shape random_array(Random& random, xlashape_element_type type, const std::vector<int64_t>& dimensions) {
  return Shape(core::testing::random_array(random, type, dimensions).leak());
}

}  // namespace xlashape::view::testing
