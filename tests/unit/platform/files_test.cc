// SPDX-License-Identifier: Apache-2.0
// Files that are opened without waiting for anybody, and what the system has too few of.
#include "platform/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/status.h"
#include "platform/location.h"
#include "platform/processor.h"

namespace xlashape::core {
namespace {

TEST(Files, OnlyRegularFilesAreOpened) {
  char path[] = "/tmp/xlashape-files-XXXXXX";
  ASSERT_NE(mkdtemp(path), nullptr);
  const std::string folder = path, pipe = folder + "/pipe", file = folder + "/file", link = folder + "/link";
  std::ofstream(file) << "x";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  ASSERT_EQ(symlink("file", link.c_str()), 0);
  std::string reason;
  EXPECT_NE(open_regular(file, &reason), nullptr) << reason;
  EXPECT_NE(open_regular(link, &reason), nullptr) << reason;
  EXPECT_EQ(open_regular(pipe, &reason), nullptr) << "and without waiting for a writer";
  EXPECT_EQ(reason, "not a regular file");
  EXPECT_EQ(open_regular(folder, &reason), nullptr);
  EXPECT_EQ(reason, "not a regular file");
  EXPECT_EQ(open_regular("/dev/null", &reason), nullptr);
  EXPECT_EQ(reason, "not a regular file");
  EXPECT_EQ(open_regular(folder + "/none", &reason), nullptr);
  EXPECT_EQ(reason, "No such file or directory");
  for (const std::string& name : {pipe, file, link}) unlink(name.c_str());
  rmdir(path);
}

TEST(Files, FolderAndName) {
  EXPECT_EQ(folder_of("/a/b"), "/a");
  EXPECT_EQ(folder_of("/a"), "/");
  EXPECT_EQ(folder_of("a"), ".");
  EXPECT_EQ(file_name("/a/b"), "b");
  EXPECT_EQ(file_name("b"), "b");
}

// Descriptors that cannot be had now may be had later, so this is not a reason like others.
TEST(Files, ShortagesAreThrown) {
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none = {0, before.rlim_max};
  std::string reason;
  std::vector<std::string> names;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  if (const int descriptor = open("/dev/null", O_RDONLY); descriptor >= 0) {
    close(descriptor);
    setrlimit(RLIMIT_NOFILE, &before);
    GTEST_SKIP() << "valgrind keeps the limit for itself";
  }
  EXPECT_THROW(open_regular("/proc/self/maps", &reason), Shortage);
  EXPECT_THROW(list_folder("/", &names, &reason), Shortage);
  EXPECT_THROW(own_location(), Shortage);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_TRUE(list_folder("/", &names, &reason)) << reason;
}

TEST(Processors, HowManyMayBeUsed) {
  EXPECT_EQ((Processors{8, 8, 0}.usable()), 8u);
  EXPECT_EQ((Processors{8, 3, 0}.usable()), 3u);
  EXPECT_EQ((Processors{8, 3, 1500}.usable()), 2u) << "rounded up";
  EXPECT_EQ((Processors{8, 3, 1000}.usable()), 1u);
  EXPECT_EQ((Processors{8, 3, 1}.usable()), 1u);
  EXPECT_EQ((Processors{8, 3, 8000}.usable()), 3u);
  EXPECT_EQ((Processors{8, 3, int64_t{1} << 62}.usable()), 3u);
  EXPECT_EQ((Processors{0, 0, 0}.usable()), 1u);
  EXPECT_EQ((Processors{1, 1, 0}.describe()), "1 processor");
  EXPECT_EQ((Processors{8, 8, 0}.describe()), "8 processors");
  EXPECT_EQ((Processors{8, 3, 0}.describe()), "affinity: 3 of 8 processors");
  EXPECT_EQ((Processors{8, 8, 2000}.describe()), "8 processors; quota: 2");
  EXPECT_EQ((Processors{8, 8, 10050}.describe()), "8 processors; quota: 10.05");
  EXPECT_EQ((Processors{8, 3, 1500}.describe()), "affinity: 3 of 8 processors; quota: 1.5");
  EXPECT_EQ((Processors{8, 3, 1}.describe()), "affinity: 3 of 8 processors; quota: 0.001");
  const Processors here = processors();
  EXPECT_GE(here.affinity, 1u);
  EXPECT_GE(here.online, here.affinity);
  EXPECT_GE(here.usable(), 1u);
}

#if defined(__linux__)
TEST(Processors, QuotasOfControlGroups) {
  char path[] = "/tmp/xlashape-groups-XXXXXX";
  ASSERT_NE(mkdtemp(path), nullptr);
  const std::string root = path;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root + name).parent_path());
    std::ofstream(root + name) << text;
  };
  const auto quota = [&](const std::string& groups) { return control_group_quota(root, groups); };
  EXPECT_EQ(quota("0::/a/b\n"), 0) << "there are none";
  write("/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(quota("0::/a/b\n"), 0);
  write("/a/b/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota("0::/a/b\n"), 1500);
  EXPECT_EQ(quota("0::/a/b/c\n"), 1500) << "a group has no more than those that it is in";
  write("/a/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota("0::/a/b\n"), 500);
  EXPECT_EQ(quota("0::/a/b"), 500) << "without a newline";
  write("/a/cpu.max", "200000 100000\n");
  EXPECT_EQ(quota("0::/a/b\n"), 1500) << "nor more than its own";
  EXPECT_EQ(quota("0::/x\n"), 0);
  write("/x/cpu.max", "100001 100000\n");
  EXPECT_EQ(quota("0::/x\n"), 1001) << "rounded up";
  write("/cpu/a/cpu.cfs_quota_us", "-1\n");
  write("/cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota("3:memory:/a\n2:cpuset:/a\n4:cpu,cpuacct:/a\n"), 0);
  write("/cpu/a/cpu.cfs_quota_us", "300000\n");
  EXPECT_EQ(quota("3:memory:/a\n2:cpuset:/a\n"), 0);
  EXPECT_EQ(quota("3:memory:/a\n4:cpuacct,cpu:/a\n2:cpuset:/a\n"), 3000);
  EXPECT_EQ(quota("4:cpu:/a\n0::/a/b\n"), 1500) << "the smaller one of two hierarchies";
  // What nobody writes, and what leads elsewhere.
  write("/cpu.max", "400000 100000");
  EXPECT_EQ(control_group_quota(root + "/a", "0::/../../../a/b\n"), 2000) << "the group that is seen: /a";
  for (const char* odd : {"", ":", "::", "0::", "0::a", "0:/", "\n\n", "0::/../a/b"})
    EXPECT_EQ(quota(odd), std::string(odd).starts_with("0::") || odd == std::string("::") ? 4000 : 0) << odd;
  EXPECT_EQ(quota("0::/" + std::string(100000, '/')), 0);
  for (const char* text :
       {"", "0 100000", "-5 100000", "1 0", "1 -1", "1", "x", "max", " 1", "\xff\xfe 1", "9223372036854775807 1",
        "9223372036854775807 9223372036854775807x", "99999999999999999999 1",
        "99999999999999999999999999999999999999999999999999999999999999999"}) {
    write("/cpu.max", text);
    EXPECT_EQ(quota("0::/\n"), 0) << text;
  }
  std::filesystem::remove(root + "/cpu.max");
  std::filesystem::create_directories(root + "/cpu.max");
  EXPECT_EQ(quota("0::/\n"), 0) << "a folder";
  std::filesystem::remove_all(root);
}
#endif

}  // namespace
}  // namespace xlashape::core
