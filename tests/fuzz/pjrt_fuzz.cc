// SPDX-License-Identifier: Apache-2.0
// PJRT_Buffer_MemoryLayout and DLTensor with any numbers in any field: lists are as long as the struct says where that
// is little, else NULL. What is read must be written and read again to an equal one; nothing else is touched.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "interop/dlpack.h"
#include "interop/pjrt.h"
#include "layout/validate.h"
#include "xlashape_interop.h"

namespace {

using namespace xlashape::core;

void check(bool holds) {
  if (!holds) std::abort();
}

// Takes numbers from the bytes; zeros behind their end.
class Source {
 public:
  Source(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  // Small numbers mostly, and the ones at the edges.
  int64_t number() {
    static constexpr int64_t kEdges[] = {INT64_MIN, INT64_MAX, -1, int64_t{1} << 32, int64_t{1} << 62, 1 << 24};
    const uint8_t first = byte();
    if (first < 200) return first % 20;
    if (first < 230) return int64_t{byte()} << (first - 200);
    return kEdges[first % 6];
  }
  std::vector<int64_t> numbers(size_t count) {
    std::vector<int64_t> result(count);
    for (int64_t& item : result) item = number();
    return result;
  }

 private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

Error fresh() {
  auto err = XLASHAPE_INIT(Error);
  return err;
}

void check_failure(const Error& err, Status status) {
  check(status == XLASHAPE_STATUS_INVALID_ARGUMENT || status == XLASHAPE_STATUS_UNSUPPORTED ||
        status == XLASHAPE_STATUS_OVERFLOW);
  check(err.code == status && err.message_len > 0);
}

// Writes the layout into a block of exactly the size told, and reads it back.
void write_back(const Shape& shape, uint32_t flags) {
  Error err = fresh();
  PjrtWriter writer;
  if (const Status status = writer.prepare(shape, flags, &err)) return check_failure(err, status);
  std::vector<int64_t> block(static_cast<size_t>(writer.size() + 7) / 8);
  writer.write(reinterpret_cast<uint8_t*>(block.data()));
  Ref<Layout> layout;
  const Status status = layout_from_pjrt(block.data(), shape.element_type, shape.dimensions, 0, &layout, &err);
  if (flags == 0) check(status == XLASHAPE_STATUS_OK && equal(*layout, *shape.layout, 0));
}

void try_pjrt(Source from) {
  const auto rank = static_cast<size_t>(from.byte() % 7);
  std::vector<int64_t> dimensions = from.numbers(rank);
  for (int64_t& size : dimensions) size = size < 0 ? 3 : size;
  const xlashape_element_type type = from.byte() % 40;
  PjrtMemoryLayout given;
  std::memset(static_cast<void*>(&given), 0, sizeof given);
  given.struct_size = from.byte() % 8 ? 76 : static_cast<size_t>(from.number());
  given.type = from.byte() % 3;
  const auto few = [&](size_t usual) { return from.byte() % 8 ? usual : static_cast<size_t>(from.number()); };
  std::vector<int64_t> list, tiles;
  std::vector<size_t> sizes;
  if (given.type == kPjrtTiled) {
    given.tiled.struct_size = few(56);
    given.tiled.minor_to_major_size = few(rank);
    list = from.byte() % 2 ? from.numbers(rank) : std::vector<int64_t>(rank);
    if (from.byte() % 4)
      for (size_t i = 0; i < rank; ++i) list[i] = static_cast<int64_t>(rank - 1 - i);
    if (given.tiled.minor_to_major_size <= rank) given.tiled.minor_to_major = list.data();
    given.tiled.num_tiles = few(from.byte() % 4);
    if (given.tiled.num_tiles < 8) {
      size_t total = 0;
      for (size_t i = 0; i < given.tiled.num_tiles; ++i) {
        sizes.push_back(few(from.byte() % 4));
        total += sizes.back() < 100 ? sizes.back() : 0;
      }
      given.tiled.tile_dim_sizes = sizes.data();
      tiles = from.numbers(total);
      bool little = true;
      for (const size_t size : sizes) little &= size < 100;
      if (little) given.tiled.tile_dims = tiles.data();
    }
  } else {
    given.strides.struct_size = few(32);
    given.strides.num_byte_strides = few(rank);
    list = from.numbers(rank);
    if (given.strides.num_byte_strides <= rank) given.strides.byte_strides = list.data();
  }
  Error err = fresh();
  Ref<Layout> layout;
  const uint32_t flags = from.byte() % 2;
  if (const Status status = layout_from_pjrt(&given, type, dimensions, flags, &layout, &err))
    return check_failure(err, status);
  check(validate_layout(*layout, &err) == XLASHAPE_STATUS_OK);
  Ref<Shape> shape;
  if (const Status status = make_array(type, dimensions, {}, std::move(layout), &shape, &err))
    return check_failure(err, status);
  write_back(*shape, shape->layout->has_padding() ? XLASHAPE_PJRT_STRIDES : 0);
  write_back(*shape, XLASHAPE_PJRT_STRIDES | XLASHAPE_PJRT_DROP);
}

void try_dlpack(Source from) {
  const auto rank = static_cast<size_t>(from.byte() % 7);
  std::vector<int64_t> dimensions = from.numbers(rank), strides = from.numbers(rank);
  if (from.byte() % 2) {
    int64_t step = 1;
    for (size_t i = rank; i-- > 0; step *= dimensions[i] > 0 && dimensions[i] < 256 ? dimensions[i] : 1)
      strides[i] = step;
  }
  DlTensor tensor{};
  tensor.ndim = from.byte() % 16 ? static_cast<int32_t>(rank) : -1;
  tensor.code = from.byte() % 20;
  tensor.bits = static_cast<uint8_t>(from.byte() % 4 ? 1 << from.byte() % 8 : from.byte());
  tensor.lanes = from.byte() % 16 ? 1 : 4;
  tensor.shape = dimensions.data();
  tensor.strides = from.byte() % 4 ? strides.data() : nullptr;
  const uint32_t flags = from.byte() % 2 ? XLASHAPE_DLPACK_SUB_BYTE_PADDED : 0;
  Error err = fresh();
  Ref<Shape> shape, second;
  if (const Status status = shape_from_dlpack(tensor, flags, &shape, &err)) return check_failure(err, status);
  DlpackWriter writer;
  // Without elements there may be strides that do not fit: [0, 2^62, 4].
  if (const Status status = writer.prepare(*shape, flags, &err)) return check(status == XLASHAPE_STATUS_OVERFLOW);
  std::vector<int64_t> block(static_cast<size_t>(writer.size()) / 8);
  writer.write({}, reinterpret_cast<uint8_t*>(block.data()));
  check(shape_from_dlpack(*reinterpret_cast<const DlTensor*>(block.data()), flags, &second, &err) ==
        XLASHAPE_STATUS_OK);
  check(second->element_type == shape->element_type && second->dimensions == shape->dimensions);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try_pjrt(Source(data, size));
  try_dlpack(Source(data, size));
  return 0;
}
