/* SPDX-License-Identifier: Apache-2.0 */
// Every number at which the simd backend's planning decides differently or one of its buffers is full. The tests at
// real sizes make sizes one below, at and one above each number of kLimits; a test of tests/structure sees that each
// number of bytes or elements above it is there.
#pragma once
#include <cstdint>

namespace xlashape::simd {

inline constexpr int kMaxSimdLoops = 32;    // of a nest
inline constexpr int kMaxFactors = 16;      // of a tile that is permuted
inline constexpr int kMaxPasses = 32;       // over such a tile
inline constexpr int kMaxFilledGuards = 4;  // of a nest that is filled in one pass

inline constexpr int64_t kLineBytes = 64, kPageBytes = 4096;

// Plans.
inline constexpr int64_t kTinyElements = 64;       // up to this many are moved by plain loops
inline constexpr int64_t kTaskBytes = 1 << 16;     // of the destination: the least for a task
inline constexpr int64_t kOwnCopyBytes = 1 << 20;  // of a run that is copied within the caches; longer ones are libc's

inline constexpr int64_t kStreamBytes = 1 << 18;   // of the destination: with less, no other stores are candidates
inline constexpr int64_t kShareBytes = 640 << 10;  // of the destination: less is a single task, without a profile

// Tiles.
inline constexpr int64_t kMaxSide = 2048;             // rows or columns of a tile
inline constexpr int64_t kUnitBytes = 1 << 20;        // of a run in a tile; longer runs are cut
inline constexpr int64_t kLeastUnitBytes = 4096;      // runs are cut no shorter to get more tiles
inline constexpr int64_t kRunBytes = 65536;           // contiguous in the destination, of a tile of runs
inline constexpr int64_t kNarrowBytes = 8192;         // of a tile with less than a line on one side
inline constexpr int64_t kLoneBytes = 512;            // of a tile with a single element there
inline constexpr int64_t kGatherBytes = 16384;        // of each of the two stages for a tile's source
inline constexpr int64_t kOutBytes = 24576;           // of the stage for a tile's destination
inline constexpr int64_t kPanelBytes = 131072;        // of the stage of a panel, in the second cache
inline constexpr int64_t kShortPanelBytes = 1 << 23;  // of all panels of units of less than 16 bytes
inline constexpr int64_t kPlanesBytes = 8192;         // of the interleaves of a tile
inline constexpr int64_t kPermuteBytes = 8192;        // of a permuted tile: two of these fit the first cache
inline constexpr int64_t kLeastStream = 8;            // of a stream that is zipped: less is moved unit by unit
inline constexpr int64_t kStridedUnits = 256;         // of a tile that is moved unit by unit, in each plane
inline constexpr int64_t kSmallTile = 400;            // of one that is moved unit by unit past the caches, too
inline constexpr int64_t kUnitsOfTile = 1024;         // of one that has units along any axes
inline constexpr int64_t kBlockBytes = 1024;          // of each row of a block of units
inline constexpr int64_t kBlockPlanes = 32;           // columns of a block, at most
inline constexpr int64_t kLeastPlanes = 8;            // columns of a block, at least
inline constexpr int64_t kLeastBlock = 64;            // units of a block, at least
inline constexpr int64_t kShuffledBytes = 4096;       // of a piece of a row in which groups are shuffled
inline constexpr int64_t kPackedBytes = 32768;        // of the stage of a packed tile
inline constexpr int64_t kReversedPiece = 8192;       // elements of a packed row that are reversed together
inline constexpr int64_t kLeastReversed = 16;         // elements of such a row
inline constexpr int64_t kConvertedBytes = 65536;     // of the scratch buffer of a block whose numbers are converted
inline constexpr int64_t kConvertedSide = 16;         // numbers of either side, of which squares are transposed
inline constexpr int64_t kConvertedRun = 256;         // of the destination in such a block, at first
inline constexpr int64_t kConvertedOddRun = 1024;     // where runs begin anywhere within a line
inline constexpr int64_t kConvertedFrom = 1024;       // of the source
inline constexpr int64_t kConvertedStream = 128;      // of a run of new numbers that is written past the caches
inline constexpr int64_t kLeastShifted = 256;         // of a column whose tiles are cut where lines begin
inline constexpr int64_t kNearBytes = 1 << 18;        // of all tiles: what the second cache holds is not prefetched

// Rectangles.
inline constexpr int64_t kLeastPart = 256;  // the least distance of the indices that rectangles are cut into parts by

// Filling and moving in one pass.
inline constexpr int64_t kStagedBytes = 8192;         // of a chunk that is assembled in the first cache
inline constexpr int64_t kChunkBytes = 131072;        // of a chunk that stays in the second while it is filled
inline constexpr int64_t kLargeChunkBytes = 1 << 20;  // where a smaller one reads little of each source line
inline constexpr int64_t kLeastPiece = 128;           // that a chunk reads of the source at a time
inline constexpr int64_t kNearSource = 1 << 22;       // a source that stays in the caches however it is read
inline constexpr int64_t kHoleDistance = 2048;        // with padding this far apart most lines are whole
inline constexpr int64_t kShortHole = 16;             // of padding or between it: not worth finding by itself
inline constexpr int kMaxRectangles = 4, kMaxHoles = 256, kMaxPieces = 128;  // of a chunk; more are not kept

// The limits that the tests make sizes from, in bytes or elements.
inline constexpr int64_t kLimits[] = {
    kLineBytes,       kPageBytes,      kTinyElements,  kTaskBytes,      kOwnCopyBytes,    kStreamBytes,
    kShareBytes,      kMaxSide,        kUnitBytes,     kLeastUnitBytes, kRunBytes,        kNarrowBytes,
    kLoneBytes,       kGatherBytes,    kOutBytes,      kPanelBytes,     kShortPanelBytes, kPlanesBytes,
    kPermuteBytes,    kLeastStream,    kStridedUnits,  kSmallTile,      kUnitsOfTile,     kBlockBytes,
    kBlockPlanes,     kLeastPlanes,    kLeastBlock,    kShuffledBytes,  kPackedBytes,     kReversedPiece,
    kLeastReversed,   kConvertedBytes, kConvertedSide, kConvertedRun,   kConvertedOddRun, kConvertedFrom,
    kConvertedStream, kLeastShifted,   kNearBytes,     kLeastPart,      kStagedBytes,     kChunkBytes,
    kLargeChunkBytes, kLeastPiece,     kNearSource,    kHoleDistance,   kShortHole,       kMaxHoles,
    kMaxPieces,
};

// Room, at which nothing is decided: what kernels may write beyond what they stage, in bytes; stacks, as they are
// measured, of planning a rectangle with the frames of the kernels, and of batches of indices.
inline constexpr int64_t kSlack = 256, kFramesStack = 16384, kIndexStack = 49152;

}  // namespace xlashape::simd
