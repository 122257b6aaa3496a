/* SPDX-License-Identifier: Apache-2.0 */
// A device made of host threads' fibers, for tests: it runs the kernels that dialect.h compiles as host C++. Each
// thread of a block is a fiber; a barrier hands over to the next one. Blocks run one after the other.
#pragma once
#include <cstdint>

#include "ir/int128.h"

namespace xlashape::gpu::host {

struct ThreadPlace {
  uint32_t block, thread;
};
// The place of the fiber that runs.
ThreadPlace place();

// Every thread of the block waits for all others here.
void barrier();

// Copies 16 bytes only when the calling thread waits for its copies, which is the last moment at which an asynchronous
// copy may happen. A thread that does not wait never gets them.
void copy_later(void* to, const void* from);
void finish_copies();

// In which order the threads of a block run between two barriers. A kernel that is correct in one order only is wrong.
enum class ThreadOrder { kForward, kReverse, kShuffled };
void set_order(ThreadOrder order);

// Runs a kernel: body(opaque) once for each thread of each block. Returns null, or what went wrong, such as a thread
// that ended while others wait at a barrier.
const char* run(uint32_t blocks, uint32_t threads, void (*body)(void* opaque), void* opaque);

}  // namespace xlashape::gpu::host
