// The slots of a backend's table, called: the one door through which a plugin's code runs, once it is mapped. Whatever
// a slot does stays its failure: an exception; a status that is none of ours; a text that is no line; numbers out of
// range.
#pragma once
#include <atomic>

#include "base/status.h"
#include "xlashape_backend.h"

namespace xlashape {

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

  // At least 0.
  int32_t device_count() const;
  // False where it refuses, and where its answer makes no sense.
  bool supports(const xlashape_op& op, xlashape_support* support) const;
  // *alignment is at least that of max_align_t.
  Status plan_size(const xlashape_op& op, size_t* bytes, size_t* alignment, Error* err) const;
  Status plan_init(const xlashape_op& op, void* storage, Error* err) const;
  // Within 1 and kMostTasks.
  int64_t plan_tasks(const void* storage, const xlashape_op& op, int64_t max_workers) const;
  Status plan_execute(const void* storage, const xlashape_op& op, const xlashape_run& run, Error* err) const;
  void plan_destroy(void* storage) const;
  // Always NUL-terminated, a line; the backend's name where it has no more to say.
  void describe(const void* storage, const xlashape_op& op, char* text, size_t capacity) const;

  // "slot: what it threw" once an exception came out of one: no new plan goes to such a backend. Null before.
  const char* thrown() const { return thrown_.load(std::memory_order_acquire) == kTold ? told_ : nullptr; }

 private:
  enum : int { kNothing, kBeingTold, kTold };

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

}  // namespace xlashape
