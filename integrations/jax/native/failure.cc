// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

namespace xlashape_jax {

XLA_FFI_Error_Code code_of(xlashape::Status status) {
  using xlashape::Status;
  switch (status) {
    case Status::kOk:
      return XLA_FFI_Error_Code_OK;
    case Status::kInvalidArgument:
    case Status::kOverflow:
    case Status::kParse:
      return XLA_FFI_Error_Code_INVALID_ARGUMENT;
    case Status::kOutOfRange:
      return XLA_FFI_Error_Code_OUT_OF_RANGE;
    case Status::kUnsupported:
      return XLA_FFI_Error_Code_UNIMPLEMENTED;
    case Status::kNotFound:
      return XLA_FFI_Error_Code_NOT_FOUND;
    case Status::kIncompatible:
      return XLA_FFI_Error_Code_FAILED_PRECONDITION;
    case Status::kNoMemory:
      return XLA_FFI_Error_Code_RESOURCE_EXHAUSTED;
    case Status::kDevice:
    case Status::kBusy:
      return XLA_FFI_Error_Code_UNAVAILABLE;
    case Status::kCancelled:
      return XLA_FFI_Error_Code_CANCELLED;
    default:
      return XLA_FFI_Error_Code_INTERNAL;
  }
}

}  // namespace xlashape_jax
