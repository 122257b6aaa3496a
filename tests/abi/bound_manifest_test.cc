// SPDX-License-Identifier: Apache-2.0
// Manifests of the bound backend that are wrong: each is refused, with line, column and what it is about.
#include "abi/bound_test.h"
#include "xlashape_runtime.h"

namespace foreign {
namespace {

using testing::HasSubstr;

class BoundManifest : public Bound {};

constexpr xlashape_status kAnyFailure = -1;  // the loader's own, before the backend sees the manifest

// Line 6 is the first that the test writes.
struct Case {
  const char* roles;
  xlashape_status status;
  const char* message;
};

constexpr char kArguments[] = "arguments = [\"pointer dst\", \"pointer src\", \"u64 bytes\"]\n";

TEST_F(BoundManifest, Hostile) {
  const Case cases[] = {
      {"", XLASHAPE_STATUS_PARSE, "it has no [role.NAME]"},
      {"[role.copy_linear\n", kAnyFailure, "line 6"},
      {"[role.copy]\n", XLASHAPE_STATUS_PARSE, "line 6, column 7: unknown role \"copy\""},
      {"[role]\ncopy_linear = 3\n", kAnyFailure, "line 7"},
      {"[role.copy_linear]\n", XLASHAPE_STATUS_PARSE, "line 6, column 1: [role.copy_linear] has no \"symbol\""},
      {"[role.copy_linear]\nsymbol = \"vendor_copy\"\n", XLASHAPE_STATUS_PARSE, "has no \"library\""},
      {"[role.copy_linear]\nsymbol = \"vendor_copy\"\nlibrary = \"@VENDOR\"\n", XLASHAPE_STATUS_PARSE,
       "has no \"arguments\""},
      {"[role.copy_linear]\nsymbol = 3\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 10: \"symbol\" must be a text in quotes"},
      {"[role.copy_linear]\nsymbol = \"a\\u0000b\"\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 10: \"symbol\" must be a text"},
      {"[role.copy_linear]\nsymbols = \"x\"\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 1: unknown key \"symbols\" in [role.copy_linear]"},
      {"[role.copy_linear]\nelement = \"f32\"\n", XLASHAPE_STATUS_PARSE, "line 7, column 1: unknown key \"element\""},
      {"[role.transpose_2d]\nelement = \"s32\"\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 11: \"element\" must be \"f32\""},
      {"[role.copy_2d]\nsymbol = \"a\"\nlibrary = \"b\"\narguments = [\"pointer src\", \"pointer dst\", \"i32 "
       "columns\"]\n",
       XLASHAPE_STATUS_PARSE, "[role.copy_2d] has no \"element\""},
      {"[role.copy_linear]\nmin_bytes = 0\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 13: \"min_bytes\" must be a number from 1"},
      {"[role.copy_linear]\nmin_bytes = 1.5\n", XLASHAPE_STATUS_PARSE, "line 7, column 13"},
      {"[role.copy_linear]\nreturns = \"int\"\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 11: \"returns\" must be a type"},
      {"[role.copy_linear]\nok = \"0\"\n", XLASHAPE_STATUS_PARSE, "line 7, column 6: \"ok\" must be a number"},
      {"[role.copy_linear]\narguments = \"src\"\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 13: \"arguments\" must be a list"},
      {"[role.copy_linear]\narguments = [3]\n", XLASHAPE_STATUS_PARSE, "line 7, column 14: an argument must be a text"},
      {"[role.copy_linear]\narguments = [\"i32\"]\n", XLASHAPE_STATUS_PARSE,
       "column 14: an argument must be a type and a value"},
      {"[role.copy_linear]\narguments = [\"struct src\"]\n", XLASHAPE_STATUS_PARSE, "\"struct\" is no type"},
      {"[role.copy_linear]\narguments = [\"void src\"]\n", XLASHAPE_STATUS_PARSE, "\"void\" is no type"},
      {"[role.copy_linear]\narguments = [\"i32 src\"]\n", XLASHAPE_STATUS_PARSE, "\"src\" cannot be passed as i32"},
      {"[role.copy_linear]\narguments = [\"pointer* src\"]\n", XLASHAPE_STATUS_PARSE,
       "\"src\" cannot be passed as pointer"},
      {"[role.copy_linear]\narguments = [\"pointer bytes\"]\n", XLASHAPE_STATUS_PARSE,
       "\"bytes\" cannot be passed as pointer"},
      {"[role.copy_linear]\narguments = [\"f32 bytes\"]\n", XLASHAPE_STATUS_PARSE, "\"bytes\" cannot be passed as f32"},
      {"[role.copy_linear]\narguments = [\"pointer 12345\"]\n", XLASHAPE_STATUS_PARSE, "a pointer must be src or dst"},
      {"[role.copy_linear]\narguments = [\"i32 rows\"]\n", XLASHAPE_STATUS_PARSE, "copy_linear has no value \"rows\""},
      {"[role.copy_linear]\narguments = [\"i32 12x\"]\n", XLASHAPE_STATUS_PARSE, "\"12x\" is neither a number"},
      {"[role.copy_linear]\narguments = [\"i32 2147483648\"]\n", XLASHAPE_STATUS_PARSE,
       "\"2147483648\" is neither a number"},
      {"[role.copy_linear]\narguments = [\"u32 -1\"]\n", XLASHAPE_STATUS_PARSE, "\"-1\" is neither a number"},
      {"[role.copy_linear]\narguments = [\"size -1\"]\n", XLASHAPE_STATUS_PARSE, "\"-1\" is neither a number"},
      {"[role.copy_linear]\narguments = [\"i64 9223372036854775808\"]\n", XLASHAPE_STATUS_PARSE, "is neither a number"},
      {"[role.copy_linear]\narguments = [\"f32 1e39\"]\n", XLASHAPE_STATUS_PARSE, "\"1e39\" is neither a number"},
      {"[role.copy_linear]\narguments = [\"f64 1e309\"]\n", XLASHAPE_STATUS_PARSE, "\"1e309\" is neither a number"},
      {"[role.copy_linear]\narguments = [\"f32 1 0\"]\n", XLASHAPE_STATUS_PARSE, "too many values"},
      {"[role.copy_linear]\narguments = [\"f32* 1 0 0\"]\n", XLASHAPE_STATUS_PARSE, "too many values"},
      {"[role.copy_linear]\narguments = [\"pointer src\", \"u64 bytes\"]\n", XLASHAPE_STATUS_PARSE,
       "line 7, column 13: the arguments must hold \"pointer src\" and \"pointer dst\""},
      {"[role.copy_linear]\narguments = [\"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", "
       "\"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"i32 1\", \"pointer src\", "
       "\"pointer dst\"]\n",
       XLASHAPE_STATUS_PARSE, "more than 16 arguments"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.roles);
    fresh();
    const xlashape_status status = load_roles(each.roles);
    EXPECT_TRUE(status == each.status || (each.status == kAnyFailure && status != XLASHAPE_STATUS_OK)) << status;
    EXPECT_THAT(err_.message, HasSubstr(each.message));
    EXPECT_TRUE(same_as_scalar("f32[5,7]{1,0}", "f32[5,7]{0,1}", "scalar")) << "the runtime goes on without it";
  }
}

TEST_F(BoundManifest, WhatIsNotThere) {
  const std::string head = "[role.copy_linear]\n";
  EXPECT_EQ(load_roles(head + kArguments + "library = \"@VENDOR\"\nsymbol = \"vendor_nothing\"\n"),
            XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_THAT(err_.message, HasSubstr("has no symbol vendor_nothing"));
  fresh();
  EXPECT_EQ(load_roles(head + kArguments + "library = \"/no/such/library.so\"\nsymbol = \"memcpy\"\n"),
            XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_THAT(err_.message, HasSubstr("/no/such/library.so"));
  fresh();
  // A path is never one from the folder that the process happens to be in.
  EXPECT_EQ(load_roles(head + kArguments + "library = \"./library.so\"\nsymbol = \"memcpy\"\n"),
            XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_THAT(err_.message, HasSubstr("/xlashape_bound_"));
  fresh();
  EXPECT_EQ(load_roles(head + kArguments + "library = \"@VENDOR\"\nsymbol = \"vendor_copy\"\nok = 0\n"),
            XLASHAPE_STATUS_PARSE);
  EXPECT_THAT(err_.message, HasSubstr("\"ok\" needs \"returns\""));
}

TEST_F(BoundManifest, NoManifestAtAll) {
  EXPECT_EQ(load(env("XLASHAPE_TEST_BOUND")), XLASHAPE_STATUS_INVALID_ARGUMENT);
  EXPECT_THAT(err_.message, HasSubstr("it needs a manifest"));
  EXPECT_THAT(report(), HasSubstr("it needs a manifest"));
}

// A folder of the program's own may hold such manifests; one that the environment names may not.
TEST_F(BoundManifest, WhereTheyMayLie) {
  std::string roles = "[role.copy_linear]\nlibrary = \"@VENDOR\"\nsymbol = \"vendor_copy\"\n" + std::string(kArguments);
  roles.replace(roles.find("@VENDOR"), 7, env("XLASHAPE_TEST_VENDOR"));
  folder_.write("vendor", roles);
  constexpr uint32_t kNowhereElse = XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
  fresh(kNowhereElse | XLASHAPE_RUNTIME_NO_ENVIRONMENT, folder_.path().c_str());
  EXPECT_TRUE(same_as_scalar("s8[70000]{0}", "s8[70000]{0}", "vendor"));
  ASSERT_EQ(setenv("XLASHAPE_BACKEND_PATH", folder_.path().c_str(), 1), 0);
  fresh(kNowhereElse);
  EXPECT_FALSE(same_as_scalar("s8[70000]{0}", "s8[70000]{0}", "vendor"));
  EXPECT_THAT(report(),
              HasSubstr("roles: a manifest with [role.NAME] is used by path or from options.backend_dirs only"));
  ASSERT_EQ(unsetenv("XLASHAPE_BACKEND_PATH"), 0);
}

// Two manifests share the object: two backends.
TEST_F(BoundManifest, TwoOfThem) {
  const std::string manifests = env("XLASHAPE_TEST_MANIFESTS");
  ASSERT_EQ(load(manifests + "/libc.xlashape.toml"), XLASHAPE_STATUS_OK) << err_.message;
  ASSERT_EQ(
      load_roles("[role.copy_linear]\nlibrary = \"@VENDOR\"\nsymbol = \"vendor_copy\"\n" + std::string(kArguments)),
      XLASHAPE_STATUS_OK)
      << err_.message;
  EXPECT_TRUE(same_as_scalar("s8[70000]{0}", "s8[70000]{0}", "libc"));
  EXPECT_TRUE(same_as_scalar("s8[70000]{0}", "s8[70000]{0}", "vendor"));
}

}  // namespace
}  // namespace foreign
