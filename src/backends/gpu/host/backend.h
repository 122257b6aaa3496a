// The host dialect as a backend, for tests only: a GPU of which every buffer is as large as it must be, to the byte, so that
// a sanitizer sees what a kernel touches beyond.
#pragma once
#include "backends/gpu/common/planner.h"

namespace xlashape::gpu::host {

// What the planner may use, and what alignment the buffers are said to have at most.
struct Settings {
  Effort effort = Effort::kBest;
  int64_t alignment = 16;
};
xlashape_status open(const xlashape_host* host, const Settings& settings, xlashape_backend* table, xlashape_error* err);

// How often a kernel was launched in this process.
int64_t launches(Kernel kernel);

// Buffers that sessions allocated and did not free.
int64_t live_buffers();

}  // namespace xlashape::gpu::host
