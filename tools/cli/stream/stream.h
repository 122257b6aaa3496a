/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts between storages that need not fit into memory, slab by slab.
#pragma once
#include <functional>
#include <span>
#include <xlashape/window.hpp>

#include "cli/execution/execution.h"

namespace xlashape::cli {

// Where both arrays are, by bytes of their storage. Each is called on one thread at a time, which is not always the
// same one; what they throw ends the relayout.
struct Storages {
  std::function<void(int64_t at, std::span<uint8_t> out)> read;  // of the source
  std::function<void(int64_t at, Bytes)> write;                  // of the destination: each byte once
};

// How an array is moved with so much memory.
struct StreamPlan {
  Slabs slabs;
  int in_flight = 1;  // 2: the next slab is read, and the one before written, while one is moved

  int64_t memory() const { return in_flight * (slabs.src_bytes + slabs.dst_bytes); }
  // Whether one side is read or written from its first byte to its last.
  bool reads_in_order = false, writes_in_order = false;
};
// Throws where `max_bytes` hold no slab. The request has no strides.
StreamPlan plan_stream(const Request& request, int64_t max_bytes);

// The seconds that each took, which may have been at once.
struct StreamTimes {
  double all = 0, read = 0, move = 0, write = 0;
};
// Everything that a relayout of whole arrays writes is written, padding too. Shows how far it is.
StreamTimes run_stream(const Runtime& runtime, const Request& request, const StreamPlan& plan,
                       const Storages& storages);

}  // namespace xlashape::cli
