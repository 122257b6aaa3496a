// Targets through the C API.
#include "api.h"

namespace {

using api::failure;
using api::message;
using api::ok;

constexpr int32_t kLast = XLASHAPE_TARGET_TPU_V7X;
constexpr const char* kNames = "cpu gpu tpu:v2 tpu:v3 tpu:v4 tpu:v5e tpu:v5p tpu:v6e tpu:v7x";

xlashape_status from_name(std::string_view name, int32_t* target, xlashape_error* err) {
  return xlashape_target_from_name(name.data(), name.size(), target, err);
}

TEST(Target, NamesAndNumbers) {
  std::string names;
  for (int32_t target = 1; target <= kLast; ++target) {
    const char* name = xlashape_target_name(target);
    ASSERT_NE(name, nullptr) << target;
    names += names.empty() ? name : std::string(" ") + name;
    int32_t found = -1;
    ok([&](auto* err) { return from_name(name, &found, err); });
    EXPECT_EQ(found, target);
  }
  EXPECT_EQ(names, kNames);
  for (const int32_t target : {0, -1, kLast + 1, INT32_MIN, INT32_MAX})
    EXPECT_EQ(xlashape_target_name(target), nullptr) << target;
  EXPECT_STREQ(xlashape_target_name(XLASHAPE_TARGET_TPU_V5E), "tpu:v5e");
}

TEST(Target, UnknownNamesAreAnsweredWithTheKnownOnes) {
  int32_t target = -1;
  for (const std::string& name :
       {std::string("tpu"), std::string("TPU:v4"), std::string("tpu:v4 "), std::string("tpu:v"),
        std::string("cpu\0", 4), std::string(), std::string(100000, 'x'), std::string("\n\x80")}) {
    const std::string text =
        message(XLASHAPE_STATUS_NOT_FOUND, [&](auto* err) { return from_name(name, &target, err); });
    EXPECT_NE(text.find(kNames), std::string::npos) << text;
  }
  EXPECT_EQ(target, -1);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_target_from_name, "cpu", -1, &target);
}

TEST(Target, Properties) {
  const auto properties = [](int32_t target) {
    auto info = XLASHAPE_INIT(xlashape_target_info);
    ok(xlashape_target_properties, target, &info);
    return std::vector<int32_t>{info.lanes, info.sublanes, info.pointer_bytes, info.tuple_alignment};
  };
  EXPECT_EQ(properties(XLASHAPE_TARGET_CPU), (std::vector<int32_t>{0, 0, 8, 1}));
  EXPECT_EQ(properties(XLASHAPE_TARGET_GPU), (std::vector<int32_t>{0, 0, 8, 1}));
  EXPECT_EQ(properties(XLASHAPE_TARGET_TPU_V2), (std::vector<int32_t>{128, 8, 4, 1024}));
  EXPECT_EQ(properties(XLASHAPE_TARGET_TPU_V4), (std::vector<int32_t>{128, 8, 4, 512}));
  EXPECT_EQ(properties(XLASHAPE_TARGET_TPU_V7X), (std::vector<int32_t>{128, 8, 4, 32}));
  auto info = XLASHAPE_INIT(xlashape_target_info);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_target_properties, 0, &info);
}

TEST(Target, TablesOfTuples) {
  const auto bytes = [](int32_t target, int64_t elements) {
    int64_t size = -1;
    ok(xlashape_target_tuple_bytes, target, elements, &size);
    return size;
  };
  EXPECT_EQ(bytes(XLASHAPE_TARGET_TPU_V5E, 128), 512);
  EXPECT_EQ(bytes(XLASHAPE_TARGET_TPU_V5E, 129), 1024);
  EXPECT_EQ(bytes(XLASHAPE_TARGET_TPU_V5P, 8), 32);
  EXPECT_EQ(bytes(XLASHAPE_TARGET_TPU_V5P, 9), 64);
  EXPECT_EQ(bytes(XLASHAPE_TARGET_TPU_V3, 1), 1024);
  EXPECT_EQ(bytes(XLASHAPE_TARGET_CPU, 3), 24);
  EXPECT_EQ(bytes(XLASHAPE_TARGET_CPU, 0), 0);
  int64_t size = -1;
  const auto refused = [&](xlashape_status want, int32_t target, int64_t elements) {
    message(want, xlashape_target_tuple_bytes, target, elements, &size);
  };
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, 0, 1);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, XLASHAPE_TARGET_CPU, -1);
  refused(XLASHAPE_STATUS_OVERFLOW, XLASHAPE_TARGET_CPU, INT64_MAX / 8 + 1);
  refused(XLASHAPE_STATUS_OVERFLOW, XLASHAPE_TARGET_TPU_V5E, INT64_MAX / 4);
  EXPECT_EQ(size, -1);
}

TEST(Target, MemorySpaces) {
  const auto name = [](const char* want, int32_t target, int64_t space) {
    api::answers_text(want, [&](auto... out) { return xlashape_target_memory_space_name(target, space, out...); });
  };
  name("hbm", XLASHAPE_TARGET_TPU_V5E, 0);
  name("vmem", XLASHAPE_TARGET_TPU_V5E, 1);
  name("smem", XLASHAPE_TARGET_TPU_V4, 2);
  name("host", XLASHAPE_TARGET_TPU_V2, 5);
  char text[16];
  int64_t needed;
  for (const auto& [target, space] : {std::pair<int32_t, int64_t>{XLASHAPE_TARGET_TPU_V4, 1},
                                      {XLASHAPE_TARGET_TPU_V4, 3},
                                      {XLASHAPE_TARGET_CPU, 0},
                                      {XLASHAPE_TARGET_TPU_V5E, -1},
                                      {XLASHAPE_TARGET_TPU_V5E, 16},
                                      {XLASHAPE_TARGET_TPU_V5E, INT64_MAX}})
    message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_target_memory_space_name, target, space, text, 16, &needed);
}

std::string layout_for(int32_t target, int32_t type, const api::Ints& dimensions, const int64_t* order = nullptr) {
  xlashape_layout* layout = nullptr;
  ok([&](auto* err) {
    xlashape_layout_release(layout);
    layout = nullptr;
    return xlashape_target_layout(target, type, dimensions.data(), order, dimensions.size(), &layout, err);
  });
  const std::string text = api::text_of(layout);
  xlashape_layout_release(layout);
  return text;
}

TEST(Target, Layout) {
  EXPECT_EQ(layout_for(XLASHAPE_TARGET_TPU_V5E, XLASHAPE_TYPE_F32, {1000, 3}), "{0,1:T(4,128)}");
  EXPECT_EQ(layout_for(XLASHAPE_TARGET_TPU_V5E, XLASHAPE_TYPE_F32, {}), "{:T(128)}");
  EXPECT_EQ(layout_for(XLASHAPE_TARGET_CPU, XLASHAPE_TYPE_S4, {8, 3}), "{1,0:E(4)}");
  const int64_t order[] = {1, 0}, twice[] = {1, 1}, beyond[] = {2, 0};
  EXPECT_EQ(layout_for(XLASHAPE_TARGET_TPU_V5E, XLASHAPE_TYPE_F32, {1000, 3}, order), "{1,0:T(8,128)}");
  // More dimensions than fit into the layout's own memory.
  EXPECT_EQ(layout_for(XLASHAPE_TARGET_TPU_V4, XLASHAPE_TYPE_F32, {2, 2, 2, 2, 2, 2, 2, 2, 128, 8}),
            "{8,9,7,6,5,4,3,2,1,0:T(8,128)}");
  xlashape_layout* layout = nullptr;
  const int64_t two[] = {1000, 3}, negative[] = {4, -1}, unbounded[] = {4, XLASHAPE_DIMENSION_UNBOUNDED},
                huge[] = {INT64_MAX, 3};
  const auto refused = [&](xlashape_status want, int32_t target, int32_t type, const int64_t* dimensions,
                           const int64_t* minor_to_major) {
    return message(want, xlashape_target_layout, target, type, dimensions, minor_to_major, 2, &layout);
  };
  constexpr int32_t kTpu = XLASHAPE_TARGET_TPU_V6E, kF32 = XLASHAPE_TYPE_F32;
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, 0, kF32, two, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, kTpu, XLASHAPE_TYPE_TOKEN, two, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, kTpu, 1000, two, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, kTpu, XLASHAPE_TYPE_F6E3M2FN, two, nullptr);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, kTpu, kF32, negative, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, kTpu, kF32, unbounded, nullptr);
  EXPECT_NE(refused(XLASHAPE_STATUS_OVERFLOW, kTpu, kF32, huge, nullptr).find("dimension 1"), std::string::npos);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, kTpu, kF32, two, twice);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, kTpu, kF32, two, beyond);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_target_layout, kTpu, kF32, two, order, -1, &layout);
  EXPECT_EQ(layout, nullptr);
}

TEST(Target, ShapeForTarget) {
  const api::Shape shape = api::shape("(f32[1000,3]{1,0:T(2,2)S(1)}, token[])");
  const auto made = [&](uint32_t flags) {
    xlashape_shape* result = nullptr;
    ok([&](auto* err) {
      xlashape_shape_release(result);
      return xlashape_shape_for_target(shape.get(), XLASHAPE_TARGET_TPU_V4, flags, &result, err);
    });
    const std::string text = api::text_of(result);
    xlashape_shape_release(result);
    return text;
  };
  EXPECT_EQ(made(0), "(f32[1000,3]{0,1:T(4,128)}, token[])");
  EXPECT_EQ(made(XLASHAPE_TARGET_KEEP_ORDER), "(f32[1000,3]{1,0:T(8,128)}, token[])");
  xlashape_shape* result = nullptr;
  const auto refused = [&](xlashape_status want, const char* text, int32_t target, uint32_t flags) {
    const api::Shape bad = api::shape(text);
    return failure(want, xlashape_shape_for_target, bad.get(), target, flags, &result);
  };
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "token[]", 3, 0).index, -1);
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "(f32[2], opaque[], (f32[3,?]))", 3, 0).index, 1);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, "f32[2]", 0, 0);
  refused(XLASHAPE_STATUS_INCOMPATIBLE, "f32[2]", 3, 2);
  EXPECT_EQ(result, nullptr);
}

}  // namespace
