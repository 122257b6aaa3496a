// SPDX-License-Identifier: Apache-2.0
// Profiles: their text, the file that is looked for, and what is refused.
// That of the options: tests/api/measuring_test.cc.
#include "runtime/profile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "platform/process.h"
#include "runtime/search.h"

namespace xlashape::core {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHere = "x86_64-p2";
const std::string kHead = "xlashape profile 1\nprocessor x86_64-p2\n";

std::string parse(Profile& profile, const std::string& text, std::string* about) {
  xlashape_error err;
  err.struct_size = sizeof err;
  return profile.parse(text, kHere, about, &err) == XLASHAPE_STATUS_OK ? "" : err.message;
}

TEST(Profile, Sections) {
  Profile profile;
  std::string about;
  EXPECT_EQ(parse(profile, kHead + "[simd]\na.b_1 = 5\nc = -9223372036854775808\n[other]\n", &about), "");
  EXPECT_EQ(about, kHere);
  EXPECT_STREQ(profile.find("simd"), "a.b_1 = 5\nc = -9223372036854775808\n");
  EXPECT_STREQ(profile.find("other"), "");
  EXPECT_EQ(profile.find("scalar"), nullptr);
  Profile foreign;
  EXPECT_EQ(parse(foreign, "xlashape profile 1\nprocessor vax\n[simd]\na = 1\n", &about), "");
  EXPECT_EQ(about, "vax");
  EXPECT_EQ(foreign.find("simd"), nullptr);
}

TEST(Profile, TextsThatAreNone) {
  std::string many = kHead + "[b]\n";
  for (int i = 0; i < 1600; ++i) many += "key" + std::to_string(i) + " = 1\n";
  const std::pair<std::string, const char*> cases[] = {
      {"", "line 1: the text ends before the line does"},
      {"xlashape profile 2\n", "line 1: xlashape profile 2, where \"xlashape profile 1\" is expected"},
      {kHead + "a = 1\n", "line 3: it is before the first [backend]"},
      {kHead + "[]\n", "line 3: [], where \"key = number\" is expected"},
      {kHead + "[a b]\n", "line 3: a b is no backend's name"},
      {kHead + "[b]\n[c]\n[b]\n", "line 5: b has a section above"},
      {kHead + "[b]\nkey = 1", "line 4: the text ends before the line does"},
      {kHead + "[b]\n\n", "line 4: , where \"key = number\" is expected"},
      {kHead + "[b]\nkey=1\n", "line 4: key=1, where \"key = number\" is expected"},
      {kHead + "[b]\nKey = 1\n", "line 4: Key = 1, where \"key = number\" is expected"},
      {kHead + "[b]\nkey = 1.0\n", "line 4: key = 1.0, where \"key = number\" is expected"},
      {kHead + "[b]\nkey = \n", "line 4: key = , where \"key = number\" is expected"},
      {kHead + "[b]\nkey = -\n", "line 4: key = -, where \"key = number\" is expected"},
      {kHead + "[b]\nkey = 9223372036854775808\n",
       "line 4: key = 9223372036854775808, where \"key = number\" is expected"},
      {kHead + "[b]\nkey = -0\n", "line 4: key = -0, where \"key = number\" is expected"},
      {kHead + "[b]\n" + std::string(65, 'k') + " = 1\n",
       "line 4: kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk..., where \"key = number\" is expected"},
      {kHead + "[b]\nk = 1\nl = 1\nk = 2\n", "line 6: k is given twice"},
      {kHead + "[b]\nk = 1\nk = 2\n[c]\n", "line 5: k is given twice"},
      {kHead + "[b]\nk = 1\r\n", "line 4: it has characters that are not printable ASCII"},
      {many, "line 1461: the section has more than 16384 bytes"},
      {std::string(Profile::kMostBytes, 'x'), "a profile has at most 65535 bytes"},
  };
  for (const auto& [text, message] : cases) {
    Profile profile;
    std::string about;
    EXPECT_EQ(parse(profile, text, &about), message);
    EXPECT_EQ(profile.find("b"), nullptr) << message;
  }
}

TEST(Profile, LinesOfABackend) {
  xlashape_error err;
  err.struct_size = sizeof err;
  EXPECT_EQ(check_profile_lines("", &err), XLASHAPE_STATUS_OK);
  EXPECT_EQ(check_profile_lines("a = 1\nb = 2\n", &err), XLASHAPE_STATUS_OK);
  EXPECT_EQ(check_profile_lines("a = 1\n[b]\n", &err), XLASHAPE_STATUS_PARSE);
  EXPECT_EQ(check_profile_lines("a = 1\na = 2\n", &err), XLASHAPE_STATUS_PARSE);
}

// A folder that is removed at the end.
struct Folder {
  Folder() : path((fs::temp_directory_path() / ("xlashape_profile_" + std::to_string(process_id()))).string()) {
    fs::create_directories(path);
    fs::permissions(path, fs::perms::owner_all);
  }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    const fs::path file = fs::path(path) / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    return file.string();
  }
  const std::string path;
};

ProfileSource find(const char* given, const Environment* environment) {
  ProfileSource source;
  source.processor = kHere;
  EXPECT_EQ(find_profile(given, environment, &source, nullptr), XLASHAPE_STATUS_OK);
  return source;
}

TEST(Source, Files) {
  if (!kDynamicBackends) GTEST_SKIP() << "such a library reads no files";
  const Folder folder;
  const std::string good = kHead + "[b]\nk = 1\n";
  Environment e;
  EXPECT_EQ(find(nullptr, nullptr).note, "none: the options say that no environment variable is read");
  EXPECT_EQ(find(nullptr, &e).note, "none: the environment does not say where the user's settings are");
  e.settings[0] = "relative";
  e.settings[1] = folder.path;
  const ProfileSource absent = find(nullptr, &e);
  EXPECT_EQ(absent.note, absent.path + ": not there");
  EXPECT_EQ(fs::path(absent.path), fs::path(folder.path) / "xlashape" / "x86_64-p2.profile");
  folder.write("xlashape/x86_64-p2.profile", good);
  const ProfileSource there = find(nullptr, &e);
  EXPECT_EQ(there.note, there.path + ": used");
  EXPECT_STREQ(there.profile.find("b"), "k = 1\n");
  const ProfileSource given = find("", &e);
  EXPECT_EQ(given.path, there.path) << "where tune writes";
  EXPECT_EQ(given.profile.find("b"), nullptr);

  const auto note = [&](const std::string& path) {
    e.profile = path;
    const ProfileSource source = find(nullptr, &e);
    EXPECT_EQ(source.profile.find("b") != nullptr, source.note.ends_with(": used"));
    return source.note.starts_with(path) ? source.note.substr(path.size()) : source.note;
  };
  EXPECT_EQ(note("none"), ": XLASHAPE_PROFILE is none");
  EXPECT_EQ(find(nullptr, &e).note, "none: XLASHAPE_PROFILE is none");
  EXPECT_EQ(note("b.profile"), "none: XLASHAPE_PROFILE is not an absolute path");
  EXPECT_EQ(note(folder.write("good", good)), ": used");
  EXPECT_EQ(note(folder.write("vax", "xlashape profile 1\nprocessor vax\n")), ": ignored: it is about vax");
  EXPECT_EQ(note(folder.write("empty", "")), ": ignored: line 1: the text ends before the line does");
  EXPECT_EQ(note(folder.write("large", good + std::string(1 << 16, '\n'))), ": ignored: larger than 64 KiB");
#ifndef _WIN32
  const std::string open = folder.write("open", good);
  fs::permissions(open, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(note(open), ": ignored: " + open + " can be written by everybody");
  fs::create_directory(fs::path(folder.path) / "folder");
  EXPECT_EQ(note((fs::path(folder.path) / "folder").string()), ": ignored: not a regular file");
#endif
}

}  // namespace
}  // namespace xlashape::core
