// SPDX-License-Identifier: Apache-2.0
#include "element_types.h"

#include "torch_shim.h"

extern "C" __attribute__((weak)) int32_t torch_dtype_float8_e8m0fnu();

namespace xlashape_torch {
namespace {

using xlashape::ElementType;

// PyTorch's own number of float8_e8m0fnu, for versions whose stable ABI has no function for it, but which have the
// dtype.
constexpr int32_t kFloat8E8m0fnu = 44;

struct Table {
  Dtype rows[19] = {
      {aoti_torch_dtype_float32(), "float32", ElementType::kF32, 4, false},
      {aoti_torch_dtype_bfloat16(), "bfloat16", ElementType::kBF16, 2, false},
      {aoti_torch_dtype_float16(), "float16", ElementType::kF16, 2, false},
      {aoti_torch_dtype_float64(), "float64", ElementType::kF64, 8, false},
      {aoti_torch_dtype_uint8(), "uint8", ElementType::kU8, 1, true},
      {aoti_torch_dtype_int8(), "int8", ElementType::kS8, 1, false},
      {aoti_torch_dtype_int16(), "int16", ElementType::kS16, 2, false},
      {aoti_torch_dtype_int32(), "int32", ElementType::kS32, 4, false},
      {aoti_torch_dtype_int64(), "int64", ElementType::kS64, 8, false},
      {aoti_torch_dtype_uint16(), "uint16", ElementType::kU16, 2, true},
      {aoti_torch_dtype_uint32(), "uint32", ElementType::kU32, 4, true},
      {aoti_torch_dtype_uint64(), "uint64", ElementType::kU64, 8, true},
      {aoti_torch_dtype_bool(), "bool", ElementType::kPred, 1, false},
      {aoti_torch_dtype_complex64(), "complex64", ElementType::kC64, 8, false},
      {aoti_torch_dtype_complex128(), "complex128", ElementType::kC128, 16, false},
      {aoti_torch_dtype_float8_e5m2(), "float8_e5m2", ElementType::kF8E5M2, 1, false},
      {aoti_torch_dtype_float8_e4m3fn(), "float8_e4m3fn", ElementType::kF8E4M3FN, 1, false},
      {aoti_torch_dtype_float8_e5m2fnuz(), "float8_e5m2fnuz", ElementType::kF8E5M2FNUZ, 1, false},
      {aoti_torch_dtype_float8_e4m3fnuz(), "float8_e4m3fnuz", ElementType::kF8E4M3FNUZ, 1, false},
  };
  Dtype e8m0{torch_dtype_float8_e8m0fnu != nullptr ? torch_dtype_float8_e8m0fnu() : kFloat8E8m0fnu, "float8_e8m0fnu",
             ElementType::kF8E8M0FNU, 1, false};
};

const Table& table() {
  static const Table the_table;
  return the_table;
}

template <typename Matches>
const Dtype* find(Matches matches) {
  for (const Dtype& row : table().rows) {
    if (matches(row)) return &row;
  }
  return matches(table().e8m0) ? &table().e8m0 : nullptr;
}

bool below_a_byte(ElementType type) { return type != ElementType::kPred && bits(type) < 8; }

}  // namespace

bool is_signed(xlashape::ElementType type) { return (classes(type) & XLASHAPE_CLASS_SIGNED) != 0; }

const Dtype* dtype_of_code(int32_t code) {
  return find([code](const Dtype& row) { return row.code == code; });
}

const Dtype* dtype_of_type(xlashape::ElementType type) {
  const Dtype* found = find([type](const Dtype& row) { return row.element_type == type; });
  if (found != nullptr || !below_a_byte(type)) return found;
  return dtype_of_type(is_signed(type) ? ElementType::kS8 : ElementType::kU8);
}

const Dtype* unsigned_of_bytes(int32_t bytes) {
  return find([bytes](const Dtype& row) { return row.plain_integer && row.bytes == bytes; });
}

bool may_hold(const Dtype& dtype, xlashape::ElementType type) {
  if (dtype.element_type == type) return true;
  if (dtype.bytes * 8 != storage_bits(type)) return false;
  return dtype.plain_integer || (below_a_byte(type) && dtype.element_type == ElementType::kS8);
}

}  // namespace xlashape_torch
