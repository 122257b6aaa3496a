/* SPDX-License-Identifier: Apache-2.0 */
// Shapes from text and back, for tests that compare shapes as people write them.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "shape/shape.h"

namespace xlashape::core::testing {

inline Ref<Shape> parsed(std::string_view text, uint32_t flags = 0) {
  auto err = XLASHAPE_INIT(xlashape_error);
  Shape* shape = nullptr;
  if (xlashape_shape_parse(text.data(), text.size(), flags, &shape, &err)) {
    ADD_FAILURE() << text << ": " << err.message;
    std::abort();
  }
  return Ref<Shape>::adopt(shape);
}

inline std::string printed(const Shape& shape) {
  int64_t needed = 0;
  xlashape_shape_print(&shape, 0, nullptr, 0, &needed, nullptr);
  std::string text(needed, '\0');
  xlashape_shape_print(&shape, 0, text.data(), needed, &needed, nullptr);
  text.resize(needed - 1);
  return text;
}

// What an operation made, as text, or the name of its status.
template <class Make>
std::string made_by(Make&& make) {
  Ref<Shape> result;
  const Status status = make(&result);
  return status == XLASHAPE_STATUS_OK ? printed(*result) : xlashape_status_name(status);
}

}  // namespace xlashape::core::testing
