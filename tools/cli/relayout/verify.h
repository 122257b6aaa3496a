/* SPDX-License-Identifier: Apache-2.0 */
// `relayout --verify`: reports the faulty backend, the place and the plan.
#pragma once
#include "cli/execution/execution.h"

namespace xlashape::cli {

struct Verified {
  int64_t checked = 0;    // positions of the result compared through the index maps
  int64_t positions = 0;  // of the whole result
  int64_t bytes = 0;      // of the source that came back unchanged; 0 where nothing was moved back
};

// Compares the result of a relayout with its source in two ways: position by position through the index maps of both
// shapes, all of them or, for a large result, a new random sample; and all of it by moving it back. Where values are
// converted each is compared with what the scalar backend makes of it alone, and nothing is moved back; nor is it where
// the source has strides. Throws a
// failure with the backend and the plan at fault.
Verified verify_relayout(const Runtime& runtime, const Request& request, const Plan& plan, Bytes source, Bytes result,
                         int threads);

}  // namespace xlashape::cli
