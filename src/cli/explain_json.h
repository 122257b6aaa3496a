// What `explain --json` prints for one shape.
#pragma once
#include "library.h"
#include "output.h"

namespace xlashape::cli {

Json explain_json(const Shape& shape);
Json error_json(const Failure& failure);

}  // namespace xlashape::cli
