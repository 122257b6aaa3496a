/* SPDX-License-Identifier: Apache-2.0 */
// The kernels of the host dialect, by name.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xlashape::gpu::host {

struct KernelEntry {
  const char* name;
  size_t argument_bytes;
  // Returns null, or what went wrong.
  const char* (*run)(uint32_t blocks, const void* src, void* dst, void* tables, const void* args);
};

// Returns null if no kernel has this name.
const KernelEntry* find_kernel(std::string_view name);

}  // namespace xlashape::gpu::host
