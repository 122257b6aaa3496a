// SPDX-License-Identifier: Apache-2.0
// Paths of Windows: drives, both slashes, names beyond ASCII, who may write;
// and a backend that is found and loaded there.
#include "platform/files.h"

#include <aclapi.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "exec/runtime.h"
#include "platform/process.h"
#include "platform/win32/text.h"
#include "runtime/registry.h"
#include "runtime/search.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Paths, BeginAtADriveOrAShare) {
  for (const char* path : {"C:\\a", "c:/a", "Z:\\", "\\\\server\\share\\a", "//server/share"})
    EXPECT_TRUE(is_absolute(path)) << path;
  for (const char* path : {"", "a", "\\a", "/a", "C:", "C:a", "1:\\a", "..\\a"})
    EXPECT_FALSE(is_absolute(path)) << path;
}

TEST(Paths, FolderAndName) {
  EXPECT_EQ(folder_of("C:\\a\\b.dll"), "C:\\a");
  EXPECT_EQ(folder_of("C:/a/b.dll"), "C:/a");
  EXPECT_EQ(folder_of("C:\\a"), "C:\\");
  EXPECT_EQ(folder_of("a"), ".");
  EXPECT_EQ(file_name("C:\\a/b.dll"), "b.dll");
  EXPECT_EQ(in_folder("C:\\", "a"), "C:\\a");
  EXPECT_EQ(in_folder("C:/a/", "b/c"), "C:\\a\\b\\c");
}

TEST(Paths, SemicolonsBetweenFolders) {
  const std::vector<SearchPlace> places = search_places({"", "C:\\a;D:/b;;relative", "E:\\lib", "", 0});
  ASSERT_EQ(places.size(), 4u);
  EXPECT_EQ(places[0].folder, "C:\\a");
  EXPECT_EQ(places[1].folder, "D:/b");
  EXPECT_EQ(places[2].refused, "not an absolute path");
  EXPECT_EQ(places[3].folder, "E:\\lib\\xlashape");
  EXPECT_EQ(absolute_folders("plugins;C:\\a", 4096), in_folder(working_folder(), "plugins") + ";C:\\a");
}

TEST(Variables, AreUtf8) {
  ASSERT_TRUE(SetEnvironmentVariableW(L"XLASHAPE_TEST_TEXT", L"\u00e9\u4e2d"));
  EXPECT_STREQ(variable("XLASHAPE_TEST_TEXT"), "\xc3\xa9\xe4\xb8\xad");
  EXPECT_EQ(variable("XLASHAPE_TEST_NONE"), nullptr);
}

// In a folder whose name is not ASCII.
class Folder : public testing::Test {
 protected:
  void SetUp() override {
    path = fs::temp_directory_path() / (L"xlashape-\u00e9\u4e2d-" + std::to_wstring(process_id()));
    fs::create_directories(path);
    std::string reason;
    folder = real_path(narrow(path.wstring()), &reason);
    ASSERT_NE(folder, "") << reason;
  }
  void TearDown() override {
    std::error_code mapped;  // a DLL that is loaded stays
    fs::remove_all(path, mapped);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(fs::path(wide(in_folder(folder, name)))) << text;
  }
  std::vector<std::string> look() {
    notes.clear();
    std::vector<std::string> all;
    for (const FoundBackend& found : search_place({Origin::kEnvironment, folder, ""}, this_machine(0), &notes))
      all.push_back(found.name + " " + std::string(file_name(found.path)) + " " + found.wrong);
    return all;
  }

  fs::path path;
  std::string folder;
  std::vector<std::string> notes;
};

TEST_F(Folder, NamesAreUtf8) {
  write("\xc3\xa9.txt", "x");
  std::vector<std::string> names;
  std::string reason;
  ASSERT_TRUE(list_folder(folder, &names, &reason)) << reason;
  EXPECT_THAT(names, testing::UnorderedElementsAre(".", "..", "\xc3\xa9.txt"));
  EXPECT_NE(open_regular(in_folder(folder, "\xc3\xa9.txt"), &reason), nullptr) << reason;
  EXPECT_TRUE(exists(in_folder(folder, "\xc3\xa9.txt")));
  EXPECT_EQ(open_regular(folder, &reason), nullptr);
  EXPECT_EQ(reason, "not a regular file");
  EXPECT_EQ(real_path(in_folder(folder, "none"), &reason), "");
  EXPECT_NE(reason, "");
  EXPECT_FALSE(list_folder(in_folder(folder, "none"), &names, &reason));
  EXPECT_EQ(reason, "not there");
}

TEST_F(Folder, FilesThatAreNoBackends) {
  write("a.dll", "no DLL");
  write("b.so", "not looked at");
  write("c.xlashape.toml", "manifest = 1\nname = \"c\"\nabi = \"0.1\"\n");
  EXPECT_THAT(look(), ElementsAre("a a.dll ", HasSubstr("c  manifest: ")));
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(Folder, WritableByEverybody) {
  write("open.dll", "x");
  SID_IDENTIFIER_AUTHORITY world = SECURITY_WORLD_SID_AUTHORITY;
  PSID everybody = nullptr;
  ASSERT_TRUE(AllocateAndInitializeSid(&world, 1, SECURITY_WORLD_RID, 0, 0, 0, 0, 0, 0, 0, &everybody));
  EXPLICIT_ACCESSW access = {};
  access.grfAccessPermissions = GENERIC_ALL;
  access.grfAccessMode = GRANT_ACCESS;
  access.Trustee.TrusteeForm = TRUSTEE_IS_SID;
  access.Trustee.ptstrName = static_cast<LPWSTR>(everybody);
  PACL list = nullptr;
  ASSERT_EQ(SetEntriesInAclW(1, &access, nullptr, &list), DWORD{ERROR_SUCCESS});
  std::wstring name = wide(in_folder(folder, "open.dll"));
  ASSERT_EQ(
      SetNamedSecurityInfoW(name.data(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr, nullptr, list, nullptr),
      DWORD{ERROR_SUCCESS});
  EXPECT_THAT(look(), ElementsAre(HasSubstr("open open.dll permissions: " + in_folder(folder, "open.dll") +
                                            " can be written by S-1-1-0")));
  LocalFree(list);
  FreeSid(everybody);
}

// The scalar backend as a DLL, from a folder that is given, and by its path.
TEST_F(Folder, BackendsAreLoaded) {
  const char* const built = std::getenv("XLASHAPE_TEST_BACKEND");
  ASSERT_NE(built, nullptr);
  fs::copy_file(built, path / "scalar.dll");
  EXPECT_THAT(look(), ElementsAre("scalar scalar.dll "));

  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.backend_dirs = folder.c_str();
  auto err = XLASHAPE_INIT(xlashape_error);
  Ref<Runtime> runtime;
  ASSERT_EQ(create_runtime(options, &runtime, &err), XLASHAPE_STATUS_OK) << err.message;
  load_backends(*runtime, {}, true);
  EXPECT_THAT(report(*runtime), HasSubstr("backend scalar: ready, " + in_folder(folder, "scalar.dll")));

  options.backend_dirs = nullptr;
  ASSERT_EQ(create_runtime(options, &runtime, &err), XLASHAPE_STATUS_OK) << err.message;
  EXPECT_EQ(load_backend(*runtime, in_folder(folder, "scalar.dll"), &err), XLASHAPE_STATUS_OK) << err.message;
  write("bad.dll", std::string(4096, 'x'));
  EXPECT_EQ(load_backend(*runtime, in_folder(folder, "bad.dll"), &err), XLASHAPE_STATUS_NOT_FOUND);
  EXPECT_THAT(err.message, HasSubstr("not a shared object"));
}

}  // namespace
}  // namespace xlashape::core
