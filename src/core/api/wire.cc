// SPDX-License-Identifier: Apache-2.0
// Entry points: the wire form.
#include "api/answer.h"
#include "wire/layout_proto.h"
#include "wire/program_proto.h"
#include "wire/shape_proto.h"
#include "xlashape_xla.h"

using namespace xlashape::core;

namespace {

// Returns, as (out, capacity, needed), a message of `size` bytes that write(Writer&) writes.
template <class Write>
Status answer_proto(int64_t size, Write&& write, uint8_t* out, int64_t capacity, int64_t* needed, Error* err) {
  XLASHAPE_TRY(require(needed, "needed", err));
  if (capacity < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "capacity is %lld, it must not be negative", ll(capacity));
  if (capacity > 0) XLASHAPE_TRY(require(out, "out", err));
  *needed = size;
  if (capacity == 0 || size == 0) return XLASHAPE_STATUS_OK;
  if (size > capacity)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "the message takes %lld bytes, the capacity is %lld", ll(size),
                ll(capacity));
  ProtoWriter writer(out, size);
  write(writer);
  if (writer.ok() && writer.written() == size) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_INTERNAL, "the message was counted as %lld bytes and took %lld", ll(size),
              ll(writer.written()));
}

Status check_bytes(const uint8_t* bytes, int64_t size, Error* err) {
  if (size < 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "size is %lld, it must not be negative", ll(size));
  if constexpr (sizeof(size_t) < sizeof size)
    if (size > PTRDIFF_MAX)
      return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "size is %lld, more than can be addressed", ll(size));
  return size == 0 ? XLASHAPE_STATUS_OK : require(bytes, "bytes", err);
}

}  // namespace

extern "C" {

xlashape_status xlashape_shape_to_proto(const xlashape_shape* shape, uint32_t flags, uint8_t* out, int64_t capacity,
                                        int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, 0, err));
    const ShapeEncoder encoder(*shape);
    return answer_proto(
        encoder.size(), [&](ProtoWriter& writer) { encoder.write(writer); }, out, capacity, needed, err);
  });
}

xlashape_status xlashape_shape_from_proto(const uint8_t* bytes, int64_t size, uint32_t flags, xlashape_shape** shape,
                                          xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_bytes(bytes, size, err));
    XLASHAPE_TRY(require(shape, "shape", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, err));
    Ref<Shape> result;
    XLASHAPE_TRY(read_shape(ProtoReader(bytes, size, err), flags, &result, err));
    *shape = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_layout_to_proto(const xlashape_layout* layout, uint32_t flags, uint8_t* out, int64_t capacity,
                                         int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_flags(flags, 0, err));
    return answer_proto(
        layout_size(*layout), [&](ProtoWriter& writer) { write_layout(writer, *layout); }, out, capacity, needed, err);
  });
}

xlashape_status xlashape_layout_from_proto(const uint8_t* bytes, int64_t size, uint32_t flags, xlashape_layout** layout,
                                           xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_bytes(bytes, size, err));
    XLASHAPE_TRY(require(layout, "layout", err));
    XLASHAPE_TRY(check_flags(flags, 0, err));
    auto result = Ref<Layout>::adopt(new Layout);
    ProtoReader reader(bytes, size, err);
    XLASHAPE_TRY(read_layout(reader, result.get(), err));
    XLASHAPE_TRY(finish_layout(result.get(), 0, err));
    *layout = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_program_shape_to_proto(const xlashape_program_shape* program, uint32_t flags, uint8_t* out,
                                                int64_t capacity, int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(require(program, "program", err));
    XLASHAPE_TRY(check_flags(flags, 0, err));
    const ProgramEncoder encoder(*program);
    return answer_proto(
        encoder.size(), [&](ProtoWriter& writer) { encoder.write(writer); }, out, capacity, needed, err);
  });
}

xlashape_status xlashape_program_shape_from_proto(const uint8_t* bytes, int64_t size, uint32_t flags,
                                                  xlashape_program_shape** program, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_bytes(bytes, size, err));
    XLASHAPE_TRY(require(program, "program", err));
    XLASHAPE_TRY(check_flags(flags, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, err));
    Ref<ProgramShape> result;
    XLASHAPE_TRY(read_program(ProtoReader(bytes, size, err), flags, &result, err));
    *program = result.leak();
    return XLASHAPE_STATUS_OK;
  });
}

xlashape_status xlashape_path_to_proto(const int64_t* path, int64_t path_len, uint8_t* out, int64_t capacity,
                                       int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_list(path, path_len, "path", "path_len", err));
    ProtoWriter count;
    write_index(count, list(path, path_len));
    return answer_proto(
        count.written(), [&](ProtoWriter& writer) { write_index(writer, list(path, path_len)); }, out, capacity, needed,
        err);
  });
}

xlashape_status xlashape_path_from_proto(const uint8_t* bytes, int64_t size, int64_t* out, int64_t capacity,
                                         int64_t* needed, xlashape_error* err) {
  return guarded(err, [&]() -> Status {
    XLASHAPE_TRY(check_bytes(bytes, size, err));
    SmallVec<int64_t, 16> path;
    XLASHAPE_TRY(read_index(ProtoReader(bytes, size, err), &path));
    return answer(std::span<const int64_t>(path), out, capacity, needed, err);
  });
}

}  // extern "C"
