// What `explain --json` prints for one shape.
#pragma once
#include <nlohmann/json.hpp>

#include "library.h"

namespace xlashape::cli {

using Json = nlohmann::ordered_json;

Json explain_json(const Shape& shape);
Json error_json(const Failure& failure);

}  // namespace xlashape::cli
