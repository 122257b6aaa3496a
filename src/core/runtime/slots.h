// The slots of a backend's table, called: the one door through which a plugin's code runs, once it is mapped. Whatever
// a slot does stays its failure: an exception; a status that is none of ours; a text that is no line; numbers out of
// range.
#pragma once
#include <atomic>

#include "base/status.h"
#include "xlashape_backend.h"

namespace xlashape::core {

class Slots {
 public:
  static constexpr int64_t kMostTasks = 1 << 20;

  // Opens a backend by its entry function: negotiates the version and checks the table. On failure *stage is where it
  // went wrong; nothing is called of a table that cannot be believed, its close neither.
  Status open(const xlashape_host& host, xlashape_backend_open entry, const char** stage, Error* err);
  void close() const;

  const xlashape_backend& table() const { return table_; }
  void set_source(uint32_t source) { source_ = source; }  // 1 + ordinal: of errors
  uint32_t source() const { return source_; }

  // Plans between host buffers go to it only by name.
  bool is_for_device() const { return (table_.memory_spaces & XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU)) == 0; }

  // At least 0.
  int32_t device_count() const;
  // OUT_OF_RANGE for one that it does not have.
  Status check_device(int32_t device, Error* err) const;
  // Always NUL-terminated, a line; "" where it says nothing.
  void device_info(int32_t device, char* text, size_t capacity) const;
  // False where it refuses, and where its answer makes no sense. `why` (nullable) then gets what it says of it, as a failure
  // of its own; its message is empty where it says nothing.
  bool supports(const xlashape_op& op, xlashape_support* support, Error* why = nullptr) const;
  // *alignment is at least that of max_align_t.
  Status plan_size(const xlashape_op& op, size_t* bytes, size_t* alignment, Error* err) const;
  Status plan_init(const xlashape_op& op, void* storage, Error* err) const;
  // Within 1 and kMostTasks.
  int64_t plan_tasks(const void* storage, const xlashape_op& op, int64_t max_workers) const;
  Status plan_execute(const void* storage, const xlashape_op& op, const xlashape_run& run, Error* err) const;
  void plan_destroy(void* storage) const;
  // Always NUL-terminated, a line; the backend's name where it has no more to say.
  void describe(const void* storage, const xlashape_op& op, char* text, size_t capacity) const;

  // Runs body(table, record), which calls the slot of that name, behind the same barrier as the others have. Smaller than
  // they, and a few nanoseconds slower.
  template <class Body>
  Status call_seldom(const char* slot, Error* err, const Body& body) const {
    return run_seldom(
        slot, err,
        [](const xlashape_backend& table, const void* erased, Error* own) -> Status {
          return (*static_cast<const Body*>(erased))(table, own);
        },
        &body);
  }

  // "slot: what it threw" once an exception came out of one: no new plan goes to such a backend. Null before.
  const char* thrown() const { return thrown_.load(std::memory_order_acquire) == kTold ? told_ : nullptr; }

 private:
  enum : int { kNothing, kBeingTold, kTold };

  Status run_seldom(const char* slot, Error* err,
                    Status (*run)(const xlashape_backend& table, const void* body, Error* own), const void* body) const;
  void read_line(const char* slot, const char* unsaid, char* text, size_t capacity, const auto& write) const;
  template <class Body>
  Status call(const char* slot, Error* err, const Body& body) const;
  Status tell(const char* slot, Status status, Error& said, Error* err) const;
  Status caught(const char* slot, Error* err) const;
  Status note(const char* slot, const char* what, Error* err) const;
  Status check(uint32_t preset, const xlashape_host& host, const char** stage, Error* err);

  xlashape_backend table_{};
  uint32_t source_ = 0;
  mutable std::atomic<int> thrown_{kNothing};
  mutable char told_[160] = "";
};

}  // namespace xlashape::core
