/* SPDX-License-Identifier: Apache-2.0 */
// What the tests of the bound backend share: manifests written to a folder, and relayouts compared with scalar's.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

#include "api/api.h"
#include "xlashape_runtime.h"

namespace foreign {

inline std::string env(const char* name) { return std::getenv(name) != nullptr ? std::getenv(name) : ""; }

// A folder of its own with a manifest in it.
class Folder {
 public:
  Folder() : path_(testing::TempDir() + "xlashape_bound_XXXXXX") {
    if (mkdtemp(path_.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
  }
  const std::string& path() const { return path_; }
  ~Folder() {
    for (const std::string& file : files_) std::remove(file.c_str());
    std::remove(path_.c_str());
  }
  std::string write(const std::string& name, const std::string& roles) {
    files_.push_back(path_ + "/" + name + ".xlashape.toml");
    std::ofstream(files_.back()) << "manifest = 1\nname = \"" << name << "\"\nlibrary = \""
                                 << env("XLASHAPE_TEST_BOUND") << "\"\nentry = \"bound\"\nabi = \"0.1\"\n"
                                 << roles;
    return files_.back();
  }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

class Bound : public testing::Test {
 protected:
  Bound() { fresh(); }

  // A runtime that knows no bound backend yet, save from these places.
  void fresh(uint32_t flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR |
                              XLASHAPE_RUNTIME_NO_INSTALL_DIR,
             const char* folders = nullptr) {
    auto options = XLASHAPE_INIT(xlashape_runtime_options);
    options.flags = flags;
    options.backend_dirs = folders;
    runtime_ = api::make<api::Runtime>(
        [&](xlashape_runtime** made, xlashape_error* err) { return xlashape_runtime_create(&options, made, err); });
  }

  xlashape_status load(const std::string& manifest) {
    return xlashape_runtime_load_backend(runtime_.get(), manifest.data(), manifest.size(), &err_);
  }

  // Loads [role...] tables under the name "vendor".
  xlashape_status load_roles(const std::string& roles) {
    std::string text = roles;
    for (size_t at; (at = text.find("@VENDOR")) != std::string::npos;) text.replace(at, 7, env("XLASHAPE_TEST_VENDOR"));
    return load(folder_.write("vendor", text));
  }

  std::string report() const {
    char text[8192] = "";
    int64_t needed;
    xlashape_runtime_report(runtime_.get(), text, sizeof text, &needed, nullptr);
    return text;
  }

  api::Plan plan(const std::string& src, const std::string& dst, const char* backend,
                 xlashape_fill_policy policy = XLASHAPE_FILL_PADDING) {
    const api::Shape from = api::shape(src), to = api::shape(dst);
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    options.backend = backend;
    options.fill_policy = policy;
    xlashape_plan* made = nullptr;
    status_ = xlashape_plan_create(runtime_.get(), from.get(), to.get(), &options, &made, &err_);
    return api::Plan(made);
  }

  // Runs the relayout on that backend and on scalar, over all kinds of bits: the same bytes. False: it does not do it.
  bool same_as_scalar(const std::string& src, const std::string& dst, const char* backend,
                      xlashape_fill_policy policy = XLASHAPE_FILL_PADDING) {
    SCOPED_TRACE(src + " -> " + dst);
    const api::Plan tried = plan(src, dst, backend, policy);
    if (tried == nullptr) {
      EXPECT_EQ(status_, XLASHAPE_STATUS_NOT_FOUND) << err_.message;
      return false;
    }
    auto room = XLASHAPE_INIT(xlashape_plan_requirements);
    EXPECT_EQ(xlashape_plan_get_requirements(tried.get(), &room, nullptr), XLASHAPE_STATUS_OK);
    std::vector<uint64_t> from(static_cast<size_t>(room.src_high) / 8 + 2),
        to(static_cast<size_t>(room.dst_high) / 8 + 2, 0x55), want = to;
    std::mt19937_64 random(1);
    for (uint64_t& word : from) word = random() % 4 == 0 ? 0x7F80000100000001u : random();
    EXPECT_EQ(xlashape_plan_execute(plan(src, dst, "scalar", policy).get(), from.data(), byte_count(from), want.data(),
                                    byte_count(want), &err_),
              XLASHAPE_STATUS_OK);
    EXPECT_EQ(xlashape_plan_execute(tried.get(), from.data(), byte_count(from), to.data(), byte_count(to), &err_),
              XLASHAPE_STATUS_OK)
        << err_.message;
    EXPECT_TRUE(to == want);
    EXPECT_STREQ(xlashape_plan_backend(tried.get()), backend);
    // In tasks, in any order.
    std::vector<uint64_t> again(to.size(), 0x55);
    for (int64_t task = 5; task-- > 0;) {
      auto exec = XLASHAPE_INIT(xlashape_execute_options);
      exec.src = reinterpret_cast<uint64_t>(from.data());
      exec.src_bytes = byte_count(from);
      exec.dst = reinterpret_cast<uint64_t>(again.data());
      exec.dst_bytes = byte_count(again);
      exec.task_begin = task;
      exec.task_end = task + 1;
      exec.task_count = 5;
      EXPECT_EQ(xlashape_plan_execute_with(tried.get(), &exec, &err_), XLASHAPE_STATUS_OK);
    }
    EXPECT_TRUE(again == want);
    return true;
  }

  std::string describe(const api::Plan& plan) {
    char text[256] = "";
    int64_t needed;
    xlashape_plan_describe(plan.get(), text, sizeof text, &needed, nullptr);
    return text;
  }

  Folder folder_;
  api::Runtime runtime_;
  api::Error err_;
  xlashape_status status_ = XLASHAPE_STATUS_OK;
};

}  // namespace foreign
