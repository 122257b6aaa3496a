// SPDX-License-Identifier: Apache-2.0
// The C entry points of the section "Index maps". Batches of conversions are index plans: api/index_plan.cc.
#include "index/index_map.h"

#include "api/check.h"
#include "ir/compiler.h"
#include "ir/map.h"

using namespace xlashape::core;

namespace {

XLASHAPE_COLD Status wrong_rank(const IndexMap& map, int64_t rank, Error* err) {
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the index has %lld entries, the shape has rank %d", ll(rank),
              map.map.rank);
}

XLASHAPE_COLD Status outside(const IndexMap& map, const int64_t* index, int64_t d, Error* err) {
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "index[%d] is %lld, not in [0, %lld)", static_cast<int>(d),
              ll(index[d]), ll(map.map.dimensions[d]));
}

// For common layouts, without tiles and padding: the values are the index.
void dense_index(const xlashape_map_ir& map, int64_t linear, int64_t* index) {
  if (map.output_count != map.rank)  // dimensions of size 1 are in no output
    for (int32_t d = 0; d < map.rank; ++d) index[d] = 0;
  xlashape::ir::split_position(map, linear, index);
}

// Not inlined, as its frame is large.
XLASHAPE_NOINLINE bool index_found(const xlashape_map_ir& map, int64_t linear, int64_t* index) {
  int64_t found[xlashape::ir::kMaxValues];
  if (!xlashape::ir::index_at(map, linear, found)) return false;
  for (int32_t d = 0; d < map.rank; ++d) index[d] = found[d];
  return true;
}

XLASHAPE_COLD Status null_argument(const char* name, Error* err) {
  return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s is NULL", name);
}

}  // namespace

extern "C" {

xlashape_status xlashape_index_map_create(const xlashape_shape* shape, xlashape_index_map** map, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    if (shape == nullptr) return null_argument("shape", err);
    if (map == nullptr) return null_argument("map", err);
    const Shape* array = shape->array();
    if (array == nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s has no index map: ask one of its arrays", noun(*shape));
    Ref<IndexMap> made;
    XLASHAPE_TRY(make_index_map(*array, &made, err));
    *map = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_index_map* xlashape_index_map_retain(const xlashape_index_map* map) {
  return Ref<IndexMap>::share(map).leak();
}
void xlashape_index_map_release(xlashape_index_map* map) { release(map); }
int64_t xlashape_index_map_rank(const xlashape_index_map* map) { return map != nullptr ? map->map.rank : 0; }
int64_t xlashape_index_map_storage_elements(const xlashape_index_map* map) {
  return map != nullptr ? map->map.positions : 0;
}

xlashape_status xlashape_index_map_linear_index(const xlashape_index_map* map, const int64_t* index, int64_t rank,
                                                int64_t* linear, xlashape_error* err) {
  if (map == nullptr) return null_argument("map", err);
  if (rank != map->map.rank) return wrong_rank(*map, rank, err);
  if (index == nullptr && rank > 0) return null_argument("index", err);
  if (linear == nullptr) return null_argument("linear", err);
  if (map->steps) {
    int64_t at = 0;
    for (int64_t d = 0; d < rank; ++d) {
      const IndexMap::Step& step = map->step[d];
      if (static_cast<uint64_t>(index[d]) >= static_cast<uint64_t>(step.size)) return outside(*map, index, d, err);
      at += index[d] * step.stride;
    }
    *linear = at;
    return XLASHAPE_STATUS_OK;
  }
  const xlashape_map_ir& ir = map->map;
  for (int32_t d = 0; d < ir.rank; ++d)
    if (static_cast<uint64_t>(index[d]) >= static_cast<uint64_t>(ir.dimensions[d])) return outside(*map, index, d, err);
  *linear = xlashape::ir::position(ir, index);
  return XLASHAPE_STATUS_OK;
}

xlashape_status xlashape_index_map_multidimensional_index(const xlashape_index_map* map, int64_t linear, int64_t* index,
                                                          int64_t rank, int32_t* is_padding, xlashape_error* err) {
  if (map == nullptr) return null_argument("map", err);
  const xlashape_map_ir& ir = map->map;
  if (rank != ir.rank) return wrong_rank(*map, rank, err);
  if (index == nullptr && rank > 0) return null_argument("index", err);
  if (is_padding == nullptr) return null_argument("is_padding", err);
  if (linear < 0 || linear >= ir.positions)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "linear index %lld is not in [0, %lld)", ll(linear),
                ll(ir.positions));
  *is_padding = 0;
  if (map->dense) {
    dense_index(ir, linear, index);
  } else if (!index_found(ir, linear, index)) {
    for (int32_t d = 0; d < ir.rank; ++d) index[d] = -1;
    *is_padding = 1;
  }
  return XLASHAPE_STATUS_OK;
}

}  // extern "C"
