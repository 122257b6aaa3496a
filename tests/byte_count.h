/* SPDX-License-Identifier: Apache-2.0 */
// The bytes of a buffer, as executions take them.
#pragma once
#include <cstdint>
#include <iterator>

template <class T>
int64_t byte_count(const T& range) {
  return static_cast<int64_t>(std::size(range) * sizeof(*std::data(range)));
}
