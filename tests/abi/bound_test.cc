// SPDX-License-Identifier: Apache-2.0
// The bound backend: vendor routines in their roles, used where they move bits, refused with the reason where not.
#include "abi/bound_test.h"

#include <dlfcn.h>

#include <algorithm>
#include <numeric>

namespace foreign {
namespace {

using testing::HasSubstr;

constexpr char kRightRoles[] = R"(
[role.copy_linear]
library = "@VENDOR"
symbol = "vendor_copy"
arguments = ["pointer dst", "pointer src", "u64 bytes"]
returns = "i32"
ok = 7
min_bytes = 1
[role.copy_2d]
library = "@VENDOR"
symbol = "vendor_copy_2d"
arguments = ["pointer src", "i64 src_pitch", "pointer dst", "i64 dst_pitch", "i64 row_bytes", "i64 rows"]
min_bytes = 1
[role.transpose_2d]
library = "@VENDOR"
symbol = "vendor_transpose_"
arguments = ["i32* rows", "i32* columns", "f32* 1", "pointer src", "i32* src_pitch", "pointer dst", "i32* dst_pitch"]
element = "f32"
min_bytes = 1
)";

TEST_F(Bound, MemcpyOfTheCLibrary) {
  ASSERT_EQ(load(env("XLASHAPE_TEST_MANIFESTS") + "/libc.xlashape.toml"), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_TRUE(same_as_scalar("f32[512,100]{1,0}", "f32[512,100]{1,0}", "libc"));
  EXPECT_TRUE(same_as_scalar("s8[70001]{0}", "s8[70001]{0}", "libc"));
  EXPECT_EQ(describe(plan("s8[70001]{0}", "s8[70001]{0}", "libc")),
            "bound copy_linear by memcpy, 1 calls of 70001 bytes");
  // Not worth a call through libffi: 64 KiB is the least.
  EXPECT_FALSE(same_as_scalar("s8[65535]{0}", "s8[65535]{0}", "libc"));
  EXPECT_TRUE(same_as_scalar("s8[65536]{0}", "s8[65536]{0}", "libc"));
  EXPECT_FALSE(same_as_scalar("f32[512,512]{1,0}", "f32[512,512]{0,1}", "libc")) << "a transpose is no copy";
  EXPECT_THAT(report(), HasSubstr("copy_linear memcpy"));
}

// Each of OpenBLAS's routines is used where it moves bits, and refused, with the reason, where it computes.
TEST_F(Bound, RoutinesOfOpenBlas) {
  if (dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) == nullptr)
    GTEST_SKIP() << "libopenblas is not installed: " << dlerror();
  const xlashape_status status = load(env("XLASHAPE_TEST_MANIFESTS") + "/openblas.xlashape.toml");
  const std::string said = report();
  std::printf("%s\n", said.c_str());
  int used = 0, refused = 0;
  for (const std::string role : {"copy_2d", "transpose_2d"})
    for (const auto& [type, symbol] : {std::pair{"f32", "cblas_somatcopy"}, std::pair{"f64", "cblas_domatcopy"},
                                       std::pair{"c64", "cblas_comatcopy"}, std::pair{"c128", "cblas_zomatcopy"}}) {
      const std::string label = role + "." + type + " " + symbol, array = std::string(type) + "[3,200,130]";
      SCOPED_TRACE(label);
      if (said.find("refused " + label) != std::string::npos) {
        EXPECT_THAT(said, HasSubstr("refused " + label + ": self-test: not bit for bit: "));
        ++refused;
        continue;
      }
      ++used;
      EXPECT_THAT(said, HasSubstr(" " + label));
      const std::string to = array + (role == "copy_2d" ? "{2,1,0:PD(3,200,150)}" : "{1,2,0}");
      EXPECT_TRUE(same_as_scalar(array + "{2,1,0}", to, "openblas", XLASHAPE_FILL_PRESERVE));
      EXPECT_THAT(describe(plan(array + "{2,1,0}", to, "openblas", XLASHAPE_FILL_PRESERVE)),
                  HasSubstr(role + " by cblas_"));
    }
  std::printf("%d of OpenBLAS's routines used, %d refused\n", used, refused);
  EXPECT_EQ(used + refused, 8);
  EXPECT_EQ(status == XLASHAPE_STATUS_OK, used > 0) << err_.message;
}

TEST_F(Bound, EveryRole) {
  ASSERT_EQ(load_roles(kRightRoles), XLASHAPE_STATUS_OK) << err_.message;
  EXPECT_TRUE(same_as_scalar("s16[40,50]{1,0}", "s16[40,50]{1,0}", "vendor"));
  EXPECT_THAT(describe(plan("s16[40,50]{1,0}", "s16[40,50]{1,0}", "vendor")), HasSubstr("copy_linear by vendor_copy,"));
  EXPECT_TRUE(same_as_scalar("s16[40,50]{1,0}", "s16[40,50]{1,0:PD(40,64)}", "vendor", XLASHAPE_FILL_PRESERVE));
  EXPECT_EQ(describe(plan("s16[40,50]{1,0}", "s16[40,50]{1,0:PD(40,64)}", "vendor", XLASHAPE_FILL_PRESERVE)),
            "bound copy_2d by vendor_copy_2d, 1 calls of 4000 bytes");
  EXPECT_TRUE(same_as_scalar("f32[40,50]{1,0}", "f32[40,50]{0,1}", "vendor"));
  EXPECT_EQ(describe(plan("f32[40,50]{1,0}", "f32[40,50]{0,1}", "vendor")),
            "bound transpose_2d by vendor_transpose_, 1 calls of 8000 bytes");
  EXPECT_FALSE(same_as_scalar("s16[40,50]{1,0}", "s16[40,50]{1,0:PD(40,64)}", "vendor")) << "it cannot fill";
  EXPECT_FALSE(same_as_scalar("s4[40,50]{1,0:E(4)}", "s4[40,50]{0,1:E(4)}", "vendor")) << "elements in one byte";
}

// Whatever it accepts it does as scalar does: random arrays, orders and widths.
TEST_F(Bound, RandomRelayouts) {
  ASSERT_EQ(load_roles(kRightRoles), XLASHAPE_STATUS_OK) << err_.message;
  std::mt19937_64 random(20240607);
  int done = 0;
  for (int i = 0; i < 600; ++i) {
    const size_t rank = 1 + random() % 4;
    std::string dimensions;
    const auto order = [&] {
      std::vector<size_t> permutation(rank);
      std::iota(permutation.begin(), permutation.end(), 0u);
      std::shuffle(permutation.begin(), permutation.end(), random);
      std::string text;
      for (const size_t d : permutation) text += (text.empty() ? "{" : ",") + std::to_string(d);
      return text + "}";
    };
    for (size_t d = 0; d < rank; ++d) dimensions += (d == 0 ? "[" : ",") + std::to_string(1 + random() % 9);
    const char* types[] = {"s8", "bf16", "f32", "f64", "c128"};
    const std::string array = types[random() % 5] + dimensions + "]";
    done += same_as_scalar(array + order(), array + order(), "vendor",
                           random() % 2 == 0 ? XLASHAPE_FILL_PADDING : XLASHAPE_FILL_PRESERVE);
    if (HasFailure()) return;
  }
  EXPECT_GT(done, 300);
}

// Routines that do something else than their role: found out before any data is theirs.
TEST_F(Bound, SelfTestRefuses) {
  const char copy[] = "[role.copy_linear]\nlibrary = \"@VENDOR\"\nreturns = \"i32\"\nok = 7\n";
  const char transpose[] = "[role.transpose_2d]\nlibrary = \"@VENDOR\"\nelement = \"f32\"\n";
  const std::pair<const char*, std::string> cases[] = {
      {"returned -3", std::string(copy) + R"(symbol = "vendor_fails"
arguments = ["pointer dst", "pointer src", "u64 bytes"])"},
      {"not bit for bit: element 0", std::string(copy) + R"(symbol = "vendor_forgets_the_last_byte"
arguments = ["pointer dst", "pointer src", "u64 bytes"])"},
      {"wrote outside of its destination, at byte 1 of 1", std::string(copy) + R"(symbol = "vendor_writes_one_more"
arguments = ["pointer dst", "pointer src", "u64 bytes"])"},
      {"wrote to its source", std::string(copy) + R"(symbol = "vendor_writes_its_source"
arguments = ["pointer dst", "pointer src", "u64 bytes"])"},
      {"wrote to its source", std::string(copy) + R"(symbol = "vendor_copy"
arguments = ["pointer src", "pointer dst", "u64 bytes"])"},
      {"is 0xffc12345, it must be 0xff812345", std::string(transpose) + R"(symbol = "vendor_multiplies"
arguments = ["i32 rows", "i32 columns", "f32 1", "pointer src", "i32 src_pitch", "pointer dst", "i32 dst_pitch"])"},
      {"is 0x00000000, it must be 0x00000001", std::string(transpose) + R"(symbol = "vendor_flushes"
arguments = ["i32 rows", "i32 columns", "pointer src", "i32 src_pitch", "pointer dst", "i32 dst_pitch"])"},
      {"self-test: ", std::string(transpose) + R"(symbol = "vendor_transpose_"
arguments = ["i32* columns", "i32* rows", "f32* 1",
             "pointer src", "i32* src_pitch", "pointer dst", "i32* dst_pitch"])"},
      {"self-test: ", std::string(transpose) + R"(symbol = "vendor_transpose_"
arguments = ["i32* rows", "i32* columns", "f32* 1",
             "pointer src", "i32* dst_pitch", "pointer dst", "i32* src_pitch"])"},
      {"self-test: ", std::string(transpose) + R"(symbol = "vendor_transpose_"
arguments = ["i32* rows", "i32* columns", "f32* 2",
             "pointer src", "i32* src_pitch", "pointer dst", "i32* dst_pitch"])"},
  };
  for (const auto& [reason, role] : cases) {
    SCOPED_TRACE(role);
    fresh();
    EXPECT_NE(load_roles(role), XLASHAPE_STATUS_OK);
    EXPECT_THAT(err_.message, HasSubstr(reason));
    EXPECT_THAT(err_.message, HasSubstr("no routine is left"));
  }
}

}  // namespace
}  // namespace foreign
