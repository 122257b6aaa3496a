// SPDX-License-Identifier: Apache-2.0
#include "backends/gpu/common/tables.h"

#include "backends/gpu/kernels/map.h"
#include "ir/divide.h"

namespace xlashape::gpu {
namespace {

int64_t map_words(const xlashape_map_ir& map) {
  return XS_MAP_HEAD + map.rank + 3 * (map.sum_count + 1) + 4 * map.term_count + 3 * map.value_count +
         4 * map.output_count;
}

int64_t bits_of(uint64_t value) { return static_cast<int64_t>(value); }

void write_map(const xlashape_map_ir& map, int64_t* head) {
  int64_t end = XS_MAP_HEAD;
  const auto table = [&](int field, int64_t words) {
    head[field] = end;
    int64_t* start = head + end;
    end += words;
    return start;
  };
  head[XS_MAP_UNIT_BITS] = map.unit_bits;
  head[XS_MAP_RANK] = map.rank;
  head[XS_MAP_SUMS] = map.sum_count;
  head[XS_MAP_VALUES] = map.value_count;
  head[XS_MAP_OUTPUTS] = map.output_count;
  head[XS_MAP_DATA_POSITIONS] = map.data_positions;
  head[XS_MAP_FIRST_POSITION] = map.first_position;
  int64_t* to = table(XS_MAP_DIMENSION_TABLE, map.rank);
  for (int32_t i = 0; i < map.rank; ++i) to[i] = map.dimensions[i];
  to = table(XS_MAP_SUM_TABLE, 3 * (map.sum_count + 1));
  for (int32_t s = 0; s <= map.sum_count; ++s, to += 3) {
    to[0] = map.sum_count > 0 ? map.sum_first_term[s] : 0;
    to[1] = map.sum_count > 0 ? map.sum_first_value[s] : 0;
    to[2] = s < map.sum_count ? map.sum_bound[s] : 0;
  }
  to = table(XS_MAP_TERM_TABLE, 4 * map.term_count);
  for (int32_t t = 0; t < map.term_count; ++t, to += 4) {
    to[0] = map.term_value[t];
    to[1] = map.term_coefficient[t];
    to[2] = bits_of(map.term_magic[t]);
    to[3] = map.term_shift[t];
  }
  to = table(XS_MAP_VALUE_TABLE, 3 * map.value_count);
  for (int32_t v = 0; v < map.value_count; ++v, to += 3) {
    to[0] = map.value_divisor[v];
    to[1] = bits_of(map.value_magic[v]);
    to[2] = map.value_shift[v];
  }
  to = table(XS_MAP_OUTPUT_TABLE, 4 * map.output_count);
  for (int32_t o = 0; o < map.output_count; ++o, to += 4) {
    to[0] = map.output_value[o];
    to[1] = map.output_stride[o];
    to[2] = map.output_extent != nullptr ? bits_of(map.output_magic[o]) : 0;
    to[3] = map.output_extent != nullptr ? map.output_shift[o] : 0;
  }
}

}  // namespace

TableLayout table_layout(const xlashape_relayout_ir& ir) {
  TableLayout at{};
  at.src_map = XS_TABLE_START;
  at.dst_map = at.src_map + map_words(*ir.src);
  at.box = at.dst_map + map_words(*ir.dst);
  at.words = at.box + 5 * ir.src->rank;
  return at;
}

void write_tables(const xlashape_relayout_ir& ir, int64_t* words) {
  const TableLayout at = table_layout(ir);
  words[0] = 0;
  write_map(*ir.src, words + at.src_map);
  write_map(*ir.dst, words + at.dst_map);
  const int32_t rank = ir.src->rank;
  int64_t* box = words + at.box;
  for (int32_t i = 0; i < rank; ++i) {
    const ir::Reciprocal r = ir::reciprocal(ir.extent[i] > 0 ? ir.extent[i] : 1);
    box[i] = ir.src_base[i];
    box[rank + i] = ir.dst_base[i];
    box[2 * rank + i] = ir.extent[i];
    box[3 * rank + i] = bits_of(r.magic);
    box[4 * rank + i] = r.shift;
  }
}

int64_t table_words(const xlashape_map_ir& map) { return XS_TABLE_START + map_words(map); }

void write_tables(const xlashape_map_ir& map, int64_t* words) {
  words[0] = 0;
  write_map(map, words + XS_TABLE_START);
}

}  // namespace xlashape::gpu
