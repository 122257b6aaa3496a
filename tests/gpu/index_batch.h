// Batches of indices in device memory: through the plugin's own table. The array is row-major, so its index map is one
// stride for each dimension, written down here.
#pragma once
#include <dlfcn.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/bench_plan.h"
#include "waist/divide.h"
#include "xlashape_backend.h"

namespace xlashape::gpu {

// The plugin at `path`, opened with a host that has nothing to offer.
inline const xlashape_backend& opened(const std::string& path) {
  static xlashape_backend table{};
  if (table.self != nullptr) return table;
  using Open = xlashape_status (*)(const xlashape_host*, xlashape_backend*, xlashape_error*);
  void* object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  const auto open = object != nullptr ? reinterpret_cast<Open>(dlsym(object, "xlashape_backend_open_cuda")) : nullptr;
  if (open == nullptr) {
    std::printf("%s\n", dlerror());
    std::exit(3);
  }
  static xlashape_host host{};
  host.struct_size = sizeof host;
  host.abi_min = host.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
  host.manifest_path = "";
  table.struct_size = sizeof table;
  check(open(&host, &table, &last_error()), path);
  return table;
}

class IndexBatch {
 public:
  // `soa`: all indices of a dimension side by side; else those of an element.
  IndexBatch(const xlashape_backend& table, bool to_linear, bool soa, std::vector<int64_t> dimensions, int64_t count)
      : to_linear(to_linear),
        soa(soa),
        count(count),
        dimensions(std::move(dimensions)),
        table_(table),
        strides_(this->dimensions.size()),
        magics_(strides_.size()),
        shifts_(strides_.size()),
        axes_(strides_.size()) {
    positions = 1;
    for (size_t d = strides_.size(); d-- > 0;) {
      strides_[d] = positions;
      const waist::Reciprocal by = waist::reciprocal(positions);
      magics_[d] = by.magic;
      shifts_[d] = by.shift;
      axes_[d] = static_cast<int32_t>(d);
      positions *= this->dimensions[d];
    }
    map_.struct_size = sizeof map_;
    map_.unit_bits = 8;
    map_.rank = map_.output_count = static_cast<int32_t>(strides_.size());
    map_.positions = map_.data_positions = positions;
    map_.dimensions = map_.output_extent = this->dimensions.data();
    map_.sum_first_term = map_.sum_first_value = &kNone;
    map_.output_value = axes_.data();
    map_.output_stride = strides_.data();
    map_.output_magic = magics_.data();
    map_.output_shift = shifts_.data();
    op_.struct_size = sizeof op_;
    op_.kind = to_linear ? XLASHAPE_OP_TO_LINEAR : XLASHAPE_OP_TO_MULTI;
    op_.src_space = op_.dst_space = XLASHAPE_SPACE_CUDA;
    op_.map = &map_;
    op_.index_step = soa ? 1 : map_.rank;
    op_.dimension_step = soa ? count : 1;
    op_.flags = XLASHAPE_MARK_BAD;  // as a queue demands
    size_t bytes, alignment;
    check(table.plan_size(table.self, &op_, &bytes, &alignment), "plan_size");
    storage_.resize(bytes / sizeof(std::max_align_t) + 1);
    check(table.plan_init(table.self, &op_, 0, storage_.data(), &last_error()), "plan_init");
  }
  ~IndexBatch() { table_.plan_destroy(table_.self, storage_.data()); }
  IndexBatch(const IndexBatch&) = delete;

  int64_t src_bytes() const { return 8 * count * (to_linear ? map_.rank : 1); }
  int64_t dst_bytes() const { return 8 * count * (to_linear ? 1 : map_.rank); }
  void enqueue(uint64_t src, uint64_t dst, cuda::CUstream stream) const {
    xlashape_run run{};
    run.struct_size = sizeof run;
    run.queue_kind = XLASHAPE_QUEUE_CUDA;
    run.queue = reinterpret_cast<uint64_t>(stream);
    run.src = src;
    run.dst = dst;
    run.count = count;
    run.task_end = run.task_count = 1;
    int64_t first = count;
    run.first_bad = &first;
    check(table_.plan_execute(table_.self, storage_.data(), &op_, &run, &last_error()), "execute");
  }
  std::string words() const {
    char line[256];
    table_.describe(table_.self, storage_.data(), &op_, line, sizeof line);
    return line;
  }
  const bool to_linear, soa;
  const int64_t count;
  int64_t positions;
  const std::vector<int64_t> dimensions;

 private:
  static constexpr int32_t kNone = 0;
  const xlashape_backend& table_;
  std::vector<int64_t> strides_;
  std::vector<uint64_t> magics_;
  std::vector<int32_t> shifts_, axes_;
  xlashape_map_ir map_{};
  xlashape_op op_{};
  mutable std::vector<std::max_align_t> storage_;
};

}  // namespace xlashape::gpu
