/* SPDX-License-Identifier: Apache-2.0 */
// Relayouts of the simd backend: what a plan decides, and running it.
#pragma once
#include "backends/simd/choose_tiles.h"
#include "backends/simd/filled.h"
#include "backends/simd/kept.h"
#include "backends/simd/kernels.h"
#include "backends/simd/profile.h"
#include "backends/simd/shuffle.h"

namespace xlashape::simd {

struct Processor {
  const Kernels* kernels;
  SpeedProfile profile;
};

// Relayouts of a few elements run in plain loops, outermost first.
struct Tiny {
  int32_t width = 0;  // bytes of an element; 0: this relayout is not tiny
  int64_t src_offset, dst_offset;
  int64_t extent[3], src[3], dst[3];
};

// The run of a relayout that is a copy.
struct CopiedRun {
  int64_t src_at, dst_at, bytes;
  CopyKind kind;
};

enum class PlanKind : uint8_t {
  kTiny,        // plain loops
  kCopy,        // one run
  kShuffle,     // groups of a few bytes, each in another order
  kTiles,       // the whole nest is one rectangle of tiles
  kRectangles,  // each rectangle between guards gets its tiles when it runs
  kChunks,      // elements and padding in one pass
  kValues,      // numbers change their format
};

// What an execution reads comes first, in few lines: an array of the size of the first cache has driven them out of it.
struct SimdRelayoutPlan {
  PlanKind kind;
  Store store;
  bool fills;
  bool adapts;     // other tiles may be chosen where the destination begins within a line
  bool finishes;   // something is left to do after the elements are moved
  CopiedRun copy;  // of kCopy
  Tiny tiny;
  Shuffle shuffle;
  KeptTiles kept;
  TileChoice choice;  // of kTiles; of others its stores only
  Chunks chunks;
};

// Why the relayout is left to other backends, as static text. NULL if this backend takes it: containers that are
// contiguous somewhere on each side, and are the same whole bytes on both or at most a byte.
const char* refusal(const xlashape_relayout_ir& ir);
void init(const Processor& processor, const xlashape_relayout_ir& ir, SimdRelayoutPlan* plan);
// Whether a plan that is not of tiles remains what it is with other stores.
bool may_store(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, Store store);
// Whether there are several ways to run it.
bool has_choice(const SimdRelayoutPlan& plan);
// Makes an initialised plan run as chosen. Returns false, and changes nothing, where that does not suit the relayout.
bool choose_for(const xlashape_relayout_ir& ir, const TileChoice& choice, SimdRelayoutPlan* plan);
// What an execution takes of the stack at most, whatever its tasks and whatever is chosen for them.
int64_t stack_bytes(const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan);
int64_t tasks(const Processor& processor, const xlashape_relayout_ir& ir, int64_t max_workers);
// From how many bytes of the destination on this relayout is written past the caches.
int64_t stream_limit(const Processor& processor, const xlashape_relayout_ir& ir);
void execute(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, const char* src,
             char* dst, const TaskRange& part);
size_t describe(const Processor& processor, const xlashape_relayout_ir& ir, const SimdRelayoutPlan& plan, char* text,
                size_t capacity);

}  // namespace xlashape::simd
