// SPDX-License-Identifier: Apache-2.0
// Where backends come from: the order of the places, names that are taken, links, permissions, and what is mapped when.
#include <dlfcn.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <chrono>
#include <thread>

#include "loader.h"
#include "xlashape_runtime.h"

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
  EXPECT_THAT(runtime.report(), AllOf(HasSubstr("good: not loaded yet, shadowed by " + used + ", " + other),
                                      HasSubstr("good: " + used + " is known already")));
}

// The library's own scalar.so, which is there for who wants the built-in one replaced.
TEST(Places, BuiltInGivesWayOnceAnotherIsLoaded) {
  const Folder folder;
  const std::string path = folder.file("scalar.so");
  fs::copy_file(fs::path(std::getenv("XLASHAPE_TEST_LIBRARY")).parent_path() / "xlashape/scalar.so", path);
  const Runtime runtime(folder.path());
  EXPECT_THAT(runtime.line("scalar"), HasSubstr("backend scalar: ready, built in until " + path + " is loaded"));
  EXPECT_EQ(runtime.transpose("scalar"), "scalar");
  EXPECT_THAT(runtime.line("scalar"), HasSubstr("backend scalar: ready, shadowed by " + path + ", built in"));
  EXPECT_THAT(runtime.report(), HasSubstr("backend scalar: ready, " + path));
}

TEST(Places, FileNamedScalarReplacesTheBuiltInOneIfItWorks) {
  const Folder folder;
  folder.write("scalar.so", "not a backend");
  const Runtime broken(folder.path());
  EXPECT_EQ(broken.transpose("scalar"), "scalar") << "never without a working backend";
  EXPECT_THAT(broken.line("scalar"), AllOf(Not(HasSubstr("shadowed")), Not(HasSubstr("until"))));
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
  EXPECT_EQ(status, XLASHAPE_STATUS_NOT_FOUND);
  const std::string refuses = folder.add("refuses");
  runtime.load(refuses, &status);
  EXPECT_EQ(status, XLASHAPE_STATUS_DEVICE);
  const int64_t count = xlashape_runtime_backend_count(runtime.get());
  runtime.load(refuses, &status);
  EXPECT_EQ(status, XLASHAPE_STATUS_DEVICE) << "no second try in one runtime";
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), count);
}

// A path comes before every folder; each that is shadowed names the one that serves, however many there are.
TEST(Places, AllThatAreShadowedNameTheOneThatServes) {
  const Folder first, second, given;
  const std::string shadowed = first.add("good"), used = given.add("good");
  second.add("good");
  const Runtime runtime(first.path() + ":" + second.path());
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 3) << "found, not loaded";
  EXPECT_EQ(runtime.load(used), "");
  EXPECT_EQ(runtime.transpose("good"), "good");
  EXPECT_FALSE(is_mapped(shadowed));
  for (int64_t ordinal = 1; ordinal <= 2; ++ordinal) {
    EXPECT_EQ(runtime.text(ordinal, XLASHAPE_BACKEND_TEXT_DETAIL), "shadowed by " + used);
  }
}

TEST(Places, SixtyFourBackends) {
  const Folder folder, other;
  for (int i = 0; i < 70; ++i) folder.write("b" + std::to_string(10 + i) + ".so", "not loaded here");
  const Runtime runtime(folder.path());
  EXPECT_EQ(xlashape_runtime_backend_count(runtime.get()), 64) << "the built-in one and b10 to b72";
  EXPECT_THAT(runtime.report(),
              AllOf(HasSubstr("backend b72: not loaded yet"), Not(HasSubstr("backend b73")),
                    HasSubstr("b73: " + folder.file("b73.so") + " is not added: the runtime holds 64")));
  xlashape_status status;
  EXPECT_THAT(runtime.load(other.add("good"), &status), HasSubstr("the runtime holds 64 backends already"));
  EXPECT_EQ(status, XLASHAPE_STATUS_UNSUPPORTED);
}

TEST(Places, FolderThatOthersCanMoveIsRefused) {
  const Folder folder;
  fs::create_directories(folder.file("open/inner"));
  fs::copy_file(plugin("good"), folder.file("open/inner/good.so"));
  fs::permissions(folder.file("open"), fs::perms(0777));
  const Runtime runtime(folder.file("open/inner"));
  EXPECT_EQ(runtime.transpose(), "scalar");
  EXPECT_FALSE(is_mapped(folder.file("open/inner/good.so")));
  EXPECT_THAT(runtime.report(), HasSubstr("not looked into: " + folder.file("open") + " can be written by everybody"));
  const Runtime other;
  EXPECT_EQ(other.load(folder.file("open/inner/good.so")), "") << "who gives a path answers for it";
}

// dlopen would put something else for $LIB, and load what nobody has looked at.
TEST(Places, DollarInAPath) {
  const Folder folder;
  for (const char* name : {"$LIB", "lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
    fs::create_directory(folder.file(name));
    fs::copy_file(plugin("good"), folder.file(name) + std::string("/good.so"));
  }
  const Runtime runtime(folder.file("$LIB"));
  EXPECT_EQ(runtime.transpose(), "scalar");
  EXPECT_THAT(runtime.line("good"), HasSubstr("file: its path has a $, which dlopen may expand"));
  const Runtime other;
  EXPECT_THAT(other.load(folder.file("$LIB/good.so")), HasSubstr("its path has a $"));
  EXPECT_FALSE(is_mapped(folder.path()));
}

// Relative folders are those of the time when the runtime is made.
TEST(Places, RelativeFoldersStay) {
  const Folder here, there;
  fs::create_directory(here.file("plugins")), fs::create_directory(there.file("plugins"));
  fs::copy_file(plugin("good"), here.file("plugins/good.so"));
  fs::copy_file(plugin("refuses"), there.file("plugins/refuses.so"));
  const std::string before = fs::current_path();
  fs::current_path(here.path());
  const Runtime runtime("plugins");
  fs::current_path(there.path());
  EXPECT_EQ(runtime.transpose(), "good");
  EXPECT_THAT(runtime.report(),
              AllOf(HasSubstr("folder " + here.file("plugins") + " (options.backend_dirs): 1 backend"),
                    Not(HasSubstr("refuses"))));
  fs::current_path(before);
}

TEST(Places, PathsAreShownOnOneLine) {
  const Folder folder;
  const std::string strange = folder.file("a\nb\x1b[2J\xff");
  fs::create_directory(strange);
  fs::copy_file(plugin("good"), strange + "/good.so");
  std::ofstream(strange + "/bad.so") << "x";
  fs::permissions(strange + "/bad.so", fs::perms(0666));
  fs::copy_file(plugin("good"), strange + "/\x1b]0;.so");
  const Runtime runtime(strange);
  EXPECT_EQ(runtime.transpose(), "good");
  const std::string report = runtime.report();
  EXPECT_THAT(report,
              AllOf(HasSubstr("/a\\x0ab\\x1b[2J\\xff (options.backend_dirs): 2 backends"),
                    HasSubstr("\\x1b]0;.so: not a backend"),
                    HasSubstr("permissions: " + folder.path() + "/a\\x0ab\\x1b[2J\\xff/bad.so can be written")));
  EXPECT_EQ(report.find_first_of("\x1b\xff"), std::string::npos);
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
  setenv("XLASHAPE_BACKEND", "nonesuch,*", 1);
  {
    const Runtime runtime("", kNoFolders);
    EXPECT_EQ(runtime.transpose(), "good") << "others may stand in";
    EXPECT_THAT(runtime.transpose("nonesuch"), HasSubstr("no backend is named nonesuch")) << "that is the option";
    EXPECT_THAT(runtime.report(), HasSubstr("XLASHAPE_BACKEND=nonesuch,*\n"));
  }
  setenv("XLASHAPE_BACKEND", "scalar,*", 1);
  EXPECT_EQ(Runtime("", kNoFolders).transpose(), "scalar") << "the named one first";
  setenv("XLASHAPE_BACKEND", "nonesuch", 1);
  setenv("XLASHAPE_VERIFY", "all", 1);
  {
    const Runtime runtime("", kNoFolders);
    EXPECT_THAT(runtime.transpose(), HasSubstr("no backend is named nonesuch"));
    EXPECT_EQ(runtime.transpose(nullptr, XLASHAPE_PLAN_ALLOW_FALLBACK), "good");
    EXPECT_THAT(runtime.report(), AllOf(HasSubstr("XLASHAPE_VERIFY=all: not known, so ignored (a number of positions)"),
                                        Not(HasSubstr("verification"))));
  }
  for (const char* name :
       {"XLASHAPE_BACKEND_PATH", "XLASHAPE_BACKEND", "XLASHAPE_CPU", "XLASHAPE_LOG", "XLASHAPE_VERIFY"})
    unsetenv(name);
}

// Another copy of the library, opened by a name, with what this file asks of it.
struct Copy {
  explicit Copy(const std::string& name) : handle(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) return;
    create = reinterpret_cast<decltype(create)>(dlsym(handle, "xlashape_runtime_create"));
    tell = reinterpret_cast<decltype(tell)>(dlsym(handle, "xlashape_runtime_report"));
    release = reinterpret_cast<decltype(release)>(dlsym(handle, "xlashape_runtime_release"));
    count = reinterpret_cast<decltype(count)>(dlsym(handle, "xlashape_runtime_backend_count"));
  }
  xlashape_runtime* runtime() const {
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
    xlashape_runtime* made = nullptr;
    EXPECT_EQ(create(&options, &made, nullptr), XLASHAPE_STATUS_OK);
    return made;
  }
  std::string report(xlashape_runtime* runtime) const {
    std::string text(1 << 16, '\0');
    int64_t needed = 0;
    EXPECT_EQ(tell(runtime, text.data(), text.size(), &needed, nullptr), XLASHAPE_STATUS_OK);
    return text.substr(0, text.find('\0'));
  }
  std::string report() const {
    xlashape_runtime* const made = runtime();
    const std::string text = report(made);
    release(made);
    return text;
  }

  void* handle;
  decltype(&xlashape_runtime_create) create = nullptr;
  decltype(&xlashape_runtime_report) tell = nullptr;
  decltype(&xlashape_runtime_release) release = nullptr;
  decltype(&xlashape_runtime_backend_count) count = nullptr;
};

// A folder with a copy of the library and one backend.
struct Installed : Folder {
  explicit Installed(const std::string& backend) {
    fs::copy_file(std::getenv("XLASHAPE_TEST_LIBRARY"), file("libcopy.so"));
    fs::create_directory(file(XLASHAPE_BACKEND_FOLDER));
    fs::copy_file(plugin(backend), file(XLASHAPE_BACKEND_FOLDER "/" + backend + ".so"));
  }
};

// The library's own folder, and two copies of the library in one process, each with its own default runtime.
TEST(Places, TwoCopiesOfTheLibrary) {
  const Installed folder("good");
  const Copy copy(folder.file("libcopy.so"));
  ASSERT_NE(copy.handle, nullptr) << dlerror();
  EXPECT_NE(copy.create, &xlashape_runtime_create) << "they are two";
  xlashape_runtime* const theirs = copy.runtime();
  EXPECT_THAT(copy.report(theirs), AllOf(HasSubstr(folder.file(XLASHAPE_BACKEND_FOLDER) + " (beside the library)"),
                                         HasSubstr("backend good")));
  EXPECT_EQ(copy.count(theirs), 2);
  const Runtime ours("", kAlone);
  EXPECT_EQ(xlashape_runtime_backend_count(ours.get()), 1);
  EXPECT_EQ(ours.transpose(), "scalar");
  copy.release(theirs);
}

// The dynamic linker keeps the relative name, which is another file's after chdir.
TEST(Places, LibraryOpenedByARelativeName) {
  const Installed ours("good"), theirs("refuses");
  const std::string before = fs::current_path();
  fs::current_path(ours.path());
  const Copy copy("./libcopy.so");
  fs::current_path(theirs.path());
  ASSERT_NE(copy.handle, nullptr) << dlerror();
  EXPECT_THAT(copy.report(),
              AllOf(HasSubstr("folder " + ours.file(XLASHAPE_BACKEND_FOLDER) + " (beside the library): 1 backend"),
                    HasSubstr("backend good"), Not(HasSubstr("refuses"))));
  fs::current_path(before);
}

TEST(Places, LibraryOpenedThroughALink) {
  const Installed folder("good");
  const Folder other;
  fs::create_symlink(folder.file("libcopy.so"), other.file("liblink.so"));
  const Copy copy(other.file("liblink.so"));
  ASSERT_NE(copy.handle, nullptr) << dlerror();
  fs::remove(other.file("liblink.so"));
  EXPECT_THAT(copy.report(),
              HasSubstr("folder " + folder.file(XLASHAPE_BACKEND_FOLDER) + " (beside the library): 1 backend"));
}

// What lies there by now is not what runs: perhaps of another version, perhaps anybody's.
TEST(Places, LibraryReplacedSinceItWasLoaded) {
  const Installed folder("good");
  const Copy copy(folder.file("libcopy.so"));
  ASSERT_NE(copy.handle, nullptr) << dlerror();
  fs::rename(folder.file("libcopy.so"), folder.file("moved.so"));
  EXPECT_THAT(copy.report(),
              HasSubstr("folder " + folder.file(XLASHAPE_BACKEND_FOLDER) + " (beside the library): 1 backend"))
      << "it is still there, whatever its name";
  fs::remove(folder.file("moved.so"));
  fs::copy_file(std::getenv("XLASHAPE_TEST_LIBRARY"), folder.file("moved.so"));
  EXPECT_THAT(copy.report(),
              AllOf(HasSubstr("folder " XLASHAPE_BACKEND_FOLDER " (beside the library): not looked into: " +
                              folder.file("moved.so") + " (deleted) is no longer the file"),
                    Not(HasSubstr("backend good"))));
  fs::copy_file(std::getenv("XLASHAPE_TEST_LIBRARY"), folder.file("moved.so (deleted)"));
  EXPECT_THAT(copy.report(), HasSubstr("(deleted) is no longer the file")) << "nor is one of that name";
}

// What a runtime logged, in a child that is short of descriptors or memory, too: it allocates nothing then.
struct Logged {
  int warnings = 0;
  char text[4096] = "";
  static void log(void* self, int32_t level, uint32_t, const char* text, int64_t) {
    auto& logged = *static_cast<Logged*>(self);
    if (level != XLASHAPE_LOG_WARNING) return;
    ++logged.warnings;
    std::strncat(logged.text, text, sizeof logged.text - std::strlen(logged.text) - 2);
    std::strcat(logged.text, "\n");
  }
};

xlashape_status create(const Folder& folder, Logged* logged, uint32_t flags, xlashape_runtime** runtime,
                       xlashape_error* err = nullptr) {
  auto logger = XLASHAPE_INIT(xlashape_logger);
  logger.opaque = logged;
  logger.log = Logged::log;
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.flags = flags;
  options.backend_dirs = folder.path().c_str();
  options.logger = &logger;
  return xlashape_runtime_create(&options, runtime, err);
}

// The backend of a new plan; "" where there is none.
std::string planned(xlashape_runtime* runtime, const char* name = nullptr, xlashape_status* status = nullptr) {
  xlashape_shape* shape = nullptr;
  xlashape_shape_parse("u8[3,4]{1,0}", 12, 0, &shape, nullptr);
  xlashape_plan* plan = nullptr;
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = name;
  const xlashape_status made = xlashape_plan_create(runtime, shape, shape, &options, &plan, nullptr);
  if (status != nullptr) *status = made;
  const std::string backend = plan != nullptr ? xlashape_plan_backend(plan) : "";
  xlashape_plan_release(plan);
  xlashape_shape_release(shape);
  return backend;
}

void limit(int resource, rlim_t most) {
  rlimit now;
  getrlimit(resource, &now);
  now.rlim_cur = most;
  setrlimit(resource, &now);
}

// A folder that others may write to makes plans slow and nothing else: the log says so, once, and what to do.
TEST(Places, WhatIsRefusedIsAWarning) {
  for (const bool whole_folder : {true, false}) {
    const Folder folder;
    const std::string file = folder.add("good");
    fs::permissions(whole_folder ? folder.path() : file, fs::perms(0777));
    Logged logged;
    xlashape_runtime* runtime = nullptr;
    ASSERT_EQ(create(folder, &logged, kAlone, &runtime), XLASHAPE_STATUS_OK);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(planned(runtime), "scalar");
    EXPECT_EQ(logged.warnings, 1) << logged.text;
    EXPECT_THAT(logged.text, AllOf(HasSubstr(whole_folder ? "not looked into: " : "backend good: not in use, "),
                                   HasSubstr("can be written by everybody"), HasSubstr("chmod")));
    char text[8192];
    int64_t needed;
    ASSERT_EQ(xlashape_runtime_report(runtime, text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
    EXPECT_THAT(text, AllOf(HasSubstr(whole_folder ? "\nwarning: folder " : "\nbackend good: not in use, "),
                            HasSubstr("can be written by everybody")));
    xlashape_runtime_release(runtime);
  }
}

// Without simd the report says so; if it was looked for where it is installed, the log, too.
TEST(Places, AMissingFastBackendIsSaid) {
  const Folder folder;
  for (const uint32_t flags : {kAlone, kAlone & ~uint32_t{XLASHAPE_RUNTIME_NO_LIBRARY_DIR}}) {
    Logged logged;
    xlashape_runtime* runtime = nullptr;
    ASSERT_EQ(create(folder, &logged, flags, &runtime), XLASHAPE_STATUS_OK);
    planned(runtime), planned(runtime);
    char text[8192];
    int64_t needed;
    ASSERT_EQ(xlashape_runtime_report(runtime, text, sizeof text, &needed, nullptr), XLASHAPE_STATUS_OK);
    const auto says = [&](const char* what) { return std::strstr(text, what) != nullptr; };
    const bool is_ready = says("backend simd: ready"), is_refused = says("backend simd: not in use");
    EXPECT_NE(is_ready || is_refused, says("backend simd: none was found")) << text;
    if (!is_refused) {  // its own line says why
      EXPECT_EQ(logged.warnings, flags == kAlone || is_ready ? 0 : 1) << logged.text;
    }
    xlashape_runtime_release(runtime);
  }
}

// Too few descriptors, or too little room for the object, when the first plan comes: others do it, and once there is
// enough a later plan has the backend.
TEST(Places, AShortageIsNotFinal) {
  if (kAddressSanitizer) GTEST_SKIP() << "UBSan needs descriptors to look at an exception";
  const Folder folder;
  const std::string path = folder.add("good");
  enum { kSearch, kLoad, kMap };
  for (const int at : {kSearch, kLoad, kMap}) {
    if (at == kMap && kThreadSanitizer) continue;  // it needs all addresses
    EXPECT_EQ(
        in_child([&] {
          Logged logged;
          xlashape_runtime* runtime = nullptr;
          if (create(folder, &logged, kAlone, &runtime) != XLASHAPE_STATUS_OK) return 1;
          if (at != kSearch && xlashape_runtime_backend_count(runtime) != 2) return 2;
          const int resource = at == kMap ? RLIMIT_AS : RLIMIT_NOFILE;
          rlimit before;
          getrlimit(resource, &before);
          limit(resource, 0);
          char text[8192] = "";
          int64_t needed;
          for (int i = 0; i < 100; ++i)
            if (planned(runtime) != "scalar") return 3;
          xlashape_status status = XLASHAPE_STATUS_OK;
          if (planned(runtime, "good", &status) != "" || status != XLASHAPE_STATUS_NO_MEMORY) return 10;
          if (xlashape_runtime_report(runtime, text, sizeof text, &needed, nullptr) != XLASHAPE_STATUS_OK) return 4;
          if (at == kSearch && std::strstr(text, "folders: not searched for backends: too many open files") == nullptr)
            return 5;
          if (at != kSearch && std::strstr(text, "backend good: not loaded yet") == nullptr) return 6;
          if (logged.warnings != 1 || std::strstr(logged.text, "later plans try again") == nullptr) return 7;
          limit(resource, before.rlim_cur);
          if (planned(runtime, "good") != "good") return 11;
          if (planned(runtime, "nonexistent", &status) != "" || status != XLASHAPE_STATUS_NOT_FOUND) return 12;
          const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
          while (planned(runtime) != "good") {
            if (std::chrono::steady_clock::now() > end) return 8;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          return logged.warnings == 1 ? 0 : 9;
        }),
        0)
        << at;
  }
}

#ifdef __linux__
// A file system without programs is a reason of its own, and final, though glibc says what it says of lack of memory.
TEST(Places, WhereProgramsMayNotBe) {
  const Folder folder;
  if (mount("none", folder.path().c_str(), "tmpfs", MS_NOEXEC, "mode=755") != 0) GTEST_SKIP() << "only root may mount";
  const struct Mounted {
    const Folder& folder;
    ~Mounted() { umount2(folder.path().c_str(), MNT_DETACH); }
  } mounted{folder};
  folder.add("good");
  Logged logged;
  xlashape_runtime* runtime = nullptr;
  ASSERT_EQ(create(folder, &logged, kAlone, &runtime), XLASHAPE_STATUS_OK);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(planned(runtime), "scalar");
  EXPECT_EQ(logged.warnings, 1) << logged.text;
  EXPECT_THAT(std::string(logged.text),
              AllOf(HasSubstr("mounted noexec: put it where"), Not(HasSubstr("later plans"))));
  xlashape_runtime_release(runtime);
}
#endif

// The user's profile as well: the runtime is made without it, and reads it with the folders.
TEST(Places, AProfileIsReadAfterAShortage) {
  if (kAddressSanitizer) GTEST_SKIP() << "UBSan needs descriptors to look at an exception";
  const Folder folder;
  folder.add("good");
  const std::string path = folder.write("p", "xlashape profile 1\nprocessor another\n");
  EXPECT_EQ(in_child([&] {
              setenv("XLASHAPE_PROFILE", path.c_str(), 1);
              constexpr uint32_t kFlags = XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
              Logged logged;
              xlashape_runtime* runtime = nullptr;
              rlimit before;
              getrlimit(RLIMIT_NOFILE, &before);
              limit(RLIMIT_NOFILE, 0);
              if (create(folder, &logged, kFlags, &runtime) != XLASHAPE_STATUS_OK) return 1;
              char text[8192] = "";
              int64_t needed;
              const auto says = [&](const char* part) {
                return xlashape_runtime_report(runtime, text, sizeof text, &needed, nullptr) == XLASHAPE_STATUS_OK &&
                       std::strstr(text, part) != nullptr;
              };
              if (planned(runtime) != "scalar" || !says("/p: ignored: too many open files")) return 2;
              limit(RLIMIT_NOFILE, before.rlim_cur);
              if (planned(runtime) != "good" || !says("/p: ignored: it is about another")) return 3;
              return logged.warnings == 1 ? 0 : 4;
            }),
            0);
}

// By path, and where the program asks for everything at once: then a shortage is an error, and not for ever.
TEST(Places, LoadedNow) {
  if (kAddressSanitizer) GTEST_SKIP() << "UBSan needs descriptors to look at an exception";
  const Folder folder;
  const std::string path = folder.add("good");
  EXPECT_EQ(
      in_child([&] {
        Logged logged;
        xlashape_runtime *plain = nullptr, *runtime = nullptr;
        if (create(folder, &logged, kAlone, &plain) != XLASHAPE_STATUS_OK) return 1;
        rlimit before;
        getrlimit(RLIMIT_NOFILE, &before);
        limit(RLIMIT_NOFILE, 0);
        auto err = XLASHAPE_INIT(xlashape_error);
        const auto load = [&] {
          return xlashape_runtime_load_backend(plain, path.data(), static_cast<int64_t>(path.size()), &err);
        };
        if (create(folder, &logged, kAlone | XLASHAPE_RUNTIME_LOAD_NOW, &runtime, &err) != XLASHAPE_STATUS_NO_MEMORY ||
            runtime != nullptr)
          return 2;
        if (load() != XLASHAPE_STATUS_NO_MEMORY || std::strstr(err.message, "too many open files") == nullptr) return 3;
        limit(RLIMIT_NOFILE, before.rlim_cur);
        if (load() != XLASHAPE_STATUS_OK) return 4;
        if (create(folder, &logged, kAlone | XLASHAPE_RUNTIME_LOAD_NOW, &runtime) != XLASHAPE_STATUS_OK) return 5;
        limit(RLIMIT_NOFILE, 0);  // as in a sandbox
        return planned(runtime) == "good" ? 0 : 6;
      }),
      0);
}

}  // namespace
