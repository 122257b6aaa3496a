// Paths in messages, and files that are opened without waiting for anybody.
#include "runtime/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace xlashape {
namespace {

TEST(Files, ShownIsOneLineOfUtf8) {
  EXPECT_EQ(shown("/home/j\xc3\xbcrgen/\xe2\x82\xac/\xf0\x9f\x98\x80 a$b\\"), "/home/j\xc3\xbcrgen/\xe2\x82\xac/\xf0\x9f\x98\x80 a$b\\");
  EXPECT_EQ(shown("a\nb\x1b[2J\x7f\tc"), "a\\x0ab\\x1b[2J\\x7f\\x09c");
  EXPECT_EQ(shown("\xc2\x9b" "31m"), "\\xc2\\x9b31m") << "C1 controls are taken for escapes by terminals";
  EXPECT_EQ(shown("\xff/\xc3"), "\\xff/\\xc3");
  EXPECT_EQ(shown("\xc0\xaf \xe0\x80\x80 \xf0\x80\x80\x80"), "\\xc0\\xaf \\xe0\\x80\\x80 \\xf0\\x80\\x80\\x80") << "overlong";
  EXPECT_EQ(shown("\xed\xa0\x80 \xf4\x90\x80\x80 \xf5\x80\x80\x80"), "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xf5\\x80\\x80\\x80");
  EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(shown(shown("\x1b")), shown("\x1b")) << "once more changes nothing";
}

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
  EXPECT_EQ(reason, "no regular file");
  EXPECT_EQ(open_regular(folder, &reason), nullptr);
  EXPECT_EQ(reason, "no regular file");
  EXPECT_EQ(open_regular("/dev/null", &reason), nullptr);
  EXPECT_EQ(reason, "no regular file");
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
}  // namespace xlashape
