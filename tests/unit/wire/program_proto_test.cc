// SPDX-License-Identifier: Apache-2.0
// ProgramShapeProto and ShapeIndexProto.
#include "wire/program_proto.h"

#include <gmock/gmock.h>

#include "unit/wire/hex.h"

namespace xlashape::core::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Bytes encode_program(const ProgramShape& program) {
  const ProgramEncoder encoder(program);
  Bytes out(static_cast<size_t>(encoder.size()));
  ProtoWriter writer(out.data(), encoder.size());
  encoder.write(writer);
  EXPECT_TRUE(writer.ok());
  EXPECT_EQ(writer.written(), encoder.size());
  return out;
}

Status decode_program(const Bytes& data, Ref<ProgramShape>* program, Error* err) {
  *err = {};
  err->struct_size = sizeof *err;
  return read_program(ProtoReader(data.data(), static_cast<int64_t>(data.size()), err), 0, program, err);
}

// (x: f32[2]{0}, (unknown): s32[]) -> f32[2]{0}, as XLA writes it in an HloModuleProto.
constexpr const char* kProgram =
    "0a10 100b1a01022a060a0100800101320100"
    "0a07 10042a03800101"
    "1210 100b1a01022a060a0100800101320100"
    "1a01 78 1a00";

TEST(ProgramProto, BothWays) {
  Error err{};
  Ref<ProgramShape> program;
  ASSERT_EQ(decode_program(bytes(kProgram), &program, &err), XLASHAPE_STATUS_OK) << err.message;
  ASSERT_EQ(program->parameters.size(), 2u);
  EXPECT_EQ(text(*program->parameters[0]), "f32[2]{0}");
  EXPECT_EQ(text(*program->parameters[1]), "s32[]");
  EXPECT_EQ(text(*program->result), "f32[2]{0}");
  EXPECT_THAT(program->names, ElementsAre("x", ""));
  EXPECT_EQ(hex(encode_program(*program)), hex(bytes(kProgram)));
}

TEST(ProgramProto, NamesMayBeMissing) {
  Error err{};
  Ref<ProgramShape> program;
  ASSERT_EQ(decode_program(bytes("1202 1011 0a02 1011 0a02 1011"), &program, &err), XLASHAPE_STATUS_OK) << err.message;
  EXPECT_THAT(program->names, ElementsAre("", ""));
  ASSERT_EQ(decode_program(bytes("1202 1011 1a02 1011 0a02 1011 2505040302"), &program, &err), XLASHAPE_STATUS_OK);
  EXPECT_THAT(program->names, ElementsAre(std::string("\x10\x11")));
}

TEST(ProgramProto, Refused) {
  Error err{};
  Ref<ProgramShape> program;
  EXPECT_EQ(decode_program({}, &program, &err), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(err.message, HasSubstr("has no result"));
  EXPECT_EQ(err.offset, 0);
  EXPECT_EQ(decode_program(bytes("1202 1011 0a02 1011 0a02 1011 1a01 78"), &program, &err),
            XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(err.message, HasSubstr("2 parameters and 1 names"));
  EXPECT_EQ(decode_program(bytes("1202 1011 0a03 101163"), &program, &err), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(decode_program(bytes("1202 1011 1a05 78"), &program, &err), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(err.offset, 5);
  EXPECT_EQ(decode_program(bytes("1202 1011 23 0801 2c"), &program, &err), XLASHAPE_STATUS_PARSE);
  EXPECT_THAT(err.message, HasSubstr("a group's end without its begin in field 5"));
  EXPECT_EQ(decode_program(bytes("1202 1011 a0ffffff1f 01"), &program, &err), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(decode_program(bytes("1202 1000"), &program, &err), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(err.offset, 2);
  EXPECT_FALSE(program);
}

TEST(IndexProto, BothWays) {
  const int64_t path[] = {1, 0, 300};
  ProtoWriter count;
  write_index(count, path);
  Bytes data(static_cast<size_t>(count.written()));
  ProtoWriter writer(data.data(), count.written());
  write_index(writer, path);
  EXPECT_EQ(hex(data), "0a040100ac02");
  SmallVec<int64_t, 16> read;
  ASSERT_EQ(read_index(ProtoReader(data.data(), 6, nullptr), &read), XLASHAPE_STATUS_OK);
  EXPECT_EQ(read, (SmallVec<int64_t, 16>{1, 0, 300}));
  read.clear();
  const Bytes unpacked = bytes("0801 1205 0000000000 0800");
  ASSERT_EQ(read_index(ProtoReader(unpacked.data(), 11, nullptr), &read), XLASHAPE_STATUS_OK);
  EXPECT_EQ(read, (SmallVec<int64_t, 16>{1, 0}));
  EXPECT_EQ(read_index(ProtoReader(data.data(), 5, nullptr), &read), XLASHAPE_STATUS_PARSE);
  for (const char* damaged : {"0801 13 1c", "0801 88ffffff1f 01"}) {
    const Bytes none = bytes(damaged);
    EXPECT_EQ(read_index(ProtoReader(none.data(), static_cast<int64_t>(none.size()), nullptr), &read),
              XLASHAPE_STATUS_PARSE)
        << damaged;
  }
}

}  // namespace
}  // namespace xlashape::core::testing
