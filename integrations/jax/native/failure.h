/* SPDX-License-Identifier: Apache-2.0 */
// What went wrong, as an exception: a code of XLA's and a text.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <xlashape.hpp>

#include "xla/ffi/api/c_api.h"

namespace xlashape_jax {

// The code of XLA's for a status of xlashape's, so that callers of either see the same kind of failure.
XLA_FFI_Error_Code code_of(xlashape::Status status);

struct Failure : std::runtime_error {
  Failure(XLA_FFI_Error_Code with, const std::string& text)
      : std::runtime_error("xlashape_relayout: " + text), code(with) {}
  Failure(const std::string& about, const xlashape::Error& error)
      : Failure(code_of(error.status()), about + ": " + std::string(error.message())) {}

  XLA_FFI_Error_Code code;
};

// A text of somebody else's, for a message.
inline std::string short_text(std::string_view text, size_t most) { return std::string(text.substr(0, most)); }

}  // namespace xlashape_jax
