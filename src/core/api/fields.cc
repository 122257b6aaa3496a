// Entry points that take or give lists of fields.
#include "api/fields.h"

#include <algorithm>
#include <climits>

#include "api/answer.h"
#include "base/small_vec.h"
#include "exec/plan.h"
#include "layout/layout_fields.h"
#include "layout/validate.h"
#include "waist/compiler.h"

using namespace xlashape::core;

namespace {

using Values = SmallVec<int64_t, 16>;

// The names of a layout's fields by number.
struct LayoutNames {
  FieldName name[std::max(XLASHAPE_LAYOUT_FIELD_SPLIT, std::rbegin(kLayoutScalars)->number) + 1] = {};

  constexpr void add(int32_t number, const char* text) {
    for (size_t i = 0; text[i] != '\0'; ++i) name[number][i] = text[i];
  }
  constexpr LayoutNames() {
    add(XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR, "minor_to_major");
    add(XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS, "padded_dimensions");
    add(XLASHAPE_LAYOUT_FIELD_TILE, "tile");
    add(XLASHAPE_LAYOUT_FIELD_SPLIT, "split");
    for (const LayoutScalar& scalar : kLayoutScalars) add(scalar.number, scalar.name);
  }
};
constexpr LayoutNames kLayoutNames;

Status read_layout_field(FieldReader& fields, Layout& layout, Error* err) {
  const std::span<const int64_t> values = fields.values();
  const auto count = static_cast<int64_t>(values.size());
  switch (fields.number()) {
    case XLASHAPE_LAYOUT_FIELD_TILE:
      layout.tile_ranks.push_back(count);
      layout.tile_dimensions.append(values);
      return XLASHAPE_STATUS_OK;
    case XLASHAPE_LAYOUT_FIELD_SPLIT:
      if (values.empty()) return fields.expect(1, err);
      layout.split_dimensions.push_back(values[0]);
      layout.split_sizes.push_back(count - 1);
      layout.split_indices.append(values.subspan(1));
      return XLASHAPE_STATUS_OK;
    case XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR:
      layout.minor_to_major.assign(values);
      return fields.once(err);
    case XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS:
      layout.padded_dimensions.assign(values);
      return fields.once(err);
    default:
      break;
  }
  const LayoutScalar* scalar = find_scalar(fields.number());
  return scalar == nullptr ? fields.unread(err) : fields.one(&(layout.*scalar->member), scalar->bits, err);
}

// Character arrays, as pointers would have to be relocated by the loader.
constexpr FieldName kPlanNames[] = {"",         "flags",   "fill_policy",      "src_space",        "dst_space",
                                    "device",   "backend", "src_byte_strides", "dst_byte_strides", "src_base",
                                    "dst_base", "extent",  "measure_ns",       "measure_src",      "measure_dst"};
static_assert(std::size(kPlanNames) == XLASHAPE_PLAN_FIELD_MEASURE_DST + 1);

struct PlanFields {
  xlashape_relayout_options options{};
  char backend[kNameLimit + 1];
};

// A name, one byte per value.
Status read_backend(FieldReader& fields, PlanFields* read, Error* err) {
  const std::span<const int64_t> name = fields.values();
  if (name.empty() || name.size() > kNameLimit)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "backend has %zu bytes, it takes 1 to %zu", name.size(),
                kNameLimit);
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] < 1 || name[i] > UCHAR_MAX)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "byte %zu of backend is %lld", i, ll(name[i]));
    read->backend[i] = static_cast<char>(name[i]);
  }
  read->backend[name.size()] = '\0';
  read->options.backend = read->backend;
  return fields.once(err);
}

Status read_plan_field(FieldReader& fields, int64_t rank, PlanFields* read, Error* err) {
  xlashape_relayout_options& o = read->options;
  // One value per dimension.
  const auto by_dimension = [&](const int64_t** list) {
    XLASHAPE_TRY(fields.expect(static_cast<size_t>(rank), err));
    *list = fields.values().data();
    return fields.once(err);
  };
  // The bits of an address; one with the highest bit is a negative value.
  const auto address = [&](uint64_t* value) {
    int64_t bits = 0;
    XLASHAPE_TRY(fields.one(&bits, err));
    *value = static_cast<uint64_t>(bits);
    return XLASHAPE_STATUS_OK;
  };
  switch (fields.number()) {
    case XLASHAPE_PLAN_FIELD_FLAGS:
      return fields.one(&o.flags, err);
    case XLASHAPE_PLAN_FIELD_FILL_POLICY:
      return fields.one(&o.fill_policy, err);
    case XLASHAPE_PLAN_FIELD_SRC_SPACE:
      return fields.one(&o.src_space, err);
    case XLASHAPE_PLAN_FIELD_DST_SPACE:
      return fields.one(&o.dst_space, err);
    case XLASHAPE_PLAN_FIELD_DEVICE:
      return fields.one(&o.device, err);
    case XLASHAPE_PLAN_FIELD_BACKEND:
      return read_backend(fields, read, err);
    case XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES:
      return by_dimension(&o.src_byte_strides);
    case XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES:
      return by_dimension(&o.dst_byte_strides);
    case XLASHAPE_PLAN_FIELD_SRC_BASE:
      return by_dimension(&o.src_base);
    case XLASHAPE_PLAN_FIELD_DST_BASE:
      return by_dimension(&o.dst_base);
    case XLASHAPE_PLAN_FIELD_EXTENT:
      return by_dimension(&o.extent);
    case XLASHAPE_PLAN_FIELD_MEASURE_NS:
      return fields.one(&o.measure_ns, err);
    case XLASHAPE_PLAN_FIELD_MEASURE_SRC:
      return address(&o.measure_src);
    case XLASHAPE_PLAN_FIELD_MEASURE_DST:
      return address(&o.measure_dst);
    default:
      return fields.unread(err);
  }
}

Status read_plan_fields(const Shape* src_shape, const int64_t* fields, int64_t size, PlanFields* read, Error* err) {
  XLASHAPE_TRY(require(src_shape, "src_shape", err));
  XLASHAPE_TRY(check_list(fields, size, "fields", "size", err));
  read->options.struct_size = sizeof read->options;
  const Shape* const array = src_shape->array();
  FieldReader reader(fields, size, kPlanNames);
  while (!reader.at_end()) {
    XLASHAPE_TRY(reader.next(err));
    XLASHAPE_TRY(read_plan_field(reader, array != nullptr ? array->rank() : 0, read, err));
  }
  return XLASHAPE_STATUS_OK;
}

XLASHAPE_NOINLINE void add_list(Values& out, int64_t field, std::span<const int64_t> values) {
  if (values.empty()) return;
  const int64_t head[] = {field, static_cast<int64_t>(values.size())};
  out.append(head);
  out.append(values);
}

}  // namespace

extern "C" {

xlashape_status xlashape_layout_create_from_fields(const int64_t* fields, int64_t size, xlashape_layout** layout,
                                                   xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(fields, size, "fields", "size", err));
    XLASHAPE_TRY(require(layout, "layout", err));
    auto made = Ref<Layout>::adopt(new Layout);
    FieldReader reader(fields, size, kLayoutNames.name);
    while (!reader.at_end()) {
      XLASHAPE_TRY(reader.next(err));
      XLASHAPE_TRY(read_layout_field(reader, *made, err));
    }
    if (made->tail_padding_alignment == 0) made->tail_padding_alignment = 1;
    XLASHAPE_TRY(validate_layout(*made, err));
    *layout = made.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_layout_fields(const xlashape_layout* layout, int64_t* out, int64_t capacity, int64_t* needed,
                                       xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    Values all;
    add_list(all, XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR, layout->minor_to_major);
    add_list(all, XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS, layout->padded_dimensions);
    const auto add = [&](const LayoutScalar& scalar) {
      const int64_t value = layout->*scalar.member;
      if (is_set(*layout, scalar.member)) add_list(all, scalar.number, {&value, 1});
    };
    for_each_scalar(XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS, XLASHAPE_LAYOUT_FIELD_TILE, add);
    for_each_tile(*layout,
                  [&](size_t, std::span<const int64_t> sizes) { add_list(all, XLASHAPE_LAYOUT_FIELD_TILE, sizes); });
    for_each_scalar(XLASHAPE_LAYOUT_FIELD_TILE, XLASHAPE_LAYOUT_FIELD_SPLIT, add);
    for_each_split(*layout, [&](int64_t dimension, std::span<const int64_t> indices) {
      all.push_back(XLASHAPE_LAYOUT_FIELD_SPLIT);
      all.push_back(static_cast<int64_t>(indices.size()) + 1);
      all.push_back(dimension);
      all.append(indices);
    });
    for_each_scalar(XLASHAPE_LAYOUT_FIELD_SPLIT, INT32_MAX, add);
    return answer<int64_t>({all.data(), all.size()}, out, capacity, needed, err);
  });
}

xlashape_status xlashape_plan_create_from_fields(xlashape_runtime* runtime, const xlashape_shape* src_shape,
                                                 const xlashape_shape* dst_shape, const int64_t* fields, int64_t size,
                                                 xlashape_plan** plan, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    PlanFields read;
    XLASHAPE_TRY(read_plan_fields(src_shape, fields, size, &read, err));
    return xlashape_plan_create(runtime, src_shape, dst_shape, &read.options, plan, err);
  });
}

xlashape_status xlashape_relayout_from_fields(xlashape_runtime* runtime, const xlashape_shape* src_shape,
                                              const void* src, int64_t src_bytes, const xlashape_shape* dst_shape,
                                              void* dst, int64_t dst_bytes, const int64_t* fields, int64_t size,
                                              xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    PlanFields read;
    XLASHAPE_TRY(read_plan_fields(src_shape, fields, size, &read, err));
    return xlashape_relayout(runtime, src_shape, src, src_bytes, dst_shape, dst, dst_bytes, &read.options, err);
  });
}

}  // extern "C"
