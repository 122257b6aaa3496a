// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/index.h"

#include <algorithm>
#include <cstdio>

#include "backends/simd/profile.h"
#include "ir/address.h"
#include "ir/int128.h"

namespace xlashape::simd {
namespace {

constexpr double kLimit = 2251799813685248.0;  // 2^51: see index-inl.h

// Forwards: checks the largest sums of indices in bounds.
bool fits_forwards(const xlashape_map_ir& m) {
  double largest[kIndexValues];
  for (int v = 0; v < m.rank; ++v) largest[v] = static_cast<double>(std::max<int64_t>(m.dimensions[v] - 1, 0));
  const auto fits = [](double x) { return x < kLimit; };
  for (int v = 0; v < m.rank; ++v)
    if (!fits(largest[v] + 1)) return false;
  for (int s = 0; s < m.sum_count; ++s) {
    double x = 0;
    for (int t = m.sum_first_term[s]; t < m.sum_first_term[s + 1]; ++t)
      x += static_cast<double>(m.term_coefficient[t]) * largest[m.term_value[t]];
    if (!fits(x)) return false;
    for (int v = m.sum_first_value[s]; v < m.sum_first_value[s + 1]; ++v) {
      const auto divisor = static_cast<double>(m.value_divisor[v]);
      if (!fits(divisor)) return false;
      largest[m.rank + v] = x / divisor;
      x = std::min(x, divisor - 1);
    }
  }
  double reach = 0;
  for (int o = 0; o < m.output_count; ++o) {
    const auto stride = static_cast<double>(m.output_stride[o]);
    reach += (stride < 0 ? -stride : stride) * largest[m.output_value[o]];
  }
  return fits(reach);
}

// Backwards: checks the largest values of positions in bounds.
bool fits_backwards(const xlashape_map_ir& m) {
  if (m.output_extent == nullptr || static_cast<double>(m.data_positions) >= kLimit) return false;
  double largest[kIndexValues] = {};
  for (int o = 0; o < m.output_count; ++o) largest[m.output_value[o]] = static_cast<double>(m.output_extent[o] - 1);
  for (int s = m.sum_count; s-- > 0;) {
    double x = 0;
    for (int v = m.sum_first_value[s]; v < m.sum_first_value[s + 1]; ++v)
      x += static_cast<double>(m.value_divisor[v]) * largest[m.rank + v];
    if (x >= kLimit || static_cast<double>(m.sum_bound[s]) >= kLimit) return false;
    for (int t = m.sum_first_term[s]; t < m.sum_first_term[s + 1]; ++t) largest[m.term_value[t]] = x;
  }
  for (int v = 0; v < m.rank; ++v)
    if (static_cast<double>(m.dimensions[v]) >= kLimit) return false;
  return true;
}

}  // namespace

const char* index_refusal(const xlashape_op& op) {
  const xlashape_map_ir& m = *op.map;
  if (m.rank + m.value_count > kIndexValues) return "the map has too many values";
  // An array of structures without sums needs few multiplications; loading it into vectors costs more (3.0 ns against
  // 1.8).
  if (op.kind == XLASHAPE_OP_TO_LINEAR && m.sum_count == 0 && op.index_step != 1)
    return "the indices are an array of structures, and the layout has no tiles: plain code is faster";
  return (op.kind == XLASHAPE_OP_TO_LINEAR ? fits_forwards(m) : fits_backwards(m)) ? nullptr
                                                                                   : "its numbers do not fit doubles";
}

xlashape_status run_indices(const Kernels& kernels, int64_t stream_from, const xlashape_op& op,
                            const xlashape_run& run) {
  const int64_t blocks = (run.count + 63) / 64;
  const auto at = [&](int64_t task) { return std::min(run.count, ir::part_begin(blocks, task, run.task_count) * 64); };
  const int64_t begin = at(run.task_begin), end = at(run.task_end);
  const auto* in = ir::pointer_at<const int64_t>(run.src + static_cast<uint64_t>(run.src_byte_offset));
  auto* out = ir::pointer_at<int64_t>(run.dst + static_cast<uint64_t>(run.dst_byte_offset));
  const xlashape_map_ir& m = *op.map;
  const bool forwards = op.kind == XLASHAPE_OP_TO_LINEAR;
  // The results of one dimension are a separate stream of writes.
  const int64_t bytes = 8 * (forwards ? 1 : m.rank) * std::min(run.count, kNever / 1024);
  const Store store = bytes >= stream_from && op.index_step == 1 ? Store::kStream : Store::kOrdinary;
  IndexBatch batch{&m, op.index_step, op.dimension_step, (op.flags & XLASHAPE_INDEX_MARK_INVALID) != 0, false, store};
  if (!forwards) {
    // With sums, values that are not digits of an index may be too large; else only digits of padded dimensions.
    batch.pads = m.sum_count > 0;
    for (int o = 0; o < m.output_count; ++o)
      batch.pads |= m.output_value[o] < m.rank && m.output_extent[o] > m.dimensions[m.output_value[o]];
    for (int v = 0; v < m.rank; ++v) batch.pads |= m.dimensions[v] == 0;
  }
  int64_t bad = 0;
  const int64_t stopped = (forwards ? kernels.to_linear : kernels.to_multi)(batch, in, out, begin, end, &bad);
  if (store == Store::kStream) kernels.fence();
  if (stopped < end && run.first_invalid != nullptr) *run.first_invalid = std::min(*run.first_invalid, stopped);
  if (run.invalid_count != nullptr) *run.invalid_count += bad;
  return XLASHAPE_STATUS_OK;
}

size_t describe_indices(const Kernels& kernels, const xlashape_op& op, char* text, size_t capacity) {
  const char* conversion =
      op.kind == XLASHAPE_OP_TO_LINEAR ? "multidimensional to linear" : "linear to multidimensional";
  const int n =
      std::snprintf(text, capacity, "simd %s, %s by reciprocals in doubles, rank %d, %d sums, %lld at a time",
                    kernels.name, conversion, op.map->rank, op.map->sum_count, static_cast<long long>(kIndexBlock));
  return n > 0 ? static_cast<size_t>(n) : 0;
}

}  // namespace xlashape::simd
