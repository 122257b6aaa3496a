#include "runtime/smoke.h"

#include <algorithm>
#include <cstring>

#include "plan/reference.h"

namespace xlashape {
namespace {

// The maps and the nest of f32[3,5]{1,0} -> {0,1}, written down because this folder knows no layouts. A unit test holds
// them equal to what plan/ makes.
struct Forms {
  int64_t dimensions[2] = {3, 5};
  int64_t zeros[2] = {0, 0};
  int32_t no_terms[1] = {0};
  int32_t src_value[2] = {0, 1}, dst_value[2] = {1, 0};
  int64_t src_stride[2] = {5, 1}, dst_stride[2] = {3, 1};
  int64_t src_extent[2] = {3, 5}, dst_extent[2] = {5, 3};
  // ceil(2^(63 + l) / d) for d = 5 (l = 3), 3 (l = 2) and 1 (l = 0)
  uint64_t src_magic[2] = {0xCCCCCCCCCCCCCCCD, uint64_t{1} << 63},
           dst_magic[2] = {0xAAAAAAAAAAAAAAAB, uint64_t{1} << 63};
  int32_t src_shift[2] = {3, 0}, dst_shift[2] = {2, 0};
  int64_t loop_extent[2] = {3, 5}, loop_src[2] = {20, 4}, loop_dst[2] = {4, 12};
  int32_t loop_guard[2] = {-1, -1};
  xlashape_map_ir src{}, dst{};
  xlashape_loops nest{};
  xlashape_relayout_ir relayout{};

  Forms() {
    const auto map = [&](xlashape_map_ir& m, const int32_t* value, const int64_t* stride, const int64_t* extent,
                         const uint64_t* magic, const int32_t* shift) {
      m.struct_size = sizeof m;
      m.unit_bits = 32;
      m.rank = m.output_count = 2;
      m.positions = m.data_positions = 15;
      m.dimensions = dimensions;
      m.sum_first_term = m.sum_first_value = no_terms;
      m.output_value = value;
      m.output_stride = stride;
      m.output_extent = extent;
      m.output_magic = magic;
      m.output_shift = shift;
    };
    map(src, src_value, src_stride, src_extent, src_magic, src_shift);
    map(dst, dst_value, dst_stride, dst_extent, dst_magic, dst_shift);
    nest.struct_size = sizeof nest;
    nest.loop_count = 2;
    nest.extent = loop_extent;
    nest.src_stride = loop_src;
    nest.dst_stride = loop_dst;
    nest.step = zeros;
    nest.guard = loop_guard;
    relayout.struct_size = sizeof relayout;
    relayout.value_bits = relayout.src_container_bits = relayout.dst_container_bits = 32;
    relayout.src = &src;
    relayout.dst = &dst;
    relayout.src_base = relayout.dst_base = zeros;
    relayout.extent = dimensions;
    relayout.elements = 15;
    relayout.src_high = relayout.dst_high = 60;
    relayout.src_unit_bits = relayout.dst_unit_bits = 8;
    relayout.nest = &nest;
  }
  Forms(const Forms&) = delete;
};

const Forms& forms() {
  static const Forms made;
  return made;
}

// The backend's part of one operation, from making it to destroying it.
class Part {
 public:
  Part(const Slots& slots, const Hooks& hooks, const xlashape_op& op) : slots_(slots), hooks_(hooks), op_(op) {}
  ~Part() {
    if (ready_) slots_.plan_destroy(storage_);
    hooks_.free(storage_, bytes_, alignment_);
  }
  Status make(Error* err) {
    XLASHAPE_TRY(slots_.plan_size(op_, &bytes_, &alignment_, err));
    bytes_ = std::max<size_t>(bytes_, 1);
    storage_ = hooks_.alloc(bytes_, alignment_);
    if (storage_ == nullptr) throw std::bad_alloc();
    XLASHAPE_TRY(slots_.plan_init(op_, storage_, err));
    ready_ = true;
    return XLASHAPE_STATUS_OK;
  }
  Status run(const xlashape_run& run, Error* err) const { return slots_.plan_execute(storage_, op_, run, err); }

 private:
  const Slots& slots_;
  const Hooks& hooks_;
  const xlashape_op& op_;
  void* storage_ = nullptr;
  size_t bytes_ = 0, alignment_ = 1;
  bool ready_ = false;
};

xlashape_op op_on_cpu(int32_t kind) {
  xlashape_op op{};
  op.struct_size = sizeof op;
  op.kind = kind;
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  return op;
}

// Does the backend take it at all?
bool takes(const Slots& slots, const xlashape_op& op) {
  xlashape_support support;
  return slots.supports(op, &support);
}

Status test_relayout(const Slots& slots, const Hooks& hooks, int64_t tasks, Error* err) {
  xlashape_op op = op_on_cpu(XLASHAPE_OP_RELAYOUT);
  op.relayout = &forms().relayout;
  if (!takes(slots, op)) return XLASHAPE_STATUS_OK;
  constexpr int kGuard = 64, kBytes = 60;
  alignas(64) unsigned char src[kBytes], dst[kGuard + kBytes + kGuard], want[sizeof dst];
  for (int i = 0; i < kBytes; ++i) src[i] = static_cast<unsigned char>(i * 37 + 11);
  const uint32_t signalling = 0x7F800001, quiet = 0xFFC12345;  // NaNs must arrive bit for bit
  std::memcpy(src, &signalling, 4);
  std::memcpy(src + 40, &quiet, 4);
  std::memset(dst, 0xA5, sizeof dst);
  std::memset(want, 0xA5, sizeof want);
  reference::relayout(*op.relayout, src, want + kGuard);
  Part part(slots, hooks, op);
  XLASHAPE_TRY(part.make(err));
  for (int64_t task = 0; task < tasks; ++task) {
    xlashape_run run{};
    run.struct_size = sizeof run;
    run.src = reinterpret_cast<uint64_t>(src);
    run.dst = reinterpret_cast<uint64_t>(dst + kGuard);
    run.task_begin = task;
    run.task_end = task + 1;
    run.task_count = tasks;
    XLASHAPE_TRY(part.run(run, err));
  }
  for (int i = 0; i < static_cast<int>(sizeof dst); ++i)
    if (dst[i] != want[i])
      return fail(err, XLASHAPE_STATUS_INTERNAL,
                  "relayout of f32[3,5] to column-major%s: byte %d is 0x%02x, it must be 0x%02x",
                  tasks > 1 ? " in two tasks" : "", i - kGuard, dst[i], want[i]);
  return XLASHAPE_STATUS_OK;
}

Status test_indices(const Slots& slots, const Hooks& hooks, int32_t kind, Error* err) {
  xlashape_op op = op_on_cpu(kind);
  op.map = &forms().dst;
  op.index_step = 2;
  op.dimension_step = 1;
  if (!takes(slots, op)) return XLASHAPE_STATUS_OK;
  constexpr int kCount = 8;
  int64_t index[2 * kCount], linear[kCount];
  for (int i = 0; i < kCount; ++i) {
    linear[i] = (i * 7 + 2) % 15;
    reference::index_at(*op.map, linear[i], index + 2 * i);
  }
  const bool to_linear = kind == XLASHAPE_OP_TO_LINEAR;
  const int64_t* const want = to_linear ? linear : index;
  const int results = to_linear ? kCount : 2 * kCount;
  int64_t out[2 * kCount];
  std::fill(std::begin(out), std::end(out), -77);
  Part part(slots, hooks, op);
  XLASHAPE_TRY(part.make(err));
  int64_t first_bad = kCount;
  xlashape_run run{};
  run.struct_size = sizeof run;
  run.src = reinterpret_cast<uint64_t>(to_linear ? index : linear);
  run.dst = reinterpret_cast<uint64_t>(out);
  run.task_end = run.task_count = 1;
  run.count = kCount;
  run.first_bad = &first_bad;
  XLASHAPE_TRY(part.run(run, err));
  const char* what = to_linear ? "multidimensional to linear" : "linear to multidimensional";
  if (first_bad != kCount)
    return fail(err, XLASHAPE_STATUS_INTERNAL, "indices, %s: number %lld is called bad, it is good", what,
                static_cast<long long>(first_bad));
  for (int i = 0; i < results; ++i)
    if (out[i] != want[i])
      return fail(err, XLASHAPE_STATUS_INTERNAL, "indices, %s: result %d is %lld, it must be %lld", what, i,
                  static_cast<long long>(out[i]), static_cast<long long>(want[i]));
  return XLASHAPE_STATUS_OK;
}

}  // namespace

const xlashape_relayout_ir& smoke_relayout() { return forms().relayout; }

Status smoke_test(const Slots& slots, const Hooks& hooks, Error* err) {
  XLASHAPE_TRY(test_relayout(slots, hooks, 1, err));
  XLASHAPE_TRY(test_relayout(slots, hooks, 2, err));
  XLASHAPE_TRY(test_indices(slots, hooks, XLASHAPE_OP_TO_LINEAR, err));
  return test_indices(slots, hooks, XLASHAPE_OP_TO_MULTIDIMENSIONAL, err);
}

}  // namespace xlashape
