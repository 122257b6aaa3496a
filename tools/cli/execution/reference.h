/* SPDX-License-Identifier: Apache-2.0 */
// The expected result of a relayout, element by element: through index maps only, one index and one bit field at a
// time. Slow, and independent of plans, loops and backends.
#pragma once
#include <xlashape/index_map.hpp>

#include "one_value.h"

namespace xlashape::cli {

// One side of a relayout in memory: the offset of each element, in bits from the pointer.
class ElementOffsets {
 public:
  static ElementOffsets of_source(const Request& request);
  static ElementOffsets of_destination(const Request& request);

  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  const Integers& dimensions() const { return dimensions_; }
  bool strided() const { return strided_; }
  int64_t container() const { return container_; }
  int64_t positions() const { return strided_ ? 0 : map_.storage_elements(); }
  const IndexMap& map() const { return map_; }
  int64_t bit_of(const Integers& index) const;
  // The bytes from the pointer on, or before it, that hold elements.
  int64_t low() const { return low_; }
  int64_t high() const { return high_; }

 private:
  // Without strides the shape's layout applies.
  ElementOffsets(const Shape& shape, const Integers& byte_strides, const Integers& element_strides, int64_t first);

  Integers dimensions_, strides_;
  IndexMap map_;
  int64_t container_ = 0, low_ = 0, high_ = 0;
  int64_t unit_bits_ = 8, first_ = 0;  // of strides; where index 0...0 is
  bool strided_;
};

struct Expected {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> known;  // for each byte a mask of the bits that must be as in `bytes`
};

// The bits of an element that a relayout keeps between containers of these widths, where they differ: of a pred that a
// side packs the lowest one.
int64_t kept_bits(ElementType type, int64_t from, int64_t to);
// The next index of a box of `extent`, last dimension fastest; false at the end, where it is 0 again.
bool advance(Integers* index, const Integers& extent);
// The padding of `shape` as the bytes of one container of `bits` bits; a packed one in the low bits.
void padding_container(const Shape& shape, int64_t bits, uint8_t (&container)[16]);

// `src` and `dst` are memory with the pointers at offset `-low` bytes; `dst` has its contents from before.
// `values` is what a relayout that converts makes of each value; else null.
Expected expected_result(const Request& request, const ElementOffsets& from, const ElementOffsets& to, Bytes src,
                         Bytes dst, OneValue* values = nullptr);

// The same for single positions of a whole array that was moved from layout to layout: describes what is wrong.
class ElementCheck {
 public:
  // `values` is what a relayout that converts makes of each value; else null.
  ElementCheck(const Request& request, Bytes src, Bytes dst, OneValue* values = nullptr);

  int64_t positions() const { return to_.positions(); }
  // "byte 12, element [0,3], holds 0x05, the source has 0x15 at byte 3", or "".
  std::string wrong_at(int64_t position);
  // The same for the bits behind the last position.
  std::string wrong_tail() const;
  // The position that the element at `position` came from; -1 for padding.
  int64_t origin_of(int64_t position);

 private:
  bool find(int64_t position);  // sets index_; false for padding

  ElementOffsets from_, to_;
  Bytes src_, dst_;
  OneValue* values_;
  bool src_high_first_, dst_high_first_;
  int64_t scale_dimension_;  // -1: no scale of its own for each index
  Integers index_;
  std::vector<uint8_t> fill_;  // bit by bit; empty where padding may hold anything
  int64_t kept_bits_;
};

}  // namespace xlashape::cli
