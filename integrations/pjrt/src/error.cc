// SPDX-License-Identifier: Apache-2.0
#include "error.h"

namespace pjrt_plugin {
namespace {

struct Error : PJRT_Error {
  PJRT_Error_Code code = PJRT_Error_Code_UNKNOWN;
  std::string message;
  bool owned = true;
};

const Error& of(const PJRT_Error* error) { return *static_cast<const Error*>(error); }

void destroy(PJRT_Error* error) {
  if (error != nullptr && of(error).owned) delete static_cast<Error*>(error);
}

void message(const PJRT_Error* error, const char** text, size_t* size) {
  *text = of(error).message.c_str();
  *size = of(error).message.size();
}

PJRT_Error_Code get_code(const PJRT_Error* error) { return of(error).code; }

void for_each_payload(const PJRT_Error*, PJRT_Error_PayloadVisitor, void*) {}  // there is none

// Newer clients (0.112) call errors by this table, older ones (0.81) by PJRT_Api.
constexpr PJRT_Error_FunctionTable kErrorTable = {
    sizeof(PJRT_Error_FunctionTable), sizeof(Error), nullptr, destroy, message, get_code, for_each_payload};

}  // namespace

PJRT_Error_Code code_of(xlashape::Status status) {
  switch (status) {
    case xlashape::Status::kOk:
      return PJRT_Error_Code_OK;
    case xlashape::Status::kInvalidArgument:
      return PJRT_Error_Code_INVALID_ARGUMENT;
    case xlashape::Status::kOutOfRange:
      return PJRT_Error_Code_OUT_OF_RANGE;
    case xlashape::Status::kOverflow:
      return PJRT_Error_Code_INVALID_ARGUMENT;
    case xlashape::Status::kParse:
      return PJRT_Error_Code_INVALID_ARGUMENT;
    case xlashape::Status::kUnsupported:
      return PJRT_Error_Code_UNIMPLEMENTED;
    case xlashape::Status::kNotFound:
      return PJRT_Error_Code_NOT_FOUND;
    case xlashape::Status::kIncompatible:
      return PJRT_Error_Code_FAILED_PRECONDITION;
    case xlashape::Status::kNoMemory:
      return PJRT_Error_Code_RESOURCE_EXHAUSTED;
    case xlashape::Status::kBusy:
      return PJRT_Error_Code_UNAVAILABLE;
    case xlashape::Status::kCancelled:
      return PJRT_Error_Code_CANCELLED;
    default:
      return PJRT_Error_Code_INTERNAL;
  }
}

PJRT_Error_Code known(PJRT_Error_Code code) {
  return code >= PJRT_Error_Code_OK && code <= PJRT_Error_Code_UNAUTHENTICATED ? code : PJRT_Error_Code_UNKNOWN;
}

Failure::Failure(const std::string& place, const xlashape::Error& error)
    : Failure(code_of(error.status()), place + ": " + error.text()) {}

PJRT_Error* new_error(PJRT_Error_Code code, std::string_view message) noexcept {
  if (code == PJRT_Error_Code_OK) return nullptr;
  try {
    auto* error = new Error;
    error->vtable = &kErrorTable;
    error->code = code;
    error->message = message;
    return error;
  } catch (...) {
    static Error no_memory = [] {
      Error error;
      error.vtable = &kErrorTable;
      error.code = PJRT_Error_Code_RESOURCE_EXHAUSTED;
      error.owned = false;
      return error;
    }();
    return &no_memory;
  }
}

void error_destroy(PJRT_Error_Destroy_Args* args) { destroy(args->error); }

void error_message(PJRT_Error_Message_Args* args) { message(args->error, &args->message, &args->message_size); }

void call(PJRT_Error_GetCode_Args& args) { args.code = get_code(args.error); }

void call(PJRT_Error_ForEachPayload_Args&) {}

}  // namespace pjrt_plugin
