/* SPDX-License-Identifier: Apache-2.0 */
// How a relayout runs within one array: steps that permute the digits of the bytes' places, each with little memory
// beside the array.
//
// A place in the array is a mixed-radix number, whose digits a relayout without padding permutes. Where the permutation
// is its own inverse, as a square transpose, pairs of boxes change places. Any other one takes three steps: within
// panels, pieces of memory that fit a cache, the digits that are minor on both sides become the most minor ones; then
// these blocks follow the cycles of the other digits' permutation; then the digits within panels of the destination get
// their order. Of a matrix whose number of rows has no divisor that suits panels, some rows are set aside meanwhile.
// (Blocks and panels: Gustavson, Karlsson, Kagstrom, "Parallel and Cache-Efficient In-Place Matrix Storage Format
// Conversion", ACM TOMS 38 (2012). Here for any number of digits, and for tiles.)
#pragma once
#include <vector>

#include "base/status.h"
#include "index/lower.h"

namespace xlashape::core {

// One digit: how far apart its values lie in bytes, before and after.
struct Digit {
  int64_t extent, src, dst;
};

// The digits' indices, the most minor one of a side first: &Digit::src or &Digit::dst.
std::vector<size_t> minor_first(const std::vector<Digit>& digits, int64_t Digit::*side);

// `count` pieces of memory, each of `bytes`, in each of which pieces of `unit` bytes change places. Digits are dense on
// both sides, and come outermost of the source first.
struct Permutation {
  int64_t count, bytes, unit;
  std::vector<Digit> digits;

  // Takes into `count` and `unit` what stays where it is, and joins digits that follow each other on both sides.
  void reduce();
};

// An outer digit of pairs of boxes. The last of its values may have only `rest` of the digit number `inner` of the box.
struct PairDigit {
  Digit digit;
  int partner;     // whose values are the places where this one's go; may be itself
  int inner = -1;  // in the box; -1: not cut
  int64_t rest = 0;
};

struct InPlaceStep {
  enum class Kind {
    kPanels,    // each piece is moved by itself, by way of memory that holds it
    kBlocks,    // units follow the cycles of the permutation
    kPairs,     // a permutation that is its own inverse: box and box change places
    kSetAside,  // the last rows of a matrix, as columns, go into memory beside it
    kJoin       // and come back, each of their columns to the end of one of the others
  };
  Kind kind;
  Permutation moves;             // kPairs: its digits are those within a box; kSetAside, kJoin: of what is set aside
  std::vector<PairDigit> outer;  // kPairs
  int64_t rows = 0;              // kSetAside, kJoin: how many are not set aside
};

// In bytes; tests take less.
struct InPlaceSizes {
  int64_t panel = 256 << 10;  // half of a small second cache, as a panel is there twice; more of large arrays
  int64_t block = 1 << 10;    // units from here on are moved at the speed of copies
  int64_t box = 64 << 10;     // two of them and a copy of one fit the second cache
  int64_t share = 2 << 20;    // of an array; less is moved by one worker
};

// The steps, none where nothing changes its place. UNSUPPORTED where a side has padding, a box or strides, where both
// do not keep their elements alike, or where no digits say what moves.
Status plan_in_place(const xlashape_relayout_ir& ir, const InPlaceSizes& sizes, std::vector<InPlaceStep>* steps,
                     Error* err);

}  // namespace xlashape::core
