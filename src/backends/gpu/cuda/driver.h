/* SPDX-License-Identifier: Apache-2.0 */
// The functions of the CUDA driver API that are used, declared by hand and found in libcuda.so.1 when the backend is
// opened. Building and loading the backend needs neither headers nor libraries of CUDA.
#pragma once
#include <cstddef>
#include <cstdint>

#include "xlashape_backend.h"

namespace xlashape::gpu::cuda {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;

inline constexpr CUresult kSuccess = 0, kErrorOutOfMemory = 2, kErrorNoDevice = 100;
inline constexpr int kPointerContext = 1, kPointerDevice = 9;  // CU_POINTER_ATTRIBUTE_*
inline constexpr int kComputeMajor = 75, kComputeMinor = 76;   // CU_DEVICE_ATTRIBUTE_*
inline constexpr unsigned kEventNoTiming = 2;
inline constexpr unsigned kStreamDefault = 0;                       // waits for the legacy stream, and it for this one
inline constexpr uint64_t kLegacyStream = 1, kPerThreadStream = 2;  // besides 0, which is the legacy one too

// name, symbol, parameters
#define XS_DRIVER_FUNCTIONS(X)                                                                                    \
  X(cuInit, "cuInit", (unsigned flags))                                                                           \
  X(cuDriverGetVersion, "cuDriverGetVersion", (int* version))                                                     \
  X(cuDeviceGetCount, "cuDeviceGetCount", (int* count))                                                           \
  X(cuDeviceGet, "cuDeviceGet", (CUdevice * device, int ordinal))                                                 \
  X(cuDeviceGetName, "cuDeviceGetName", (char* name, int capacity, CUdevice device))                              \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int* value, int attribute, CUdevice device))                   \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))                 \
  X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CUdevice device))                                 \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext * context))                                                    \
  X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext context))                                                 \
  X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext * context))                                                 \
  X(cuCtxGetDevice, "cuCtxGetDevice", (CUdevice * device))                                                        \
  X(cuStreamGetCtx, "cuStreamGetCtx", (CUstream stream, CUcontext * context))                                     \
  X(cuStreamCreate, "cuStreamCreate", (CUstream * stream, unsigned flags))                                        \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream stream))                                                     \
  X(cuStreamSynchronize, "cuStreamSynchronize", (CUstream stream))                                                \
  X(cuStreamWaitEvent, "cuStreamWaitEvent", (CUstream stream, CUevent event, unsigned flags))                     \
  X(cuModuleLoadData, "cuModuleLoadData", (CUmodule * module, const void* image))                                 \
  X(cuModuleUnload, "cuModuleUnload", (CUmodule module))                                                          \
  X(cuModuleGetFunction, "cuModuleGetFunction", (CUfunction * function, CUmodule module, const char* name))       \
  X(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr * address, size_t bytes))                                           \
  X(cuMemFree, "cuMemFree_v2", (CUdeviceptr address))                                                             \
  X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (CUdeviceptr to, const void* from, size_t bytes, CUstream stream)) \
  X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void* to, CUdeviceptr from, size_t bytes, CUstream stream))       \
  X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
  X(cuMemsetD8Async, "cuMemsetD8Async", (CUdeviceptr to, unsigned char byte, size_t count, CUstream stream))      \
  X(cuMemAllocHost, "cuMemAllocHost_v2", (void** memory, size_t bytes))                                           \
  X(cuMemFreeHost, "cuMemFreeHost", (void* memory))                                                               \
  X(cuEventCreate, "cuEventCreate", (CUevent * event, unsigned flags))                                            \
  X(cuEventDestroy, "cuEventDestroy_v2", (CUevent event))                                                         \
  X(cuEventRecord, "cuEventRecord", (CUevent event, CUstream stream))                                             \
  X(cuEventSynchronize, "cuEventSynchronize", (CUevent event))                                                    \
  X(cuPointerGetAttribute, "cuPointerGetAttribute", (void* value, int attribute, CUdeviceptr address))            \
  X(cuLaunchKernel, "cuLaunchKernel",                                                                             \
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,  \
     unsigned block_z, unsigned shared_bytes, CUstream stream, void** parameters, void** extra))                  \
  X(cuGetErrorName, "cuGetErrorName", (CUresult result, const char** name))                                       \
  X(cuGetErrorString, "cuGetErrorString", (CUresult result, const char** text))

struct Driver {
#define XS_MEMBER_OF(name, symbol, parameters) CUresult(*name) parameters;
  XS_DRIVER_FUNCTIONS(XS_MEMBER_OF)
#undef XS_MEMBER_OF

  // DEVICE if the library, one of its functions or a device is missing, or the driver is older than the kernels need;
  // the message says which.
  xlashape_status load(xlashape_error* err);
  // OK for CUDA_SUCCESS; else a message of `what`, the error's name and its text.
  xlashape_status check(CUresult result, const char* what, xlashape_error* err) const;
};

}  // namespace xlashape::gpu::cuda
