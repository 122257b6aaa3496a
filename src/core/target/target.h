/* SPDX-License-Identifier: Apache-2.0 */
// What is known of the machines that XLA compiles for: how their compilers lay out arrays, as data. docs/targets.md has
// the evidence for every row.
#pragma once
#include <span>
#include <string_view>

#include "layout/layout.h"
#include "xlashape_target.h"

namespace xlashape::core {

struct TargetInfo {
  char name[12];
  int16_t lanes, sublanes;  // of a register, which is also the largest tile of 32-bit elements; 0: no tiles
  int16_t least_words;      // rows of the smallest tile, counted in rows of 32-bit elements
  bool packs;               // elements of less than a byte, and so fills all 32 bits; otherwise a byte each
  bool large_tiles;         // of `sublanes` rows of 32 bits, for elements of a byte and less
  int16_t pointer_bytes;    // in the table of pointers that stands for a tuple
  int16_t tuple_alignment;  // to which that table's size is rounded up
  uint16_t spaces;          // the memory spaces whose names are known, a bit each
};

// All of them: the number of a target is its place.
std::span<const TargetInfo> targets() noexcept;
// OUT_OF_RANGE for a number that is no target.
Status find_target(xlashape_target target, const TargetInfo** info, Error* err);
// NOT_FOUND, with the names that exist.
Status target_from_name(std::string_view name, xlashape_target* target, Error* err);
// UNSUPPORTED where it is not known.
Status memory_space_name(const TargetInfo& target, int64_t space, std::string_view* name, Error* err);
Status tuple_bytes(const TargetInfo& target, int64_t elements, int64_t* bytes, Error* err);

}  // namespace xlashape::core
