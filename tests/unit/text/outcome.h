// What parsing a text gave, as the tests of this folder look at it.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "text/print.h"
#include "text/shape_text.h"

namespace xlashape::core {

struct Outcome {
  Status status;
  int64_t offset;
  std::string text;  // printed, or the error's message
  Ref<Shape> shape;
};

inline Outcome parse(std::string_view text, uint32_t flags = 0) {
  Error err{};
  err.struct_size = sizeof err;
  err.offset = 77;  // what a caller's record holds from before must not matter
  Outcome out{};
  out.status = parse_shape(text, flags, &out.shape, &err);
  out.offset = out.status ? err.offset : -1;
  if (out.status) {
    EXPECT_FALSE(out.shape);
    EXPECT_EQ(err.code, out.status);
    out.text = err.message;
    return out;
  }
  int64_t needed;
  EXPECT_EQ(print_shape(*out.shape, 0, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
  out.text.resize(needed);
  EXPECT_EQ(print_shape(*out.shape, 0, out.text.data(), needed, &needed, nullptr), XLASHAPE_STATUS_OK);
  out.text.pop_back();
  return out;
}

inline Outcome parse_layout_text(std::string_view text) {
  Error err{};
  err.struct_size = sizeof err;
  Outcome out{};
  Ref<Layout> layout;
  out.status = parse_layout(text, &layout, &err);
  out.offset = out.status ? err.offset : -1;
  out.text = err.message;
  if (!out.status) {
    char printed[300];
    int64_t needed;
    EXPECT_EQ(print_layout(*layout, 0, printed, sizeof printed, &needed, nullptr), XLASHAPE_STATUS_OK);
    out.text = printed;
  }
  return out;
}

inline void expect_reads(std::string_view text, std::string_view canonical) {
  const Outcome out = parse(text);
  EXPECT_EQ(out.status, XLASHAPE_STATUS_OK) << text << ": " << out.text;
  EXPECT_EQ(out.text, canonical);
}

inline void expect_fails(std::string_view text, Status status, int64_t offset, uint32_t flags = 0) {
  const Outcome out = parse(text, flags);
  EXPECT_EQ(out.status, status) << text << ": " << out.text;
  EXPECT_EQ(out.offset, offset) << text << ": " << out.text;
  if (status == XLASHAPE_STATUS_PARSE) {
    EXPECT_EQ(out.text.find("expected "), 0u) << out.text;
    EXPECT_NE(out.text.find(", found "), std::string::npos) << out.text;
  }
}

}  // namespace xlashape::core
