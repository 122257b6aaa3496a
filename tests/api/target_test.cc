// SPDX-License-Identifier: Apache-2.0
// Targets through the C API.
#include "api.h"
#include "xlashape_target.h"

namespace {

using api::failure;
using api::message;
using api::ok;

xlashape_status from_name(std::string_view name, int32_t* target, xlashape_error* err) {
  return xlashape_target_from_name(name.data(), name.size(), target, err);
}

int32_t target(std::string_view name) {
  int32_t found = -1;
  ok([&](auto* err) { return from_name(name, &found, err); });
  return found;
}

const int32_t kCount = static_cast<int32_t>(xlashape_target_count());

std::string names() {
  std::string all;
  for (int32_t one = 0; one < kCount; ++one) all += std::string(one > 0 ? " " : "") + xlashape_target_name(one);
  return all;
}

TEST(Target, NamesAndNumbers) {
  ASSERT_GE(kCount, 9);
  for (int32_t one = 0; one < kCount; ++one) {
    const char* name = xlashape_target_name(one);
    ASSERT_NE(name, nullptr) << one;
    EXPECT_EQ(target(name), one);
  }
  for (const int32_t none : {-1, kCount, INT32_MIN, INT32_MAX}) EXPECT_EQ(xlashape_target_name(none), nullptr) << none;
}

// jax's device_kind, libtpu's names of topologies, platforms.
TEST(Target, AsOthersCallThem) {
  const auto name = [](std::string_view word) { return std::string(xlashape_target_name(target(word))); };
  for (const char* word : {"v5e", "TPU v5 lite", "v5e:2x2", "tpu:v5e", "TPU v5e", "tpu_v5e", "v5litepod-"})
    EXPECT_EQ(name(word), "tpu:v5e") << word;
  EXPECT_EQ(name("TPU v4"), "tpu:v4");
  EXPECT_EQ(name("v4:2x2x1"), "tpu:v4");
  EXPECT_EQ(name("TPU v5"), "tpu:v5p");
  EXPECT_EQ(name("TPU v6 lite"), "tpu:v6e");
  EXPECT_EQ(name("TPU7x"), "tpu:v7x");
  EXPECT_EQ(name("tpu7x:2x2x1"), "tpu:v7x");
  EXPECT_EQ(name("CUDA"), "gpu");
}

TEST(Target, UnknownNamesAreAnsweredWithTheKnownOnes) {
  int32_t found = -1;
  for (const std::string& name :
       {std::string("tpu"), std::string("TPU v9"), std::string("tpu:v4:2y2"), std::string("tpu:v"),
        std::string("cpu\0", 4), std::string(), std::string(100000, 'x'), std::string("\n\x80")}) {
    const std::string text =
        message(XLASHAPE_STATUS_NOT_FOUND, [&](auto* err) { return from_name(name, &found, err); });
    EXPECT_NE(text.find(names()), std::string::npos) << text;
  }
  EXPECT_THAT(message(XLASHAPE_STATUS_NOT_FOUND, [&](auto* err) { return from_name("v5f", &found, err); }),
              testing::HasSubstr("did you mean tpu:v5e?"));
  const auto said = [&](std::string_view name) {
    return message(XLASHAPE_STATUS_NOT_FOUND, [&](auto* err) { return from_name(name, &found, err); });
  };
  EXPECT_THAT(said("tpu:v5"), testing::HasSubstr("did you mean tpu:v5e?"));
  EXPECT_THAT(said("tpu:v8"), testing::Not(testing::HasSubstr("did you mean")));
  EXPECT_THAT(said("tpu"), testing::Not(testing::HasSubstr("did you mean")));
  EXPECT_EQ(found, -1);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_target_from_name, "cpu", -1, &found);
}

TEST(Target, Properties) {
  const auto properties = [](std::string_view name) {
    auto info = XLASHAPE_INIT(xlashape_target_info);
    ok(xlashape_target_properties, target(name), &info);
    return std::vector<int32_t>{info.lanes, info.sublanes, info.pointer_bytes, info.tuple_alignment};
  };
  EXPECT_EQ(properties("cpu"), (std::vector<int32_t>{0, 0, 8, 1}));
  EXPECT_EQ(properties("gpu"), (std::vector<int32_t>{0, 0, 8, 1}));
  EXPECT_EQ(properties("tpu:v2"), (std::vector<int32_t>{128, 8, 4, 1024}));
  EXPECT_EQ(properties("tpu:v4"), (std::vector<int32_t>{128, 8, 4, 512}));
  EXPECT_EQ(properties("tpu:v7x"), (std::vector<int32_t>{128, 8, 4, 32}));
  auto info = XLASHAPE_INIT(xlashape_target_info);
  for (const int32_t none : {-1, kCount})
    message(XLASHAPE_STATUS_OUT_OF_RANGE, xlashape_target_properties, none, &info);
}

TEST(Target, TablesOfTuples) {
  const auto bytes = [](std::string_view name, int64_t elements) {
    int64_t size = -1;
    ok(xlashape_target_tuple_bytes, target(name), elements, &size);
    return size;
  };
  EXPECT_EQ(bytes("tpu:v5e", 128), 512);
  EXPECT_EQ(bytes("tpu:v5e", 129), 1024);
  EXPECT_EQ(bytes("tpu:v5p", 8), 32);
  EXPECT_EQ(bytes("tpu:v5p", 9), 64);
  EXPECT_EQ(bytes("tpu:v3", 1), 1024);
  EXPECT_EQ(bytes("cpu", 3), 24);
  EXPECT_EQ(bytes("cpu", 0), 0);
  int64_t size = -1;
  const auto refused = [&](xlashape_status want, int32_t of, int64_t elements) {
    message(want, xlashape_target_tuple_bytes, of, elements, &size);
  };
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, kCount, 1);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, target("cpu"), -1);
  refused(XLASHAPE_STATUS_OVERFLOW, target("cpu"), INT64_MAX / 8 + 1);
  refused(XLASHAPE_STATUS_OVERFLOW, target("tpu:v5e"), INT64_MAX / 4);
  EXPECT_EQ(size, -1);
}

TEST(Target, MemorySpaces) {
  const auto name = [](const char* want, std::string_view of, int64_t space) {
    api::answers_text(want, [&](auto... out) { return xlashape_target_memory_space_name(target(of), space, out...); });
  };
  name("hbm", "tpu:v5e", 0);
  name("vmem", "tpu:v5e", 1);
  name("smem", "tpu:v4", 2);
  name("host", "tpu:v2", 5);
  char text[16];
  int64_t needed;
  for (const auto& [of, space] : {std::pair<std::string_view, int64_t>{"tpu:v4", 1},
                                  {"tpu:v4", 3},
                                  {"cpu", 0},
                                  {"tpu:v5e", -1},
                                  {"tpu:v5e", 16},
                                  {"tpu:v5e", INT64_MAX}})
    message(XLASHAPE_STATUS_UNSUPPORTED, xlashape_target_memory_space_name, target(of), space, text, 16, &needed);
}

std::string layout_for(std::string_view name, int32_t type, const api::Ints& dimensions,
                       const int64_t* order = nullptr) {
  xlashape_layout* layout = nullptr;
  ok([&](auto* err) {
    xlashape_layout_release(layout);
    layout = nullptr;
    return xlashape_target_layout(target(name), type, dimensions.data(), order, dimensions.size(), &layout, err);
  });
  const std::string text = api::text_of(layout);
  xlashape_layout_release(layout);
  return text;
}

TEST(Target, Layout) {
  EXPECT_EQ(layout_for("tpu:v5e", XLASHAPE_TYPE_F32, {1000, 3}), "{0,1:T(4,128)}");
  EXPECT_EQ(layout_for("tpu:v5e", XLASHAPE_TYPE_F32, {}), "{:T(128)}");
  EXPECT_EQ(layout_for("cpu", XLASHAPE_TYPE_S4, {8, 3}), "{1,0:E(4)}");
  const int64_t order[] = {1, 0}, twice[] = {1, 1}, beyond[] = {2, 0};
  EXPECT_EQ(layout_for("tpu:v5e", XLASHAPE_TYPE_F32, {1000, 3}, order), "{1,0:T(8,128)}");
  // More dimensions than fit into the layout's own memory.
  EXPECT_EQ(layout_for("tpu:v4", XLASHAPE_TYPE_F32, {2, 2, 2, 2, 2, 2, 2, 2, 128, 8}),
            "{8,9,7,6,5,4,3,2,1,0:T(8,128)}");
  xlashape_layout* layout = nullptr;
  const int64_t two[] = {1000, 3}, negative[] = {4, -1}, unbounded[] = {4, XLASHAPE_DIMENSION_UNBOUNDED},
                huge[] = {INT64_MAX, 3};
  const auto refused = [&](xlashape_status want, int32_t of, int32_t type, const int64_t* dimensions,
                           const int64_t* minor_to_major) {
    return message(want, xlashape_target_layout, of, type, dimensions, minor_to_major, 2, &layout);
  };
  const int32_t tpu = target("tpu:v6e"), f32 = XLASHAPE_TYPE_F32;
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, kCount, f32, two, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, tpu, XLASHAPE_TYPE_TOKEN, two, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, tpu, 1000, two, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, tpu, XLASHAPE_TYPE_F6E3M2FN, two, nullptr);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, tpu, f32, negative, nullptr);
  refused(XLASHAPE_STATUS_UNSUPPORTED, tpu, f32, unbounded, nullptr);
  EXPECT_NE(refused(XLASHAPE_STATUS_OVERFLOW, tpu, f32, huge, nullptr).find("dimension 1"), std::string::npos);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, tpu, f32, two, twice);
  refused(XLASHAPE_STATUS_INVALID_ARGUMENT, tpu, f32, two, beyond);
  message(XLASHAPE_STATUS_INVALID_ARGUMENT, xlashape_target_layout, tpu, f32, two, order, -1, &layout);
  EXPECT_EQ(layout, nullptr);
}

TEST(Target, ShapeForTarget) {
  const api::Shape shape = api::shape("(f32[1000,3]{1,0:T(2,2)S(1)}, token[])");
  const auto made = [&](uint32_t flags) {
    xlashape_shape* result = nullptr;
    ok([&](auto* err) {
      xlashape_shape_release(result);
      return xlashape_shape_for_target(shape.get(), target("tpu:v4"), flags, &result, err);
    });
    const std::string text = api::text_of(result);
    xlashape_shape_release(result);
    return text;
  };
  EXPECT_EQ(made(0), "(f32[1000,3]{0,1:T(4,128)}, token[])");
  EXPECT_EQ(made(XLASHAPE_TARGET_KEEP_ORDER), "(f32[1000,3]{1,0:T(8,128)}, token[])");
  xlashape_shape* result = nullptr;
  const auto refused = [&](xlashape_status want, const char* text, int32_t of, uint32_t flags) {
    const api::Shape bad = api::shape(text);
    return failure(want, xlashape_shape_for_target, bad.get(), of, flags, &result);
  };
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "token[]", 3, 0).index, -1);
  EXPECT_EQ(refused(XLASHAPE_STATUS_UNSUPPORTED, "(f32[2], opaque[], (f32[3,?]))", 3, 0).index, 1);
  refused(XLASHAPE_STATUS_OUT_OF_RANGE, "f32[2]", -1, 0);
  refused(XLASHAPE_STATUS_INCOMPATIBLE, "f32[2]", 3, 2);
  EXPECT_EQ(result, nullptr);
}

}  // namespace
