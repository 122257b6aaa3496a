// Manifests: what they say, where they are wrong, and whether a backend fits.
#include "runtime/manifest.h"

#include <gmock/gmock.h>

#include "platform/files.h"
#include "runtime/cpu.h"
#include "xlashape_backend.h"

namespace xlashape::core {
namespace {

using testing::HasSubstr;

std::string wrong(const std::string& text) {
  Manifest manifest;
  xlashape_error err{};
  err.struct_size = sizeof err;
  return parse_manifest(text, &manifest, &err) == XLASHAPE_STATUS_OK ? "fine" : err.message;
}

const std::string kHead = "manifest = 1\nname = \"foo\"\nabi = \"0.1\"\n";

TEST(Manifest, Defaults) {
  Manifest m;
  ASSERT_EQ(parse_manifest(kHead, &m, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(m.name, "foo");
  EXPECT_EQ(m.entry, "foo");
  EXPECT_EQ(m.library, "foo" + std::string(kLibrarySuffix));
  EXPECT_EQ(m.abi, 1u);
  EXPECT_EQ(m.cpu_features, 0u);
  EXPECT_EQ(m.memory, Memory::kUnknown);
  EXPECT_FALSE(m.has_priority);
  EXPECT_EQ(m.sanitizer, "");
}

TEST(Manifest, Everything) {
  Manifest m;
  ASSERT_EQ(parse_manifest(kHead + "library = \"../lib/bound.so\"\nentry = \"bound\"\ncpu = \"avx2,bmi2\"\nmemory = "
                                   "\"device\"\npriority = -7\nsanitizer = \"address\"\n[role.copy_linear]\nsymbol = "
                                   "\"memcpy\"\nok = 0\n",
                           &m, nullptr),
            XLASHAPE_STATUS_OK);
  EXPECT_EQ(m.library, "../lib/bound.so");
  EXPECT_EQ(m.entry, "bound");
  EXPECT_EQ(m.cpu_features & XLASHAPE_CPU_AVX2, XLASHAPE_CPU_AVX2);
  EXPECT_EQ(m.memory, Memory::kDevice);
  EXPECT_TRUE(m.has_priority);
  EXPECT_EQ(m.priority, -7);
  EXPECT_EQ(m.sanitizer, "address");
}

TEST(Manifest, MistakesHaveLineAndColumn) {
  const struct {
    std::string text;
    const char* message;
  } cases[] = {
      {"", "\"manifest = 1\" is missing"},
      {"manifest = 1\nabi = \"0.1\"\n", "\"name\" is missing"},
      {"manifest = 1\nname = \"a\"\n", "\"abi\" is missing"},
      {"manifest = 2\n", "line 1, column 12: \"manifest\" must be a number from 1 to 1"},
      {kHead + "cpus = \"avx2\"\n", "line 4, column 1: unknown key \"cpus\""},
      {kHead + "\n  Name = \"x\"\n", "line 5, column 3: unknown key \"Name\""},
      {kHead + "zz = 1\naa = 2\n", "line 4, column 1: unknown key \"zz\""},
      {kHead + "cpu = \"avx2,amx\"\n", "line 4, column 7: \"cpu\" names amx"},
      {kHead + "cpu = 3\n", "line 4, column 7: \"cpu\" must be a text"},
      {kHead + "memory = \"gpu\"\n", "\"memory\" must be \"host\" or \"device\""},
      {kHead + "priority = 1.5\n", "\"priority\" must be a number"},
      {kHead + "priority = 99999999\n", "\"priority\" must be a number from -1000000 to 1000000"},
      {kHead + "library = \"\"\n", "\"library\" is empty"},
      {kHead + "entry = \"a-b\"\n", "\"entry\" must be letters, digits and _"},
      {kHead + "library = \"a\\u0000b\"\n", "\"library\" contains a NUL"},
      {kHead + "[role.copy]\nsymbol = \"memcpy\"\n", "[role.NAME] is for entry = \"bound\", here it is \"foo\""},
      {kHead + "role = 1\n", "\"role\" must be tables"},
      {kHead + "[role]\ncopy = 1\n", "\"role\" must hold tables"},
      {kHead + "[other]\n", "unknown key \"other\""},
      {kHead + "cpu = \"avx2\n", "line 4"},
      {kHead + "cpu == \"avx2\"\n", "line 4, column 6"},
      {kHead + "name = \"again\"\n", "line 4"},
      {"manifest = 1\nname = \"a\"\nabi = \"1\"\n", "\"abi\" must be a version"},
      {"manifest = 1\nname = \"a\"\nabi = \"0.1.2\"\n", "\"abi\" must be a version"},
      {"\x7F"
       "ELF\x02\x01",
       "line 1"},
      {std::string(1000, '['), "line 1"},
      {"[=]", "line 1"},
      {"a.=1", "line 1"},
      {"\n\xCE\x92", "line 2, column 1: a manifest must be ASCII"},
      {kHead + "cpu = \"\xC3\xA9\"\n", "line 4, column 8: a manifest must be ASCII"},
      {"[a", "line 1"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(wrong(text), HasSubstr(message)) << text;
  EXPECT_EQ(wrong(kHead), "fine");
}

TEST(Manifest, Names) {
  for (const char* good : {"a", "A_9", "0"}) EXPECT_TRUE(is_backend_name(good)) << good;
  for (const char* bad : {"", "a-b", "a.b", "a b", "ä", "a/b"}) EXPECT_FALSE(is_backend_name(bad)) << bad;
  EXPECT_TRUE(is_backend_name(std::string(63, 'a')));
  EXPECT_FALSE(is_backend_name(std::string(64, 'a')));
}

bool no_sanitizer(std::string_view) { return false; }
bool any_sanitizer(std::string_view) { return true; }

TEST(Manifest, Fits) {
  Manifest m;
  ASSERT_EQ(parse_manifest(kHead, &m, nullptr), XLASHAPE_STATUS_OK);
  EXPECT_EQ(unfit(m, 0, no_sanitizer), "");
  uint64_t avx2 = 0, sse4 = 0;
  features_up_to("avx2", &avx2), features_up_to("sse4", &sse4);
  m.cpu_features = XLASHAPE_CPU_AVX2 | XLASHAPE_CPU_SSE4;
  EXPECT_EQ(unfit(m, avx2, no_sanitizer), "");
  EXPECT_THAT(unfit(m, sse4, no_sanitizer), HasSubstr("cpu: it needs avx2,"));
  m.cpu_features = 0;
  m.sanitizer = "address";
  EXPECT_THAT(unfit(m, 0, no_sanitizer), HasSubstr("sanitizer: it was built for the address sanitizer"));
  EXPECT_EQ(unfit(m, 0, any_sanitizer), "");
  m.sanitizer = "";
  for (const uint32_t other : {2u, 1u << 16, (7u << 16) | 1u}) {
    m.abi = other;
    EXPECT_THAT(unfit(m, 0, no_sanitizer), HasSubstr("abi: it speaks plugin ABI")) << other;
  }
}

}  // namespace
}  // namespace xlashape::core
