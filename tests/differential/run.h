/* SPDX-License-Identifier: Apache-2.0 */
// Running a case of real size on a backend's table, as schedulers do: any number of tasks, in any order, on one thread
// or on several, on memory that begins and ends anywhere; and saying what went wrong.
#pragma once
#include <optional>
#include <thread>

#include "backends/common/sanitizer.h"
#include "differential/buffers.h"
#include "differential/fast_reference.h"
#include "differential/faults.h"
#include "unit/random_relayout.h"

namespace xlashape::core::testing {

// Where an array lies: how far behind a page's start, or so that its last byte is the last before a page that is not
// there.
struct Placement {
  bool at_end = false;
  int64_t misalignment = 0;
};

// How a case is run. What is not drawn is the simplest.
struct How {
  int64_t workers = 1, tasks = 0;  // tasks 0: what the backend wants for so many workers
  int threads = 1;                 // that run tasks at once
  int64_t pieces = 1;              // most tasks of one call
  bool watch = false;              // see after each call which bytes it changed
  bool in_place = false;           // where the form allows that
  bool offsets = false;            // pass addresses as base and offset
  Placement src, dst;
};

inline Placement draw_placement(Random& random) {
  Placement p;
  p.at_end = random.chance(25);
  // As malloc gives them, 16 bytes after a line, or anywhere.
  if (!p.at_end && random.chance(60)) p.misalignment = random.chance(40) ? 16 * random.in(1, 3) : random.in(1, 63);
  return p;
}

#if XLASHAPE_THREAD_SANITIZER
inline constexpr int kThreadsPercent = 50;  // what it is there for
#else
inline constexpr int kThreadsPercent = 4;
#endif

inline How draw_how(Random& random) {
  static const std::vector<int64_t> workers = {1, 2, 3, 4, 8};
  How how;
  how.workers = random.of(workers);
  if (random.chance(50)) how.tasks = random.chance(25) ? 1 : random.in(2, random.chance(30) ? 64 : 12);
  if (random.chance(kThreadsPercent)) how.threads = static_cast<int>(random.in(2, 4));
  if (random.chance(25)) how.pieces = random.in(2, 5);
  how.watch = how.threads == 1 && random.chance(6);
  how.in_place = random.chance(40);
  how.offsets = random.chance(10);
  how.src = draw_placement(random);
  how.dst = draw_placement(random);
  return how;
}

// A case's form, which it keeps for itself.
class Form {
 public:
  explicit Form(const Case& c) : arena_(space_, sizeof space_) {
    err_.struct_size = sizeof err_;
    status_ = build_relayout(c.request, arena_, &ir_, &err_);
  }
  xlashape_status status() const { return status_; }
  const char* message() const { return err_.message; }
  const xlashape_relayout_ir& ir() const { return ir_; }
  int64_t src_bytes() const { return ir_.src_high - ir_.src_low; }
  int64_t dst_bytes() const { return ir_.dst_high - ir_.dst_low; }

 private:
  alignas(16) char space_[16384];
  Arena arena_;
  xlashape_relayout_ir ir_;
  xlashape_error err_{};
  xlashape_status status_;
};

class Run {
 public:
  Run(const OpenedBackend& backend, const Form& form, const How& how, Buffers& buffers, Random& random)
      : table_(backend.table), ir_(form.ir()), form_(form), how_(how), buffers_(buffers), random_(random) {
    op_.struct_size = sizeof op_;
    op_.kind = ir_.values != nullptr ? XLASHAPE_OP_RELAYOUT_VALUES : XLASHAPE_OP_RELAYOUT;
    op_.src_space = op_.dst_space = XLASHAPE_SPACE_CPU;
    op_.relayout = &ir_;
    err_.struct_size = sizeof err_;
    how_.in_place = how_.in_place && (ir_.flags & XLASHAPE_IR_IS_IDENTITY) != 0 && ir_.src_low == ir_.dst_low;
    if (how_.in_place) how_.src = how_.dst;
  }

  bool taken() const { return taken_; }

  // What is wrong with what the backend did; nothing if all is right, or if it does not take the case.
  std::optional<std::string> failure() {
    auto support = XLASHAPE_INIT(xlashape_support);
    if (table_.supports(table_.self, &op_, &support, nullptr)) return "supports failed";
    taken_ = support.level != XLASHAPE_SUPPORT_NONE;
    if (!taken_) return {};
    int64_t bytes, alignment;
    if (table_.plan_size(table_.self, &op_, &bytes, &alignment, nullptr)) return "plan_size failed";
    if (alignment > int64_t{alignof(std::max_align_t)}) return "a plan aligned to " + std::to_string(alignment);
    std::vector<std::max_align_t> storage(static_cast<size_t>(bytes) / sizeof(std::max_align_t) + 1);
    storage_ = storage.data();
    if (table_.plan_init(table_.self, &op_, storage_, &err_)) return std::string("plan_init: ") + err_.message;
    if (random_.chance(50)) choice_ = choose_candidate(table_, random_, storage_, op_);
    if (choice_.starts_with("wrong")) return choice_;
    tasks_ = how_.tasks != 0                ? how_.tasks
             : table_.plan_tasks == nullptr ? 1
                                            : table_.plan_tasks(table_.self, storage_, &op_, how_.workers);
    Faults::add(how_text() + "\n" + described() + "\n");
    auto wrong = tasks_ < 1 ? "wants " + std::to_string(tasks_) + " tasks" : compare();
    if (!wrong.empty()) wrong += how_text() + "\n" + described();
    if (table_.plan_destroy != nullptr) table_.plan_destroy(table_.self, storage_);
    if (wrong.empty()) return {};
    return wrong;
  }

 private:
  static constexpr int64_t kGuardBytes = 256;
  static constexpr unsigned char kGuardByte = 0xA5;

  static char* placed(const Mapping& mapping, const Placement& placement, int64_t bytes) {
    return placement.at_end ? mapping.end() - bytes : mapping.begin() + 4096 + placement.misalignment;
  }

  std::string compare() {
    const int64_t bytes = form_.dst_bytes();
    FastReference reference(ir_);
    char* const got = placed(buffers_.got, how_.dst, bytes);
    char* const want = buffers_.want.begin();
    const char* const pool = buffers_.source.begin() + random_.in(0, 4095);
    const char* src =
        placed(buffers_.source, how_.src, how_.in_place ? std::max(form_.src_bytes(), bytes) : form_.src_bytes());
    const auto size = static_cast<size_t>(bytes);
    set_guards(got, bytes);
    std::memcpy(got, how_.in_place ? src : pool, size);
    const bool anything = ir_.fill_policy == XLASHAPE_FILL_UNSPECIFIED && (ir_.flags & XLASHAPE_IR_HAS_BOX) == 0;
    if (!anything) {
      std::memcpy(want, got, size);
      reference.run(src - ir_.src_low, want - ir_.dst_low);
    }
    if (auto wrong = execute(how_.in_place ? got : src, got); !wrong.empty()) return wrong;
    if (anything) {  // between the elements it may hold what it likes
      std::memcpy(want, got, size);
      reference.elements(src - ir_.src_low, want - ir_.dst_low);
    }
    if (auto wrong = touched_guard(got, bytes); !wrong.empty()) return wrong;
    if (std::memcmp(want, got, size) == 0) return {};
    int64_t first = 0, count = 0;
    for (int64_t i = bytes; i-- > 0;)
      if (want[i] != got[i]) first = i, ++count;
    return std::to_string(count) + " of " + std::to_string(bytes) + " bytes are wrong, the first is " + place(first) +
           ": it is " + hex(got[first]) + ", must be " + hex(want[first]);
  }

  // Of a byte of the destination, counted from its first one: where it is from position 0 on.
  std::string place(int64_t byte) const { return "byte " + std::to_string(byte + ir_.dst_low); }
  static std::string hex(char byte) {
    char text[8];
    std::snprintf(text, sizeof text, "0x%02x", static_cast<unsigned char>(byte));
    return text;
  }

  // Bytes on both sides as far as there is memory.
  template <class Use>
  void guards(char* got, int64_t bytes, Use use) const {
    const int64_t before = std::min<int64_t>(kGuardBytes, got - buffers_.got.begin()),
                  behind = std::min<int64_t>(kGuardBytes, buffers_.got.end() - (got + bytes));
    use(got - before, before, -before);
    use(got + bytes, behind, bytes);
  }
  void set_guards(char* got, int64_t bytes) const {
    guards(got, bytes,
           [](char* at, int64_t count, int64_t) { std::memset(at, kGuardByte, static_cast<size_t>(count)); });
  }
  std::string touched_guard(char* got, int64_t bytes) const {
    std::string wrong;
    guards(got, bytes, [&](const char* at, int64_t count, int64_t offset) {
      for (int64_t i = 0; i < count && wrong.empty(); ++i)
        if (static_cast<unsigned char>(at[i]) != kGuardByte)
          wrong = place(offset + i) + ", which is outside, was written: it is " + hex(at[i]);
    });
    return wrong;
  }

  // The tasks of one call.
  struct Part {
    int64_t begin, end;
  };
  std::vector<Part> draw_parts() {
    std::vector<Part> parts;
    for (int64_t task = 0; task < tasks_;) {
      const int64_t end = std::min(tasks_, task + (how_.pieces == 1 ? 1 : random_.in(1, how_.pieces)));
      parts.push_back({task, end});
      task = end;
    }
    std::shuffle(parts.begin(), parts.end(), random_.engine());
    return parts;
  }

  std::string execute(const char* src, char* dst) {
    const std::vector<Part> parts = draw_parts();
    auto run = XLASHAPE_INIT(xlashape_run);
    run.task_count = tasks_;
    run.src_byte_offset = how_.offsets ? 4096 - ir_.src_low : 0;
    run.dst_byte_offset = how_.offsets ? -ir_.dst_low - 64 : 0;
    run.src = reinterpret_cast<uintptr_t>(src) - static_cast<uint64_t>(ir_.src_low + run.src_byte_offset);
    run.dst = reinterpret_cast<uintptr_t>(dst) - static_cast<uint64_t>(ir_.dst_low + run.dst_byte_offset);
    if (how_.threads > 1) return call_on_threads(run, parts);
    const int64_t bytes = form_.dst_bytes();
    const bool watch = how_.watch && parts.size() > 1 && parts.size() < 250;
    std::vector<unsigned char> owner;
    if (watch) {
      owner.assign(static_cast<size_t>(bytes), 0);
      std::memcpy(buffers_.last.begin(), dst, static_cast<size_t>(bytes));
    }
    for (size_t i = 0; i < parts.size(); ++i) {
      if (auto wrong = call(run, parts[i]); !wrong.empty()) return wrong;
      if (!watch) continue;
      if (auto wrong = claim(dst, bytes, static_cast<unsigned char>(i + 1), owner); !wrong.empty()) return wrong;
    }
    return {};
  }

  // What went wrong; "" if nothing did.
  std::string call(xlashape_run run, const Part& part) const {
    auto err = XLASHAPE_INIT(xlashape_error);
    run.task_begin = part.begin;
    run.task_end = part.end;
    if (table_.plan_execute(table_.self, storage_, &op_, &run, &err) == XLASHAPE_STATUS_OK) return {};
    return "plan_execute of tasks [" + std::to_string(part.begin) + ", " + std::to_string(part.end) +
           ") failed: " + err.message;
  }
  std::string call_on_threads(const xlashape_run& run, const std::vector<Part>& parts) const {
    const auto count = static_cast<size_t>(how_.threads);
    std::vector<std::thread> threads;
    std::vector<std::string> wrong(count);
    for (size_t t = 0; t < count; ++t)
      threads.emplace_back([&, t] {
        for (size_t i = t; i < parts.size() && wrong[t].empty(); i += count) wrong[t] = call(run, parts[i]);
      });
    for (std::thread& thread : threads) thread.join();
    return *std::max_element(wrong.begin(), wrong.end());  // one of them, if there is any
  }

  // Notes which bytes the last call changed; no other one may have changed them.
  std::string claim(const char* now, int64_t bytes, unsigned char who, std::vector<unsigned char>& owner) const {
    constexpr int64_t kBlock = 512;
    char* const last = buffers_.last.begin();
    for (int64_t at = 0; at < bytes; at += kBlock) {
      const int64_t end = std::min(bytes, at + kBlock);
      if (std::memcmp(now + at, last + at, static_cast<size_t>(end - at)) == 0) continue;
      for (int64_t i = at; i < end; ++i) {
        if (now[i] == last[i]) continue;
        unsigned char& mine = owner[static_cast<size_t>(i)];
        if (mine != 0)
          return place(i) + " changes in call " + std::to_string(who) + ", as it did in call " + std::to_string(mine);
        mine = who;
      }
      std::memcpy(last + at, now + at, static_cast<size_t>(end - at));
    }
    return {};
  }

  std::string how_text() const {
    const auto where = [](const Placement& p) {
      return p.at_end ? std::string("ending on a page") : "misaligned by " + std::to_string(p.misalignment);
    };
    return "\nin " + std::to_string(tasks_) + " tasks for " + std::to_string(how_.workers) + " workers, " +
           std::to_string(how_.threads) + " threads, calls of up to " + std::to_string(how_.pieces) +
           (how_.in_place ? ", in place" : "") + (how_.offsets ? ", with offsets" : "") + "; source " +
           where(how_.src) + ", destination " + where(how_.dst) + (choice_.empty() ? "" : ", chosen: " + choice_);
  }

  std::string described() const {
    char line[1024];
    if (table_.describe == nullptr) return "";
    table_.describe(table_.self, storage_, &op_, line, sizeof line);
    return line;
  }

  const xlashape_backend& table_;
  const xlashape_relayout_ir& ir_;
  const Form& form_;
  How how_;
  Buffers& buffers_;
  Random& random_;
  xlashape_op op_{};
  xlashape_error err_{};
  void* storage_ = nullptr;
  int64_t tasks_ = 0;
  bool taken_ = false;
  std::string choice_;  // the candidate; empty: the backend's own
};

}  // namespace xlashape::core::testing
