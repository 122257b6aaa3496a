/* SPDX-License-Identifier: Apache-2.0 */
// The host dialect as a backend, for tests only: a GPU whose buffers have exactly the size that they need, so that a
// sanitizer detects what a kernel touches beyond them.
#pragma once
#include "backends/gpu/common/planner.h"

namespace xlashape::gpu::host {

// What the planner may use, and the largest alignment that is reported for buffers.
struct Settings {
  Effort effort = Effort::kBest;
  int64_t alignment = 16;
};
xlashape_status open(const xlashape_host* host, const Settings& settings, xlashape_backend* table, xlashape_error* err);

// How often a kernel was launched in this process.
int64_t launches(Kernel kernel);

// How many buffers sessions have allocated and not freed.
int64_t live_buffers();

}  // namespace xlashape::gpu::host
