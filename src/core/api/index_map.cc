// The C entry points of the section "Index maps". Single conversions are computed here, batches by a backend.
#include "index/index_map.h"

#include "api/check.h"
#include "exec/plan.h"
#include "waist/map.h"

using namespace xlashape;

namespace {

[[gnu::cold]] Status wrong_rank(const IndexMap& map, int64_t rank, Error* err) {
  return fail(err, XLASHAPE_OUT_OF_RANGE, "the index has %lld entries, the shape has rank %d",
              static_cast<long long>(rank), map.map.rank);
}

// The everyday layouts, without tiles and padding: the values are the index.
void dense_index(const xlashape_map_ir& map, int64_t linear, int64_t* index) {
  if (map.output_count != map.rank)  // dimensions of size 1 are in no output
    for (int32_t d = 0; d < map.rank; ++d) index[d] = 0;
  waist::split_position(map, linear, index);
}

// Apart, as its frame is large.
[[gnu::noinline]] bool index_found(const xlashape_map_ir& map, int64_t linear, int64_t* index) {
  int64_t found[waist::kMaxValues];
  if (!waist::index_at(map, linear, found)) return false;
  for (int32_t d = 0; d < map.rank; ++d) index[d] = found[d];
  return true;
}

[[gnu::cold]] Status null_argument(const char* name, Error* err) {
  return fail(err, XLASHAPE_INVALID_ARGUMENT, "%s is NULL", name);
}

}  // namespace

extern "C" {

xlashape_status xlashape_index_map_create(const xlashape_shape* shape, xlashape_index_map** map, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    if (shape == nullptr) return null_argument("shape", err);
    if (map == nullptr) return null_argument("map", err);
    const Shape* array = shape->array();
    if (array == nullptr)
      return fail(err, XLASHAPE_UNSUPPORTED, "a %s has no index map: ask one of its arrays",
                  element_type_info(shape->element_type).name);
    Ref<IndexMap> made;
    XLASHAPE_TRY(make_index_map(*array, &made, err));
    *map = made.leak();
    return XLASHAPE_OK;
  });
}

xlashape_index_map* xlashape_index_map_retain(xlashape_index_map* map) { return Ref<IndexMap>::share(map).leak(); }
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
  const xlashape_map_ir& ir = map->map;
  for (int32_t d = 0; d < ir.rank; ++d)
    if (static_cast<uint64_t>(index[d]) >= static_cast<uint64_t>(ir.dimensions[d]))
      return fail(err, XLASHAPE_OUT_OF_RANGE, "index[%d] is %lld, not in [0, %lld)", d,
                  static_cast<long long>(index[d]), static_cast<long long>(ir.dimensions[d]));
  *linear = waist::position(ir, index);
  return XLASHAPE_OK;
}

xlashape_status xlashape_index_map_multidimensional_index(const xlashape_index_map* map, int64_t linear, int64_t* index,
                                                          int64_t rank, int32_t* is_padding, xlashape_error* err) {
  if (map == nullptr) return null_argument("map", err);
  const xlashape_map_ir& ir = map->map;
  if (rank != ir.rank) return wrong_rank(*map, rank, err);
  if (index == nullptr && rank > 0) return null_argument("index", err);
  if (linear < 0 || linear >= ir.positions)
    return fail(err, XLASHAPE_OUT_OF_RANGE, "linear index %lld is not in [0, %lld)", static_cast<long long>(linear),
                static_cast<long long>(ir.positions));
  if (map->dense) {
    dense_index(ir, linear, index);
    if (is_padding != nullptr) *is_padding = 0;
    return XLASHAPE_OK;
  }
  if (index_found(ir, linear, index)) {
    if (is_padding != nullptr) *is_padding = 0;
    return XLASHAPE_OK;
  }
  if (is_padding == nullptr)
    return fail(err, XLASHAPE_OUT_OF_RANGE, "linear index %lld holds padding, not an element",
                static_cast<long long>(linear));
  for (int32_t d = 0; d < ir.rank; ++d) index[d] = -1;
  *is_padding = 1;
  return XLASHAPE_OK;
}

}  // extern "C"

namespace {

Status check_batch(const IndexMap* map, int64_t count, const int64_t* index, const int64_t* linear, uint32_t flags,
                   Error* err) {
  XLASHAPE_TRY(require(map, "map", err));
  if (count < 0)
    return fail(err, XLASHAPE_INVALID_ARGUMENT, "count is %lld, it must not be negative",
                static_cast<long long>(count));
  XLASHAPE_TRY(check_flags(flags, XLASHAPE_MARK_BAD, err));
  if (count == 0) return XLASHAPE_OK;
  if (map->map.rank > 0) XLASHAPE_TRY(require(index, "index", err));  // a scalar's indices have no entries
  return require(linear, "linear", err);
}

xlashape_op batch_op(int32_t kind, const IndexMap& map, int64_t index_step, int64_t dimension_step, uint32_t flags) {
  xlashape_op op{};
  op.struct_size = sizeof op;
  op.kind = kind;
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  op.map = &map.map;
  op.index_step = index_step;
  op.dimension_step = dimension_step;
  op.flags = flags;
  return op;
}

}  // namespace

extern "C" {

xlashape_status xlashape_index_map_linear_indices(xlashape_runtime* runtime, const xlashape_index_map* map,
                                                  int64_t count, const int64_t* index, int64_t index_step,
                                                  int64_t dimension_step, int64_t* linear, uint32_t flags, int64_t* bad,
                                                  xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_batch(map, count, index, linear, flags, err));
    Runtime* rt = runtime_or_default(runtime, err);
    if (rt == nullptr) return XLASHAPE_NO_MEMORY;
    const xlashape_op op = batch_op(XLASHAPE_OP_TO_LINEAR, *map, index_step, dimension_step, flags);
    int64_t first_bad, bad_count = 0;
    XLASHAPE_TRY(convert_indices(*rt, op, count, index, linear, &first_bad, &bad_count, err));
    if (first_bad >= count) {
      if (bad != nullptr) *bad = bad_count;
      return XLASHAPE_OK;
    }
    for (int32_t d = 0; d < map->map.rank; ++d) {
      const int64_t value = index[first_bad * index_step + d * dimension_step];
      if (value < 0 || value >= map->map.dimensions[d])
        return fail_index(err, XLASHAPE_OUT_OF_RANGE, first_bad,
                          "index %lld of the batch: entry %d is %lld, not in [0, %lld)",
                          static_cast<long long>(first_bad), d, static_cast<long long>(value),
                          static_cast<long long>(map->map.dimensions[d]));
    }
    return fail_index(err, XLASHAPE_OUT_OF_RANGE, first_bad, "index %lld of the batch is out of range",
                      static_cast<long long>(first_bad));
  });
}

xlashape_status xlashape_index_map_multidimensional_indices(xlashape_runtime* runtime, const xlashape_index_map* map,
                                                            int64_t count, const int64_t* linear, int64_t* index,
                                                            int64_t index_step, int64_t dimension_step, uint32_t flags,
                                                            int64_t* bad, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_batch(map, count, index, linear, flags, err));
    Runtime* rt = runtime_or_default(runtime, err);
    if (rt == nullptr) return XLASHAPE_NO_MEMORY;
    const xlashape_op op = batch_op(XLASHAPE_OP_TO_MULTI, *map, index_step, dimension_step, flags);
    int64_t first_bad, bad_count = 0;
    XLASHAPE_TRY(convert_indices(*rt, op, count, linear, index, &first_bad, &bad_count, err));
    if (first_bad >= count) {
      if (bad != nullptr) *bad = bad_count;
      return XLASHAPE_OK;
    }
    const int64_t value = linear[first_bad];
    if (value < 0 || value >= map->map.positions)
      return fail_index(err, XLASHAPE_OUT_OF_RANGE, first_bad, "index %lld of the batch is %lld, not in [0, %lld)",
                        static_cast<long long>(first_bad), static_cast<long long>(value),
                        static_cast<long long>(map->map.positions));
    return fail_index(err, XLASHAPE_OUT_OF_RANGE, first_bad,
                      "index %lld of the batch, %lld, holds padding, not an element", static_cast<long long>(first_bad),
                      static_cast<long long>(value));
  });
}

}  // extern "C"
