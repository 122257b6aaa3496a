// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/opencl/context.h"

#include <memory>
#include <string>

#include "backends/common/entry.h"

namespace xlashape::gpu {
extern const unsigned char opencl_source[];  // kernels.cl, flattened
extern const unsigned long opencl_source_size;
}  // namespace xlashape::gpu

namespace xlashape::gpu::opencl {
namespace {

using backends::fail;

#define XS_CL(...)                                                   \
  do {                                                               \
    if (const xlashape_status s = check(__VA_ARGS__, err)) return s; \
  } while (false)

}  // namespace

OpenclContext::~OpenclContext() {
  for (cl_kernel kernel : kernels_)
    if (kernel != nullptr) cl_.clReleaseKernel(kernel);
  if (program_ != nullptr) cl_.clReleaseProgram(program_);
  if (queue_ != nullptr) cl_.clReleaseCommandQueue(queue_);
  cl_.clReleaseContext(context_);
}

xlashape_status OpenclContext::build(xlashape_error* err) {
  size_t bytes = 0;
  XS_CL(cl_.clGetContextInfo(context_, CL_CONTEXT_DEVICES, 0, nullptr, &bytes), "clGetContextInfo");
  std::vector<cl_device_id> devices(bytes / sizeof(cl_device_id));
  if (devices.empty()) return fail(err, XLASHAPE_STATUS_DEVICE, "the OpenCL context has no device");
  XS_CL(cl_.clGetContextInfo(context_, CL_CONTEXT_DEVICES, bytes, devices.data(), nullptr), "clGetContextInfo");
  device_ = devices.front();
  cl_int code;
  queue_ = cl_.clCreateCommandQueue(context_, device_, 0, &code);
  XS_CL(code, "clCreateCommandQueue");
  const char* text = reinterpret_cast<const char*>(opencl_source);
  const size_t length = opencl_source_size;
  program_ = cl_.clCreateProgramWithSource(context_, 1, &text, &length, &code);
  XS_CL(code, "clCreateProgramWithSource");
  code = cl_.clBuildProgram(program_, 0, nullptr, "-cl-std=CL1.2", nullptr, nullptr);
  if (code != CL_SUCCESS) {
    std::string log(4096, '\0');
    if (cl_.clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr))
      log = "no log";
    return fail(err, XLASHAPE_STATUS_DEVICE, "clBuildProgram: OpenCL error %d: %.300s", code, log.c_str());
  }
  for (int i = 0; i < kPortableKernels; ++i) {
    kernels_[i] = cl_.clCreateKernel(program_, kKernelNames[i], &code);
    XS_CL(code, kKernelNames[i]);
  }
  return XLASHAPE_STATUS_OK;
}

xlashape_status OpenclContext::launch(cl_command_queue queue, const Launch& launch, cl_mem src, cl_mem dst,
                                      cl_mem tables, xlashape_error* err) {
  cl_kernel kernel = kernels_[static_cast<int>(launch.kernel)];
  const char* name = name_of(launch.kernel);
  const size_t threads = XS_THREADS, all = size_t{launch.blocks} * threads;
  const cl_mem memories[3] = {src, dst, tables};
  const std::lock_guard lock(arguments_);
  for (cl_uint i = 0; i < 3; ++i)
    XS_CL(cl_.clSetKernelArg(kernel, i, sizeof(cl_mem), memories[i] != nullptr ? &memories[i] : nullptr), name);
  XS_CL(cl_.clSetKernelArg(kernel, 3, launch.argument_bytes, &launch.arguments), name);
  return check(cl_.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &all, &threads, 0, nullptr, nullptr), name, err);
}

OpenclContexts::~OpenclContexts() {
  for (OpenclContext* context : all_) delete context;
}

xlashape_status OpenclContexts::find(cl_context context, OpenclContext** found, xlashape_error* err) {
  const std::lock_guard lock(lock_);
  return find_locked(context, found, err);
}

xlashape_status OpenclContexts::find_locked(cl_context context, OpenclContext** found, xlashape_error* err) {
  for (OpenclContext* known : all_)
    if (known->id() == context) {
      *found = known;
      return XLASHAPE_STATUS_OK;
    }
  auto made = std::make_unique<OpenclContext>(cl_, context);
  if (const xlashape_status status = made->build(err)) return status;
  all_.push_back(made.get());
  *found = made.release();
  return XLASHAPE_STATUS_OK;
}

xlashape_status OpenclContexts::own(OpenclContext** found, xlashape_error* err) {
  const std::lock_guard lock(lock_);
  if (own_ == nullptr) {
    std::vector<cl_device_id> all;
    if (const xlashape_status status = devices(&all, err)) return status;
    cl_int code;
    cl_context context = cl_.clCreateContext(nullptr, 1, &all.front(), nullptr, nullptr, &code);
    XS_CL(code, "clCreateContext");
    const xlashape_status status = find_locked(context, &own_, err);
    cl_.clReleaseContext(context);  // the list has retained it, unless something failed
    if (status != XLASHAPE_STATUS_OK) return status;
  }
  *found = own_;
  return XLASHAPE_STATUS_OK;
}

xlashape_status OpenclContexts::devices(std::vector<cl_device_id>* found, xlashape_error* err) const {
  cl_uint count = 0;
  const cl_int code = cl_.clGetPlatformIDs(0, nullptr, &count);
  if (code == -1001 || (code == CL_SUCCESS && count == 0))
    return fail(err, XLASHAPE_STATUS_DEVICE, "no OpenCL platform is installed: libOpenCL.so.1 found no driver");
  XS_CL(code, "clGetPlatformIDs");
  std::vector<cl_platform_id> platforms(count);
  XS_CL(cl_.clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (const cl_device_type wanted : {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR}) {
    for (cl_platform_id platform : platforms) {
      cl_uint devices = 0;
      if (cl_.clGetDeviceIDs(platform, wanted, 0, nullptr, &devices) != CL_SUCCESS || devices == 0) continue;
      const size_t before = found->size();
      found->resize(before + devices);
      XS_CL(cl_.clGetDeviceIDs(platform, wanted, devices, found->data() + before, nullptr), "clGetDeviceIDs");
    }
  }
  if (found->empty()) return fail(err, XLASHAPE_STATUS_DEVICE, "OpenCL has %u platforms and no device", count);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::gpu::opencl
