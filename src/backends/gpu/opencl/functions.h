/* SPDX-License-Identifier: Apache-2.0 */
// The functions of OpenCL 1.2 that are used. They are found in libOpenCL.so.1 when the backend is opened, so the
// backend is not linked against that library.
#pragma once
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "xlashape_backend.h"

namespace xlashape::gpu::opencl {

#define XS_OPENCL_FUNCTIONS(X)    \
  X(clGetPlatformIDs)             \
  X(clGetPlatformInfo)            \
  X(clGetDeviceIDs)               \
  X(clGetDeviceInfo)              \
  X(clCreateContext)              \
  X(clRetainContext)              \
  X(clReleaseContext)             \
  X(clGetContextInfo)             \
  X(clCreateCommandQueue)         \
  X(clReleaseCommandQueue)        \
  X(clGetCommandQueueInfo)        \
  X(clCreateProgramWithSource)    \
  X(clBuildProgram)               \
  X(clGetProgramBuildInfo)        \
  X(clReleaseProgram)             \
  X(clCreateKernel)               \
  X(clReleaseKernel)              \
  X(clSetKernelArg)               \
  X(clEnqueueNDRangeKernel)       \
  X(clCreateBuffer)               \
  X(clReleaseMemObject)           \
  X(clGetMemObjectInfo)           \
  X(clEnqueueWriteBuffer)         \
  X(clEnqueueReadBuffer)          \
  X(clEnqueueCopyBuffer)          \
  X(clEnqueueFillBuffer)          \
  X(clFinish)                     \
  X(clFlush)                      \
  X(clEnqueueBarrierWithWaitList) \
  X(clEnqueueMarkerWithWaitList)  \
  X(clReleaseEvent)

struct Functions {
#define XS_MEMBER_OF(name) decltype(&::name) name;
  XS_OPENCL_FUNCTIONS(XS_MEMBER_OF)
#undef XS_MEMBER_OF
};

// DEVICE if the library or one of its functions is missing.
xlashape_status load(Functions* functions, xlashape_error* err);

// OK for CL_SUCCESS; else a message of `what` and the error's name.
xlashape_status check(cl_int code, const char* what, xlashape_error* err);

}  // namespace xlashape::gpu::opencl
