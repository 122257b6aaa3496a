/* SPDX-License-Identifier: Apache-2.0 */
// Which of XLA's element types a dtype of PyTorch is, and the other way round.
#pragma once

#include <cstdint>
#include <xlashape.hpp>

namespace xlashape_torch {

struct Dtype {
  int32_t code;      // as PyTorch's stable ABI numbers it
  const char* name;  // as PyTorch prints it, without "torch."
  xlashape::ElementType element_type;
  int32_t bytes;       // of one element
  bool plain_integer;  // an unsigned integer: may hold the elements of any type of its width
};

// nullptr for dtypes that XLA has no type for: complex32, quantized ones, bits, two 4-bit numbers in a byte.
const Dtype* dtype_of_code(int32_t code);
// nullptr for types that PyTorch has no dtype for. The dtype of unpacked integers of less than a byte is int8 or uint8.
const Dtype* dtype_of_type(xlashape::ElementType type);
// The unsigned integer of that many bytes: 1, 2, 4 or 8; else nullptr.
const Dtype* unsigned_of_bytes(int32_t bytes);
// Whether memory of this dtype may be taken for elements of this type, one in each.
bool may_hold(const Dtype& dtype, xlashape::ElementType type);

bool is_signed(xlashape::ElementType type);

}  // namespace xlashape_torch
