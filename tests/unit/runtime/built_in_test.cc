// SPDX-License-Identifier: Apache-2.0
// A library that was built without a backend for lack of a package says so wherever a person looks.
#define XLASHAPE_STATIC_BACKENDS
#define XLASHAPE_SIMD_IS_BUILT false
#define XLASHAPE_LEFT_OUT LEFT_OUT(simd, "hwy/highway.h was not found: install Highway") LEFT_OUT(scalar, "")
#include "runtime/built_in.cc"  // instead of the archive's

#include <gtest/gtest.h>

#include <string>

#include "xlashape_runtime.h"

namespace {

xlashape_runtime* make(uint32_t flags) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_INSTALL_DIR | flags;
  xlashape_runtime* runtime = nullptr;
  EXPECT_EQ(xlashape_runtime_create(&options, &runtime, nullptr), XLASHAPE_STATUS_OK);
  return runtime;
}

std::string text_of(xlashape_runtime* runtime, int32_t what) {
  std::string text(1024, '\0');
  int64_t needed = 0;
  EXPECT_EQ(xlashape_runtime_backend_text(runtime, 1, what, text.data(), 1024, &needed, nullptr), XLASHAPE_STATUS_OK);
  return text.c_str();
}

TEST(LeftOut, IsListedWithItsReason) {
  xlashape_runtime* const runtime = make(0);
  ASSERT_EQ(xlashape_runtime_backend_count(runtime), 2) << "the built-in one is not left out, whatever the list says";
  auto info = XLASHAPE_INIT(xlashape_backend_info);
  ASSERT_EQ(xlashape_runtime_backend_info(runtime, 1, &info, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(info.state, XLASHAPE_BACKEND_STATE_FAILED);
  EXPECT_EQ(text_of(runtime, XLASHAPE_BACKEND_TEXT_NAME), "simd");
  EXPECT_EQ(text_of(runtime, XLASHAPE_BACKEND_TEXT_DETAIL),
            "this library was built without it: hwy/highway.h was not found: install Highway");
  std::string report(1 << 14, '\0');
  int64_t needed = 0;
  ASSERT_EQ(xlashape_runtime_report(runtime, report.data(), 1 << 14, &needed, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_NE(report.find("backend simd: not in use, left out of this build, priority 100: this library was built "
                        "without it: hwy/highway.h was not found"),
            std::string::npos)
      << report.c_str();
  xlashape_runtime_release(runtime);
}

TEST(LeftOut, IsNamedWhereItIsAskedFor) {
  xlashape_runtime* const runtime = make(0);
  xlashape_shape* shape = nullptr;
  ASSERT_EQ(xlashape_shape_parse("f32[2,3]", 8, 0, &shape, nullptr), XLASHAPE_STATUS_OK);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = "simd";
  xlashape_plan* plan = nullptr;
  auto err = XLASHAPE_INIT(xlashape_error);
  EXPECT_EQ(xlashape_plan_create(runtime, shape, shape, &options, &plan, &err), XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_NE(std::string(err.message).find("hwy/highway.h was not found"), std::string::npos) << err.message;
  xlashape_shape_release(shape);
  xlashape_runtime_release(runtime);
}

TEST(LeftOut, IsNotWantedWhereTheLibrarysFolderIsNotLookedInto) {
  xlashape_runtime* const runtime = make(XLASHAPE_RUNTIME_NO_LIBRARY_DIR);
  EXPECT_EQ(xlashape_runtime_backend_count(runtime), 1);
  xlashape_runtime_release(runtime);
}

}  // namespace
