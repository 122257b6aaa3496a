// A device made of host threads' fibers, for tests: it runs the kernels that dialect.h compiles as host C++. Each thread of a
// block is a fiber; a barrier hands over to the next one. Blocks run one after the other.
#pragma once
#include <cstdint>

#include "waist/int128.h"

namespace xlashape::gpu::host {

struct Place {
  uint32_t block, thread;
};
// Of the fiber that runs.
Place place();

// Every thread of the block waits for all others here.
void barrier();

// Copies 16 bytes when the thread that asked for it waits for its copies: no sooner than an asynchronous copy must have
// happened. Without that it never happens.
void copy_later(void* to, const void* from);
void finish_copies();

// In which order the threads of a block run between two barriers: what is right in one only, is wrong.
enum class Order { kForward, kReverse, kShuffled };
void set_order(Order order);

// Runs a kernel: body(opaque) once for each thread of each block. Null, or what went wrong: a thread that ended while
// others wait at a barrier.
const char* run(uint32_t blocks, uint32_t threads, void (*body)(void* opaque), void* opaque);

}  // namespace xlashape::gpu::host
