// Profiles for the conformance tests.
#pragma once
#include <string>
#include <vector>
#include <xlashape/runtime.hpp>

namespace xlashape::cli {

// Profiles that a plugin must bear: the one that it made (or ""), and that with other keys and numbers.
std::vector<std::string> profiles_to_try(const std::string& own);

// A runtime alone with a profile.
Runtime runtime_with(const std::string& profile);

}  // namespace xlashape::cli
