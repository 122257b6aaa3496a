/* SPDX-License-Identifier: Apache-2.0 */
// What one call of the operator does: decided once for each combination of dtype, dimensions, strides and texts, and
// kept.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include <xlashape.hpp>

namespace xlashape_torch {

// A call. Strides are in elements, and normalized: 0 for dimensions of size 1, and everywhere if there are no elements.
struct Request {
  int32_t dtype;
  std::span<const int64_t> dimensions;
  std::span<const int64_t> strides;
  std::string_view to;
  std::optional<std::string_view> of;
  bool in_place = false;
};

struct Form {
  xlashape::Plan plan;  // empty where the result has no bytes
  std::vector<int64_t> result_dimensions;
  std::vector<int64_t> result_strides;
  int32_t result_dtype = 0;
  int64_t result_bytes = 0;
  // Of each byte of the result, how many bits are above a number whose sign goes there: int8 has it, the library's
  // bytes have zeros.
  int32_t sign_bits = 0;
  bool source_is_memory = false;  // the source must be contiguous; else the plan knows its strides
};

bool is_contiguous(std::span<const int64_t> dimensions, std::span<const int64_t> strides);
std::vector<int64_t> contiguous_strides(std::span<const int64_t> dimensions);

// "bfloat16[3,4]", for messages.
std::string describe(int32_t dtype, std::span<const int64_t> dimensions);

// std::runtime_error with a message that names the tensor and the texts.
Form resolve(const Request& request);

}  // namespace xlashape_torch
