// Where the elements of a box lie, as a sum of one table per dimension where the layout allows it: found out through index
// maps alone, and held against them. What makes a reference for large arrays fast.
#pragma once
#include "cli/movement/reference.h"
#include "random_case.h"

namespace xlashape::cli {

class Offsets {
 public:
  // Of the elements base + [0, extent). Without `tables` every element is asked for.
  Offsets(Random& random, const Side& side, const Integers& base, const Integers& extent, bool tables);

  bool has_tables() const { return has_tables_; }
  // What the dimension adds at step i, in bits.
  const Integers& table(size_t dimension) const { return tables_[dimension]; }
  // Where the element at `step` lies, in bits from the pointer, with tables or without.
  int64_t bit_of(const Integers& step) const;

 private:
  int64_t asked(const Integers& step) const;

  const Side& side_;
  Integers base_;
  int64_t start_ = 0;  // of the first element
  std::vector<Integers> tables_;
  bool has_tables_ = false;
};

// What expected_result answers, for arrays of any size. `known` is empty where every bit is known.
Expected expected_quickly(Random& random, const Request& request, const Side& from, const Side& to, Bytes src,
                          Bytes dst, bool tables = true);

}  // namespace xlashape::cli
