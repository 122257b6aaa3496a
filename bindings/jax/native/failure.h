// What went wrong: a code of XLA's and a text. Nothing here throws; a text that finds no memory is left out.
#pragma once

#include <xlashape.h>

#include <cstddef>

#include "xla/ffi/api/c_api.h"

namespace xlashape_jax {

// The code of XLA's for a status of xlashape's, so that callers of either see the same kind of failure.
XLA_FFI_Error_Code code_of(xlashape_status status);

struct Failure {
  XLA_FFI_Error_Code code = XLA_FFI_Error_Code_OK;
  char message[1024] = {};

  bool happened() const { return code != XLA_FFI_Error_Code_OK; }
  // Formats as printf does; what does not fit is cut. Returns false, so that `return failure.set(...)` reads well.
  [[gnu::format(printf, 3, 4)]] bool set(XLA_FFI_Error_Code with, const char* format, ...);
};

}  // namespace xlashape_jax
