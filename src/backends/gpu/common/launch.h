/* SPDX-License-Identifier: Apache-2.0 */
// One kernel launch as the planner makes it, the same for every API.
#pragma once
#include <cstdint>

#include "backends/gpu/kernels/arguments.h"
#include "backends/gpu/kernels/list.h"

namespace xlashape::gpu {

#define XS_ENUM(name, args) name,
enum class Kernel : uint8_t { XS_KERNEL_LIST(XS_ENUM) XS_NVIDIA_KERNEL_LIST(XS_ENUM) kCount };
#undef XS_ENUM
inline constexpr int kKernels = static_cast<int>(Kernel::kCount);
inline constexpr int kPortableKernels = static_cast<int>(Kernel::xs_nvidia_tile_1);  // the portable ones come first

#define XS_NAME_OF(name, args) #name,
inline constexpr const char* kKernelNames[] = {XS_KERNEL_LIST(XS_NAME_OF) XS_NVIDIA_KERNEL_LIST(XS_NAME_OF)};
#undef XS_NAME_OF
inline const char* name_of(Kernel kernel) { return kKernelNames[static_cast<int>(kernel)]; }

// Every argument block starts with these two.
struct BaseOffsets {
  int64_t src, dst;
};

struct Launch {
  Kernel kernel;
  uint32_t blocks;  // of XS_THREADS threads
  uint32_t argument_bytes;
  union {
    BaseOffsets offsets;
    XsNest nest;
    XsTile tile;
    XsFew few;
    XsPack pack;
    XsZip zip;
    XsRun run;
    XsProgram program;
    XsIndex index;
  } arguments;
};
inline constexpr uint32_t kMostBlocks = 0x7FFFFFFF;
static_assert(sizeof(Launch::arguments) <= 1024 - 3 * 8, "OpenCL promises 1024 bytes of parameters");

}  // namespace xlashape::gpu
