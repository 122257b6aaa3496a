/* SPDX-License-Identifier: Apache-2.0 */
// Bytes as the tests of this folder write them, and what reading them gave.
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "text/print.h"
#include "text/shape_text.h"
#include "wire/shape_proto.h"

namespace xlashape::core::testing {

using Bytes = std::vector<uint8_t>;

// "10 0b" to bytes; blanks are for the reader.
inline Bytes bytes(std::string_view hex) {
  Bytes result;
  int high = -1;
  for (const char c : hex) {
    if (c == ' ') continue;
    const int digit = c <= '9' ? c - '0' : c - 'a' + 10;
    if (high < 0) {
      high = digit;
    } else {
      result.push_back(static_cast<uint8_t>(16 * high + digit));
      high = -1;
    }
  }
  return result;
}

inline std::string hex(const Bytes& data) {
  std::string text;
  for (const uint8_t byte : data) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// A field of a message inside a message.
inline Bytes nested(uint8_t tag, const Bytes& inside) {
  Bytes out{tag};
  for (size_t size = inside.size();; size >>= 7) {
    out.push_back(static_cast<uint8_t>((size & 127) | (size > 127 ? 128 : 0)));
    if (size <= 127) break;
  }
  out.insert(out.end(), inside.begin(), inside.end());
  return out;
}

inline Bytes encode(const Shape& shape) {
  const ShapeEncoder encoder(shape);
  Bytes out(static_cast<size_t>(encoder.size()));
  ProtoWriter writer(out.data(), encoder.size());
  encoder.write(writer);
  EXPECT_TRUE(writer.ok());
  EXPECT_EQ(writer.written(), encoder.size());
  return out;
}

inline Ref<Shape> shape(std::string_view text, uint32_t flags = XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT) {
  auto err = XLASHAPE_INIT(Error);
  Ref<Shape> result;
  EXPECT_EQ(parse_shape(text, flags, &result, &err), XLASHAPE_STATUS_OK) << text << ": " << err.message;
  return result;
}

inline std::string text(const Shape& shape) {
  int64_t needed;
  EXPECT_EQ(print_shape(shape, 0, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  std::string result(needed, '\0');
  EXPECT_EQ(print_shape(shape, 0, result.data(), needed, &needed, nullptr), XLASHAPE_STATUS_OK);
  result.pop_back();
  return result;
}

struct Decoded {
  Status status;
  int64_t offset;
  std::string text;  // printed, or the error's message
};

inline Decoded decode(const Bytes& data, uint32_t flags = XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT) {
  auto err = XLASHAPE_INIT(Error);
  err.offset = 77;  // what a caller's record holds from before must not matter
  // A copy of exactly that size: a read past it is found by the sanitizer.
  const std::vector<uint8_t> exact(data);
  Ref<Shape> result;
  Decoded out{};
  out.status = read_shape(ProtoReader(exact.data(), static_cast<int64_t>(exact.size()), &err), flags, &result, &err);
  EXPECT_EQ(out.status == XLASHAPE_STATUS_OK, static_cast<bool>(result));
  out.offset = out.status ? err.offset : -1;
  out.text = out.status ? err.message : text(*result);
  return out;
}

}  // namespace xlashape::core::testing
