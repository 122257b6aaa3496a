// Plans through the public interface, for the programs of tests/gpu that have no GoogleTest. A failure ends the program
// with a line that says what failed.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "backends/gpu/cuda/driver.h"
#include "xlashape.h"

namespace xlashape::gpu {

inline xlashape_error& last_error() {
  static xlashape_error err{};
  err.struct_size = sizeof err;
  return err;
}

inline void check(xlashape_status status, const std::string& what) {
  if (status == XLASHAPE_STATUS_OK) return;
  std::printf("%s: %s\n", what.c_str(), last_error().message);
  std::exit(3);
}

class Shape {
 public:
  explicit Shape(const std::string& words) {
    check(xlashape_shape_parse(words.data(), words.size(), 0, &handle_, &last_error()), words);
  }
  ~Shape() { xlashape_shape_release(handle_); }
  Shape(const Shape&) = delete;
  const xlashape_shape* get() const { return handle_; }

 private:
  xlashape_shape* handle_ = nullptr;
};

// One that opens its backends anew, with options of theirs.
class Runtime {
 public:
  explicit Runtime(const char* backend_options) {
    xlashape_runtime_options options{};
    options.struct_size = sizeof options;
    options.backend_options = backend_options;
    check(xlashape_runtime_create(&options, &handle_, &last_error()), "runtime");
  }
  ~Runtime() { xlashape_runtime_release(handle_); }
  Runtime(const Runtime&) = delete;
  xlashape_runtime* get() const { return handle_; }

 private:
  xlashape_runtime* handle_ = nullptr;
};

class Plan {
 public:
  Plan(const std::string& src, const std::string& dst, xlashape_memory_space space, const char* backend,
       xlashape_runtime* runtime = nullptr) {
    const Shape from(src), to(dst);
    xlashape_relayout_options options{};
    options.struct_size = sizeof options;
    options.src_space = options.dst_space = space;
    options.backend = backend;
    check(xlashape_plan_create(runtime, from.get(), to.get(), &options, &handle_, &last_error()), src + " -> " + dst);
    xlashape_plan_requirements r{};
    r.struct_size = sizeof r;
    check(xlashape_plan_get_requirements(handle_, &r, &last_error()), "requirements");
    src_bytes = r.src_high;
    dst_bytes = r.dst_high;
  }
  ~Plan() { xlashape_plan_release(handle_); }
  Plan(const Plan&) = delete;

  void run(const void* src, void* dst) const { check(xlashape_plan_execute(handle_, src, dst, &last_error()), "run"); }
  void enqueue(uint64_t src, uint64_t dst, cuda::CUstream stream) const {
    xlashape_exec exec{};
    exec.struct_size = sizeof exec;
    exec.queue_kind = XLASHAPE_QUEUE_CUDA;
    exec.queue = reinterpret_cast<uint64_t>(stream);
    exec.src = src;
    exec.dst = dst;
    exec.count = count;
    check(xlashape_plan_execute_ex(handle_, &exec, &last_error()), "execute");
  }
  std::string words() const {
    char line[1024];
    int64_t needed;
    check(xlashape_plan_describe(handle_, line, sizeof line, &needed, &last_error()), "describe");
    return line;
  }
  int64_t src_bytes = 0, dst_bytes = 0;

 protected:
  Plan() = default;
  xlashape_plan* handle_ = nullptr;
  int64_t count = 0;  // of indices
};

// Batches of indices of a row-major array.
class IndexBatch : public Plan {
 public:
  // `soa`: all indices of a dimension side by side; else those of an element.
  IndexBatch(bool to_linear, bool soa, const std::string& dimensions, int64_t count, xlashape_memory_space space,
             const char* backend) {
    const Shape shape("u8[" + dimensions + "]");
    xlashape_index_map* map = nullptr;
    check(xlashape_index_map_create(shape.get(), &map, &last_error()), dimensions);
    const int64_t rank = xlashape_index_map_rank(map);
    positions = xlashape_index_map_storage_elements(map);
    xlashape_index_options options{};
    options.struct_size = sizeof options;
    options.flags = XLASHAPE_INDEX_MARK_BAD;  // as a queue demands
    options.src_space = options.dst_space = space;
    options.backend = backend;
    options.index_step = soa ? 1 : rank;
    options.dimension_step = soa ? count : 1;
    const auto conversion = to_linear ? XLASHAPE_CONVERSION_TO_LINEAR : XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL;
    check(xlashape_index_plan_create(nullptr, map, conversion, &options, &handle_, &last_error()), dimensions);
    xlashape_index_map_release(map);
    this->count = count;
    src_bytes = 8 * count * (to_linear ? rank : 1);
    dst_bytes = 8 * count * (to_linear ? 1 : rank);
  }
  int64_t positions;
};

}  // namespace xlashape::gpu
