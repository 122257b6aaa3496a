/* SPDX-License-Identifier: Apache-2.0 */
// The offsets of a box's elements, as a sum of one table per dimension where the layout allows it. They are derived
// from index maps only and checked against them, and make the reference fast for large arrays.
#pragma once
#include "cli/execution/reference.h"
#include "ir/int128.h"
#include "random_case.h"

namespace xlashape::cli {

// A container's bits, as a number; a packed one at any bit.
using Word = ir::UInt128;
Word load_word(const uint8_t* memory, int64_t bit, int64_t bits);
void store_word(uint8_t* memory, int64_t bit, int64_t bits, Word word);

class Offsets {
 public:
  // Offsets of the elements base + [0, extent). Without `tables` every element is looked up in the index map.
  Offsets(Random& random, const ElementOffsets& side, const Integers& base, const Integers& extent, bool tables);

  bool has_tables() const { return has_tables_; }
  // The offset that the dimension adds at step i, in bits.
  const Integers& table(size_t dimension) const { return tables_[dimension]; }
  // The offset of the element at `step`, in bits from the pointer, with tables or without.
  int64_t bit_of(const Integers& step) const;

 private:
  int64_t asked(const Integers& step) const;

  const ElementOffsets& side_;
  Integers base_;
  int64_t start_ = 0;  // of the first element
  std::vector<Integers> tables_;
  bool has_tables_ = false;
};

// The same as expected_result, for arrays of any size. `known` is empty where every bit is known.
Expected expected_quickly(Random& random, const Request& request, const ElementOffsets& from, const ElementOffsets& to,
                          Bytes src, Bytes dst, bool tables = true);

}  // namespace xlashape::cli
