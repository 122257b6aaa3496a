// SPDX-License-Identifier: Apache-2.0
// Any bytes as ShapeProto, LayoutProto, ProgramShapeProto and ShapeIndexProto: what is read must be written, read again
// to an equal one and written the same; what is not must say where and why.
#include <cstdlib>
#include <optional>
#include <vector>

#include "api/every_answer.h"
#include "wire/layout_proto.h"
#include "wire/program_proto.h"
#include "wire/shape_proto.h"

namespace {

using namespace xlashape::core;

void check(bool holds) {
  if (!holds) std::abort();
}

Error fresh() {
  auto err = XLASHAPE_INIT(Error);
  return err;
}

void check_failure(const Error& err, Status status, size_t size) {
  check(status == XLASHAPE_STATUS_PARSE || status == XLASHAPE_STATUS_INVALID_ARGUMENT ||
        status == XLASHAPE_STATUS_OVERFLOW || status == XLASHAPE_STATUS_UNSUPPORTED);
  check(err.code == status && err.message_len > 0 && err.index == -1);
  check(err.offset >= 0 && err.offset <= static_cast<int64_t>(size));
}

// Whether the bytes are a protocol buffer by its own rules, whatever message they are of: tags of 32 bits, and groups
// that end with the number with which they began. Messages inside are not looked at.
bool is_protobuf(const uint8_t* data, size_t size) {
  size_t at = 0;
  const auto varint = [&](size_t most_bytes) -> std::optional<uint64_t> {
    uint64_t value = 0;
    for (size_t i = 0; i < most_bytes && at < size; ++i) {
      const uint64_t byte = data[at++];
      value |= (byte & 127) << (7 * i);
      if (byte < 128) return value;
    }
    return std::nullopt;
  };
  std::vector<uint64_t> groups;
  while (at < size) {
    const auto tag = varint(5);
    if (!tag || *tag > UINT32_MAX || *tag < 8) return false;
    const uint64_t fixed = (*tag & 7) == 1 ? 8 : (*tag & 7) == 5 ? 4 : 0;
    std::optional<uint64_t> length = fixed;
    switch (*tag & 7) {
      case 0:
        if (!varint(10)) return false;
        break;
      case 2:
        length = varint(10);
        break;
      case 3:
        groups.push_back(*tag >> 3);
        break;
      case 4:
        if (groups.empty() || groups.back() != *tag >> 3) return false;
        groups.pop_back();
        break;
      case 6:
      case 7:
        return false;
    }
    if (!length || *length > size - at) return false;
    at += *length;
  }
  return groups.empty();
}

// Written into a block of exactly the size that was told: its end is guarded by the sanitizer.
template <class Write>
std::vector<uint8_t> written(int64_t size, Write&& write) {
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  ProtoWriter writer(bytes.data(), size);
  write(writer);
  check(writer.ok() && writer.written() == size);
  return bytes;
}

ProtoReader reader(const std::vector<uint8_t>& bytes, Error* err) {
  return ProtoReader(bytes.data(), static_cast<int64_t>(bytes.size()), err);
}

void try_shape(const uint8_t* data, size_t size, uint32_t flags) {
  Error err = fresh();
  Ref<Shape> shape, second;
  if (const Status status = read_shape(ProtoReader(data, static_cast<int64_t>(size), &err), flags, &shape, &err)) {
    check(!shape);
    return check_failure(err, status, size);
  }
  check(is_protobuf(data, size));
  check(every_answer::is_answered(shape.get()));
  const ShapeEncoder encoder(*shape);
  const auto bytes = written(encoder.size(), [&](ProtoWriter& out) { encoder.write(out); });
  check(read_shape(reader(bytes, &err), flags, &second, &err) == XLASHAPE_STATUS_OK);
  check(equal(*shape, *second, 0));
  const ShapeEncoder again(*second);
  check(written(again.size(), [&](ProtoWriter& out) { again.write(out); }) == bytes);
}

void try_layout(const uint8_t* data, size_t size) {
  Error err = fresh();
  Layout layout, second;
  ProtoReader in(data, static_cast<int64_t>(size), &err);
  Status status = read_layout(in, &layout, &err);
  if (status == XLASHAPE_STATUS_OK) status = finish_layout(&layout, 0, &err);
  if (status) return check_failure(err, status, size);
  check(is_protobuf(data, size));
  const auto bytes = written(layout_size(layout), [&](ProtoWriter& out) { write_layout(out, layout); });
  ProtoReader back = reader(bytes, &err);
  check(read_layout(back, &second, &err) == XLASHAPE_STATUS_OK &&
        finish_layout(&second, 0, &err) == XLASHAPE_STATUS_OK);
  check(equal(layout, second, 0));
}

void try_program(const uint8_t* data, size_t size) {
  Error err = fresh();
  Ref<ProgramShape> program, second;
  if (const Status status = read_program(ProtoReader(data, static_cast<int64_t>(size), &err), 0, &program, &err))
    return check_failure(err, status, size);
  check(is_protobuf(data, size));
  const ProgramEncoder encoder(*program);
  const auto bytes = written(encoder.size(), [&](ProtoWriter& out) { encoder.write(out); });
  check(read_program(reader(bytes, &err), 0, &second, &err) == XLASHAPE_STATUS_OK);
  check(equal(*program, *second, 0));
}

void try_index(const uint8_t* data, size_t size) {
  Error err = fresh();
  SmallVec<int64_t, 16> path;
  if (const Status status = read_index(ProtoReader(data, static_cast<int64_t>(size), &err), &path))
    return check_failure(err, status, size);
  check(is_protobuf(data, size));
  ProtoWriter count;
  write_index(count, path);
  const auto bytes = written(count.written(), [&](ProtoWriter& out) { write_index(out, path); });
  SmallVec<int64_t, 16> second;
  check(read_index(reader(bytes, &err), &second) == XLASHAPE_STATUS_OK && second == path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try_shape(data, size, 0);
  try_shape(data, size, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  try_layout(data, size);
  try_program(data, size);
  try_index(data, size);
  return 0;
}
