// SPDX-License-Identifier: Apache-2.0
// Each broken plugin: the process lives, the other backends work, and the report names file, stage and reason.
#include <csignal>

#include "loader.h"

namespace {

using namespace loader;
using testing::AllOf;
using testing::HasSubstr;

// A broken plugin in a folder, with a good one beside it. `file` is in the folder already, or a plugin of this name.
void expect_failed(const Folder& folder, const std::string& name, const std::string& stage, const std::string& reason) {
  if (!fs::exists(folder.file(name + ".so"))) folder.add(name);
  folder.add("good");
  const Runtime runtime(folder.path());
  EXPECT_EQ(runtime.transpose(), "good") << name;
  EXPECT_EQ(runtime.transpose("scalar"), "scalar") << name;
  EXPECT_THAT(runtime.line(name), AllOf(HasSubstr("not in use"), HasSubstr(folder.file(name + ".so")),
                                        HasSubstr(": " + stage + ": "), HasSubstr(reason)));
  EXPECT_THAT(runtime.transpose(name.c_str()), AllOf(HasSubstr(name), HasSubstr(stage), HasSubstr("report")));
  EXPECT_EQ(runtime.transpose(name.c_str(), XLASHAPE_PLAN_ALLOW_FALLBACK), "good");
  // By path: the same, as an error.
  const Runtime other;
  EXPECT_THAT(other.load(folder.file(name + ".so")), AllOf(HasSubstr(stage), HasSubstr(reason)));
  EXPECT_EQ(other.transpose(), "scalar");
}

TEST(Broken, NotOpened) {
  const struct {
    const char *name, *stage, *reason;
  } cases[] = {
      {"no_symbol", "symbol", "does not export xlashape_backend_open_no_symbol"},
      {"undefined_symbol", "dlopen", "xlashape_yet_to_come"},
      {"newer_abi", "version", "it speaks plugin ABI 7.3"},
      {"older_abi", "version", "it speaks plugin ABI 0.0"},
      {"wrong_name", "name", "calls itself scalar"},
      {"no_name", "name", "its table has no name"},
      {"refuses", "open", "the licence has run out"},
      {"no_slots", "table", "no plan_execute"},
      {"garbage_table", "table", "struct_size of its table is 4294967040"},
      {"wrong_everywhere", "smoke test", "byte 0 is 0x"},
      {"says_sanitized", "sanitizer", "built for the memory sanitizer"},
  };
  for (const auto& c : cases) {
    const Folder folder;
    expect_failed(folder, c.name, c.stage, c.reason);
  }
}

// dlsym looks into dependencies too: an entry that lies there is somebody else's.
TEST(Broken, EntryOnlyInADependency) {
  const Folder folder;
  folder.add("libdependency");
  expect_failed(folder, "in_dependency", "symbol", "a library it depends on does");
}

TEST(Broken, FilesThatAreNoObjects) {
  const std::string good = text_of(plugin("good"));
  ASSERT_GT(good.size(), 4096u);
  const auto with = [&](size_t at, char byte) {
    std::string text = good;
    text[at] = byte;
    return text;
  };
  const struct {
    std::string text;
    const char* reason;
  } cases[] = {
      {"#!/bin/sh\necho a text file\n", "first bytes are not those of ELF"},
      {"", "first bytes are not those of ELF"},
      {good.substr(0, 20), "truncated"},
      {good.substr(0, 100), "truncated"},
      {good.substr(0, good.size() / 4), "truncated"},
      {with(4, sizeof(void*) == 8 ? 1 : 2), "wrong ELF class"},
      {with(5, good[5] == 1 ? 2 : 1), "other byte order"},
      {with(good[5] == 1 ? 18 : 19, 3), "another processor"},
      {with(good[5] == 1 ? 16 : 17, 1), "not a shared object"},
      {with(good[5] == 1 ? 54 : 55, 7), "damaged"},
  };
  for (const auto& c : cases) {
    const Folder folder;
    folder.write("broken.so", c.text);
    expect_failed(folder, "broken", "file", c.reason);
  }
}

TEST(Broken, FolderWithTheNameOfABackend) {
  const Folder folder;
  fs::create_directory(folder.file("broken.so"));
  expect_failed(folder, "broken", "file", "not a regular file");
}

// A plan that cannot be made by the backend of first choice is made by the next.
TEST(Broken, PlansFallBack) {
  for (const auto& [name, reason] : {std::pair{"out_of_memory", "no memory for the twiddle factors"},
                                     std::pair{"garbage_plan", "plan_size asks for -1 bytes"}}) {
    const Folder folder;
    folder.add(name);
    const Runtime runtime(folder.path());
    EXPECT_EQ(runtime.transpose(), "scalar");
    EXPECT_THAT(runtime.line(name), AllOf(HasSubstr("ready"), HasSubstr("could not make 1 plans"), HasSubstr(reason)));
    EXPECT_THAT(runtime.transpose(name), HasSubstr(reason)) << "an explicit request fails with the reason";
    EXPECT_EQ(runtime.transpose(name, XLASHAPE_PLAN_ALLOW_FALLBACK), "scalar");
    EXPECT_THAT(runtime.line(name), HasSubstr("could not make 3 plans"));
  }
}

TEST(Broken, ManifestsThatDecideBeforeTheFileIsMapped) {
  const std::string head = "manifest = 1\nname = \"good\"\nabi = \"0.1\"\n";
  const struct {
    std::string text;
    const char* reason;
  } cases[] = {
    {head + "sanitizer = \"memory\"\n", "sanitizer: it was built for the memory sanitizer"},
#if defined(__x86_64__)
    {head + "cpu = \"sve\"\n", "cpu: it needs neon sve"},
#else
    {head + "cpu = \"avx2\"\n", "cpu: it needs"},
#endif
    {"manifest = 1\nname = \"good\"\nabi = \"7.0\"\n", "abi: it speaks plugin ABI 7.0"},
    {head + "colour = \"red\"\n", "manifest: line 4, column 1: unknown key"},
    {head + "library = \"nothing.so\"\n", "No such file"},
  };
  for (const auto& c : cases) {
    const Folder folder;
    folder.add("good");
    folder.write("good.xlashape.toml", c.text);
    const Runtime runtime(folder.path());
    EXPECT_EQ(runtime.transpose(), "scalar") << c.text;
    EXPECT_THAT(runtime.line("good"),
                AllOf(HasSubstr("not in use"), HasSubstr("good.xlashape.toml"), HasSubstr(c.reason)));
    EXPECT_FALSE(is_mapped(folder.path()));
  }
}

// Beyond the reach of any code of ours: these end the process, and nothing else does.
TEST(Broken, WhatEndsTheProcess) {
  if (kThreadSanitizer || kAddressSanitizer)
    GTEST_SKIP() << "the sanitizer answers the signals that this test waits for";
  const auto load = [](const std::string& name) {
    return in_child([&] {
      if (std::freopen("/dev/null", "w", stderr) == nullptr) return 9;
      const Runtime runtime;
      return runtime.load(plugin(name)).empty() ? 0 : 7;
    });
  };
  EXPECT_EQ(load("good"), 0);
  EXPECT_EQ(load("refuses"), 7);
  EXPECT_EQ(load("aborting"), 128 + SIGABRT);
  EXPECT_EQ(load("throwing"), 7) << "caught, but it went through the dynamic linker: who knows what that left behind";
  EXPECT_EQ(load("crash_open"), 128 + SIGSEGV);
  if (fs::exists(plugin("sanitized"))) {
    const int status = load("sanitized");
    EXPECT_TRUE(status != 0 && status != 7)
        << "its runtime ends a process that it was not loaded into first: " << status;
    const Folder folder;
    folder.add("sanitized");
    folder.write("sanitized.xlashape.toml",
                 "manifest = 1\nname = \"sanitized\"\nabi = \"0.1\"\nsanitizer = \"address\"\n");
    const Runtime runtime(folder.path());
    EXPECT_EQ(runtime.transpose(), "scalar") << "with a manifest it is not even mapped";
    EXPECT_THAT(runtime.line("sanitized"), HasSubstr("sanitizer: "));
  }
}

}  // namespace
