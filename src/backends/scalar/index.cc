// SPDX-License-Identifier: Apache-2.0
#if defined(__GNUC__) && !defined(__clang__)
// Loops over factors are not peeled, unlike those of the kernels: peeled they are twice as large and no faster.
#pragma GCC optimize("no-peel-loops")
#endif
#include "backends/scalar/index.h"

#include "ir/map.h"

namespace xlashape::scalar {
namespace {

// Maps without sums use loops whose length the compiler knows, up to this many outputs and dimensions.
template <int kRank>
int64_t plain_to_linear(const xlashape_op& op, const int64_t* index, int64_t* linear, int64_t begin, int64_t end,
                        int64_t* bad) {
  const xlashape_map_ir& m = *op.map;
  int64_t stride[kRank] = {}, bound[kRank];
  for (int d = 0; d < kRank; ++d) bound[d] = m.dimensions[d];
  for (int o = 0; o < m.output_count; ++o) stride[m.output_value[o]] = m.output_stride[o];
  const int64_t step = op.index_step, across = op.dimension_step;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t* at = index + i * step;
    uint64_t position = 0;  // unsigned, since bad indices may be any numbers
    bool good = true;
    for (int d = 0; d < kRank; ++d) {
      const auto x = static_cast<uint64_t>(at[d * across]);
      good &= x < static_cast<uint64_t>(bound[d]);
      position += x * static_cast<uint64_t>(stride[d]);
    }
    if (!good) {
      if ((op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0) return i;
      position = ~uint64_t{0};
      ++*bad;
    }
    linear[i] = static_cast<int64_t>(position);
  }
  return end;
}

int64_t general_to_linear(const xlashape_op& op, const int64_t* index, int64_t* linear, int64_t begin, int64_t end,
                          int64_t* bad) {
  const xlashape_map_ir& m = *op.map;
  int64_t one[ir::kMaxValues];
  for (int64_t i = begin; i < end; ++i) {
    bool good = true;
    for (int d = 0; d < m.rank; ++d) {
      one[d] = index[i * op.index_step + d * op.dimension_step];
      good &= static_cast<uint64_t>(one[d]) < static_cast<uint64_t>(m.dimensions[d]);
    }
    if (!good) {
      if ((op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0) return i;
      ++*bad;
    }
    linear[i] = good ? ir::position(m, one) : -1;
  }
  return end;
}

// Maps without sums and padding: every position below `positions` is an element.
template <int kRank>
int64_t plain_to_multi(const xlashape_op& op, const int64_t* linear, int64_t* index, int64_t begin, int64_t end,
                       int64_t* bad) {
  const xlashape_map_ir& m = *op.map;
  int64_t stride[kRank], bound[kRank];
  uint64_t magic[kRank];
  int32_t shift[kRank];
  int64_t offset[kRank];
  bool is_output[kRank] = {};
  int outputs = 0;
  for (int o = 0; o < m.output_count; ++o, ++outputs) {
    stride[o] = m.output_stride[o];
    magic[o] = m.output_magic[o];
    shift[o] = m.output_shift[o];
    offset[o] = m.output_value[o] * op.dimension_step;
    bound[o] = m.dimensions[m.output_value[o]];
    is_output[m.output_value[o]] = true;
  }
  // Dimensions stored as 1 come last: stride 1 with remainder 0 gives 0, which is an element unless the dimension
  // itself has size 0 and the 1 is its padding.
  for (int d = 0; d < kRank; ++d) {
    if (is_output[d]) continue;
    stride[outputs] = 1;
    magic[outputs] = uint64_t{1} << 63;
    shift[outputs] = 0;
    bound[outputs] = m.dimensions[d];
    offset[outputs++] = d * op.dimension_step;
  }
  const auto positions = static_cast<uint64_t>(m.data_positions);
  const int64_t step = op.index_step;
  for (int64_t i = begin; i < end; ++i) {
    int64_t at = linear[i];
    int64_t* out = index + i * step;
    bool good = static_cast<uint64_t>(at) < positions;
    if (!good) at = 0;
    for (int o = 0; o < kRank; ++o) {
      const int64_t q = ir::divide(at, magic[o], shift[o]);
      at -= q * stride[o];
      good &= q < bound[o];
      out[offset[o]] = q;
    }
    if (good) continue;
    if ((op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0) return i;
    for (int o = 0; o < kRank; ++o) out[offset[o]] = -1;
    ++*bad;
  }
  return end;
}

int64_t general_to_multi(const xlashape_op& op, const int64_t* linear, int64_t* index, int64_t begin, int64_t end,
                         int64_t* bad) {
  const xlashape_map_ir& m = *op.map;
  int64_t one[ir::kMaxValues];
  for (int64_t i = begin; i < end; ++i) {
    const int64_t at = linear[i];
    const bool good = static_cast<uint64_t>(at) < static_cast<uint64_t>(m.positions) && ir::index_at(m, at, one);
    if (!good) {
      if ((op.flags & XLASHAPE_INDEX_MARK_INVALID) == 0) return i;
      ++*bad;
    }
    for (int d = 0; d < m.rank; ++d) index[i * op.index_step + d * op.dimension_step] = good ? one[d] : -1;
  }
  return end;
}

}  // namespace

int64_t to_linear(const xlashape_op& op, const int64_t* index, int64_t* linear, int64_t begin, int64_t end,
                  int64_t* bad) {
  if (op.map->sum_count == 0) switch (op.map->rank) {
      case 1:
        return plain_to_linear<1>(op, index, linear, begin, end, bad);
      case 2:
        return plain_to_linear<2>(op, index, linear, begin, end, bad);
      case 3:
        return plain_to_linear<3>(op, index, linear, begin, end, bad);
      case 4:
        return plain_to_linear<4>(op, index, linear, begin, end, bad);
      case 5:
        return plain_to_linear<5>(op, index, linear, begin, end, bad);
      case 6:
        return plain_to_linear<6>(op, index, linear, begin, end, bad);
      case 7:
        return plain_to_linear<7>(op, index, linear, begin, end, bad);
      case 8:
        return plain_to_linear<8>(op, index, linear, begin, end, bad);
      default:
        break;
    }
  return general_to_linear(op, index, linear, begin, end, bad);
}

int64_t to_multi(const xlashape_op& op, const int64_t* linear, int64_t* index, int64_t begin, int64_t end,
                 int64_t* bad) {
  if (op.map->sum_count == 0) switch (op.map->rank) {
      case 1:
        return plain_to_multi<1>(op, linear, index, begin, end, bad);
      case 2:
        return plain_to_multi<2>(op, linear, index, begin, end, bad);
      case 3:
        return plain_to_multi<3>(op, linear, index, begin, end, bad);
      case 4:
        return plain_to_multi<4>(op, linear, index, begin, end, bad);
      case 5:
        return plain_to_multi<5>(op, linear, index, begin, end, bad);
      case 6:
        return plain_to_multi<6>(op, linear, index, begin, end, bad);
      case 7:
        return plain_to_multi<7>(op, linear, index, begin, end, bad);
      case 8:
        return plain_to_multi<8>(op, linear, index, begin, end, bad);
      default:
        break;
    }
  return general_to_multi(op, linear, index, begin, end, bad);
}

}  // namespace xlashape::scalar
