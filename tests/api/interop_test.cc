// SPDX-License-Identifier: Apache-2.0
// Structs and text of others through the C API.
#include <set>

#include "api.h"
#include "xlashape_interop.h"

namespace api {
namespace {

using testing::HasSubstr;

// The structs as pjrt_c_api.h and dlpack.h have them.
struct Tiled {
  size_t struct_size;
  void* extension_start;
  const int64_t* minor_to_major;
  size_t minor_to_major_size;
  const int64_t* tile_dims;
  const size_t* tile_dim_sizes;
  size_t num_tiles;
};
struct Strides {
  size_t struct_size;
  void* extension_start;
  const int64_t* byte_strides;
  size_t num_byte_strides;
};
struct MemoryLayout {
  size_t struct_size;
  void* extension_start;
  union {
    Tiled tiled;
    Strides strides;
  };
  int32_t type;
};
struct Tensor {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};

const Ints kDims = {16, 384};
const Ints kOrder = {1, 0};
const Ints kTiles = {8, 128, 2, 1};
const std::vector<size_t> kTileSizes = {2, 2};

MemoryLayout tiled() {
  MemoryLayout given{};
  given.struct_size = offsetof(MemoryLayout, type) + 4;
  given.tiled = {sizeof(Tiled), nullptr, kOrder.data(), 2, kTiles.data(), kTileSizes.data(), 2};
  return given;
}
MemoryLayout strided(const Ints& strides) {
  MemoryLayout given{};
  given.struct_size = offsetof(MemoryLayout, type) + 4;
  given.strides = {sizeof(Strides), nullptr, strides.data(), strides.size()};
  given.type = 1;
  return given;
}

std::string from_pjrt(const MemoryLayout& given, xlashape_element_type type = XLASHAPE_TYPE_BF16, uint32_t flags = 0) {
  const Layout made = make<Layout>(xlashape_layout_from_pjrt, &given, type, kDims.data(), 2, flags);
  return made ? text_of(made.get()) : "";
}

std::string pjrt_refused(xlashape_status status, const MemoryLayout& given, int64_t rank = 2, uint32_t flags = 0) {
  xlashape_layout* none = nullptr;
  const std::string why =
      message(status, xlashape_layout_from_pjrt, &given, XLASHAPE_TYPE_BF16, kDims.data(), rank, flags, &none);
  EXPECT_EQ(none, nullptr);
  return why;
}

TEST(Pjrt, ElementTypes) {
  EXPECT_EQ(xlashape_element_type_to_pjrt(XLASHAPE_TYPE_BF16), 13);
  EXPECT_EQ(xlashape_element_type_to_pjrt(XLASHAPE_TYPE_C64), 14);
  EXPECT_EQ(xlashape_element_type_to_pjrt(XLASHAPE_TYPE_TOKEN), 23);
  EXPECT_EQ(xlashape_element_type_to_pjrt(XLASHAPE_TYPE_F4E2M1FN), 29);
  EXPECT_EQ(xlashape_element_type_to_pjrt(XLASHAPE_TYPE_TUPLE), 0);
  EXPECT_EQ(xlashape_element_type_to_pjrt(-1), 0);
  EXPECT_EQ(xlashape_element_type_from_pjrt(0), 0);
  EXPECT_EQ(xlashape_element_type_from_pjrt(-1), 0);
  EXPECT_EQ(xlashape_element_type_from_pjrt(1000), 0);
  const std::set<int32_t> none = {};  // types of arrays for which PJRT has no number
  for (int32_t type = 1; type < 64; ++type) {
    const bool array = (xlashape_element_type_classes(type) & XLASHAPE_CLASS_ARRAY) != 0;
    const int32_t number = xlashape_element_type_to_pjrt(type);
    EXPECT_EQ(number != 0, (array && !none.contains(type)) || type == XLASHAPE_TYPE_TOKEN)
        << xlashape_element_type_name(type) << ": its row has its number, or `none` here names it";
    EXPECT_EQ(xlashape_element_type_from_pjrt(number), number == 0 ? XLASHAPE_TYPE_INVALID : type);
  }
}

TEST(Pjrt, Layouts) {
  EXPECT_EQ(from_pjrt(tiled()), "{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(from_pjrt(strided({768, 2})), "{1,0}");
  EXPECT_EQ(from_pjrt(strided({2, 32})), "{0,1}");
  EXPECT_EQ(from_pjrt(strided({1024, 2})), "{1,0:PD(16,512)}");
  EXPECT_EQ(from_pjrt(strided({1536, 4}), XLASHAPE_TYPE_F32), "{1,0}");
}

TEST(Pjrt, Refused) {
  MemoryLayout given = tiled();
  given.tiled.minor_to_major = nullptr;
  EXPECT_THAT(pjrt_refused(XLASHAPE_STATUS_INVALID_ARGUMENT, given), HasSubstr("tiled.minor_to_major is NULL"));
  given = tiled();
  given.tiled.num_tiles = SIZE_MAX;
  EXPECT_THAT(pjrt_refused(XLASHAPE_STATUS_INVALID_ARGUMENT, given), HasSubstr("the limit is"));
  given = tiled();
  EXPECT_THAT(pjrt_refused(XLASHAPE_STATUS_INVALID_ARGUMENT, given, 1), HasSubstr("rank 1"));
  given.type = 2;
  EXPECT_THAT(pjrt_refused(XLASHAPE_STATUS_UNSUPPORTED, given), HasSubstr("type is 2"));
  const Ints back = {-768, 2};
  EXPECT_THAT(pjrt_refused(XLASHAPE_STATUS_UNSUPPORTED, strided(back)), HasSubstr("backwards"));
  const Ints gap = {1024, 2};
  EXPECT_THAT(pjrt_refused(XLASHAPE_STATUS_UNSUPPORTED, strided(gap), 2, XLASHAPE_STRIDES_COMPACT), HasSubstr("gaps"));
  EXPECT_THAT(pjrt_refused(XLASHAPE_STATUS_INCOMPATIBLE, tiled(), 2, 64), HasSubstr("flags"));
}

// shape_to_pjrt into an aligned block.
struct Block {
  alignas(8) uint8_t bytes[512];
  int64_t needed = 0;
};

TEST(Pjrt, Written) {
  const Shape of = shape("bf16[16,384]{1,0:T(8,128)(2,1)}");
  Block block;
  ok(xlashape_shape_to_pjrt, of.get(), 0, block.bytes, sizeof block.bytes, &block.needed);
  EXPECT_EQ(block.needed, static_cast<int64_t>(sizeof(MemoryLayout) + 8 * 8));
  const auto& written = *reinterpret_cast<const MemoryLayout*>(block.bytes);
  EXPECT_EQ(written.struct_size, offsetof(MemoryLayout, type) + 4);
  EXPECT_EQ(written.type, 0);
  EXPECT_EQ(from_pjrt(written), "{1,0:T(8,128)(2,1)}");
  ok(xlashape_shape_to_pjrt, of.get(), 0, nullptr, 0, &block.needed);
  EXPECT_THAT(
      message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_shape_to_pjrt, of.get(), 0, block.bytes, 100, &block.needed),
      HasSubstr("capacity is 100"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_shape_to_pjrt, of.get(), 0, block.bytes + 1, 200,
                      &block.needed),
              HasSubstr("aligned"));
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_to_pjrt, of.get(), XLASHAPE_PJRT_STRIDES, nullptr, 0,
                      &block.needed),
              HasSubstr("tile"));
}

TEST(Pjrt, WrittenAsStrides) {
  const Shape of = shape("bf16[16,384]{1,0:S(1)PD(16,512)}");
  Block block;
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_to_pjrt, of.get(), XLASHAPE_PJRT_STRIDES, nullptr, 0,
                      &block.needed),
              HasSubstr("S(n)"));
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_to_pjrt, of.get(), XLASHAPE_PJRT_DROP, nullptr, 0,
                      &block.needed),
              HasSubstr("padded_dimensions"));
  ok(xlashape_shape_to_pjrt, of.get(), XLASHAPE_PJRT_STRIDES | XLASHAPE_PJRT_DROP, block.bytes, sizeof block.bytes,
     &block.needed);
  const auto& written = *reinterpret_cast<const MemoryLayout*>(block.bytes);
  EXPECT_EQ(written.type, 1);
  EXPECT_EQ(written.strides.byte_strides[0], 1024);
  EXPECT_EQ(written.strides.byte_strides[1], 2);
  EXPECT_EQ(from_pjrt(written), "{1,0:PD(16,512)}");
}

// What is not said in the struct is not lost without a word: the padding value fills what tiles leave open.
TEST(Pjrt, PaddingValueIsNotLost) {
  const Shape of = shape("f32[5,7]{1,0:T(2,4)PV(one)}");
  Block block;
  for (const uint32_t flags : {0u, XLASHAPE_PJRT_STRIDES})
    EXPECT_THAT(
        message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_to_pjrt, of.get(), flags, nullptr, 0, &block.needed),
        HasSubstr("PV"));
  ok(xlashape_shape_to_pjrt, of.get(), XLASHAPE_PJRT_DROP, block.bytes, sizeof block.bytes, &block.needed);
  EXPECT_EQ(from_pjrt(*reinterpret_cast<const MemoryLayout*>(block.bytes)), "{1,0:T(2,4)}");
}

// XLA ends the process where a buffer's layout has such tiles; what a runtime has all the same is read.
TEST(Pjrt, TilesThatXlaForbids) {
  Block block;
  for (const char* text : {"f32[16,384]{1,0:T(*,128)}", "f32[16,384]{1,0:T(8,128)(2,d)}"})
    for (const uint32_t flags : {0u, XLASHAPE_PJRT_DROP})
      EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_to_pjrt, shape(text).get(), flags, nullptr, 0,
                          &block.needed),
                  HasSubstr("tiles have * or d"));
  MemoryLayout given = tiled();
  std::vector<int64_t> sizes = {XLASHAPE_COMBINE_DIMENSION, 128, XLASHAPE_MATCH_DIMENSION, 1};
  given.tiled.tile_dims = sizes.data();
  EXPECT_EQ(from_pjrt(given), "{1,0:T(*,128)(d,1)}");
}

TEST(Pjrt, NoOrder) {
  const Shape of = shape("f32[16,384]{:T(8,128)S(5)}");
  Block block;
  message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_to_pjrt, of.get(), 0, nullptr, 0, &block.needed);
  ok(xlashape_shape_to_pjrt, of.get(), XLASHAPE_PJRT_DROP, block.bytes, sizeof block.bytes, &block.needed);
  EXPECT_EQ(from_pjrt(*reinterpret_cast<const MemoryLayout*>(block.bytes)), "{1,0:T(8,128)}");
  ok(xlashape_shape_to_pjrt, shape("bf16[16,384]{:S(5)}").get(), XLASHAPE_PJRT_DROP | XLASHAPE_PJRT_STRIDES,
     block.bytes, sizeof block.bytes, &block.needed);
  EXPECT_EQ(from_pjrt(*reinterpret_cast<const MemoryLayout*>(block.bytes)), "{1,0}");
}

TEST(Interop, ByteStrides) {
  const auto from = [](const Ints& strides, uint32_t flags, xlashape_layout** made, xlashape_error* err) {
    return xlashape_layout_from_byte_strides(XLASHAPE_TYPE_F32, kDims.data(), strides.data(), 2, flags, made, err);
  };
  const Ints columns = {4, 64};
  const Layout made =
      make<Layout>([&](xlashape_layout** layout, xlashape_error* err) { return from(columns, 0, layout, err); });
  EXPECT_EQ(text_of(made.get()), "{0,1}");
  xlashape_layout* none = nullptr;
  const Ints twice = {4, 4};
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, [&](xlashape_error* err) { return from(twice, 0, &none, err); }),
              HasSubstr("overlap"));
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_layout_from_byte_strides, XLASHAPE_TYPE_TOKEN, nullptr,
                      nullptr, 0, 0, &none),
              HasSubstr("element type 17"));
}

TEST(Dlpack, BothWays) {
  const Shape of = shape("s4[3,8]{0,1:E(4)}");
  Block block;
  int data = 0;
  ok(xlashape_shape_to_dlpack, of.get(), 0, &data, XLASHAPE_SPACE_CUDA, 3, 16, block.bytes, sizeof block.bytes,
     &block.needed);
  EXPECT_EQ(block.needed, static_cast<int64_t>(sizeof(Tensor) + 32));
  const auto& tensor = *reinterpret_cast<const Tensor*>(block.bytes);
  EXPECT_EQ(tensor.data, &data);
  EXPECT_EQ(tensor.device_type, 2);
  EXPECT_EQ(tensor.device_id, 3);
  EXPECT_EQ(tensor.byte_offset, 16u);
  EXPECT_EQ(tensor.code, 0);
  EXPECT_EQ(tensor.bits, 4);
  EXPECT_EQ(tensor.strides[1], 3);
  const auto back = [&](uint32_t flags) { return make<Shape>(xlashape_shape_from_dlpack, &tensor, flags); };
  EXPECT_EQ(text_of(back(0).get()), "s4[3,8]{0,1:E(4)}");
  EXPECT_EQ(text_of(back(XLASHAPE_DLPACK_SUB_BYTE_PADDED).get()), "s4[3,8]{0,1}");
  EXPECT_THAT(message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_shape_to_dlpack, of.get(), XLASHAPE_DLPACK_SUB_BYTE_PADDED,
                      nullptr, 0, 0, 0, nullptr, 0, &block.needed),
              HasSubstr("takes 4 bits"));
}

// Whoever says the strides, they mean one layout: docs/interop.md, also for the order of dimensions of size 1.
struct Strided {
  Ints dimensions, byte_strides;

  std::string list(int64_t unit) const {
    std::string text;
    for (const int64_t stride : byte_strides) text += (text.empty() ? "(" : ", ") + std::to_string(stride / unit);
    return text + ")";
  }
  std::string sizes() const {
    std::string text;
    for (const int64_t size : dimensions) text += (text.empty() ? "(" : ", ") + std::to_string(size);
    return text + ")";
  }
  // Of f32 elements: the layout by each reader, or the status.
  std::vector<std::string> readings() const {
    const auto rank = static_cast<int64_t>(dimensions.size());
    std::vector<std::string> texts;
    const auto layout = [&](auto&& read) {
      xlashape_layout* made = nullptr;
      const xlashape_status status = read(&made);
      texts.push_back(status == XLASHAPE_STATUS_OK ? text_of(made) : std::to_string(status));
      xlashape_layout_release(made);
    };
    const auto shape = [&](auto&& read) {
      layout([&](xlashape_layout** made) {
        xlashape_shape* array = nullptr;
        xlashape_status status = read(&array);
        if (status == XLASHAPE_STATUS_OK) status = xlashape_shape_layout(array, made, nullptr);
        xlashape_shape_release(array);
        return status;
      });
    };
    layout([&](auto** made) {
      return xlashape_layout_from_byte_strides(XLASHAPE_TYPE_F32, dimensions.data(), byte_strides.data(), rank, 0, made,
                                               nullptr);
    });
    const MemoryLayout pjrt = strided(byte_strides);
    layout([&](auto** made) {
      return xlashape_layout_from_pjrt(&pjrt, XLASHAPE_TYPE_F32, dimensions.data(), rank, 0, made, nullptr);
    });
    Ints shape_items = dimensions, stride_items;
    for (const int64_t stride : byte_strides) stride_items.push_back(stride / 4);
    Tensor tensor{};
    tensor.ndim = static_cast<int32_t>(rank);
    tensor.code = 2, tensor.bits = 32, tensor.lanes = 1;
    tensor.shape = shape_items.data(), tensor.strides = stride_items.data();
    shape([&](auto** array) { return xlashape_shape_from_dlpack(&tensor, 0, array, nullptr); });
    const std::string numpy = "{'shape': " + sizes() + ", 'strides': " + list(1) + ", 'dtype': 'float32'}";
    shape([&](auto** array) {
      return xlashape_shape_read(numpy.data(), static_cast<int64_t>(numpy.size()), 0, nullptr, array, nullptr);
    });
    const std::string cute = "f32 " + sizes() + ":" + list(4);
    shape([&](auto** array) {
      return xlashape_shape_read(cute.data(), static_cast<int64_t>(cute.size()), 0, nullptr, array, nullptr);
    });
    return texts;
  }
};

TEST(Interop, StridesMeanOneLayout) {
  EXPECT_EQ((Strided{{4, 1, 3, 3}, {36, 4, 12, 4}}.readings()), std::vector<std::string>(5, "{3,1,2,0}"));
  EXPECT_EQ((Strided{{2, 1}, {4, 1000}}.readings()), std::vector<std::string>(5, "{0,1}"));
  EXPECT_EQ((Strided{{1, 1}, {0, -8}}.readings()), std::vector<std::string>(5, "{1,0}"));
  // Four dimensions of size 1 to 3, the strides of those of size 1 anything.
  const int64_t anything[] = {0, 4, 12, 36, 1000, -4};
  int read = 0;
  for (int64_t number = 0; number < 81 * 36; ++number) {
    Strided array{{1 + number % 3, 1 + number / 3 % 3, 1 + number / 9 % 3, 1 + number / 27 % 3}, {0, 0, 0, 0}};
    int64_t step = 4;
    for (size_t d = 4; d-- > 0;) {
      const size_t at = number / 81 % 2 == 0 ? d : 3 - d;
      array.byte_strides[at] = step;
      step *= array.dimensions[at];
    }
    for (size_t d = 0; d < 4; ++d)
      if (array.dimensions[d] == 1) array.byte_strides[d] = anything[(static_cast<size_t>(number) / 81 + d * 5) % 6];
    const std::vector<std::string> readings = array.readings();
    ASSERT_EQ(readings, std::vector<std::string>(5, readings[0])) << array.sizes() << " with " << array.list(1);
    read += readings[0][0] == '{';
  }
  EXPECT_GT(read, 81 * 36 / 2);
}

}  // namespace
}  // namespace api
