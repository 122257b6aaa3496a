// SPDX-License-Identifier: Apache-2.0
// ShapeProto: bytes as XLA writes them (copied from XLA's own), whatever else a writer may send, and hostile bytes.
#include "wire/shape_proto.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "unit/random_shape.h"
#include "unit/wire/hex.h"

namespace xlashape::core::testing {
namespace {

using ::testing::HasSubstr;

void same(std::string_view text_form, std::string_view hex_form) {
  const Ref<Shape> made = shape(text_form);
  EXPECT_EQ(hex(encode(*made)), hex_form) << text_form;
  EXPECT_EQ(decode(bytes(hex_form)).text, text_form);
}

void refused(std::string_view hex_form, Status status, int64_t offset, std::string_view why) {
  const Decoded got = decode(bytes(hex_form));
  EXPECT_EQ(got.status, status) << hex_form << ": " << got.text;
  EXPECT_EQ(got.offset, offset) << hex_form << ": " << got.text;
  EXPECT_THAT(got.text, HasSubstr(std::string(why))) << hex_form;
}

TEST(ShapeProto, BytesOfXla) {
  same("f32[2,3]{1,0}", "100b1a0202032a070a02010080010132020000");
  same("f32[]", "100b2a03800101");
  same("f32[2,3]", "100b1a02020332020000");
  same("token[]", "1011");
  same("opaque[]", "100e");
  same("()", "100d");
  same("(f32[2]{0}, (s32[], token[]))", "100d2210100b1a01022a060a0100800101320100220f100d220710042a0380010122021011");
  same("f32[<=4,?]{0,1}", "100b1a0b04808080808080808080012a070a02000180010132020101");
  same("f32[3,5]{1,0:T(*,2)}", "100b1a0203052a160a020100320d0a0b808080808080808080010280010132020000");
  same("bf16[2048]{0:T(1024)(128)(2,1)}", "10101a0280102a180a010032040a02800832040a02800132040a020201800101320100");
  same("s4[8]{0:T(8)L(4)E(4)S(3)}", "10151a01082a0f0a010032030a010838044003800104320100");
  same("f32[2]{0:S(-5)}", "100b1a01022a110a010040fbffffffffffffffff01800101320100");
  same("f32[10,3]{1,0:SC(1:1)M(16)}", "100b1a020a032a110a02010078108001018a0105080112010132020000");
  same("b(f32[2]{0})", "10222210100b1a01022a060a0100800101320100");
}

TEST(ShapeProto, PaddingInItsOldFields) {
  same("f32[2,3]{0,1:PD(3,5)PV(lowest)}",
       "100b1a0202032a0d0a020001120203051803800101"
       "32020000");
  EXPECT_EQ(decode(bytes("100b 1a020203 2a0a 0a020001 1003 1005 1803")).text, "f32[2,3]{0,1:PD(3,5)PV(lowest)}");
}

// XLA reads it and never asks again: an unbounded dimension that is said to be static, or of which nothing is said.
TEST(ShapeProto, UnboundedIsDynamicWhateverIsSaid) {
  const std::string sizes = "100b 1a0b 80808080808080808001 02";
  EXPECT_EQ(decode(bytes(sizes + "32020000")).text, "f32[?,2]");
  EXPECT_EQ(decode(bytes(sizes + "32020100")).text, "f32[?,2]");
  EXPECT_EQ(decode(bytes(sizes)).text, "f32[?,2]");
  EXPECT_EQ(hex(encode(*shape("f32[?,2]"))),
            "100b1a0b80808080808080808001"
            "0232020100");
}

// What protobuf allows every writer to do.
TEST(ShapeProto, OtherWaysToSayIt) {
  const std::string want = "f32[2,3]{1,0}";
  EXPECT_EQ(decode(bytes("100b 1802 1803 2a04 0801 0800")).text, want) << "unpacked, no is_dynamic, no alignment";
  EXPECT_EQ(decode(bytes("2a04 0a020100 1a020203 100b")).text, want) << "in another order";
  EXPECT_EQ(decode(bytes("1004 100b 1802 1a0103 2a03 0a0101 2a03 0a0100")).text, want)
      << "the last number holds, lists "
         "and messages add up";
  EXPECT_EQ(decode(bytes("100b 1a03 82 00 03 2a04 0a020100")).text, want) << "a varint longer than it must be";
  EXPECT_EQ(decode(bytes("100b 1a020203 2a07 0a020100 800100")).text, want) << "alignment 0 means 1";
  EXPECT_EQ(decode(bytes("100b 1a020203 2a0a 0a020100 3204 0a02 02 05")).text, "f32[2,3]{1,0:T(2,5)}");
  EXPECT_EQ(decode(bytes("100b 1a020203 2a13 0a020100 320d 0a0b ffffffffffffffffff01 05")).text, "f32[2,3]{1,0:T(*,5)}")
      << "-1 is `*`, too";
  // Unknown: a varint, 8 bytes, text, 4 bytes, and a group with a group and a varint inside; known, with the wire type
  // of another: 2 as text, 4 as 4 bytes, and 9 (dim_level_types), which is passed over.
  EXPECT_EQ(decode(bytes("0805 100b 390203040506070800 4203616263 4d01020304 53 5b 0801 5c 54 12020101 2500000000 "
                         "1a020203 2a07 0a020100 4a0101"))
                .text,
            want);
}

TEST(ShapeProto, BytesThatAreNoProtobuf) {
  refused("10", XLASHAPE_STATUS_PARSE, 1, "end-of-stream");
  refused("100b 1a05 02", XLASHAPE_STATUS_PARSE, 3, "parent stream too short");
  refused("100b 1a02 0280", XLASHAPE_STATUS_PARSE, 5, "end-of-stream");
  refused("10 ffffffffffffffffffff01", XLASHAPE_STATUS_PARSE, 1, "varint overflow");
  refused("100b 08 8080808080808080808001", XLASHAPE_STATUS_PARSE, 3, "varint overflow");
  refused("10 ffffffffffffffffff02", XLASHAPE_STATUS_PARSE, 1, "varint overflow");
  refused("10 80808080808080808080", XLASHAPE_STATUS_PARSE, 1, "varint overflow");
  refused("100b 2a 8080808010", XLASHAPE_STATUS_PARSE, 3, "varint overflow");
  refused("100b 2a ffffffff0f", XLASHAPE_STATUS_PARSE, 3, "parent stream too short");
  refused("100b 42 8080808010", XLASHAPE_STATUS_PARSE, 3, "varint overflow");
  refused("100b 0000", XLASHAPE_STATUS_PARSE, 2, "field number 0");
  refused("100b 0e", XLASHAPE_STATUS_PARSE, 3, "wire_type");
  refused("100b 54", XLASHAPE_STATUS_PARSE, 3, "a group's end");
  refused("100b 53 0801", XLASHAPE_STATUS_PARSE, 3, "a group without an end");
  refused("100b 0b 14", XLASHAPE_STATUS_PARSE, 3, "a group's end without its begin in field 2");
  refused("100b 0b 13 0c 14", XLASHAPE_STATUS_PARSE, 3, "a group's end without its begin in field 1");
  refused("100b 0b 1a010a 2b 14", XLASHAPE_STATUS_PARSE, 3, "a group's end without its begin in field 2");
  refused("100b 0b 1a010a 2c", XLASHAPE_STATUS_PARSE, 3, "a group's end without its begin in field 5");
  refused("100b 39 0102", XLASHAPE_STATUS_PARSE, 3, "end-of-stream");
  refused("100b 42ffffffff0f", XLASHAPE_STATUS_PARSE, 3, "");
  refused("100d 2207 100b 1a05 01", XLASHAPE_STATUS_PARSE, 3, "parent stream too short");
}

// Too little room: nothing is written behind it, and the writer says so.
TEST(ShapeProto, WritesOnlyWhereThereIsRoom) {
  const auto array = shape("f32[300]{0}");
  const ShapeEncoder encoder(*array);
  for (int64_t size = 1; size <= encoder.size(); ++size) {
    Bytes out(static_cast<size_t>(encoder.size()) + 1, 0xAA);
    ProtoWriter writer(out.data(), size);
    encoder.write(writer);
    EXPECT_EQ(writer.ok(), size == encoder.size());
    EXPECT_EQ(out[static_cast<size_t>(size)], 0xAA) << size;
  }
}

// As protobuf: 100 groups inside each other, and tags of 32 bits in at most five bytes.
TEST(ShapeProto, GroupsAndTagsWithinTheLimits) {
  const auto groups = [](int count) {
    std::string text = "100b";
    for (int i = 0; i < count; ++i) text += "9b0f";
    for (int i = 0; i < count; ++i) text += "9c0f";
    return text;
  };
  EXPECT_EQ(decode(bytes(groups(100).c_str())).text, "f32[]");
  refused(groups(101).c_str(), XLASHAPE_STATUS_PARSE, 4, "too many groups inside each other");
  EXPECT_EQ(decode(bytes("100b f8ffffff0f 01")).text, "f32[]") << "the largest field number";
  EXPECT_EQ(decode(bytes("9080808000 0b")).text, "f32[]") << "a tag longer than it must be";
  refused("100b f8ffffff1f 01", XLASHAPE_STATUS_PARSE, 2, "a tag of more than 32 bits");
  refused("100b 80ffffffff00 01", XLASHAPE_STATUS_PARSE, 2, "a tag of more than 32 bits");
  refused("908080808000 0b", XLASHAPE_STATUS_PARSE, 0, "a tag of more than 32 bits");
  refused("100b 2a08 0a00 f8ffffff1f 01", XLASHAPE_STATUS_PARSE, 6, "a tag of more than 32 bits");
}

TEST(ShapeProto, MessagesThatBreakRules) {
  refused("100b 1a0102 2a03 800101", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "minor_to_major has 0 entries");  // no space
  refused("", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "element type 0");
  refused("1063", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "element type 99 (unknown)");
  refused("10ffffffffffffffffff01", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "element type -1");
  refused("100b 1a0102 32020000", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "is_dynamic_dimension has 2 entries");
  refused("100b 1a0102 2202 1011", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "has no elements");
  refused("1011 1a0102", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "(token) has no dimensions");
  refused("100d 320100", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "(tuple) has no dynamic dimensions");
  refused("100d 2a00", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "(tuple) has no layout");
  refused("1011 2202 1011", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "(token) has no elements");
  refused("1022", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "a buffer holds one array, not 0 shapes");
  refused("1022 2202 1011", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "a buffer holds an array");
  refused("100b 1a0affffffffffffffffff01", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "dimension 0 has size -1");
  refused("100b 1a14 ffffffffffffffff7f ffffffffffffffff7f 01 01", XLASHAPE_STATUS_OVERFLOW, 0, "does not fit 64 bits");
  refused("100d 2209 100b 1a0102 2a020a00", XLASHAPE_STATUS_INVALID_ARGUMENT, 4, "minor_to_major has 0 entries");
  refused("100b 1a0102 2a03 0a0101", XLASHAPE_STATUS_INVALID_ARGUMENT, 7, "minor_to_major holds dimension 1");
  refused("100b 1a0102 2a06 0a0100 40c801", XLASHAPE_STATUS_INVALID_ARGUMENT, 10, "memory_space is 200");
  refused("100b 1a0102 2a0f 0a0100 8001ffffffffffffffffff01", XLASHAPE_STATUS_INVALID_ARGUMENT, 7,
          "is -1, it must be at least");
  refused("100b 1a0102 2a05 0a0100 3200", XLASHAPE_STATUS_INVALID_ARGUMENT, 7, "tile level 0 has no sizes");
  refused("100b 1a0102 2a05 0a0100 5200", XLASHAPE_STATUS_INVALID_ARGUMENT, 10, "a physical shape");
  refused("100b 1a0102 2a05 0a0100 5808", XLASHAPE_STATUS_INVALID_ARGUMENT, 10, "only sparse layouts have");
  refused("100b 1a0102 2a05 0a0100 2002", XLASHAPE_STATUS_UNSUPPORTED, 10, "sparse");
}

TEST(ShapeProto, DepthIsCappedAndNeedsNoStack) {
  Bytes data = bytes("1011");
  for (int depth = 0; depth < XLASHAPE_MAX_DEPTH; ++depth) {
    Bytes outer = bytes("100d");
    const Bytes field = nested(0x22, data);
    outer.insert(outer.end(), field.begin(), field.end());
    data = std::move(outer);
  }
  auto err = XLASHAPE_INIT(Error);
  Ref<Shape> deep;
  ASSERT_EQ(read_shape(ProtoReader(data.data(), static_cast<int64_t>(data.size()), &err), 0, &deep, &err),
            XLASHAPE_STATUS_OK)
      << err.message;
  EXPECT_EQ(deep->depth, XLASHAPE_MAX_DEPTH);
  EXPECT_TRUE(encode(*deep) == data);
  Bytes outer = bytes("100d");
  const Bytes field = nested(0x22, data);
  outer.insert(outer.end(), field.begin(), field.end());
  const Decoded got = decode(outer);
  EXPECT_EQ(got.status, XLASHAPE_STATUS_PARSE);
  EXPECT_THAT(got.text, HasSubstr("at most 8192 nested shapes"));
}

// Every cut of a message and every changed byte must be answered, never run past the end.
TEST(ShapeProto, EveryCutAndEveryFlip) {
  const Bytes whole = encode(*shape("(f32[<=4,?]{0,1:T(2,1)SC(1:1)}, b(s4[8]{0:E(4)S(-1)PD(9)PV(one)}), (token[]))"));
  int accepted = 0;
  for (size_t size = 0; size < whole.size(); ++size)
    accepted += decode(Bytes(whole.begin(), whole.begin() + static_cast<int64_t>(size))).status == XLASHAPE_STATUS_OK;
  EXPECT_EQ(accepted, 3) << "the tuple with 0, 1 and 2 elements";
  for (size_t i = 0; i < whole.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      Bytes changed = whole;
      changed[i] ^= static_cast<uint8_t>(1 << bit);
      const Decoded got = decode(changed);
      if (got.status != XLASHAPE_STATUS_OK) {
        EXPECT_GE(got.offset, 0) << got.text;
        EXPECT_LE(got.offset, static_cast<int64_t>(whole.size()));
      }
    }
}

// Random shapes through text and bytes and back: 20,000, or as many as XLASHAPE_ROUND_TRIPS says. Prints the time of
// one shape in one direction.
TEST(ShapeProto, RoundTrips) {
  const char* wanted = std::getenv("XLASHAPE_ROUND_TRIPS");
  const int64_t count = wanted != nullptr ? std::atoll(wanted) : 20000;
  Random random(20261120);
  // Processor time: other programs may be running, too.
  const auto now = [] { return static_cast<double>(std::clock()); };
  double printing = 0, parsing = 0, encoding = 0, decoding = 0;
  std::vector<Ref<Shape>> made;
  for (int64_t done = 0; done < count; done += static_cast<int64_t>(made.size())) {
    made.clear();
    for (int64_t i = 0; i < std::min<int64_t>(1000, count - done); ++i) {
      const xlashape_element_type type = random.of(all_types());
      Ref<Shape> array = random_array(random, type, random_dimensions(random, 6, 1 << 20));
      if (random.chance(10)) {
        Shape* const elements[] = {array.get(), array.get(), made.empty() ? array.get() : made.back().get()};
        if (made.empty() || made.back()->depth < 5) {
          ASSERT_EQ(make_tuple(elements, &array, nullptr), XLASHAPE_STATUS_OK);
        }
      }
      made.push_back(std::move(array));
    }
    std::vector<std::string> texts(made.size());
    std::vector<Bytes> protos(made.size());
    std::vector<Ref<Shape>> parsed(made.size()), decoded(made.size());
    const auto t0 = now();
    for (size_t i = 0; i < made.size(); ++i) texts[i] = text(*made[i]);
    const auto t1 = now();
    for (size_t i = 0; i < made.size(); ++i)
      ASSERT_EQ(parse_shape(texts[i], 0, &parsed[i], nullptr), XLASHAPE_STATUS_OK) << texts[i];
    const auto t2 = now();
    for (size_t i = 0; i < made.size(); ++i) protos[i] = encode(*parsed[i]);
    const auto t3 = now();
    for (size_t i = 0; i < made.size(); ++i) {
      const ProtoReader reader(protos[i].data(), static_cast<int64_t>(protos[i].size()), nullptr);
      ASSERT_EQ(read_shape(reader, 0, &decoded[i], nullptr), XLASHAPE_STATUS_OK) << texts[i];
    }
    const auto t4 = now();
    printing += t1 - t0, parsing += t2 - t1, encoding += t3 - t2, decoding += t4 - t3;
    for (size_t i = 0; i < made.size(); ++i) {
      ASSERT_TRUE(equal(*made[i], *decoded[i], 0)) << texts[i];
      ASSERT_EQ(text(*decoded[i]), texts[i]);
      ASSERT_TRUE(encode(*decoded[i]) == protos[i]) << texts[i];
    }
  }
  const auto ns = [&](double clocks) { return clocks / CLOCKS_PER_SEC * 1e9 / static_cast<double>(count); };
  std::printf("%lld shapes; ns each: print %.0f, parse %.0f, encode %.0f, decode %.0f\n", static_cast<long long>(count),
              ns(printing), ns(parsing), ns(encoding), ns(decoding));
  if (wanted != nullptr) {
    EXPECT_LE(ns(encoding), 2000);
    EXPECT_LE(ns(decoding), 2000);
  }
}

}  // namespace
}  // namespace xlashape::core::testing
