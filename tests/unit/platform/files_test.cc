// Files that are opened without waiting for anybody.
#include "platform/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

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

}  // namespace
}  // namespace xlashape::core
