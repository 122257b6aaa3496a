// Every number at which the simd backend's planning changes its mind or a buffer of it is full. The tests at real sizes read the
// table at the end and make sizes one below, at and one above each: a new limit is tested from the day it stands here.
#pragma once
#include <cstdint>

namespace xlashape::simd {

inline constexpr int kMaxSimdLoops = 32;    // of a nest
inline constexpr int kMaxDigits = 16;       // of a tile that is permuted
inline constexpr int kMaxPasses = 32;       // over such a tile
inline constexpr int kMaxFilledGuards = 4;  // of a nest that is filled in one pass

inline constexpr int64_t kLineBytes = 64, kPageBytes = 4096;

// Plans.
inline constexpr int64_t kTinyElements = 64;    // no more than these are moved by plain loops
inline constexpr int64_t kTaskBytes = 1 << 16;  // of the destination that are worth a task

// Tiles.
inline constexpr int64_t kMaxSide = 2048;         // rows or columns of a tile
inline constexpr int64_t kUnitBytes = 1 << 20;    // of a run that a tile has; more are cut
inline constexpr int64_t kLeastUnitBytes = 4096;  // runs are cut no shorter than this for the sake of more tiles
inline constexpr int64_t kRunBytes = 65536;       // contiguous in the destination, of a tile of runs
inline constexpr int64_t kNarrowBytes = 8192;     // of a tile that has less than a line on one side
inline constexpr int64_t kLoneBytes = 512;        // of one that has a single element there
inline constexpr int64_t kGatherBytes = 16384;    // of the stage that a tile's source is gathered in; there are two
inline constexpr int64_t kOutBytes = 24576;       // of the stage for what is on its way out
inline constexpr int64_t kPlanesBytes = 8192;     // of interleaves that a tile has side by side
inline constexpr int64_t kPermuteBytes =
    8192;  // of a tile that goes through passes: two of these stay in the first cache
inline constexpr int64_t kPackedBytes = 32768;  // of the stage of a packed tile
inline constexpr int64_t kSlack = 256;          // kernels may write so far beyond what they stage

// Filling in the pass that moves.
inline constexpr int64_t kStagedBytes = 8192;   // of a chunk that is put together in the first cache
inline constexpr int64_t kChunkBytes = 131072;  // of one that stays within the second while it is filled
inline constexpr int64_t kHolesApart = 2048;    // padding so far apart leaves most lines whole
inline constexpr int kMaxRectangles = 4, kMaxHoles = 256, kMaxPieces = 128;  // of a chunk: more are not kept

// What the tests take sizes from, in bytes or elements.
inline constexpr int64_t kLimits[] = {
    16,           kLineBytes,   128,           256,         kLoneBytes,   1024,
    kMaxSide,     kPageBytes,   kTinyElements, kTaskBytes,  kUnitBytes,   kLeastUnitBytes,
    kRunBytes,    kNarrowBytes, kGatherBytes,  kOutBytes,   kPlanesBytes, kPermuteBytes,
    kPackedBytes, kStagedBytes, kChunkBytes,   kHolesApart, kMaxHoles,    kMaxPieces,
};

}  // namespace xlashape::simd
