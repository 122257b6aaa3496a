// SPDX-License-Identifier: Apache-2.0
#include "peers.h"

#if __has_include(<dnnl.h>)
#include <dlfcn.h>
#include <dnnl.h>

namespace bench {
namespace {

// clang-format off
#define BENCH_ONEDNN_FUNCTIONS(X) \
  X(engine_create) X(stream_create) X(stream_wait) X(memory_desc_init_by_strides) X(reorder_primitive_desc_create) \
  X(primitive_desc_destroy) X(primitive_create) X(primitive_destroy) X(memory_create) X(memory_destroy) \
  X(primitive_execute)
// clang-format on

// The library's functions, one engine and one stream.
struct Library {
#define BENCH_MEMBER(name) decltype(&dnnl_##name) name;
  BENCH_ONEDNN_FUNCTIONS(BENCH_MEMBER)
#undef BENCH_MEMBER
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
  std::string missing;

  Library() {
    void* const library = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      missing = dlerror();
      return;
    }
    bool all = true;
#define BENCH_LOAD(name)                                                  \
  name = reinterpret_cast<decltype(name)>(dlsym(library, "dnnl_" #name)); \
  all &= name != nullptr;
    BENCH_ONEDNN_FUNCTIONS(BENCH_LOAD)
#undef BENCH_LOAD
    if (!all) {
      missing = "libdnnl.so.2 lacks a function that the bench calls";
    } else if (engine_create(&engine, dnnl_cpu, 0) != dnnl_success ||
               stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success) {
      missing = "libdnnl.so.2 makes no engine for the CPU";
    }
  }
};

const Library& library() {
  static const Library library;
  return library;
}

// One reorder between two strided memories.
class Reorder {
 public:
  Reorder(const Rectangle& rectangle, const Problem& problem, dnnl_data_type_t type) {
    const int rank = static_cast<int>(std::max<size_t>(rectangle.loops.size(), 1));
    dnnl_dims_t dimensions = {1}, src_strides = {1}, dst_strides = {1};
    for (size_t l = 0; l < rectangle.loops.size(); ++l) {
      dimensions[l] = rectangle.loops[l].extent;
      src_strides[l] = rectangle.loops[l].src;
      dst_strides[l] = rectangle.loops[l].dst;
    }
    const Library& dnnl = library();
    dnnl_memory_desc_t src_form, dst_form;
    dnnl_primitive_desc_t form = nullptr;
    const int width = problem.strided.width;
    ok_ = dnnl.memory_desc_init_by_strides(&src_form, rank, dimensions, type, src_strides) == dnnl_success &&
          dnnl.memory_desc_init_by_strides(&dst_form, rank, dimensions, type, dst_strides) == dnnl_success &&
          dnnl.reorder_primitive_desc_create(&form, &src_form, dnnl.engine, &dst_form, dnnl.engine, nullptr) ==
              dnnl_success &&
          dnnl.primitive_create(&primitive_, form) == dnnl_success &&
          dnnl.memory_create(&src_, &src_form, dnnl.engine, const_cast<char*>(problem.src) + rectangle.src * width) ==
              dnnl_success &&
          dnnl.memory_create(&dst_, &dst_form, dnnl.engine, problem.dst + rectangle.dst * width) == dnnl_success;
    if (form != nullptr) dnnl.primitive_desc_destroy(form);
  }
  Reorder(const Reorder&) = delete;
  ~Reorder() {
    if (primitive_ != nullptr) library().primitive_destroy(primitive_);
    if (src_ != nullptr) library().memory_destroy(src_);
    if (dst_ != nullptr) library().memory_destroy(dst_);
  }
  bool ok() const { return ok_; }
  void run() const {
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, src_}, {DNNL_ARG_TO, dst_}};
    library().primitive_execute(primitive_, library().stream, 2, arguments);
    library().stream_wait(library().stream);
  }

 private:
  bool ok_;
  dnnl_primitive_t primitive_ = nullptr;
  dnnl_memory_t src_ = nullptr, dst_ = nullptr;
};

}  // namespace

Run onednn(const Problem& problem) {
  const int width = problem.strided.width;
  if (width > 4) return {};
  const dnnl_data_type_t type = width == 1 ? dnnl_u8 : width == 2 ? dnnl_bf16 : dnnl_f32;
  std::vector<std::shared_ptr<Reorder>> reorders;
  for (const Rectangle& rectangle : problem.strided.rectangles) {
    if (rectangle.loops.size() > DNNL_MAX_NDIMS) return {};
    reorders.push_back(std::make_shared<Reorder>(rectangle, problem, type));
    if (!reorders.back()->ok()) return {};
  }
  return [reorders] {
    for (const auto& reorder : reorders) reorder->run();
  };
}

std::string onednn_missing() { return library().missing; }

}  // namespace bench
#else
namespace bench {
Run onednn(const Problem&) { return {}; }
std::string onednn_missing() { return "the bench was built without its headers (libdnnl-dev)"; }
}  // namespace bench
#endif
