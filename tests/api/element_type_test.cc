// Element types and padding elements through the C API.
#include "api.h"

namespace {

using api::answers;
using api::message;
using api::null_refused;
using api::ok;

constexpr int32_t kLast = XLASHAPE_F6E2M3FN;

xlashape_status from_name(std::string_view name, int32_t* type, xlashape_error* err) {
  return xlashape_element_type_from_name(name.data(), name.size(), type, err);
}

TEST(ElementType, NamesAndNumbersAreThoseOfXla) {
  EXPECT_STREQ(xlashape_element_type_name(XLASHAPE_PRED), "pred");
  EXPECT_STREQ(xlashape_element_type_name(XLASHAPE_BF16), "bf16");
  EXPECT_STREQ(xlashape_element_type_name(XLASHAPE_TUPLE), "tuple");
  EXPECT_STREQ(xlashape_element_type_name(XLASHAPE_OPAQUE_TYPE), "opaque");
  EXPECT_STREQ(xlashape_element_type_name(XLASHAPE_F8E4M3B11FNUZ), "f8e4m3b11fnuz");
  EXPECT_STREQ(xlashape_element_type_name(kLast), "f6e2m3fn");
  for (const int32_t type : {XLASHAPE_PRIMITIVE_TYPE_INVALID, kLast + 1, -1, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(xlashape_element_type_name(type), nullptr) << type;
    EXPECT_EQ(xlashape_element_type_bits(type), 0) << type;
    EXPECT_EQ(xlashape_element_type_storage_bits(type), 0) << type;
    EXPECT_EQ(xlashape_element_type_classes(type), 0u) << type;
  }
}

TEST(ElementType, NameAndNumberRoundTrip) {
  for (int32_t type = 1; type <= kLast; ++type) {
    const char* name = xlashape_element_type_name(type);
    ASSERT_NE(name, nullptr) << type;
    int32_t found = -1;
    ok([&](auto* err) { return from_name(name, &found, err); });
    EXPECT_EQ(found, type);
  }
}

TEST(ElementType, WhatIsNoNameIsNotFound) {
  int32_t type = -1;
  for (const std::string& name : {std::string("F32"), std::string("f32 "), std::string(" f32"), std::string("f3"),
                                  std::string("f32\0", 4), std::string("invalid"), std::string()})
    message(XLASHAPE_NOT_FOUND, [&](auto* err) { return from_name(name, &type, err); });
  EXPECT_EQ(type, -1);
  message(XLASHAPE_NOT_FOUND, [&](auto* err) { return xlashape_element_type_from_name(nullptr, 0, &type, err); });
  null_refused("name", [&](auto* err) { return xlashape_element_type_from_name(nullptr, 3, &type, err); });
  null_refused("type", [&](auto* err) { return xlashape_element_type_from_name("f32", 3, nullptr, err); });
}

TEST(ElementType, BitsAndClasses) {
  const struct {
    int32_t type, bits, storage_bits;
    uint32_t classes;
  } facts[] = {
      {XLASHAPE_PRED, 1, 8, XLASHAPE_CLASS_ARRAY},
      {XLASHAPE_S4, 4, 8,
       XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_SIGNED | XLASHAPE_CLASS_SUB_BYTE},
      {XLASHAPE_U64, 64, 64, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_INTEGRAL | XLASHAPE_CLASS_UNSIGNED},
      {XLASHAPE_F32, 32, 32, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT},
      {XLASHAPE_C128, 128, 128, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_COMPLEX},
      {XLASHAPE_F8E5M2, 8, 8, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_F8},
      {XLASHAPE_F6E3M2FN, 8, 8, XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_F6},
      {XLASHAPE_F4E2M1FN, 4, 8,
       XLASHAPE_CLASS_ARRAY | XLASHAPE_CLASS_FLOAT | XLASHAPE_CLASS_SUB_BYTE | XLASHAPE_CLASS_MX},
      {XLASHAPE_TUPLE, 0, 0, 0},
      {XLASHAPE_TOKEN, 0, 0, 0},
      {XLASHAPE_OPAQUE_TYPE, 0, 0, 0},
      {XLASHAPE_BUFFER, 0, 0, 0},
  };
  for (const auto& fact : facts) {
    EXPECT_EQ(xlashape_element_type_bits(fact.type), fact.bits) << fact.type;
    EXPECT_EQ(xlashape_element_type_storage_bits(fact.type), fact.storage_bits) << fact.type;
    EXPECT_EQ(xlashape_element_type_classes(fact.type), fact.classes) << fact.type;
  }
}

TEST(PaddingElement, IsTheValueInItsStorage) {
  using Bytes = std::vector<uint8_t>;
  const struct {
    int32_t type, value;
    Bytes bytes;
  } facts[] = {
      {XLASHAPE_F32, XLASHAPE_ZERO_PAD, {0, 0, 0, 0}},
      {XLASHAPE_F32, XLASHAPE_ONE_PAD, {0, 0, 0x80, 0x3F}},
      {XLASHAPE_F32, XLASHAPE_LOWEST_PAD, {0, 0, 0x80, 0xFF}},
      {XLASHAPE_F32, XLASHAPE_HIGHEST_PAD, {0, 0, 0x80, 0x7F}},
      {XLASHAPE_F32, XLASHAPE_UNKNOWN_PAD, {0, 0, 0, 0}},
      {XLASHAPE_F32, XLASHAPE_INVALID_PAD, {0, 0, 0, 0}},
      {XLASHAPE_S16, XLASHAPE_LOWEST_PAD, {0x00, 0x80}},
      {XLASHAPE_U16, XLASHAPE_LOWEST_PAD, {0, 0}},
      {XLASHAPE_U16, XLASHAPE_HIGHEST_PAD, {0xFF, 0xFF}},
      {XLASHAPE_PRED, XLASHAPE_HIGHEST_PAD, {1}},
      {XLASHAPE_PRED, XLASHAPE_LOWEST_PAD, {0}},
      {XLASHAPE_BF16, XLASHAPE_ONE_PAD, {0x80, 0x3F}},
      {XLASHAPE_C64, XLASHAPE_ONE_PAD, {0, 0, 0x80, 0x3F, 0, 0, 0, 0}},
      {XLASHAPE_C64, XLASHAPE_HIGHEST_PAD, {0, 0, 0x80, 0x7F, 0, 0, 0x80, 0x7F}},
  };
  for (const auto& fact : facts)
    answers<uint8_t>(
        fact.bytes,
        [&](uint8_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
          return xlashape_padding_element(fact.type, fact.value, out, capacity, needed, err);
        },
        "bytes");
}

TEST(PaddingElement, RefusesWhatHasNone) {
  uint8_t bytes[16];
  int64_t needed;
  for (const int32_t type : {XLASHAPE_PRIMITIVE_TYPE_INVALID, XLASHAPE_TUPLE, XLASHAPE_TOKEN, XLASHAPE_OPAQUE_TYPE,
                             XLASHAPE_BUFFER, kLast + 1, -1})
    message(XLASHAPE_UNSUPPORTED,
            [&](auto* err) { return xlashape_padding_element(type, XLASHAPE_ZERO_PAD, bytes, 16, &needed, err); });
  for (const int32_t value : {-1, 6, INT32_MAX})
    EXPECT_THAT(
        message(XLASHAPE_INVALID_ARGUMENT,
                [&](auto* err) { return xlashape_padding_element(XLASHAPE_F32, value, bytes, 16, &needed, err); }),
        testing::HasSubstr(std::to_string(value)));
}

}  // namespace
