// The system's text for an errno.
#pragma once
#include <string>

namespace xlashape::core {

std::string reason_of(int error);

}  // namespace xlashape::core
