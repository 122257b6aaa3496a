/* SPDX-License-Identifier: Apache-2.0 */
// What the loader's tests share: folders with plugins in them, runtimes that see nothing else, one relayout with a
// known result. Knows the C API only; plugins are files.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "byte_count.h"
#include "xlashape_runtime.h"

namespace loader {

namespace fs = std::filesystem;

#if defined(__has_feature)
#define XLASHAPE_TEST_FEATURE(name) __has_feature(name)
#else
#define XLASHAPE_TEST_FEATURE(name) 0
#endif
#if defined(__SANITIZE_THREAD__) || XLASHAPE_TEST_FEATURE(thread_sanitizer)
constexpr bool kThreadSanitizer = true;
#else
constexpr bool kThreadSanitizer = false;
#endif
#if defined(__SANITIZE_ADDRESS__) || XLASHAPE_TEST_FEATURE(address_sanitizer)
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif

inline std::string plugin(const std::string& name) {
  return std::string(std::getenv("XLASHAPE_TEST_PLUGINS")) + "/" + name + ".so";
}

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A folder of its own, gone at the end.
class Folder {
 public:
  Folder() {
    char path[] = "/tmp/xlashape-loader-XXXXXX";
    if (mkdtemp(path) != nullptr) path_ = fs::canonical(path).string();
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string add(const std::string& name, const std::string& as = "") const {
    const std::string to = file((as.empty() ? name : as) + ".so");
    fs::copy_file(plugin(name), to);
    fs::permissions(to, fs::perms(0755));
    return to;
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    fs::permissions(file(name), fs::perms(0644));
    return file(name);
  }

 private:
  std::string path_;
};

constexpr uint32_t kAlone =
    XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;

class Runtime {
 public:
  explicit Runtime(const std::string& folders = "", uint32_t flags = kAlone, int32_t threads = 0) {
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.flags = flags;
    options.backend_dirs = folders.c_str();
    options.threads = threads;
    auto err = XLASHAPE_INIT(xlashape_error);
    EXPECT_EQ(xlashape_runtime_create(&options, &runtime_, &err), XLASHAPE_STATUS_OK) << err.message;
  }
  ~Runtime() { xlashape_runtime_release(runtime_); }
  Runtime(const Runtime&) = delete;
  xlashape_runtime* get() const { return runtime_; }

  std::string report() const {
    int64_t needed = 0;
    EXPECT_EQ(xlashape_runtime_report(runtime_, nullptr, 0, &needed, nullptr), XLASHAPE_STATUS_OK);
    std::string text(static_cast<size_t>(needed) + 4096, '\0');
    EXPECT_EQ(xlashape_runtime_report(runtime_, text.data(), needed + 4096, &needed, nullptr), XLASHAPE_STATUS_OK);
    text.resize(static_cast<size_t>(needed) - 1);
    return text;
  }
  // One of XLASHAPE_BACKEND_TEXT_* about a backend.
  std::string text(int64_t ordinal, int32_t which) const {
    char all[8192];
    int64_t needed = 0;
    EXPECT_EQ(xlashape_runtime_backend_text(runtime_, ordinal, which, all, sizeof all, &needed, nullptr),
              XLASHAPE_STATUS_OK);
    return all;
  }
  // The report's line about a backend.
  std::string line(const std::string& name) const {
    const std::string text = report(), start = "backend " + name + ": ";
    const size_t at = text.find(start);
    return at == std::string::npos ? "no line about " + name + " in\n" + text
                                   : text.substr(at, text.find('\n', at) - at);
  }
  // "" or the error.
  std::string load(const std::string& path, xlashape_status* status = nullptr) const {
    auto err = XLASHAPE_INIT(xlashape_error);
    const xlashape_status result = xlashape_runtime_load_backend(runtime_, path.data(), path.size(), &err);
    if (status != nullptr) *status = result;
    return result == XLASHAPE_STATUS_OK ? "" : err.message;
  }
  // Transposes bytes through a plan: the name of the backend that did it, or what went wrong.
  std::string transpose(const char* backend = nullptr, uint32_t flags = 0) const {
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    options.backend = backend;
    options.flags = flags;
    xlashape_shape *from = nullptr, *to = nullptr;
    xlashape_shape_parse("u8[3,4]{1,0}", 12, 0, &from, nullptr);
    xlashape_shape_parse("u8[3,4]{0,1}", 12, 0, &to, nullptr);
    xlashape_plan* plan = nullptr;
    auto err = XLASHAPE_INIT(xlashape_error);
    std::string result;
    if (xlashape_plan_create(runtime_, from, to, &options, &plan, &err) != XLASHAPE_STATUS_OK) {
      result = err.message;
    } else {
      uint8_t src[12], dst[12] = {};
      for (int i = 0; i < 12; ++i) src[i] = static_cast<uint8_t>(i);
      if (xlashape_plan_execute(plan, src, sizeof src, dst, sizeof dst, &err) != XLASHAPE_STATUS_OK)
        result = err.message;
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x)
          if (result.empty() && dst[x * 3 + y] != src[y * 4 + x]) result = "wrong result";
      if (result.empty()) result = xlashape_plan_backend(plan);
    }
    xlashape_plan_release(plan);
    xlashape_shape_release(from);
    xlashape_shape_release(to);
    return result;
  }

 private:
  xlashape_runtime* runtime_ = nullptr;
};

inline bool is_mapped(const std::string& path) { return text_of("/proc/self/maps").find(path) != std::string::npos; }

// Runs body in a child: its exit status, or 128 + the signal that ended it.
template <class Body>
int in_child(Body&& body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace loader
