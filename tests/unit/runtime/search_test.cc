// SPDX-License-Identifier: Apache-2.0
// The search order as a table, and what folders hold: names, manifests, links, permissions.
#include "runtime/search.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/cpu.h"
#include "xlashape_backend.h"

namespace xlashape::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> order(const SearchInput& input) {
  std::vector<std::string> all;
  for (const SearchPlace& place : search_places(input))
    all.push_back(std::string(origin_name(place.origin)) + " " + place.folder +
                  (place.refused.empty() ? "" : " refused"));
  return all;
}

TEST(SearchOrder, Table) {
  const SearchInput all = {"/o1:/o2", "/e1:/e2", "/lib", "/install/xlashape", 0};
  EXPECT_THAT(order(all), ElementsAre("options.backend_dirs /o1", "options.backend_dirs /o2",
                                      "XLASHAPE_BACKEND_PATH /e1", "XLASHAPE_BACKEND_PATH /e2",
                                      "beside the library /lib/xlashape", "install folder /install/xlashape"));
  const auto with = [&](uint32_t flags) {
    SearchInput input = all;
    input.flags = flags;
    return order(input);
  };
  EXPECT_THAT(with(XLASHAPE_RUNTIME_NO_ENVIRONMENT),
              ElementsAre("options.backend_dirs /o1", "options.backend_dirs /o2", "beside the library /lib/xlashape",
                          "install folder /install/xlashape"));
  EXPECT_THAT(with(XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR),
              ElementsAre("options.backend_dirs /o1", "options.backend_dirs /o2", "XLASHAPE_BACKEND_PATH /e1",
                          "XLASHAPE_BACKEND_PATH /e2"));
  EXPECT_THAT(with(7), ElementsAre("options.backend_dirs /o1", "options.backend_dirs /o2"));
  EXPECT_THAT(order({"", "", "", "", 0}), IsEmpty()) << "a static library lies nowhere";
  EXPECT_THAT(order({"", "", "", "/install/xlashape", XLASHAPE_RUNTIME_NO_INSTALL_DIR, "it moved"}),
              ElementsAre("beside the library xlashape refused"));
  EXPECT_THAT(order({"", "", "", "", XLASHAPE_RUNTIME_NO_LIBRARY_DIR, "it moved"}), IsEmpty());
}

// -Dplugin_folder: libraries of two minor versions in one folder have each their own backends.
TEST(SearchOrder, BesideTheLibraryTheNameIsTheInstalledOnes) {
  EXPECT_THAT(order({"", "", "/lib", "/install/xlashape-0.1", 0}),
              ElementsAre("beside the library /lib/xlashape-0.1", "install folder /install/xlashape-0.1"));
}

// An empty entry of a list means the working directory elsewhere; here it means nothing, and a relative one from the
// environment is refused.
TEST(SearchOrder, NeverTheWorkingDirectory) {
  EXPECT_THAT(order({"", "::/e::", "", "", 0}), ElementsAre("XLASHAPE_BACKEND_PATH /e"));
  EXPECT_THAT(order({"", ".:plugins", "", "", 0}),
              ElementsAre("XLASHAPE_BACKEND_PATH . refused", "XLASHAPE_BACKEND_PATH plugins refused"));
  EXPECT_THAT(order({"plugins", "", "", "", 0}), ElementsAre("options.backend_dirs plugins refused"));
}

TEST(SearchOrder, RelativeFoldersAreMadeAbsolute) {
  const std::string here = fs::current_path().string();
  EXPECT_EQ(absolute_folders("", 100), "");
  EXPECT_EQ(absolute_folders("/a:/b", 100), "/a:/b");
  EXPECT_EQ(absolute_folders(":plugins::/b:../c:", 4096), here + "/plugins:/b:" + here + "/../c");
  EXPECT_GT(absolute_folders(std::string(65536, ':') + std::string(20, 'a'), 10).size(), 10u);
  std::string many;
  for (int i = 0; i < 30000; ++i) many += "a:";
  EXPECT_LT(absolute_folders(many, 65536).size(), 65536 + here.size() + 4) << "not a path for each of them";
}

bool no_sanitizer(std::string_view) { return false; }

class Folder : public testing::Test {
 protected:
  void SetUp() override {
    char path[] = "/tmp/xlashape-search-XXXXXX";
    ASSERT_NE(mkdtemp(path), nullptr);
    folder = fs::canonical(path).string();
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string& file, const std::string& text = "no ELF") const {
    std::ofstream(folder + "/" + file) << text;
    chmod((folder + "/" + file).c_str(), 0644);
    return folder + "/" + file;
  }
  // "name path wrong" of each find.
  std::vector<std::string> look(Origin origin = Origin::kEnvironment) {
    notes.clear();
    std::vector<std::string> all;
    for (const FoundBackend& found : search_place({origin, folder, ""}, machine, &notes)) {
      const std::string path =
          found.path.rfind(folder + "/", 0) == 0 ? found.path.substr(folder.size() + 1) : found.path;
      all.push_back(found.name + " " + path + (found.wrong.empty() ? "" : " " + found.wrong));
    }
    return all;
  }
  std::string manifest(const std::string& name, const std::string& more = "") const {
    return "manifest = 1\nname = \"" + name + "\"\nabi = \"0.1\"\n" + more;
  }

  std::string folder;
  std::vector<std::string> notes;
  const Machine machine = {XLASHAPE_CPU_SSE2, no_sanitizer, {{0, geteuid()}, {0, getegid()}, ""}};
};

TEST_F(Folder, SortedByName) {
  for (const char* name : {"zeta.so", "alpha.so", "mid.so", "readme.txt", "lib.so.1"}) write(name);
  EXPECT_THAT(look(), ElementsAre("alpha alpha.so", "mid mid.so", "zeta zeta.so"));
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(Folder, NotThereOrEmpty) {
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_THAT(notes, IsEmpty());
  const std::string there = folder;
  folder += "/missing";
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_THAT(notes, ElementsAre("not there"));
  folder = there;
}

TEST_F(Folder, ManifestsDecide) {
  write("a.so"), write("b.so"), write("c.so"), write("d.so");
  write("a.xlashape.toml", manifest("a", "priority = 3\n"));
  write("b.xlashape.toml", manifest("b", "cpu = \"avx2\"\n"));
  write("c.xlashape.toml", manifest("c", "cpuu = \"avx2\"\n"));
  write("e.xlashape.toml", manifest("e"));
  EXPECT_THAT(look(), ElementsAre("a a.so", HasSubstr("b b.so cpu: it needs ssse3 sse4 avx2"),
                                  HasSubstr("c  manifest: line 4, column 1: unknown key"), "d d.so",
                                  HasSubstr("e  manifest: ")))
      << "the objects of a broken manifest are not tried without it";
}

TEST_F(Folder, ManifestsShareAnObject) {
  write("bound.so");
  write("one.xlashape.toml", manifest("one", "library = \"bound.so\"\nentry = \"bound\"\n"));
  write("two.xlashape.toml", manifest("two", "library = \"bound.so\"\nentry = \"bound\"\n"));
  EXPECT_THAT(look(), ElementsAre("one bound.so", "two bound.so")) << "and the object is none on its own";
}

TEST_F(Folder, LinksToTheSameFile) {
  write("real.so");
  fs::create_symlink(folder + "/real.so", folder + "/another.so");
  EXPECT_THAT(look(), ElementsAre("real real.so"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("another.so: the same file as")));
  fs::create_symlink(folder + "/gone", folder + "/dangling.so");
  EXPECT_THAT(look(), testing::Contains(HasSubstr("No such file")));
}

TEST_F(Folder, NamesThatAreNone) {
  write("my-backend.so"), write(".so");
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("my-backend.so: not a backend")));
}

TEST_F(Folder, WritableByEverybody) {
  chmod(write("open.so").c_str(), 0666);
  write("shut.so");
  EXPECT_THAT(look(), ElementsAre(HasSubstr("permissions:"), "shut shut.so"));
  chmod(folder.c_str(), 0777);
  EXPECT_THAT(look(), IsEmpty());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("written by everybody")));
  chmod(folder.c_str(), 01777);
  EXPECT_THAT(look(), IsEmpty()) << "sticky: others may still add files";
  chmod(folder.c_str(), 0755);
  // A link that leads where everybody may write.
  fs::create_directory(folder + "/inner");
  std::ofstream(folder + "/inner/linked.so") << "x";
  chmod((folder + "/inner").c_str(), 0777);
  fs::create_symlink(folder + "/inner/linked.so", folder + "/linked.so");
  EXPECT_THAT(look(), testing::Contains(HasSubstr("linked linked.so permissions:")));
}

TEST_F(Folder, LinksAreFollowedOnce) {
  fs::create_directory(folder + "/real");
  std::ofstream(folder + "/real/a.so") << "x";
  std::ofstream(folder + "/real/a.xlashape.toml") << manifest("a");
  fs::create_directory_symlink("real", folder + "/link");
  const std::vector<FoundBackend> all = search_place({Origin::kOption, folder + "/link", ""}, machine, &notes);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].wrong, "");
  EXPECT_EQ(all[0].path, folder + "/real/a.so") << "whatever becomes of the link";
  EXPECT_EQ(all[0].manifest, folder + "/real/a.xlashape.toml");
}

// A manifest's `library` may be anywhere; then every step to it is looked at.
TEST_F(Folder, LibraryOfAManifest) {
  fs::create_directory(folder + "/open");
  fs::create_directory(folder + "/shut");
  for (const char* inner : {"open", "shut"}) std::ofstream(folder + "/" + inner + "/x.so") << "x";
  chmod((folder + "/open").c_str(), 0777);
  write("a.xlashape.toml", manifest("a", "library = \"open/x.so\"\n"));
  write("b.xlashape.toml", manifest("b", "library = \"open/../shut/x.so\"\n"));
  write("c.xlashape.toml", manifest("c", "library = \"" + folder + "/shut/../shut/x.so\"\n"));
  EXPECT_THAT(look(),
              ElementsAre(HasSubstr("a open/x.so permissions: " + folder + "/open can be written by"),
                          HasSubstr("b shut/x.so permissions: " + folder + "/open can be written by"), "c shut/x.so"));
}

TEST_F(Folder, ByPath) {
  EXPECT_THAT(inspect_file(folder + "/none.so", machine).wrong, HasSubstr("file: No such file"));
  chmod(write("foo.so").c_str(), 0666);
  FoundBackend found = inspect_file(folder + "/foo.so", machine);
  EXPECT_EQ(found.wrong, "") << "who gives a path answers for it";
  EXPECT_EQ(found.name, "foo");
  EXPECT_EQ(found.path, folder + "/foo.so");
  write("foo.xlashape.toml", manifest("foo", "cpu = \"avx2\"\n"));
  EXPECT_THAT(inspect_file(folder + "/foo.so", machine).wrong, HasSubstr("cpu:")) << "its manifest counts";
  found = inspect_file(folder + "/foo.xlashape.toml", machine);
  EXPECT_EQ(found.path, folder + "/foo.so");
  EXPECT_THAT(found.wrong, HasSubstr("cpu:"));
  EXPECT_THAT(inspect_file(write("a-b.so"), machine).wrong, HasSubstr("letters, digits"));
  write("big.xlashape.toml", std::string(70000, '#'));
  EXPECT_THAT(inspect_file(folder + "/big.xlashape.toml", machine).wrong, HasSubstr("larger than 64 KiB"));
}

}  // namespace
}  // namespace xlashape::core
