/* SPDX-License-Identifier: Apache-2.0 */
// Calls the slots of a backend's table: once a plugin is mapped, its code runs only through here. Whatever a slot does
// wrong becomes its failure: an exception, an unknown status, a text that is not one line, numbers out of range.
#pragma once
#include <atomic>
#include <string>

#include "base/status.h"
#include "xlashape_backend.h"

namespace xlashape::core {

class BackendCalls {
 public:
  static constexpr int64_t kMaxTasks = 1 << 20;

  // Opens a backend by its entry function: negotiates the version and checks the table. On failure *stage is where it
  // went wrong; no slot of an invalid table is called, not even close.
  Status open(const xlashape_host& host, xlashape_backend_open_fn entry, const char** stage, Error* err);
  void close() const;

  const xlashape_backend& table() const { return table_; }
  void set_source(uint32_t source) { source_ = source; }  // 1 + ordinal, for errors
  uint32_t source() const { return source_; }

  // Plans between host buffers choose it only by name.
  bool is_for_device() const { return (table_.memory_spaces & XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU)) == 0; }

  // At least 0.
  int32_t device_count() const;
  // OUT_OF_RANGE for one that it does not have.
  Status check_device(int32_t device, Error* err) const;
  // One NUL-terminated line; "" where the backend gives none.
  void device_info(int32_t device, char* text, size_t capacity) const;
  // False where it refuses, or its answer is invalid. `why` (nullable) then gets its reason as an error, with an empty
  // message where it gives none.
  bool supports(const xlashape_op& op, xlashape_support* support, Error* why = nullptr) const;
  // *alignment is at least that of max_align_t.
  Status plan_size(const xlashape_op& op, size_t* bytes, size_t* alignment, Error* err) const;
  Status plan_init(const xlashape_op& op, void* storage, Error* err) const;
  // Within 1 and kMaxTasks.
  int64_t plan_tasks(const void* storage, const xlashape_op& op, int64_t max_workers) const;
  Status plan_execute(const void* storage, const xlashape_op& op, const xlashape_run& run, Error* err) const;
  void plan_destroy(void* storage) const;
  // One NUL-terminated line; the backend's name where it gives none.
  void describe(const void* storage, const xlashape_op& op, char* text, size_t capacity) const;

  bool has_candidates() const { return table_.plan_candidate != nullptr; }
  // False where there is no candidate of that number, or its text is invalid.
  bool plan_candidate(const void* storage, const xlashape_op& op, int64_t index, std::string* text) const;
  // INVALID_ARGUMENT, too, where the backend has no candidates.
  Status plan_choose(void* storage, const xlashape_op& op, const char* choice, Error* err) const;
  // The slot is there. The lines have the form of a profile's.
  Status calibrate(const xlashape_calibration& how, std::string* lines, Error* err) const;
  Status use_profile(const char* lines, Error* err) const;

  // UNSUPPORTED, too, where the backend predicts nothing. At least 1.
  Status plan_predict(const void* storage, const xlashape_op& op, int64_t max_workers, int64_t* ns, Error* err) const;

  // Runs body(table, record), which calls the slot of that name, with the same protection as the functions above: in
  // less code, but a few nanoseconds slower.
  template <class Body>
  Status call_seldom(const char* slot, Error* err, const Body& body) const {
    return run_seldom(
        slot, err,
        [](const xlashape_backend& table, const void* erased, Error* own) -> Status {
          return (*static_cast<const Body*>(erased))(table, own);
        },
        &body);
  }

  // "slot: what it threw" once a slot has thrown an exception: the backend then gets no new plans. Null before.
  const char* thrown() const {
    return thrown_.load(std::memory_order_acquire) == kRecorded ? exception_text_ : nullptr;
  }

 private:
  enum : int { kNothing, kRecording, kRecorded };

  Status run_seldom(const char* slot, Error* err,
                    Status (*run)(const xlashape_backend& table, const void* body, Error* own), const void* body) const;
  void read_line(const char* slot, const char* fallback, char* text, size_t capacity, const auto& write) const;
  template <class Body>
  Status call(const char* slot, Error* err, const Body& body) const;
  Status describe_failure(const char* slot, Status status, Error& said, Error* err) const;
  Status describe_exception(const char* slot, Error* err) const;
  Status record_exception(const char* slot, const char* what, Error* err) const;
  Status check(uint32_t preset, const xlashape_host& host, const char** stage, Error* err);

  xlashape_backend table_{};
  uint32_t source_ = 0;
  mutable std::atomic<int> thrown_{kNothing};
  mutable char exception_text_[160] = "";
};

}  // namespace xlashape::core
