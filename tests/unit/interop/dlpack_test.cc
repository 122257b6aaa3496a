// SPDX-License-Identifier: Apache-2.0
// DLTensor: our mirror against the real header where it is installed, and both ways for every element type.
#include "interop/dlpack.h"

#include <gmock/gmock.h>

#include <set>

#include "unit/random_shape.h"
#include "xlashape_interop.h"
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>

static_assert(sizeof(DLTensor) == sizeof(xlashape::core::DlTensor));
static_assert(offsetof(DLTensor, device) == offsetof(xlashape::core::DlTensor, device_type));
static_assert(offsetof(DLTensor, ndim) == offsetof(xlashape::core::DlTensor, ndim));
static_assert(offsetof(DLTensor, dtype) == offsetof(xlashape::core::DlTensor, code));
static_assert(offsetof(DLTensor, dtype.lanes) == offsetof(xlashape::core::DlTensor, lanes));
static_assert(offsetof(DLTensor, shape) == offsetof(xlashape::core::DlTensor, shape));
static_assert(offsetof(DLTensor, strides) == offsetof(xlashape::core::DlTensor, strides));
static_assert(offsetof(DLTensor, byte_offset) == offsetof(xlashape::core::DlTensor, byte_offset));
static_assert(kDLInt == 0 && kDLUInt == 1 && kDLFloat == 2 && kDLBfloat == 4 && kDLComplex == 5);
static_assert(kDLCPU == XLASHAPE_SPACE_CPU && kDLCUDA == XLASHAPE_SPACE_CUDA && kDLOpenCL == XLASHAPE_SPACE_OPENCL);
#endif

namespace xlashape::core::testing {
namespace {

TEST(Dlpack, EveryTypeBothWays) {
  const std::set<int32_t> none = {};  // types for which DLPack has no code
  int written = 0;
  for (int32_t type = 0; type < 64; ++type) {
    if (!is_array_type(type)) continue;
    const ElementTypeInfo& info = element_type_info(type);
    const bool sub_byte = (info.classes & XLASHAPE_CLASS_SUB_BYTE) != 0;
    for (const bool padded : {false, true}) {
      if (padded && !sub_byte && (info.classes & XLASHAPE_CLASS_F6) == 0) continue;
      if (!padded && (info.classes & XLASHAPE_CLASS_F6) != 0) continue;
      Ref<Layout> layout = make_column_major(2);
      if (sub_byte && !padded) layout->element_size_in_bits = info.bits;
      Ref<Shape> array, back;
      const int64_t dimensions[] = {2, 3};
      auto err = XLASHAPE_INIT(Error);
      ASSERT_EQ(make_array(type, dimensions, {}, std::move(layout), &array, &err), XLASHAPE_STATUS_OK);
      DlpackWriter writer;
      const uint32_t flags = padded ? XLASHAPE_DLPACK_SUB_BYTE_PADDED : 0;
      const Status prepared = writer.prepare(*array, flags, &err);
      EXPECT_EQ(prepared != XLASHAPE_STATUS_OK, none.contains(type))
          << info.name() << ": its row has its code, or `none` here names it";
      if (prepared != XLASHAPE_STATUS_OK) continue;
      ++written;
      ASSERT_EQ(writer.size(), static_cast<int64_t>(sizeof(DlTensor) + 32));
      alignas(8) uint8_t block[sizeof(DlTensor) + 32];
      writer.write({}, block);
      const auto& tensor = *reinterpret_cast<const DlTensor*>(block);
      EXPECT_EQ(tensor.lanes, 1);
      EXPECT_EQ(tensor.ndim, 2);
      EXPECT_EQ(tensor.strides[0], 1);
      EXPECT_EQ(tensor.strides[1], 2);
      ASSERT_EQ(shape_from_dlpack(tensor, flags, &back, &err), XLASHAPE_STATUS_OK)
          << info.name() << ": " << err.message;
      EXPECT_TRUE(equal(*array, *back, 0)) << info.name();
    }
  }
  EXPECT_GE(written, 32);
}

TEST(Dlpack, Refused) {
  int64_t dimensions[] = {2, 3}, strides[] = {-3, 1};
  DlTensor tensor{};
  tensor.ndim = 2;
  tensor.code = 2;
  tensor.bits = 32;
  tensor.lanes = 1;
  tensor.shape = dimensions;
  Ref<Shape> shape;
  ASSERT_EQ(shape_from_dlpack(tensor, 0, &shape, nullptr), XLASHAPE_STATUS_OK) << "no strides: row-major";
  EXPECT_EQ(shape->layout->minor_to_major[0], 1);
  const auto refused = [&](DlTensor changed, Status status) {
    Ref<Shape> none;
    EXPECT_EQ(shape_from_dlpack(changed, 0, &none, nullptr), status);
    EXPECT_FALSE(none);
  };
  DlTensor changed = tensor;
  changed.lanes = 4;
  refused(changed, XLASHAPE_STATUS_UNSUPPORTED);
  changed = tensor;
  changed.bits = 33;
  refused(changed, XLASHAPE_STATUS_UNSUPPORTED);
  changed = tensor;
  changed.ndim = -1;
  refused(changed, XLASHAPE_STATUS_INVALID_ARGUMENT);
  changed = tensor;
  changed.shape = nullptr;
  refused(changed, XLASHAPE_STATUS_INVALID_ARGUMENT);
  changed = tensor;
  changed.strides = strides;
  refused(changed, XLASHAPE_STATUS_UNSUPPORTED);
  changed = tensor;
  changed.code = 15, changed.bits = 6;
  refused(changed, XLASHAPE_STATUS_UNSUPPORTED);
  dimensions[1] = -1;
  refused(tensor, XLASHAPE_STATUS_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace xlashape::core::testing
