// SPDX-License-Identifier: Apache-2.0
// Who may have put there what is run: each rule of the table in docs/backends.md.
#include "platform/trust.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#if defined(__linux__)
#include <sys/xattr.h>
#endif
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace xlashape::core {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t kStranger = 54321;

// A tree in a folder of its own. Its files belong to a stranger where `give_away` says so: root gives them away indeed;
// anybody else no longer trusts himself.
class Trust : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/xlashape-trust-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    root = fs::canonical(path).string();
  }
  void TearDown() override { fs::remove_all(root); }

  std::string folder(const std::string& name, mode_t mode = 0755) {
    fs::create_directories(root + "/" + name);
    chmod((root + "/" + name).c_str(), mode);
    return root + "/" + name;
  }
  std::string file(const std::string& name, mode_t mode = 0644) {
    std::ofstream(root + "/" + name) << "x";
    chmod((root + "/" + name).c_str(), mode);
    return root + "/" + name;
  }
  void give_away(const std::string& path) {
    if (geteuid() == 0) {
      ASSERT_EQ(lchown(path.c_str(), kStranger, getegid()), 0);
    } else {
      std::erase(trust.owners, geteuid());
    }
  }
  void give_to_group(const std::string& path) {
    if (geteuid() == 0) {
      ASSERT_EQ(chown(path.c_str(), geteuid(), kStranger), 0);
    } else {
      std::erase(trust.groups, getegid());
    }
  }
  uid_t stranger() const { return geteuid() == 0 ? kStranger : geteuid(); }
  gid_t strange_group() const { return geteuid() == 0 ? kStranger : getegid(); }

  // The path where all is well, else the reason.
  std::string look(const std::string& path, const std::string& from = "") {
    std::string reason = "left from before";
    const std::string real = trusted_path(trust, from, path, &reason);
    EXPECT_NE(real.empty(), reason.empty()) << real << reason;
    return real.empty() ? reason : real;
  }

  std::string root;
  xlashape::core::Trust trust{{0, geteuid()}, {0, getegid()}, ""};
};

TEST_F(Trust, OwnersAreRootAndTheUser) {
  const std::string inner = folder("a/b"), object = file("a/b/x.so");
  EXPECT_EQ(look(object), object);
  // Not below /bin, in whose place qemu shows that of the other processor.
  EXPECT_EQ(look("/etc/passwd"), fs::canonical("/etc/passwd")) << "root's";
  give_away(object);
  EXPECT_THAT(look(object), AllOf(HasSubstr(" belongs to user " + std::to_string(stranger()))));
}

TEST_F(Trust, FoldersAboveHaveOwnersToo) {
  folder("a/b");
  const std::string object = file("a/b/x.so");
  give_away(root + "/a");
  EXPECT_THAT(look(object), HasSubstr(" belongs to user " + std::to_string(stranger())));
  EXPECT_THAT(look(object), testing::Not(HasSubstr("x.so"))) << "it is the folder";
}

TEST_F(Trust, WritableByEverybody) {
  const std::string inner = folder("a/b"), object = file("a/b/x.so", 0646);
  EXPECT_EQ(look(object), object + " can be written by everybody");
  chmod(object.c_str(), 0644);
  EXPECT_EQ(look(object), object);
  folder("a/b", 0757);
  EXPECT_EQ(look(object), inner + " can be written by everybody");
  folder("a/b");
  folder("a", 0777);
  EXPECT_EQ(look(object), root + "/a can be written by everybody") << "who can put another b there";
}

TEST_F(Trust, WritableByGroup) {
  const std::string inner = folder("a/b", 0775), object = file("a/b/x.so", 0664);
  EXPECT_EQ(look(object), object) << "a umask of 002, and a group of one's own";
  give_to_group(object);
  EXPECT_THAT(look(object), HasSubstr(" can be written by group " + std::to_string(strange_group()) +
                                      ", which is neither root's nor that of this process"));
  folder("a", 0755), folder("a/b", 0755), chmod(object.c_str(), 0644);
  EXPECT_EQ(look(object), object) << "only read by it";
  give_to_group(root + "/a");
  folder("a", 0775);
  EXPECT_THAT(look(object), HasSubstr(root + "/a can be written by group"));
  trust.groups.push_back(strange_group());
  EXPECT_EQ(look(object), object);
}

// The group's bits are the mask of an access list then: root's own group says nothing of whom it lets write.
TEST_F(Trust, AccessLists) {
#if defined(__linux__)
  const std::string object = file("x.so", 0664);
  const auto allow = [&](uint16_t tag, uint32_t id, uint16_t permissions, uint16_t mask) {
    struct {
      uint32_t version = 2;
      struct {
        uint16_t tag, permissions;
        uint32_t id;
      } entries[5];
    } list;  // linux/posix_acl_xattr.h
    constexpr uint32_t kNobody = ~0U;
    list.entries[0] = {1, 6, kNobody};
    list.entries[tag == 2 ? 1 : 2] = {tag, permissions, id};
    list.entries[tag == 2 ? 2 : 1] = {4, 6, kNobody};
    list.entries[3] = {16, mask, kNobody};
    list.entries[4] = {32, 4, kNobody};
    return setxattr(object.c_str(), "system.posix_acl_access", &list, sizeof list, 0) == 0;
  };
  if (!allow(2, 4711, 6, 6)) GTEST_SKIP() << "this file system has no access lists";
  const std::string reason = " can be written by users or groups of its access list";
  EXPECT_EQ(look(object), object + reason);
  ASSERT_TRUE(allow(8, strange_group(), 6, 6));
  EXPECT_EQ(look(object), object + reason);
  ASSERT_TRUE(allow(2, 4711, 4, 6));
  EXPECT_EQ(look(object), object) << "only read by them";
  ASSERT_TRUE(allow(2, 4711, 6, 4));
  EXPECT_EQ(look(object), object) << "the mask takes writing away";
  ASSERT_TRUE(allow(2, geteuid(), 6, 6));
  EXPECT_EQ(look(object), object) << "the user of this process";
#else
  GTEST_SKIP() << "Linux's access lists";
#endif
}

TEST_F(Trust, StickyFolders) {
  const std::string sticky = folder("tmp", 01777), object = file("tmp/x.so"), inner = folder("tmp/mine");
  EXPECT_EQ(look(object), object) << "nobody else can move it";
  EXPECT_EQ(look(inner), inner);
  EXPECT_EQ(look(sticky), sticky + " can be written by everybody") << "others may add files";
  EXPECT_EQ(look(inner + "/.."), sticky + " can be written by everybody") << "however it is called";
  EXPECT_EQ(look(sticky + "/."), sticky + " can be written by everybody");
  give_away(inner);
  EXPECT_THAT(look(inner), HasSubstr(" belongs to user "));
}

TEST_F(Trust, EachStepOfTheWay) {
  const std::string safe = folder("safe"), object = file("safe/x.so"), open = folder("open", 0777);
  file("open/y.so");
  fs::create_symlink("../open/y.so", safe + "/y.so");
  EXPECT_EQ(look("y.so", safe), open + " can be written by everybody") << "where a link leads";
  fs::create_symlink(object, open + "/x.so");
  EXPECT_EQ(look(open + "/x.so"), open + " can be written by everybody") << "where a link lies";
  fs::create_symlink("safe", root + "/alias");
  EXPECT_EQ(look(root + "/alias/./x.so"), object);
  EXPECT_EQ(look("../alias//../safe/x.so", safe), object) << "dots and links, as the system has them";
  EXPECT_EQ(look("../open/../safe/x.so", safe), open + " can be written by everybody");
  EXPECT_EQ(look("/../../" + object), object);
  EXPECT_EQ(look("/"), "/");
  fs::create_symlink("loop", root + "/loop");
  EXPECT_THAT(look(root + "/loop"), HasSubstr(std::string("/loop: ") + std::strerror(ELOOP)));
  EXPECT_THAT(look(root + "/none"), HasSubstr("/none: No such file"));
  EXPECT_EQ(look("x.so"), "x.so is not an absolute path");
  const std::string sticky = folder("tmp", 01777);
  fs::create_symlink(object, sticky + "/theirs.so");
  EXPECT_EQ(look(sticky + "/theirs.so"), object);
  give_away(sticky + "/theirs.so");
  EXPECT_THAT(look(sticky + "/theirs.so"), HasSubstr(" belongs to user ")) << "they may point it elsewhere";
}

// Whoever can change the library has no need of a backend: a checkout of another user in a container, a volume that
// everybody may write to. But what lies beside it is looked at.
TEST_F(Trust, FoldersThatHoldTheLibraryAreNotLookedAt) {
  const std::string volume = folder("volume", 0777), lib = folder("volume/lib"),
                    backends = folder("volume/lib/xlashape");
  const std::string object = file("volume/lib/xlashape/x.so");
  EXPECT_EQ(look(object), volume + " can be written by everybody");
  trust.library = file("volume/lib/libxlashape.so");
  EXPECT_EQ(look(object), object);
  EXPECT_EQ(look(backends), backends);
  const std::string other = folder("volume/lib/other", 0777);
  EXPECT_EQ(look(other), other + " can be written by everybody") << "which does not hold it";
  folder("volume/library");
  EXPECT_EQ(look(volume), volume + " can be written by everybody") << "where backends are looked for, all may add some";
  folder("volume/lib/xlashape", 0777);
  EXPECT_EQ(look(object), backends + " can be written by everybody");
}

TEST_F(Trust, WhoOwnsTheLibraryIsTrusted) {
  Location location;
  const xlashape::core::Trust plain = own_trust(location);
  EXPECT_THAT(plain.owners, testing::ElementsAre(0, geteuid()));
  EXPECT_THAT(plain.groups, testing::ElementsAre(0, getegid()));
  location.file = "/lib/libxlashape.so";
  location.owner = kStranger;
  location.group = kStranger;
  EXPECT_EQ(own_trust(location).library, "") << "not seen to be the one that is mapped";
  EXPECT_THAT(own_trust(location).owners, testing::ElementsAre(0, geteuid()));
  location.verified = true;
  location.mode = 0755;
  EXPECT_EQ(own_trust(location).library, location.file);
  EXPECT_THAT(own_trust(location).owners, testing::ElementsAre(0, geteuid(), kStranger));
  EXPECT_THAT(own_trust(location).groups, testing::ElementsAre(0, getegid())) << "they may only read it";
  location.mode = 0775;
  EXPECT_THAT(own_trust(location).groups, testing::ElementsAre(0, getegid(), kStranger));
}

// The tests are a program with the library in it.
TEST(Location, OfAProgram) {
  const Location location = own_location();
  EXPECT_EQ(location.unknown, "");
  EXPECT_TRUE(location.in_program);
  EXPECT_EQ(location.file, fs::canonical("/proc/self/exe"));
  EXPECT_TRUE(location.verified);
  struct stat status;
  ASSERT_EQ(stat("/proc/self/exe", &status), 0);
  EXPECT_EQ(location.owner, status.st_uid);
  EXPECT_EQ(location.group, status.st_gid);
  EXPECT_EQ(location.mode, status.st_mode);
}

}  // namespace
}  // namespace xlashape::core
