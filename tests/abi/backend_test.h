// What the tests of mocks and tracers share: a runtime with one backend added, and relayouts whose result is known.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "abi/abi_file.h"
#include "abi/library.h"
#include "api/api.h"

namespace foreign {

inline const File& file() {
  static const File the_file(std::getenv("XLASHAPE_TEST_ABI"));
  return the_file;
}

// The entry function of the scalar backend under the name abi_probe.
inline Library::Function probe() {
  static const Library library(std::getenv("XLASHAPE_TEST_PLUGIN"));
  return library.find("xlashape_backend_open_abi_probe");
}

struct Host {
  explicit Host(xlashape_executor* executor = nullptr) {
    xlashape_runtime_options options{};
    options.struct_size = sizeof options;
    options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
    options.executor = executor;
    runtime = api::make<api::Runtime>(
        [&](xlashape_runtime** made, xlashape_error* err) { return xlashape_runtime_create(&options, made, err); });
  }

  xlashape_status add(Library::Function open, const char* name = "abi_probe") {
    return xlashape_runtime_add_backend(runtime.get(), name, std::strlen(name),
                                        reinterpret_cast<xlashape_backend_open>(open), nullptr, nullptr, 0, &err);
  }

  std::string detail_of_last() const {
    return api::backend_text(runtime.get(), xlashape_runtime_backend_count(runtime.get()) - 1,
                             XLASHAPE_BACKEND_TEXT_DETAIL);
  }

  // What is known of the backend added last.
  xlashape_backend_info last() const {
    xlashape_backend_info info{};
    info.struct_size = sizeof info;
    xlashape_runtime_backend_info(runtime.get(), xlashape_runtime_backend_count(runtime.get()) - 1, &info, nullptr);
    return info;
  }

  api::Plan plan(const char* backend = "abi_probe") {
    const api::Shape from = api::shape("f32[6,10]{1,0}"), to = api::shape("f32[6,10]{0,1}");
    xlashape_relayout_options options{};
    options.struct_size = sizeof options;
    options.backend = backend;
    xlashape_plan* made = nullptr;
    status = xlashape_plan_create(runtime.get(), from.get(), to.get(), &options, &made, &err);
    return api::Plan(made);
  }

  // Runs the transpose; true when the result is right.
  bool run(const api::Plan& plan) {
    float from[60], to[60] = {};
    for (int i = 0; i < 60; ++i) from[i] = static_cast<float>(i);
    status = xlashape_plan_execute(plan.get(), from, to, &err);
    for (int i = 0; i < 60; ++i)
      if (from[i] != static_cast<float>(i)) ADD_FAILURE() << "the source was written";
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 10; ++j)
        if (to[j * 6 + i] != from[i * 10 + j]) return false;
    return true;
  }

  // The process lives, and so does everything else in the runtime.
  void others_work() {
    const api::Plan other = plan("scalar");
    ASSERT_NE(other, nullptr) << err.message;
    EXPECT_TRUE(run(other));
    EXPECT_EQ(status, XLASHAPE_STATUS_OK);
  }

  api::Runtime runtime;
  api::Error err;
  xlashape_status status = XLASHAPE_STATUS_OK;
};

}  // namespace foreign
