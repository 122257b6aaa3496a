// SPDX-License-Identifier: Apache-2.0
// Manifests: what they say, where they are wrong, and whether a backend fits.
#include "runtime/manifest.h"

#include <gmock/gmock.h>
#include <pthread.h>

#include "ir/manifest_text.h"
#include "platform/files.h"
#include "runtime/cpu.h"
#include "xlashape_backend.h"

namespace xlashape::core {
namespace {

using testing::HasSubstr;

std::string wrong(const std::string& text) {
  Manifest manifest;
  auto err = XLASHAPE_INIT(xlashape_error);
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
      {kHead + "cpu = \"avx2,,sse4\"\n", "line 4, column 7: \"cpu\" has an empty name in its list"},
      {kHead + "cpu = \" \"\n", "line 4, column 7: \"cpu\" has an empty name in its list"},
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
      {kHead + "[role.a]\nb = 1\n[role.c]\nb = 1\n[ role . a ]\n", "line 8, column 1: it is there already"},
      {kHead + "[role.a]\nb = 1\nc = 1\nb = 1\n", "line 7, column 1: it is there already"},
      {kHead + std::string(64, 'a') + " = 1\n", "line 4, column 1: unknown key"},
      {kHead + std::string(65, 'a') + " = 1\n", "line 4, column 1: a name of more than 64 letters"},
      {kHead + "[role.a." + std::string(1000, 'b') + "]\n", "line 4, column 9: a name of more than 64 letters"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(wrong(text), HasSubstr(message)) << text;
  EXPECT_EQ(wrong(kHead), "fine");
}

// What there is of TOML, and what is not.
TEST(Manifest, TextsAndNumbers) {
  const auto library = [](const std::string& value) {
    Manifest m;
    auto err = XLASHAPE_INIT(xlashape_error);
    return parse_manifest(kHead + "library = " + value + "\n", &m, &err) == XLASHAPE_STATUS_OK ? m.library
                                                                                               : err.message;
  };
  EXPECT_EQ(library("\"a\" # of b"), "a");
  EXPECT_EQ(library("'C:\\a\\u00e9'"), "C:\\a\\u00e9");
  EXPECT_EQ(library("\"\\\\ \\\" \\t\\u00e9\\u20AC\\U0001F600\""), "\\ \" \t\u00e9\u20ac\U0001F600");
  EXPECT_EQ(library("\t\"#\"\r"), "#");
  for (const char* bad : {"\"a", "'a", "\"a\nb\"", "\"\\x41\"", "\"\\u00\"", "\"\\ud800\"", "\"\\U00110000\"",
                          "\"\\u-001\"", "\"a\" \"b\"", "\"\"\"a\"\"\"", "{a = 1}", "a", "\"\x01\"", "\"\\"})
    EXPECT_THAT(library(bad), HasSubstr("line 4, column ")) << bad;
  EXPECT_EQ(wrong("manifest = +1\r\nname = \"foo\"\r\nabi=\"0.1\"\r\npriority = -10\r\n"), "fine");
  for (const char* bad : {"1_000", "010", "-010", "0x10", "+-1", "1e3", "9223372036854775808", "true"})
    EXPECT_THAT(wrong(kHead + "priority = " + bad), HasSubstr("line 4, column 12: \"priority\" must be a number"))
        << bad;
  EXPECT_THAT(wrong(kHead + "  [ role . x ] # y\n"), HasSubstr("line 4, column 5: [role.NAME] is for entry"));
}

// Nothing needs more stack than anything else: a thread with little of it may be the one that searches.
TEST(Manifest, NestingTakesNoStack) {
  const auto times = [](const char* text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  for (const int depth : {4, 200, 5000}) {
    for (const std::string& text : {"a = " + times("{b=", depth) + "1" + times("}", depth),
                                    "a = " + times("[", depth) + times("]", depth), times("a.", depth) + "a = 1",
                                    "[" + times("a.", depth) + "a]", times("[", depth), "a = " + times("[\n", depth)}) {
      std::string message;
      std::pair<const std::string*, std::string*> both{&text, &message};
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, 64 << 10);
      pthread_t thread;
      const auto parse = [](void* opaque) -> void* {
        auto& [given, said] = *static_cast<decltype(both)*>(opaque);
        *said = wrong(kHead + *given + "\n");
        return nullptr;
      };
      ASSERT_EQ(pthread_create(&thread, &attributes, parse, &both), 0);
      pthread_join(thread, nullptr);
      pthread_attr_destroy(&attributes);
      EXPECT_THAT(message, HasSubstr("line ")) << text.substr(0, 40);
    }
  }
}

// Each entry knows its table: the longest names of a table and as many keys as the text has room for.
TEST(Manifest, TakesFewTimesItsText) {
  const std::string part(ir::ManifestText::kMostLetters, 'x');
  std::string text = "[" + part + "." + part + "." + part + "]\n";
  for (int i = 0; text.size() < ir::ManifestText::kMostBytes - 10; ++i) text += std::to_string(i) + "=1\n";
  ir::ManifestText read;
  ASSERT_TRUE(read.read(text)) << read.wrong;
  size_t bytes = read.entries.capacity() * sizeof read.entries[0];
  for (const auto& entry : read.entries) {
    bytes += entry.table.capacity() * sizeof entry.table[0];
    for (const auto& name : entry.table) bytes += name.text.capacity();
  }
  EXPECT_LT(bytes, size_t{16} << 20);
  EXPECT_FALSE(ir::ManifestText().read("[" + part + "x]\n"));
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
