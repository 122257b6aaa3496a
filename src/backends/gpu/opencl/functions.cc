// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/opencl/functions.h"

#include "backends/common/entry.h"
#include "backends/common/system.h"

namespace xlashape::gpu::opencl {
namespace {

const char* error_name(cl_int code) {
  switch (code) {
    case CL_DEVICE_NOT_FOUND:
      return "device not found";
    case CL_DEVICE_NOT_AVAILABLE:
      return "device not available";
    case CL_COMPILER_NOT_AVAILABLE:
      return "compiler not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
      return "memory object allocation failure";
    case CL_OUT_OF_RESOURCES:
      return "out of resources";
    case CL_OUT_OF_HOST_MEMORY:
      return "out of host memory";
    case CL_BUILD_PROGRAM_FAILURE:
      return "build program failure";
    case CL_INVALID_VALUE:
      return "invalid value";
    case CL_INVALID_CONTEXT:
      return "invalid context";
    case CL_INVALID_COMMAND_QUEUE:
      return "invalid command queue";
    case CL_INVALID_MEM_OBJECT:
      return "invalid memory object";
    case CL_INVALID_BUFFER_SIZE:
      return "invalid buffer size";
    case CL_INVALID_EVENT_WAIT_LIST:
      return "invalid event wait list";
    case CL_INVALID_EVENT:
      return "invalid event";
    case CL_INVALID_WORK_GROUP_SIZE:
      return "invalid work group size";
    case -1001:
      return "no platform is installed";
    default:
      return "see CL/cl.h";
  }
}

}  // namespace

xlashape_status load(Functions* functions, xlashape_error* err) {
  const char* reason;
  void* library = backends::open_library("libOpenCL.so.1", &reason);
  if (library == nullptr) return backends::fail(err, XLASHAPE_STATUS_DEVICE, "no OpenCL: %s", reason);
#define XS_FIND(name)                                                                                   \
  functions->name = reinterpret_cast<decltype(functions->name)>(backends::find_symbol(library, #name)); \
  if (functions->name == nullptr)                                                                       \
    return backends::fail(err, XLASHAPE_STATUS_DEVICE, "libOpenCL.so.1 has no %s: it is older than OpenCL 1.2", #name);
  XS_OPENCL_FUNCTIONS(XS_FIND)
#undef XS_FIND
  return XLASHAPE_STATUS_OK;
}

xlashape_status check(cl_int code, const char* what, xlashape_error* err) {
  if (code == CL_SUCCESS) return XLASHAPE_STATUS_OK;
  const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY;
  return backends::fail(err, memory ? XLASHAPE_STATUS_NO_MEMORY : XLASHAPE_STATUS_DEVICE, "%s: OpenCL error %d (%s)",
                        what, code, error_name(code));
}

}  // namespace xlashape::gpu::opencl
