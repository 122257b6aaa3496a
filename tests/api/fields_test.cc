// Layouts and plans from lists of fields.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "api.h"

namespace {

using api::Layout;
using api::message;
using api::null_refused;
using api::Plan;
using api::shape;
using testing::HasSubstr;
using Values = std::vector<int64_t>;

// Every field, with TILE and SPLIT twice, in the order in which the library lists them.
const Values kFull = {XLASHAPE_LAYOUT_FIELD_MINOR_TO_MAJOR,
                      3,
                      2,
                      0,
                      1,
                      XLASHAPE_LAYOUT_FIELD_PADDED_DIMENSIONS,
                      3,
                      5,
                      6,
                      130,
                      XLASHAPE_LAYOUT_FIELD_PADDING_VALUE,
                      1,
                      XLASHAPE_PAD_LOWEST,
                      XLASHAPE_LAYOUT_FIELD_TILE,
                      2,
                      8,
                      XLASHAPE_COMBINE_DIMENSION,
                      XLASHAPE_LAYOUT_FIELD_TILE,
                      1,
                      2,
                      XLASHAPE_LAYOUT_FIELD_ELEMENT_SIZE_IN_BITS,
                      1,
                      16,
                      XLASHAPE_LAYOUT_FIELD_MEMORY_SPACE,
                      1,
                      -3,
                      XLASHAPE_LAYOUT_FIELD_DYNAMIC_SHAPE_METADATA_PREFIX_BYTES,
                      1,
                      24,
                      XLASHAPE_LAYOUT_FIELD_TAIL_PADDING_ALIGNMENT_IN_ELEMENTS,
                      1,
                      4096,
                      XLASHAPE_LAYOUT_FIELD_SPLIT,
                      2,
                      0,
                      2,
                      XLASHAPE_LAYOUT_FIELD_SPLIT,
                      3,
                      1,
                      1,
                      4};
constexpr char kFullText[] = "{2,0,1:T(8,*)(2)L(4096)E(16)S(-3)SC(0:2)(1:1,4)M(24)PD(5,6,130)PV(lowest)}";

xlashape_status create(const Values& fields, xlashape_layout** made, xlashape_error* err) {
  return xlashape_layout_create_from_fields(fields.data(), static_cast<int64_t>(fields.size()), made, err);
}

Layout layout(const Values& fields) {
  return api::make<Layout>([&](auto** made, auto* err) { return create(fields, made, err); });
}

std::string refused(const Values& fields, xlashape_status status = XLASHAPE_STATUS_INVALID_ARGUMENT) {
  return message(status, [&](xlashape_error* err) {
    xlashape_layout* made = nullptr;
    const xlashape_status result = create(fields, &made, err);
    EXPECT_EQ(made, nullptr);
    return result;
  });
}

TEST(LayoutFields, SayEverything) {
  const Layout made = layout(kFull);
  EXPECT_EQ(api::text_of(made.get()), kFullText);
  const Layout parsed = api::layout(kFullText);
  EXPECT_EQ(xlashape_layout_equal(made.get(), parsed.get(), XLASHAPE_EQUAL_METADATA_PREFIX), 1);
  api::answers<int64_t>(kFull, [&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_layout_fields(parsed.get(), out, capacity, needed, err);
  });
}

// What is not said is not listed, and the other way round.
TEST(LayoutFields, LeaveOutWhatIsNotSaid) {
  EXPECT_EQ(api::text_of(layout({}).get()), "{}");
  const Layout plain = api::layout("{1,0}"), nothing = api::layout("{}");
  api::answers<int64_t>({1, 2, 1, 0}, [&](int64_t* out, int64_t capacity, int64_t* needed, xlashape_error* err) {
    return xlashape_layout_fields(plain.get(), out, capacity, needed, err);
  });
  int64_t needed = -1;
  api::ok([&](auto* err) { return xlashape_layout_fields(nothing.get(), nullptr, 0, &needed, err); });
  EXPECT_EQ(needed, 0);
  // Unset values may be said, too.
  EXPECT_EQ(api::text_of(layout({1, 1, 0, 2, 1, 7, 3, 1, 0, 7, 1, 0, 8, 1, 0, 15, 1, 0, 16, 1, 0}).get()), "{0:PD(7)}");
}

// The fields may come in any order, those of one number in theirs.
TEST(LayoutFields, ComeInAnyOrder) {
  EXPECT_EQ(api::text_of(layout({8, 1, 5, 6, 2, 8, 128, 1, 2, 0, 1, 6, 2, 2, 1}).get()), "{0,1:T(8,128)(2,1)S(5)}");
}

TEST(LayoutFields, RefuseWhatIsNoList) {
  EXPECT_EQ(refused({1}), "fields[0] is minor_to_major: how many values it has is missing");
  EXPECT_EQ(refused({1, 2, 0, 1, 6}), "fields[4] is tile: how many values it has is missing");
  EXPECT_EQ(refused({1, 3, 0, 1}), "fields[1] says that minor_to_major has 3 values, 2 are left");
  EXPECT_EQ(refused({1, 1, 0, 8, -1}), "fields[4] says that memory_space has -1 values, 0 are left");
  EXPECT_EQ(refused({1, INT64_MAX}), "fields[1] says that minor_to_major has 9223372036854775807 values, 0 are left");
  EXPECT_EQ(refused({1, 0, 1, 0}), "fields[2] is minor_to_major, which was given before");
  EXPECT_EQ(refused({8, 1, 3, 8, 1, 3}), "fields[3] is memory_space, which was given before");
  EXPECT_EQ(refused({8, 2, 3, 4}), "memory_space has 2 values, it takes 1");
  EXPECT_EQ(refused({17, 0}), "split has 0 values, it takes 1");
  EXPECT_EQ(refused({3, 1, int64_t{1} << 32}), "padding_value is 4294967296, which does not fit 32 bits");
  EXPECT_THAT(refused({1, 2, 0, 1, 2, 1, 7}), HasSubstr("padded_dimensions"));
  EXPECT_THAT(refused({2, 1, 7}), HasSubstr("padded_dimensions"));
  for (const int64_t unknown : {0, 4, 5, 9, 18, 63, 64, 65, 1 << 20})
    EXPECT_THAT(refused({1, 1, 0, unknown, 0}, XLASHAPE_STATUS_INCOMPATIBLE),
                HasSubstr("fields[3] is field " + std::to_string(unknown) + ", which this library"));
  EXPECT_THAT(refused({INT64_MIN, 0}, XLASHAPE_STATUS_INCOMPATIBLE), HasSubstr("-9223372036854775808"));
  // The layout's own rules.
  EXPECT_THAT(refused({1, 2, 0, 0}), HasSubstr("minor_to_major"));
  EXPECT_THAT(refused({8, 1, 200}), HasSubstr("memory_space is 200, which does not fit 8 bits"));
}

TEST(LayoutFields, RefuseNull) {
  const int64_t fields[] = {1, 1, 0};
  xlashape_layout* made = nullptr;
  int64_t needed;
  null_refused("fields", [&](auto* err) { return xlashape_layout_create_from_fields(nullptr, 3, &made, err); });
  null_refused("layout", [&](auto* err) { return xlashape_layout_create_from_fields(fields, 3, nullptr, err); });
  null_refused("layout", [&](auto* err) { return xlashape_layout_fields(nullptr, nullptr, 0, &needed, err); });
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT,
                      [&](auto* err) { return xlashape_layout_create_from_fields(fields, -1, &made, err); }),
              HasSubstr("size is -1"));
  EXPECT_EQ(made, nullptr);
}

struct PlanFields : testing::Test {
  api::Shape a = shape("u8[3,3]"), b = shape("u8[2,4]{0,1}");

  xlashape_status create(const Values& fields, xlashape_plan** made, xlashape_error* err) const {
    return xlashape_plan_create_from_fields(nullptr, a.get(), b.get(), fields.data(),
                                            static_cast<int64_t>(fields.size()), made, err);
  }
  std::string refused(const Values& fields, xlashape_status status = XLASHAPE_STATUS_INVALID_ARGUMENT) const {
    return message(status, [&](xlashape_error* err) {
      xlashape_plan* made = nullptr;
      const xlashape_status result = create(fields, &made, err);
      EXPECT_EQ(made, nullptr);
      return result;
    });
  }
  static Values named(const std::string& name, Values more = {XLASHAPE_PLAN_FIELD_EXTENT, 2, 1, 1}) {
    more.push_back(XLASHAPE_PLAN_FIELD_BACKEND);
    more.push_back(static_cast<int64_t>(name.size()));
    for (const char c : name) more.push_back(static_cast<unsigned char>(c));
    return more;
  }
};

TEST_F(PlanFields, Box) {
  const Values box = {XLASHAPE_PLAN_FIELD_SRC_BASE, 2, 1, 0, XLASHAPE_PLAN_FIELD_DST_BASE, 2, 0, 2,
                      XLASHAPE_PLAN_FIELD_EXTENT,   2, 2, 2};
  for (const Values& fields : {box, named("scalar", box)}) {
    const Plan p = api::make<Plan>([&](auto** made, auto* err) { return create(fields, made, err); });
    const std::vector<uint8_t> src = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::vector<uint8_t> dst(8, 0xEE);
    api::ok([&](auto* err) { return xlashape_plan_execute(p.get(), src.data(), dst.data(), err); });
    EXPECT_EQ(dst, (std::vector<uint8_t>{0xEE, 0xEE, 0xEE, 0xEE, 4, 7, 5, 8}));
  }
}

// The same plan as with the options in a struct.
TEST_F(PlanFields, AgreeWithTheStruct) {
  const auto padded = shape("u8[3,3]{0,1:PD(4,4)PV(one)}");
  const int64_t strides[] = {-3, 1};
  for (const int32_t policy : {XLASHAPE_FILL_PADDING, XLASHAPE_FILL_PRESERVE}) {
    xlashape_relayout_options options = {};
    options.struct_size = sizeof options;
    options.flags = XLASHAPE_PLAN_READ_SOON;
    options.fill_policy = policy;
    options.src_byte_strides = strides;
    const Values fields = {XLASHAPE_PLAN_FIELD_FLAGS,
                           1,
                           XLASHAPE_PLAN_READ_SOON,
                           XLASHAPE_PLAN_FIELD_FILL_POLICY,
                           1,
                           policy,
                           XLASHAPE_PLAN_FIELD_SRC_SPACE,
                           1,
                           XLASHAPE_SPACE_CPU,
                           XLASHAPE_PLAN_FIELD_DST_SPACE,
                           1,
                           XLASHAPE_SPACE_CPU,
                           XLASHAPE_PLAN_FIELD_DEVICE,
                           1,
                           0,
                           XLASHAPE_PLAN_FIELD_SRC_BYTE_STRIDES,
                           2,
                           -3,
                           1};
    const Plan by_struct = api::make<Plan>([&](auto** made, auto* err) {
      return xlashape_plan_create(nullptr, a.get(), padded.get(), &options, made, err);
    });
    const Plan by_fields = api::make<Plan>([&](auto** made, auto* err) {
      return xlashape_plan_create_from_fields(nullptr, a.get(), padded.get(), fields.data(),
                                              static_cast<int64_t>(fields.size()), made, err);
    });
    const std::vector<uint8_t> src = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    std::vector<uint8_t> one(16, 0xEE), other(16, 0xEE);
    api::ok([&](auto* err) { return xlashape_plan_execute(by_struct.get(), src.data() + 6, one.data(), err); });
    api::ok([&](auto* err) { return xlashape_plan_execute(by_fields.get(), src.data() + 6, other.data(), err); });
    EXPECT_EQ(one, other);
    EXPECT_EQ(one[3], policy == XLASHAPE_FILL_PADDING ? 1 : 0xEE);
    EXPECT_EQ(one[0], 7);
  }
}

TEST_F(PlanFields, Relayout) {
  const Values fields = named("scalar", {XLASHAPE_PLAN_FIELD_EXTENT, 2, 1, 2});
  const std::vector<uint8_t> src = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<uint8_t> dst(8, 0xEE);
  const auto run = [&](const xlashape_shape* from, int64_t size, int64_t room, xlashape_error* err) {
    return xlashape_relayout_from_fields(nullptr, from, src.data(), 9, b.get(), dst.data(), room, fields.data(), size,
                                         err);
  };
  const auto all = static_cast<int64_t>(fields.size());
  api::ok([&](auto* err) { return run(a.get(), all, 8, err); });
  EXPECT_EQ(dst, (std::vector<uint8_t>{1, 0xEE, 2, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE}));
  EXPECT_THAT(message(XLASHAPE_STATUS_OUT_OF_RANGE, [&](auto* err) { return run(a.get(), all, 2, err); }),
              HasSubstr("the destination, 2 were given"));
  null_refused("src_shape", [&](auto* err) { return run(nullptr, all, 8, err); });
  EXPECT_THAT(message(XLASHAPE_STATUS_INVALID_ARGUMENT, [&](auto* err) { return run(a.get(), all - 1, 8, err); }),
              HasSubstr("fields[5] says that backend has 6 values, 5 are left"));
}

TEST_F(PlanFields, DestinationStrides) {
  const auto c = shape("u8[2,2]");
  const Values fields = {XLASHAPE_PLAN_FIELD_DST_BYTE_STRIDES, 2, 1, 3};
  const Plan p = api::make<Plan>([&](auto** made, auto* err) {
    return xlashape_plan_create_from_fields(nullptr, c.get(), c.get(), fields.data(), 4, made, err);
  });
  const uint8_t src[] = {1, 2, 3, 4};
  std::vector<uint8_t> dst(6, 0xEE);
  api::ok([&](auto* err) { return xlashape_plan_execute(p.get(), src, dst.data(), err); });
  EXPECT_EQ(dst, (std::vector<uint8_t>{1, 3, 0xEE, 2, 4, 0xEE}));
}

TEST_F(PlanFields, ScalarsHaveBoxes) {
  const auto scalar = shape("u8[]{:E(8)PV(one)}");
  const Values fields = {XLASHAPE_PLAN_FIELD_EXTENT, 0};
  const Plan p = api::make<Plan>([&](auto** made, auto* err) {
    return xlashape_plan_create_from_fields(nullptr, scalar.get(), scalar.get(), fields.data(), 2, made, err);
  });
  const uint8_t src = 7;
  uint8_t dst = 0;
  api::ok([&](auto* err) { return xlashape_plan_execute(p.get(), &src, &dst, err); });
  EXPECT_EQ(dst, 7);
}

TEST_F(PlanFields, Refuse) {
  EXPECT_EQ(refused({XLASHAPE_PLAN_FIELD_EXTENT, 3, 1, 1, 1}), "extent has 3 values, it takes 2");
  EXPECT_EQ(refused({XLASHAPE_PLAN_FIELD_FLAGS, 1, -1}), "flags is -1, which does not fit 32 bits");
  EXPECT_EQ(refused({XLASHAPE_PLAN_FIELD_DEVICE, 1, 0, XLASHAPE_PLAN_FIELD_DEVICE, 1, 0}),
            "fields[3] is device, which was given before");
  EXPECT_THAT(refused({15, 0}, XLASHAPE_STATUS_INCOMPATIBLE), HasSubstr("fields[0] is field 15, which this library"));
  EXPECT_THAT(refused({XLASHAPE_PLAN_FIELD_FLAGS, 1, 1 << 30}, XLASHAPE_STATUS_INCOMPATIBLE), HasSubstr("flags"));
  EXPECT_THAT(refused({XLASHAPE_PLAN_FIELD_SRC_SPACE, 1, 64}), HasSubstr("src_space is 64"));
  EXPECT_THAT(refused({XLASHAPE_PLAN_FIELD_DST_SPACE, 1, -1}), HasSubstr("dst_space is -1"));
  EXPECT_THAT(refused(named("scalarx"), XLASHAPE_STATUS_NOT_FOUND), HasSubstr("scalarx"));
  EXPECT_THAT(refused(named(std::string("scalar\0x", 8))), HasSubstr("byte 6 of backend is 0"));
  EXPECT_THAT(refused(named("")), HasSubstr("backend has 0 bytes, it takes 1 to 256"));
  EXPECT_THAT(refused(named(std::string(257, 'x'))), HasSubstr("backend has 257 bytes, it takes 1 to 256"));
  EXPECT_THAT(refused(named(std::string(256, 'x')), XLASHAPE_STATUS_NOT_FOUND), HasSubstr("xxxx"));
  // A CPU backend has the current device and no other.
  EXPECT_THAT(
      refused({XLASHAPE_PLAN_FIELD_EXTENT, 2, 1, 1, XLASHAPE_PLAN_FIELD_DEVICE, 1, 8}, XLASHAPE_STATUS_OUT_OF_RANGE),
      HasSubstr("there is no device number 7: backend "));
  EXPECT_THAT(refused({XLASHAPE_PLAN_FIELD_EXTENT, 2, 1, 1, XLASHAPE_PLAN_FIELD_DEVICE, 1, -1}),
              HasSubstr("device is -1"));
  xlashape_plan* made = nullptr;
  null_refused("plan", [&](auto* err) { return create({}, nullptr, err); });
  null_refused("fields", [&](auto* err) {
    return xlashape_plan_create_from_fields(nullptr, a.get(), a.get(), nullptr, 1, &made, err);
  });
  null_refused("src_shape", [&](auto* err) {
    return xlashape_plan_create_from_fields(nullptr, nullptr, a.get(), nullptr, 0, &made, err);
  });
  null_refused("dst_shape", [&](auto* err) {
    return xlashape_plan_create_from_fields(nullptr, a.get(), nullptr, nullptr, 0, &made, err);
  });
  EXPECT_EQ(made, nullptr);
}

}  // namespace
