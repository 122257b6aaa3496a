// Memory for executions of plans, and what has to be in it afterwards.
#pragma once
#include <mutex>

#include "plans.h"

namespace api_fuzz {

constexpr int64_t kMostBytes = 1 << 18;

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

void compare(const Request& request, const std::vector<uint8_t>& got, const std::vector<uint8_t>& want,
             const std::vector<uint8_t>* mask, const char* what);
// `got` is right; `once`: by backends as well, which takes longer.
void judge(const Request& request, const Reach& reach, const std::vector<uint8_t>& src,
           const std::vector<uint8_t>& before, const std::vector<uint8_t>& got, bool once);

// One execution of a relayout plan that is to succeed: its memory, and the exec that says so.
struct Scene {
  Scene(Input& input, const PlanInfo& plan, const Reach& where, std::vector<uint8_t> source);
  void judge_bytes(bool once) const { judge(info.request, reach, src, before, to.bytes(), once); }

  const PlanInfo info;
  const Reach reach;
  const std::vector<uint8_t> src, before;
  const Memory from, to;
  xlashape_exec exec = {};
};
// NULL where there is no such plan, or it reaches too far.
std::unique_ptr<Scene> set_scene(Input& input, const xlashape_plan* plan);

// What an execution tells of its tasks, and whether it is cancelled.
class Watch {
 public:
  // Cancelled never, before it begins, or when so many tasks have ended. `is_one`: the tasks are counted together, which
  // those of a list with plans on devices are not.
  explicit Watch(Input& input, bool is_one = true);
  void put(xlashape_exec* exec);
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
  std::vector<int64_t> done_;
  int64_t count_ = 0;
};

}  // namespace api_fuzz
