// What `explain --json` prints for one shape.
#pragma once
#include <optional>
#include <xlashape/target.hpp>

#include "cli/base/array.h"
#include "cli/output/json.h"

namespace xlashape::cli {

Json explain_json(const Shape& shape, std::optional<Target> target);

}  // namespace xlashape::cli
