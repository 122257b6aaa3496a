/* SPDX-License-Identifier: Apache-2.0 */
// Plans with what they were made from, and what a relayout has to do, element by element, as the header says it: by
// both sides' index maps, strides and padding elements (reference.cc).
#pragma once
#include <mutex>

#include "runtimes.h"
#include "xlashape_runtime.h"

namespace api_fuzz {

using List = std::vector<int64_t>;

// One side of a relayout in a caller's words. A list that is not given is nullopt.
struct Side {
  const xlashape_shape* shape = nullptr;  // lives as long as the input is worked on
  int32_t space = 0;
  std::optional<List> strides, base;
  bool in_elements = false;  // the strides
  int64_t first = 0;         // element, with such strides

  // A scalar has no strides, so its first element says that it has.
  bool is_strided() const { return strides || (first != 0 && xlashape_shape_rank(shape) == 0); }
};
struct Request {
  Side src, dst;
  uint32_t flags = 0;
  int32_t fill_policy = XLASHAPE_FILL_PADDING, device = 0;
  std::string backend;  // "": none
  std::optional<List> extent;
  std::vector<float> scale;
  std::vector<int32_t> zero_point;
  int64_t scale_dimension = 0;

  xlashape_relayout_options options() const;
  // True where there are neither devices nor memory besides the CPU's for it.
  bool is_on_cpu() const { return src.space <= 1 && dst.space <= 1; }
  bool is_beyond_cpu() const { return !is_on_cpu() || src.space < 0 || dst.space < 0 || device != 0; }
  // A scalar's box has no extents that could be told: one of its other lists will do.
  bool is_box() const { return extent || (xlashape_shape_rank(src.shape) == 0 && (src.base || dst.base)); }
  // Each byte of the destination is told.
  bool is_all_told() const { return fill_policy != XLASHAPE_FILL_UNSPECIFIED || is_box() || dst.is_strided(); }
  // For the report of a fault.
  void print() const;
};
Request draw_request(Input& input);

struct Expected {
  std::vector<uint8_t> bytes, mask;  // where a bit of the mask is 0 anything may be
};
// `src` holds bytes [src_low, ...) from the pointer on, `before` those of the destination from dst_low on. nullopt
// where the answer is not to be had in short.
std::optional<Expected> expect(const Request& request, const std::vector<uint8_t>& src, int64_t src_low,
                               const std::vector<uint8_t>& before, int64_t dst_low);

struct PlanInfo {
  Request request;
  xlashape_runtime* runtime = nullptr;
  bool may_fail = false;  // its backend is one of ours
};
const PlanInfo* info_of(const xlashape_plan* plan);
// Makes one, and remembers what it was made from; or NULL.
xlashape_plan* make_plan(Input& input, xlashape_runtime* runtime, const Request& request, int64_t measure_ns = 0);
void forget_plans();
// Index plans (conversions.cc).
bool has_index_plans(const xlashape_runtime* runtime);
void forget_index_plans();

// What an element becomes.
inline constexpr uint32_t kValueFlags =
    XLASHAPE_PLAN_CONVERT | XLASHAPE_PLAN_SATURATE | XLASHAPE_PLAN_SRC_HIGH_FIRST | XLASHAPE_PLAN_DST_HIGH_FIRST;
inline constexpr uint32_t kPlanFlags =
    kValueFlags | XLASHAPE_PLAN_ALLOW_FALLBACK | XLASHAPE_PLAN_KEEP_IN_CACHE | XLASHAPE_PLAN_IN_PLACE;

// == Executions (executions.cc) ==

// Memory that ends where the block ends and begins `head` bytes into it, so that any alignment of the first byte
// occurs.
class Memory {
 public:
  Memory(const std::vector<uint8_t>& bytes, size_t head);
  ~Memory();
  Memory(const Memory&) = delete;
  // The caller's pointer, of position 0: byte `low` of the array is the first one here.
  uint64_t pointer(int64_t low) const {
    return reinterpret_cast<uint64_t>(block_.get() + head_) - static_cast<uint64_t>(low);
  }
  std::vector<uint8_t> bytes() const { return {block_.get() + head_, block_.get() + head_ + size_}; }

 private:
  size_t head_, size_;
  std::unique_ptr<uint8_t[]> block_;
};

struct Reach {
  int64_t src_low, src_high, dst_low, dst_high;
};
// False where the plan reaches too far for memory of ours.
bool reach_of(const xlashape_plan* plan, Reach* reach);
std::vector<uint8_t> random_bytes(Input& input, int64_t size);

// One relayout that is to succeed: its memory, and the exec that says so.
struct Scene {
  Scene(Input& input, const PlanInfo& plan, const Reach& where);
  // What is in the destination is right; `once`: by backends as well, which takes longer.
  void judge(bool once) const;
  // Nothing was written.
  void check_untouched(const char* what) const { check(to.bytes() == before, what); }

  const PlanInfo info;
  const Reach reach;
  const std::vector<uint8_t> src, before;
  const Memory from, to;
  xlashape_execute_options exec = {};
};
// NULL where there is no such plan, or it reaches too far.
std::unique_ptr<Scene> set_scene(Input& input, const xlashape_plan* plan);

// What an execution tells of its tasks, and whether it is cancelled.
class Watch {
 public:
  // Cancelled never, before it begins, or when so many tasks have ended. `is_one`: the tasks are counted together,
  // which those of a list with plans on devices are not.
  explicit Watch(Input& input, bool is_one = true);
  void put(xlashape_execute_options* exec);
  bool is_set_before() const { return cancel_at_ == 0; }
  // Told by an execution that has ended.
  void check_ended(xlashape_status status) const;
  int64_t count() const { return count_; }

 private:
  static void XLASHAPE_CALL hear(void* opaque, int64_t done, int64_t count);

  int64_t cancel_at_;  // INT64_MAX: never
  bool is_one_, hears_;
  int32_t cancel_ = 0;
  std::mutex lock_;
  List done_;
  int64_t count_ = 0;
};

void execute(Input& input);
void execute_list(Input& input);
void relayout_once(Input& input);

}  // namespace api_fuzz
