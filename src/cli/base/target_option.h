// The option --target, which several subcommands have.
#pragma once
#include <optional>
#include <string>
#include <xlashape/target.hpp>

#include "failure.h"

namespace xlashape::cli {

// None where the option is not given; a Failure where no target has that name.
inline std::optional<Target> target_option(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const Result<Target> found = try_target(*name);
  if (!found) fail_usage("--target: {}", found.error().message());
  return *found;
}

}  // namespace xlashape::cli
