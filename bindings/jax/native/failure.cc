#include "failure.h"

#include <cstdarg>
#include <cstdio>

namespace xlashape_jax {

XLA_FFI_Error_Code code_of(xlashape_status status) {
  switch (status) {
    case XLASHAPE_STATUS_OK:
      return XLA_FFI_Error_Code_OK;
    case XLASHAPE_STATUS_INVALID_ARGUMENT:
    case XLASHAPE_STATUS_OVERFLOW:
    case XLASHAPE_STATUS_PARSE:
      return XLA_FFI_Error_Code_INVALID_ARGUMENT;
    case XLASHAPE_STATUS_OUT_OF_RANGE:
      return XLA_FFI_Error_Code_OUT_OF_RANGE;
    case XLASHAPE_STATUS_UNSUPPORTED:
      return XLA_FFI_Error_Code_UNIMPLEMENTED;
    case XLASHAPE_STATUS_NOT_FOUND:
      return XLA_FFI_Error_Code_NOT_FOUND;
    case XLASHAPE_STATUS_INCOMPATIBLE:
      return XLA_FFI_Error_Code_FAILED_PRECONDITION;
    case XLASHAPE_STATUS_NO_MEMORY:
      return XLA_FFI_Error_Code_RESOURCE_EXHAUSTED;
    case XLASHAPE_STATUS_DEVICE:
    case XLASHAPE_STATUS_BUSY:
      return XLA_FFI_Error_Code_UNAVAILABLE;
    case XLASHAPE_STATUS_CANCELLED:
      return XLA_FFI_Error_Code_CANCELLED;
    default:
      return XLA_FFI_Error_Code_INTERNAL;
  }
}

bool Failure::set(XLA_FFI_Error_Code with, const char* format, ...) {
  code = with;
  va_list values;
  va_start(values, format);
  std::vsnprintf(message, sizeof message, format, values);
  va_end(values);
  return false;
}

}  // namespace xlashape_jax
