// SPDX-License-Identifier: Apache-2.0
#include "index/index_map.h"

#include <cstdlib>
#include <new>

void xlashape_index_map::destroy(xlashape_index_map* map) noexcept {
  map->~xlashape_index_map();
  std::free(map);
}

namespace xlashape::core {

Status make_index_map(const Shape& array, Ref<IndexMap>* result, Error* err) {
  alignas(16) char buffer[4096];
  Arena arena(buffer, sizeof buffer);
  Lowered lowered;
  XLASHAPE_TRY(lower_layout(array.dimensions, array.layout.get(), 0, arena, &lowered, err));
  const size_t room = arrays_bytes(lowered.map);
  void* block = std::malloc(sizeof(IndexMap) + room);
  if (block == nullptr) throw std::bad_alloc();
  auto map = Ref<IndexMap>::adopt(new (block) IndexMap);
  FixedArena copies(map.get() + 1, room);
  map->map = lowered.map;
  keep_arrays(&map->map, copies);
  int64_t elements = 1;
  for (const int64_t dimension : array.dimensions) elements *= dimension;
  const xlashape_map_ir& ir = map->map;
  map->dense = elements == ir.positions && ir.sum_count == 0;
  map->steps = ir.sum_count == 0 && ir.rank <= IndexMap::kSteps;
  if (map->steps) {
    for (int32_t d = 0; d < ir.rank; ++d) map->step[d] = {ir.dimensions[d], 0};
    for (int32_t o = 0; o < ir.output_count; ++o) map->step[ir.output_value[o]].stride = ir.output_stride[o];
  }
  *result = std::move(map);
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::core
