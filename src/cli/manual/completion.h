// `xlashape completion`: what a shell reads to complete the command's words.
#pragma once
#include <string>

#include "manual.h"

namespace xlashape::cli {

// Of one of the shells that `completion` takes.
std::string completion_for(const std::string& shell, const Manual& manual);

}  // namespace xlashape::cli
