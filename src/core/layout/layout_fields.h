/* SPDX-License-Identifier: Apache-2.0 */
// The table of a layout's fields. Code that compares, hashes, removes, prints, reads, lists and checks fields uses it.
#pragma once
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "layout/layout.h"
#include "xlashape_xla.h"

namespace xlashape::core {

// The bits by which callers name fields: XLASHAPE_EQUAL_* and XLASHAPE_LAYOUT_FIELD_*. Fields may share them.
struct FieldBits {
  uint32_t equal, field;
};
inline constexpr FieldBits kPaddingBits = {XLASHAPE_EQUAL_IGNORE_PADDING, XLASHAPE_LAYOUT_FIELD_PADDING},
                           kTilesBits = {XLASHAPE_EQUAL_IGNORE_TILES, XLASHAPE_LAYOUT_FIELD_TILES},
                           kSplitsBits = {XLASHAPE_EQUAL_IGNORE_SPLIT_CONFIGS, XLASHAPE_LAYOUT_FIELD_SPLIT_CONFIGS};

// A field that is one number. The row holds its texts as arrays, because the loader would have to relocate pointers.
struct LayoutScalar {
  int64_t LayoutScalars::*member;
  char name[36];   // in messages
  char word[3];    // in a layout's text, unlike all others there
  char what[28];   // what is in parentheses after the word, for messages
  int32_t number;  // in LayoutProto
  FieldBits flags;
  bool is_xlas;         // whether XLA's text has the word
  int32_t width;        // of the number in bits, 8, 32 or 64: a LayoutProto may hold a wider one
  int64_t least, most;  // the range that validate_layout accepts
};

// clang-format off
inline constexpr LayoutScalar kLayoutScalars[] = {  // in the order of their numbers
    {&LayoutData::padding_value, "padding_value", "PV", "a padding value", 3, kPaddingBits,
     false, 32, XLASHAPE_PAD_INVALID, XLASHAPE_PAD_UNKNOWN},
    {&LayoutData::element_size_in_bits, "element_size_in_bits", "E", "an element size in bits", 7,
     {XLASHAPE_EQUAL_IGNORE_ELEMENT_SIZE, XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE},
     true, 64, 0, INT64_MAX},
    {&LayoutData::memory_space, "memory_space", "S", "a memory space", 8,
     {XLASHAPE_EQUAL_IGNORE_MEMORY_SPACE, XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE},
     true, 8, INT8_MIN, INT8_MAX},
    {&LayoutData::metadata_prefix_bytes, "dynamic_shape_metadata_prefix_bytes", "M", "a number of bytes", 15,
     {XLASHAPE_EQUAL_IGNORE_METADATA_PREFIX, XLASHAPE_LAYOUT_FIELD_METADATA_PREFIX},
     true, 64, 0, INT64_MAX},
    {&LayoutData::tail_padding_alignment, "tail_padding_alignment_in_elements", "L", "an alignment in elements", 16,
     {XLASHAPE_EQUAL_IGNORE_TAIL_PADDING_ALIGNMENT, XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT},
     true, 64, 1, INT64_MAX},
};
// clang-format on
static_assert(sizeof(LayoutScalars) == std::size(kLayoutScalars) * sizeof(int64_t), "a scalar has no row");
static_assert(std::adjacent_find(std::begin(kLayoutScalars), std::end(kLayoutScalars),
                                 [](const LayoutScalar& a, const LayoutScalar& b) { return a.number >= b.number; }) ==
                  std::end(kLayoutScalars),
              "the rows' numbers do not rise");
static_assert(
    [] {
      for (const LayoutScalar& row : kLayoutScalars) {
        for (const std::string_view list : {"D", "T", "SC", "P", "PD"})  // words that have no row
          if (list == row.word) return false;
        for (const LayoutScalar& other : kLayoutScalars)
          if (&other != &row && std::string_view(other.word) == row.word) return false;
      }
      return true;
    }(),
    "two words of a layout's text are the same");

// The row of a member.
template <int64_t LayoutScalars::*member>
inline constexpr const LayoutScalar& kScalar = *std::find_if(std::begin(kLayoutScalars), std::end(kLayoutScalars),
                                                             [](const LayoutScalar& scalar) {
                                                               return scalar.member == member;
                                                             });

// Calls f(row) for each row whose number is between `after` and `before`, in order.
template <class F>
void for_each_scalar(int64_t after, int64_t before, F&& f) {
  for (const LayoutScalar& scalar : kLayoutScalars)
    if (scalar.number > after && scalar.number < before) f(scalar);
}

// The row of a field's number, or null.
constexpr const LayoutScalar* find_scalar(int64_t number) {
  for (const LayoutScalar& scalar : kLayoutScalars)
    if (scalar.number == number) return &scalar;
  return nullptr;
}

// Whether a layout sets a member, and resetting a member.
inline bool is_set(const LayoutData& layout, int64_t LayoutScalars::*member) {
  return layout.*member != kUnsetScalars.*member;
}
inline void unset(LayoutData& layout, int64_t LayoutScalars::*member) { layout.*member = kUnsetScalars.*member; }
template <class List>
bool is_set(const LayoutData& layout, List LayoutData::*member) {
  return !(layout.*member).empty();
}
template <class List>
void unset(LayoutData& layout, List LayoutData::*member) {
  (layout.*member).clear();
}

// Calls f(member, its flags) for every member but minor_to_major, which no mask ignores.
template <class F>
constexpr void for_each_field(F&& f) {
  f(&LayoutData::padded_dimensions, kPaddingBits);
  f(&LayoutData::tile_ranks, kTilesBits);
  f(&LayoutData::tile_dimensions, kTilesBits);
  f(&LayoutData::split_dimensions, kSplitsBits);
  f(&LayoutData::split_sizes, kSplitsBits);
  f(&LayoutData::split_indices, kSplitsBits);
  // Not a loop, because each call must know its member at compile time.
  [&]<size_t... row>(std::index_sequence<row...>) { (f(kLayoutScalars[row].member, kLayoutScalars[row].flags), ...); }
  (std::make_index_sequence<std::size(kLayoutScalars)>());
}
static_assert(
    [] {
      size_t visited = sizeof(LayoutData::minor_to_major);
      for_each_field([&](auto member, const FieldBits&) { visited += sizeof(std::declval<LayoutData&>().*member); });
      return visited;
    }() == sizeof(LayoutData),
    "a member is not visited");

// The bits of all fields.
inline constexpr uint32_t kSingleFields = [] {
  uint32_t bits = 0;
  for_each_field([&](auto, const FieldBits& field) { bits |= field.field; });
  return bits;
}();

}  // namespace xlashape::core
