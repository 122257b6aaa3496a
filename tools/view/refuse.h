/* SPDX-License-Identifier: Apache-2.0 */
// How the engine fails: by an exception, which xlashape_draw turns into its status.
#pragma once
#include <xlashape/result.hpp>

#include "words.h"

namespace xlashape::view {

// The message names the place and the value.
[[noreturn]] inline void refuse(Status status, std::initializer_list<std::string_view> message) {
  throw Exception(Error(status, cat(message)));
}

}  // namespace xlashape::view
