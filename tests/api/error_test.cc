// SPDX-License-Identifier: Apache-2.0
// Versions, status names, and input in messages. The sizes of error records: tests/abi/ffi_call_test.cc.
#include "api.h"

namespace {

using api::Error;

TEST(Version, IsThatOfTheHeader) {
  EXPECT_STREQ(xlashape_version(), "0.1.0");
  EXPECT_GE(xlashape_xla_version(), 20261026u);
  EXPECT_EQ(xlashape_abi_version(), uint32_t{XLASHAPE_VERSION_MAJOR} << 16 | XLASHAPE_VERSION_MINOR);
}

TEST(Version, BuildInfoSaysWhatTheLibraryIs) {
  const std::string_view info = xlashape_build_info();
  EXPECT_EQ(info.find(std::string("version: ") + xlashape_version() + "; "), 0u);
  for (const char* key :
       {"; rules: XLA of 2", "; compiler: ", "; machine: ", "; backends inside: scalar", "; backends beside: "})
    EXPECT_NE(info.find(key), info.npos) << key << " in " << info;
  EXPECT_EQ(info.find('\n'), info.npos);
  EXPECT_EQ(info.find('/'), info.npos) << "a path: " << info;
}

TEST(StatusName, NamesEveryCode) {
  const char* const names[] = {"OK",          "INVALID_ARGUMENT", "OUT_OF_RANGE", "OVERFLOW",  "PARSE",
                               "UNSUPPORTED", "NOT_FOUND",        "INCOMPATIBLE", "NO_MEMORY", "DEVICE",
                               "BUSY",        "CANCELLED",        "INTERNAL"};
  for (int32_t code = 0; code <= XLASHAPE_STATUS_INTERNAL; ++code)
    EXPECT_STREQ(xlashape_status_name(code), names[code]);
  for (const int32_t code : {-1, XLASHAPE_STATUS_INTERNAL + 1, INT32_MIN, INT32_MAX})
    EXPECT_STREQ(xlashape_status_name(code), "UNKNOWN");
}

// A call that always fails with a message that quotes its input.
xlashape_status fail_with(std::string_view text, xlashape_error* err) {
  xlashape_element_type type;
  return xlashape_element_type_from_name(text.data(), text.size(), &type, err);
}

TEST(ErrorRecord, QuotedInputIsPrintable) {
  for (const std::string& input : {std::string("\xff\xfe\n\x01\0x", 6), std::string("caf\xc3\xa9"),
                                   std::string(5000, '\x80'), std::string(5000, 'a'), std::string("%s%n%d")}) {
    Error err;
    EXPECT_EQ(fail_with(input, &err), XLASHAPE_STATUS_NOT_FOUND);
    EXPECT_LT(err.message_len, 300u);
    for (uint32_t i = 0; i < err.message_len; ++i) {
      EXPECT_GE(err.message[i], ' ');
      EXPECT_LT(err.message[i], 0x7F);
    }
  }
  Error err;
  fail_with("caf\xc3\xa9", &err);
  EXPECT_THAT(err.message, testing::HasSubstr("caf\\xc3\\xa9"));
}

}  // namespace
