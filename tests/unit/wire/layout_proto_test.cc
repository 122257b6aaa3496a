// SPDX-License-Identifier: Apache-2.0
// LayoutProto: bytes as XLA writes them, whatever else a writer may send, round trips, and hostile bytes.
#include "wire/layout_proto.h"

#include <gmock/gmock.h>

#include "layout/layout_fields.h"
#include "layout/validate.h"
#include "unit/random_shape.h"
#include "unit/wire/hex.h"

namespace xlashape::core::testing {
namespace {

using ::testing::HasSubstr;

Bytes encode_layout(const Layout& layout) {
  Bytes out(static_cast<size_t>(layout_size(layout)));
  ProtoWriter writer(out.data(), layout_size(layout));
  write_layout(writer, layout);
  EXPECT_TRUE(writer.ok());
  EXPECT_EQ(writer.written(), layout_size(layout));
  return out;
}

struct Read {
  Status status;
  Ref<Layout> layout = Ref<Layout>::adopt(new Layout);
  Error err{};
};

Read decode_layout(const Bytes& data) {
  Read read;
  read.err.struct_size = sizeof read.err;
  read.err.offset = 77;     // what a caller's record holds from before must not matter
  const Bytes exact(data);  // of exactly that size: a read past it is found by the sanitizer
  ProtoReader in(exact.data(), static_cast<int64_t>(exact.size()), &read.err);
  read.status = read_layout(in, read.layout.get(), &read.err);
  if (!read.status) read.status = finish_layout(read.layout.get(), 0, &read.err);
  return read;
}

void refused_layout(std::string_view hex_form, Status status, int64_t offset, const std::string& why) {
  const Read read = decode_layout(bytes(hex_form));
  EXPECT_EQ(read.status, status) << hex_form << ": " << read.err.message;
  EXPECT_EQ(read.err.offset, offset) << hex_form << ": " << read.err.message;
  EXPECT_THAT(read.err.message, HasSubstr(why)) << hex_form;
}

// A layout with everything in it.
Ref<Layout> full() {
  auto layout = Ref<Layout>::adopt(new Layout);
  layout->minor_to_major = {0, 1};
  layout->padded_dimensions = {3, 200};
  layout->padding_value = XLASHAPE_PAD_LOWEST;
  layout->tile_ranks = {2, 1};
  layout->tile_dimensions = {XLASHAPE_COMBINE_DIMENSION, 2, 5};
  layout->element_size_in_bits = 4;
  layout->memory_space = -5;
  layout->metadata_prefix_bytes = 16;
  layout->tail_padding_alignment = 4;
  layout->split_dimensions = {1, 0};
  layout->split_sizes = {2, 0};
  layout->split_indices = {1, 2};
  return layout;
}

TEST(LayoutProto, RoundTrips) {
  Random random(8);
  for (int i = 0; i < 5000; ++i) {
    const std::vector<int64_t> dimensions = random_dimensions(random, 5, 1 << 20);
    const Ref<Layout> layout = random_layout(random, dimensions, random.of(all_types()));
    if (random.chance(30)) layout->memory_space = random.in(-128, 127);
    if (random.chance(30)) layout->metadata_prefix_bytes = random.in(0, INT64_MAX);
    for (int64_t d = 0; d < layout->rank(); ++d) {
      if (!random.chance(20)) continue;
      layout->split_dimensions.push_back(d);
      layout->split_sizes.push_back(random.in(0, 2));
      for (int64_t j = 1; j <= layout->split_sizes.back(); ++j) layout->split_indices.push_back(j * 100);
    }
    ASSERT_EQ(validate_layout(*layout, nullptr), XLASHAPE_STATUS_OK);
    const Read read = decode_layout(encode_layout(*layout));
    ASSERT_EQ(read.status, XLASHAPE_STATUS_OK) << read.err.message;
    ASSERT_TRUE(equal(*read.layout, *layout, 0)) << hex(encode_layout(*layout));
  }
}

// Of a field of one number the last one counts, and another wire type is an unknown field that changes nothing.
TEST(LayoutProto, ScalarsMergeAsInProtobuf) {
  for (const LayoutScalar& row : kLayoutScalars) {
    const int64_t value = kUnsetScalars.*row.member + 1;
    Bytes said(20), tag(20);
    ProtoWriter out(said.data(), 20), head(tag.data(), 20);
    out.number(static_cast<uint32_t>(row.number), value);
    head.open(static_cast<uint32_t>(row.number), 1);  // a message of one byte
    said.resize(static_cast<size_t>(out.written()));
    tag.resize(static_cast<size_t>(head.written()));
    Bytes other = said;
    other.back() = static_cast<uint8_t>(value + 1);
    const auto with = [&](std::initializer_list<const Bytes*> parts) {
      Bytes all;
      for (const Bytes* part : parts) all.insert(all.end(), part->begin(), part->end());
      const Read read = decode_layout(all);
      EXPECT_EQ(read.status, XLASHAPE_STATUS_OK) << row.name << ": " << read.err.message;
      return (*read.layout).*row.member;
    };
    const Bytes payload = {9};
    EXPECT_EQ(with({&said}), value) << row.name;
    EXPECT_EQ(with({&said, &other}), value + 1) << row.name;
    EXPECT_EQ(with({&said, &tag, &payload}), value) << row.name;
    EXPECT_EQ(with({&tag, &payload}), kUnsetScalars.*row.member) << row.name;
  }
}

TEST(LayoutProto, Refused) {
  refused_layout("408001", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "memory_space is 128");
  refused_layout("0a00 40ff7e", XLASHAPE_STATUS_INVALID_ARGUMENT, 2, "memory_space is 16255");
  EXPECT_EQ(decode_layout(bytes("40807f 4003")).status, XLASHAPE_STATUS_INVALID_ARGUMENT)
      << "also where another follows";
  refused_layout("1806", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "padding_value is 6");
  EXPECT_EQ(decode_layout(bytes("188280808010")).layout->padding_value, 2) << "an enum has 32 bits";
  refused_layout("38ffffffffffffffffff01", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "element_size_in_bits is -1");
  refused_layout("78ffffffffffffffffff01", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "metadata_prefix_bytes is -1");
  refused_layout("8a01020805", XLASHAPE_STATUS_INVALID_ARGUMENT, 0, "a split names physical dimension 5");
  refused_layout("0a020001 1201", XLASHAPE_STATUS_PARSE, 5, "");
  refused_layout("2002", XLASHAPE_STATUS_UNSUPPORTED, 0, "sparse");
}

// Every cut and every changed bit is answered: with an error that has a place, or with a layout that keeps the rules
// and that comes back from its own bytes.
TEST(LayoutProto, EveryCutAndEveryFlip) {
  const Bytes whole = encode_layout(*full());
  int accepted = 0;
  const auto answered = [&](const Bytes& data) {
    const Read read = decode_layout(data);
    if (read.status) {
      EXPECT_GE(read.err.offset, 0) << hex(data);
      EXPECT_LE(read.err.offset, static_cast<int64_t>(data.size())) << hex(data);
      return;
    }
    ++accepted;
    EXPECT_EQ(validate_layout(*read.layout, nullptr), XLASHAPE_STATUS_OK) << hex(data);
    EXPECT_TRUE(equal(*decode_layout(encode_layout(*read.layout)).layout, *read.layout, 0)) << hex(data);
  };
  for (size_t size = 0; size < whole.size(); ++size)
    answered(Bytes(whole.begin(), whole.begin() + static_cast<int64_t>(size)));
  for (size_t i = 0; i < whole.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      Bytes changed = whole;
      changed[i] ^= static_cast<uint8_t>(1 << bit);
      answered(changed);
    }
  EXPECT_GT(accepted, 50);
}

}  // namespace
}  // namespace xlashape::core::testing
