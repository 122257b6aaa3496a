// What `explain --json` prints for one shape.
#pragma once
#include "cli/base/array.h"
#include "cli/output/json.h"

namespace xlashape::cli {

Json explain_json(const Shape& shape);

}  // namespace xlashape::cli
