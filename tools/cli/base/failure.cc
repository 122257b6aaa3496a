// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

namespace xlashape::cli {

Failure::Failure(const Error& error, std::string_view doing)
    : exit(error.status() == Status::kUnsupported ? kUnsupported : kData),
      code(error.name()),
      message(error.message().empty() ? code : std::string(error.message())),
      offset(error.offset()) {
  if (!doing.empty()) message = std::string(doing) + ": " + message;
}

}  // namespace xlashape::cli
