// SPDX-License-Identifier: Apache-2.0
// The eight environment variables, where the user's settings are, and who may not use them.
#include "runtime/environment.h"

#include <gtest/gtest.h>

#include <cstring>

#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

const char* all(const char* name) {
  if (std::strcmp(name, "XLASHAPE_CPU") == 0) return "avx2";
  if (std::strcmp(name, "XLASHAPE_BACKEND") == 0) return "scalar";
  if (std::strcmp(name, "XLASHAPE_BACKEND_PATH") == 0) return "/a:/b";
  if (std::strcmp(name, "XLASHAPE_BACKEND_OPTIONS") == 0) return "cuda.kernels=portable";
  if (std::strcmp(name, "XLASHAPE_LOG") == 0) return "debug";
  if (std::strcmp(name, "XLASHAPE_VERIFY") == 0) return "64";
  if (std::strcmp(name, "XLASHAPE_PROFILE") == 0) return "/p";
  if (std::strcmp(name, "XLASHAPE_THREADS") == 0) return "3";
  if (std::strcmp(name, "HOME") == 0) return "/home/me";
  if (std::strcmp(name, "XDG_CONFIG_HOME") == 0) return "/settings";
  if (std::strcmp(name, "LOCALAPPDATA") == 0) return "C:\\settings";
  ADD_FAILURE() << name << " is read: there are eight variables, and those of settings";
  return nullptr;
}
const char* none(const char*) { return nullptr; }

TEST(Environment, EightVariables) {
  const Environment e = read_environment(all, all);
  EXPECT_EQ(e.cpu, "avx2");
  EXPECT_EQ(e.backend, "scalar");
  EXPECT_EQ(e.backend_path, "/a:/b");
  EXPECT_EQ(e.backend_options, "cuda.kernels=portable");
  EXPECT_EQ(e.log, "debug");
  EXPECT_EQ(e.verify, "64");
  EXPECT_EQ(e.profile, "/p");
  EXPECT_EQ(e.threads, "3");
#ifdef _WIN32
  EXPECT_EQ(e.settings[0], "C:\\settings");
#else
  EXPECT_EQ(e.settings[0], "/settings");
  EXPECT_EQ(e.settings[1], "/home/me/.config");
#endif
  EXPECT_EQ(e.ignored, "");
}

TEST(Environment, BackendOrAny) {
  const auto with = [](const char* value) {
    static const char* text;
    text = value;
    const Lookup lookup = [](const char* name) { return std::strcmp(name, "XLASHAPE_BACKEND") == 0 ? text : nullptr; };
    const Environment e = read_environment(lookup, lookup);
    return e.backend + (e.backend_or_any ? " or any" : "");
  };
  EXPECT_EQ(with("blk"), "blk");
  EXPECT_EQ(with("blk,*"), "blk or any");
  EXPECT_EQ(with(",*"), " or any");
  for (const char* other : {"blk*", "blk,", "*", "blk,*,simd", "blk,*x", "blk, *"}) EXPECT_EQ(with(other), other);
}

TEST(Environment, Workers) {
  EXPECT_EQ(worker_count("1"), 1);
  EXPECT_EQ(worker_count("4096"), 4096);
  EXPECT_EQ(worker_count("all"), XLASHAPE_THREADS_ALL);
  for (const char* wrong : {"", "0", "-1", "4097", "two", "ALL", "1.5", " 2", "2 ", "99999999999999999999"})
    EXPECT_EQ(worker_count(wrong), 0) << wrong;
}

TEST(Environment, NotTrustedIsSaid) {
  const Environment e = read_environment(none, all);
  EXPECT_EQ(e.cpu + e.backend + e.backend_path + e.backend_options + e.log + e.verify + e.profile, "");
  EXPECT_EQ(e.ignored,
            "XLASHAPE_CPU, XLASHAPE_BACKEND, XLASHAPE_BACKEND_PATH, XLASHAPE_BACKEND_OPTIONS, XLASHAPE_LOG, "
            "XLASHAPE_VERIFY, XLASHAPE_PROFILE, XLASHAPE_THREADS");
  EXPECT_EQ(e.settings[0], "");
  EXPECT_EQ(read_environment(none, none).ignored, "");
}

TEST(Environment, LogLevels) {
  EXPECT_EQ(log_level("error"), 1);
  EXPECT_EQ(log_level("warning"), 2);
  EXPECT_EQ(log_level("3"), 3);
  EXPECT_EQ(log_level("debug"), 4);
  for (const char* bad : {"", "0", "5", "DEBUG", "info ", "33"}) EXPECT_EQ(log_level(bad), -1) << bad;
}

TEST(Environment, VerifyCount) {
  EXPECT_EQ(whole_number("0"), 0);
  EXPECT_EQ(whole_number("64"), 64);
  EXPECT_EQ(whole_number("007"), 7);
  EXPECT_EQ(whole_number("999999999999999999"), 999999999999999999);
  for (const char* bad : {"", "-1", "+1", "1k", " 1", "1 ", "0x10", "all", "1000000000000000000"})
    EXPECT_EQ(whole_number(bad), -1) << bad;
}

}  // namespace
}  // namespace xlashape::core
