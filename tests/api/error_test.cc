// Versions, status names, and the rules of the error record.
#include "api.h"

namespace {

using api::Error;

TEST(Version, IsThatOfTheHeader) {
  EXPECT_STREQ(xlashape_version(), "0.1.0");
  EXPECT_EQ(xlashape_abi_version(), uint32_t{XLASHAPE_VERSION_MAJOR} << 16 | XLASHAPE_VERSION_MINOR);
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

TEST(ErrorRecord, IsAsTheAbiSays) {
  EXPECT_EQ(sizeof(xlashape_error), 512u);
  EXPECT_EQ(offsetof(xlashape_error, code), 4u);
  EXPECT_EQ(offsetof(xlashape_error, index), 8u);
  EXPECT_EQ(offsetof(xlashape_error, offset), 16u);
  EXPECT_EQ(offsetof(xlashape_error, source), 24u);
  EXPECT_EQ(offsetof(xlashape_error, message_len), 28u);
  EXPECT_EQ(offsetof(xlashape_error, message), 32u);
}

TEST(ErrorRecord, BelowItsFirstSizeNothingIsWritten) {
  for (const uint32_t size : {0u, 4u, 31u}) {
    Error err, before;
    err.struct_size = before.struct_size = size;
    EXPECT_EQ(fail_with("f33", &err), XLASHAPE_STATUS_NOT_FOUND);
    EXPECT_EQ(std::memcmp(static_cast<void*>(&err), static_cast<void*>(&before), sizeof err), 0) << size;
  }
}

TEST(ErrorRecord, MessageIsCutToTheRoomThereIs) {
  Error whole;
  EXPECT_EQ(fail_with("f33", &whole), XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_THAT(whole.message, testing::HasSubstr("f33"));
  for (const uint32_t room : {0u, 1u, 2u, 8u}) {
    Error err;
    err.struct_size = 32 + room;
    EXPECT_EQ(fail_with("f33", &err), XLASHAPE_STATUS_NOT_FOUND);
    EXPECT_EQ(err.struct_size, 32 + room);
    EXPECT_EQ(err.code, XLASHAPE_STATUS_NOT_FOUND);
    EXPECT_EQ(err.index, -1);
    EXPECT_EQ(err.offset, -1);
    const uint32_t len = room == 0 ? 0 : room - 1;
    EXPECT_EQ(err.message_len, len);
    EXPECT_EQ(std::string_view(err.message, len), std::string_view(whole.message, len));
    if (room > 0) {
      EXPECT_EQ(err.message[len], '\0');
    }
    EXPECT_EQ(err.message[room], 0x5A) << "wrote past struct_size";
  }
}

TEST(ErrorRecord, ALargerOneIsFilledAsFarAsKnown) {
  struct {
    Error known;
    char more[64];
  } larger;
  std::memset(larger.more, 0x5A, sizeof larger.more);
  larger.known.struct_size = sizeof larger;
  EXPECT_EQ(fail_with("f33", &larger.known), XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_EQ(larger.known.code, XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_LT(larger.known.message_len, sizeof larger.known.message);
  for (const char byte : larger.more) EXPECT_EQ(byte, 0x5A);
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
