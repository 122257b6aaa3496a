// Where backends come from: the order of the places, names that are taken, links, permissions, and what is mapped when.
#include <dlfcn.h>

#include "loader.h"

namespace {

using namespace loader;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Places, NothingIsMappedBeforeTheFirstPlan) {
  const Folder folder;
  const std::string path = folder.add("good");
  const Runtime runtime(folder.path());
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 2);
  EXPECT_THAT(runtime.line("good"), HasSubstr("not loaded yet"));
  EXPECT_FALSE(is_mapped(path)) << "looking is not loading";
  EXPECT_EQ(runtime.transpose("scalar"), "scalar");
  EXPECT_FALSE(is_mapped(path)) << "another one was asked for";
  EXPECT_EQ(runtime.transpose(), "good");
  EXPECT_TRUE(is_mapped(path));
  EXPECT_THAT(runtime.line("good"), AllOf(HasSubstr("ready"), HasSubstr("made to be broken")));
}

TEST(Places, DeviceBackendsAreNotMappedForHostPlans) {
  const Folder folder;
  const std::string path = folder.add("good");
  folder.write("good.xlashape.toml", "manifest = 1\nname = \"good\"\nabi = \"0.1\"\nmemory = \"device\"\n");
  const Runtime runtime(folder.path());
  EXPECT_EQ(runtime.transpose(), "scalar");
  EXPECT_FALSE(is_mapped(path));
  EXPECT_THAT(runtime.line("good"), AllOf(HasSubstr("not loaded yet"), HasSubstr("for device memory only")));
}

TEST(Places, FirstOfANameWins) {
  const Folder first, second;
  const std::string used = first.add("good"), other = second.add("good");
  const Runtime runtime(first.path() + ":" + second.path() + ":" + first.path());
  EXPECT_EQ(runtime.transpose("good"), "good");
  EXPECT_TRUE(is_mapped(used));
  EXPECT_FALSE(is_mapped(other));
  EXPECT_THAT(runtime.report(), AllOf(HasSubstr("good: " + other + " is shadowed by " + used),
                                      HasSubstr("good: " + used + " is known already")));
}

TEST(Places, FileNamedScalarReplacesTheBuiltInOneIfItWorks) {
  const Folder folder;
  folder.write("scalar.so", "not a backend");
  const Runtime broken(folder.path());
  EXPECT_EQ(broken.transpose("scalar"), "scalar") << "never without a working backend";
  EXPECT_THAT(broken.line("scalar"), Not(HasSubstr("shadowed")));
}

TEST(Places, LinksToOneFileAreOneBackend) {
  const Folder folder;
  folder.add("good");
  fs::create_symlink(folder.file("good.so"), folder.file("alias.so"));
  const Runtime runtime(folder.path());
  EXPECT_EQ(runtime.transpose(), "good");
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 2);
  EXPECT_THAT(runtime.report(), HasSubstr("alias.so: the same file as " + folder.file("good.so")));
}

TEST(Places, ByPath) {
  const Folder folder;
  const std::string path = folder.add("good");
  const Runtime runtime;
  EXPECT_EQ(runtime.load(path), "");
  EXPECT_EQ(runtime.load(path), "") << "once more is the same one";
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 2);
  EXPECT_EQ(runtime.transpose(), "good");
  const Folder other;
  EXPECT_THAT(runtime.load(other.add("good")),
              AllOf(HasSubstr("a backend named good is there already"), HasSubstr(path)));
  xlashape_status status;
  EXPECT_THAT(runtime.load(folder.file("missing.so"), &status), HasSubstr("No such file"));
  EXPECT_EQ(status, XLASHAPE_NOT_FOUND);
  const std::string refuses = folder.add("refuses");
  runtime.load(refuses, &status);
  EXPECT_EQ(status, XLASHAPE_DEVICE);
  const int64_t count = xlashape_runtime_backend_count(runtime.get());
  runtime.load(refuses, &status);
  EXPECT_EQ(status, XLASHAPE_DEVICE) << "no second try in one runtime";
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), count);
}

TEST(Places, PathComesBeforeEveryFolder) {
  const Folder searched, given;
  const std::string shadowed = searched.add("good"), used = given.add("good");
  const Runtime runtime(searched.path());
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 2) << "found, not loaded";
  EXPECT_EQ(runtime.load(used), "");
  EXPECT_EQ(runtime.transpose("good"), "good");
  EXPECT_FALSE(is_mapped(shadowed));
  EXPECT_THAT(runtime.line("good"), HasSubstr("shadowed by " + used));
}

TEST(Places, WritableByEverybodyIsRefusedUnlessGivenByPath) {
  const Folder folder;
  const std::string path = folder.add("good");
  fs::permissions(path, fs::perms(0777));
  const Runtime runtime(folder.path());
  EXPECT_EQ(runtime.transpose(), "scalar");
  EXPECT_THAT(runtime.line("good"), HasSubstr("permissions: " + path + " can be written by everybody"));
  const Runtime other;
  EXPECT_EQ(other.load(path), "");
}

TEST(Places, Environment) {
  const Folder folder;
  folder.add("good");
  setenv("XLASHAPE_BACKEND_PATH", folder.path().c_str(), 1);
  setenv("XLASHAPE_BACKEND", "good", 1);
  setenv("XLASHAPE_CPU", "scalar", 1);
  setenv("XLASHAPE_LOG", "loud", 1);
  setenv("XLASHAPE_VERIFY", "64", 1);
  constexpr uint32_t kNoFolders = XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
  {
    const Runtime runtime("", kNoFolders);
    EXPECT_EQ(runtime.transpose(), "good");
    EXPECT_EQ(runtime.transpose("scalar"), "scalar") << "the option comes first";
    EXPECT_THAT(runtime.report(), AllOf(HasSubstr("XLASHAPE_BACKEND=good"), HasSubstr("XLASHAPE_CPU=scalar"),
                                        HasSubstr("no features used"), HasSubstr("XLASHAPE_LOG=loud: not known"),
                                        HasSubstr("XLASHAPE_VERIFY=64\n"),
                                        HasSubstr("verification: 64 positions of each execution; 2 executions")));
    const Runtime deaf("", kNoFolders | XLASHAPE_RUNTIME_NO_ENVIRONMENT);
    EXPECT_EQ(deaf.transpose(), "scalar");
    EXPECT_THAT(deaf.report(),
                AllOf(HasSubstr("environment: not read"), Not(HasSubstr("good")), Not(HasSubstr("verification"))));
  }
  setenv("XLASHAPE_BACKEND", "nonesuch", 1);
  setenv("XLASHAPE_VERIFY", "all", 1);
  {
    const Runtime runtime("", kNoFolders);
    EXPECT_THAT(runtime.transpose(), HasSubstr("no backend is named nonesuch"));
    EXPECT_EQ(runtime.transpose(nullptr, XLASHAPE_RELAYOUT_ALLOW_FALLBACK), "good");
    EXPECT_THAT(runtime.report(), AllOf(HasSubstr("XLASHAPE_VERIFY=all: not known, so ignored (a number of positions)"),
                                        Not(HasSubstr("verification"))));
  }
  for (const char* name :
       {"XLASHAPE_BACKEND_PATH", "XLASHAPE_BACKEND", "XLASHAPE_CPU", "XLASHAPE_LOG", "XLASHAPE_VERIFY"})
    unsetenv(name);
}

// The library's own folder, and two copies of the library in one process, each with its own default runtime.
TEST(Places, TwoCopiesOfTheLibrary) {
  const Folder folder;
  const std::string copy = folder.file("libcopy.so");
  fs::copy_file(std::getenv("XLASHAPE_TEST_LIBRARY"), copy);
  fs::create_directory(folder.file("xlashape"));
  fs::copy_file(plugin("good"), folder.file("xlashape/good.so"));
  void* handle = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  const auto create = reinterpret_cast<decltype(&xlashape_runtime_create)>(dlsym(handle, "xlashape_runtime_create"));
  const auto report = reinterpret_cast<decltype(&xlashape_runtime_report)>(dlsym(handle, "xlashape_runtime_report"));
  const auto release = reinterpret_cast<decltype(&xlashape_runtime_release)>(dlsym(handle, "xlashape_runtime_release"));
  const auto count =
      reinterpret_cast<decltype(&xlashape_runtime_backend_count)>(dlsym(handle, "xlashape_runtime_backend_count"));
  ASSERT_TRUE(create != nullptr && report != nullptr && release != nullptr && count != nullptr);
  EXPECT_NE(create, &xlashape_runtime_create) << "they are two";
  xlashape_runtime_options options = {};
  options.struct_size = sizeof options;
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
  xlashape_runtime* theirs = nullptr;
  ASSERT_EQ(create(&options, &theirs, nullptr), XLASHAPE_OK);
  std::string text(1 << 16, '\0');
  size_t needed = 0;
  ASSERT_EQ(report(theirs, text.data(), text.size(), &needed, nullptr), XLASHAPE_OK);
  EXPECT_THAT(text, AllOf(HasSubstr(folder.file("xlashape") + " (beside the library)"), HasSubstr("backend good")));
  EXPECT_EQ(count(theirs), 2);
  const Runtime ours("", kAlone);
  EXPECT_EQ(xlashape_runtime_backend_count(ours.get()), 1);
  EXPECT_EQ(ours.transpose(), "scalar");
  release(theirs);
}

}  // namespace
