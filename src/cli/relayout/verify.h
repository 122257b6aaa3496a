// `relayout --verify`: who lied, where, by which plan.
#pragma once
#include "cli/movement/movement.h"

namespace xlashape::cli {

struct Verified {
  int64_t checked = 0;    // positions of the result that were compared through the index maps
  int64_t positions = 0;  // that it has
  int64_t bytes = 0;      // of the source that came back alike
};

// Compares the result of a relayout with its source in two ways: position by position through the index maps of both
// shapes, all of them or, of a large result, a sample drawn anew; and all of it by bringing it back. Throws what is wrong,
// with the backend and the plan that did it.
Verified verify_relayout(const Runtime& runtime, const Request& request, const Plan& plan, Bytes source, Bytes result,
                         int threads);

}  // namespace xlashape::cli
