/* SPDX-License-Identifier: Apache-2.0 */
// Runs a map_ir forwards and backwards, as xlashape_backend.h defines it, with its reciprocals.
#pragma once
#include "ir/divide.h"
#include "xlashape_backend.h"

namespace xlashape::ir {

inline constexpr int kMaxValues = 1024;  // logical indices and derived values of one map; the core makes no larger ones

// The last step to a position, from the map's values. Without sums these are the index itself.
inline int64_t position_of_values(const xlashape_map_ir& map, const int64_t* value) {
  int64_t at = map.first_position;
  for (int o = 0; o < map.output_count; ++o) at += map.output_stride[o] * value[map.output_value[o]];
  return at;
}

// The position of the element at `index`, which must be in bounds.
inline int64_t position(const xlashape_map_ir& map, const int64_t* index) {
  if (map.sum_count == 0) return position_of_values(map, index);
  int64_t values[kMaxValues];
  for (int i = 0; i < map.rank; ++i) values[i] = index[i];
  int64_t* derived = values + map.rank;
  for (int s = 0; s < map.sum_count; ++s) {
    int64_t x = 0;
    for (int t = map.sum_first_term[s]; t < map.sum_first_term[s + 1]; ++t)
      x += map.term_coefficient[t] * values[map.term_value[t]];
    for (int v = map.sum_first_value[s]; v < map.sum_first_value[s + 1]; ++v) {
      int64_t q = divide(x, map.value_magic[v], map.value_shift[v]);
      // The values of a sum come outermost first: an inner value divides what the outer ones leave.
      derived[v] = q;
      x -= q * map.value_divisor[v];
    }
  }
  return position_of_values(map, values);
}

// Splits a position into the values of the outputs; values in no output must be 0 beforehand. Each stride is the next
// output's stride times its extent, so that the quotients do not depend on each other.
inline void split_position(const xlashape_map_ir& map, int64_t at, int64_t* value) {
  int64_t above = 0;
  for (int o = 0; o < map.output_count; ++o) {
    const int64_t q = divide(at, map.output_magic[o], map.output_shift[o]);
    value[map.output_value[o]] = q - above * map.output_extent[o];
    above = q;
  }
}

// The index of the element at position `at` in [0, positions). False for padding, where `index` is left unspecified.
inline bool index_at(const xlashape_map_ir& map, int64_t at, int64_t* index) {
  if (at >= map.data_positions) return false;
  int64_t values[kMaxValues];
  int64_t* value = map.sum_count == 0 ? index : values;
  const int count = map.rank + map.value_count;
  for (int i = 0; i < count; ++i) value[i] = 0;
  split_position(map, at, value);
  for (int s = map.sum_count - 1; s >= 0; --s) {
    int64_t x = 0;
    for (int v = map.sum_first_value[s]; v < map.sum_first_value[s + 1]; ++v)
      x += map.value_divisor[v] * value[map.rank + v];
    if (x >= map.sum_bound[s]) return false;
    for (int t = map.sum_first_term[s]; t < map.sum_first_term[s + 1]; ++t) {
      if (map.term_coefficient[t] == 1) {
        value[map.term_value[t]] = x;
      } else {
        const int64_t q = divide(x, map.term_magic[t], map.term_shift[t]);
        value[map.term_value[t]] = q;
        x -= q * map.term_coefficient[t];
      }
    }
  }
  bool inside = true;
  for (int i = 0; i < map.rank; ++i) {
    inside &= value[i] < map.dimensions[i];
    index[i] = value[i];
  }
  return inside;
}

}  // namespace xlashape::ir
