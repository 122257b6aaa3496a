// SPDX-License-Identifier: Apache-2.0
#include "runtime/backend_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "base/line.h"
#include "ir/compiler.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

constexpr int64_t kMaxAlignment = 4096;
constexpr int64_t kMaxScratch = int64_t{4} << 30;
// The maximal size of a backend's part of a plan: 4 GiB, and with 32-bit pointers half the address space.
constexpr int64_t kMaxPart = std::min<int64_t>(int64_t{1} << 32, PTRDIFF_MAX / 2);
constexpr int32_t kMaxDevices = 1 << 16;

// 0 or a power of two. (std::has_single_bit is a function call for processors without a bit-count instruction.)
bool is_alignment(int64_t a) { return a >= 0 && a <= kMaxAlignment && (a & (a - 1)) == 0; }

bool is_sound(const xlashape_support& s) {
  return s.level >= XLASHAPE_SUPPORT_NONE && s.level <= XLASHAPE_SUPPORT_NATIVE && is_alignment(s.src_alignment) &&
         is_alignment(s.dst_alignment) && is_alignment(s.src_preferred_alignment) &&
         is_alignment(s.dst_preferred_alignment) && is_alignment(s.scratch_alignment) && s.scratch_bytes >= 0 &&
         s.scratch_bytes <= kMaxScratch;
}

bool is_known(Status status) { return status > XLASHAPE_STATUS_OK && status <= XLASHAPE_STATUS_INTERNAL; }

// A table with room after it: a backend that was built for a longer table and ignores struct_size writes there, which
// is reported.
struct GuardedTable {
  xlashape_backend table{};
  unsigned char behind[4096] = {};

  bool is_overrun() const {
    return std::any_of(std::begin(behind), std::end(behind), [](unsigned char byte) { return byte != 0; });
  }
};

}  // namespace

// The first exception's text is kept for the report.
Status BackendCalls::record_exception(const char* slot, const char* what, Error* err) const {
  const char* const colon = *what != 0 ? ": " : "";
  int expected = kNothing;
  if (thrown_.compare_exchange_strong(expected, kRecording, std::memory_order_acq_rel)) {
    char text[sizeof exception_text_];
    const int length = std::snprintf(text, sizeof text, "%s: it threw an exception%s%s", slot, colon, what);
    clean_line({text, std::min(static_cast<size_t>(std::max(length, 0)), sizeof text - 1)},
               length >= static_cast<int>(sizeof text), exception_text_, sizeof exception_text_);
    thrown_.store(kRecorded, std::memory_order_release);
  }
  return fail(err, XLASHAPE_STATUS_INTERNAL, "%s threw an exception%s%s", slot, colon, what);
}

// Describes the failure of a slot.
XLASHAPE_COLD XLASHAPE_NOINLINE Status BackendCalls::describe_failure(const char* slot, Status status, Error& said,
                                                                      Error* err) const {
  said.message[sizeof said.message - 1] = '\0';
  const char* const text = said.message;
  if (!is_known(status)) {
    const int foreign = status;
    status =
        fail(err, XLASHAPE_STATUS_DEVICE, "%s failed with status %d%s%s", slot, foreign, *text != 0 ? ": " : "", text);
  } else if (*text != '\0') {
    fail(err, status, "%s", text);
  } else {
    fail(err, status, "%s failed: %s", slot, xlashape_status_name(status));
  }
  xlashape::core::set_source(err, source_);
  return status;
}

// Turns the exception that is being handled into a failure.
XLASHAPE_COLD XLASHAPE_NOINLINE Status BackendCalls::describe_exception(const char* slot, Error* err) const {
  Status status;
  try {
    throw;
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {
    throw;  // the thread is being cancelled: this exception must not be stopped
#endif
  } catch (const std::bad_alloc&) {
    status = fail(err, XLASHAPE_STATUS_NO_MEMORY, "%s ran out of memory", slot);
  } catch (const std::exception& exception) {
    const char* const what = exception.what();
    status = record_exception(slot, what != nullptr ? what : "", err);
  } catch (...) {
    status = record_exception(slot, "", err);
  }
  xlashape::core::set_source(err, source_);
  return status;
}

// Runs body(record) with a separate error record. Inlined into each slot's function, of which there are few.
template <class Body>
XLASHAPE_ALWAYS_INLINE Status BackendCalls::call(const char* slot, Error* err, const Body& body) const {
  xlashape_error own;
  own.struct_size = sizeof own;
  own.message[0] = '\0';
  try {
    const Status status = body(&own);
    return status == XLASHAPE_STATUS_OK ? status : describe_failure(slot, status, own, err);
  } catch (...) {
    return describe_exception(slot, err);
  }
}

Status BackendCalls::run_seldom(const char* slot, Error* err,
                                Status (*run)(const xlashape_backend& table, const void* body, Error* own),
                                const void* body) const {
  return call(slot, err, [&](Error* own) { return run(table_, body, own); });
}

Status BackendCalls::check(uint32_t preset, const xlashape_host& host, const char** stage, Error* err) {
  *stage = "version";
  const uint32_t least = host.abi_min, most = host.abi_max;
  if (table_.abi_version < least || table_.abi_version > most)
    return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "it speaks plugin ABI %u.%u, but this library speaks %u.%u",
                table_.abi_version >> 16, table_.abi_version & 0xFFFF, most >> 16, most & 0xFFFF);
  *stage = "table";
  constexpr size_t kLeast = offsetof(xlashape_backend, plan_tasks);
  if (table_.struct_size < kLeast || table_.struct_size > preset)
    return fail(err, XLASHAPE_STATUS_INCOMPATIBLE, "struct_size of its table is %u, it must be within %zu and %u",
                table_.struct_size, kLeast, preset);
  // Slots beyond the size that it gives are not set.
  std::memset(reinterpret_cast<char*>(&table_) + table_.struct_size, 0, sizeof table_ - table_.struct_size);
  if (table_.supports == nullptr || table_.plan_execute == nullptr)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "it has no %s",
                table_.supports == nullptr ? "supports" : "plan_execute");
  if ((table_.plan_size == nullptr) != (table_.plan_init == nullptr))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "it has only one of plan_size and plan_init");
  if ((table_.plan_candidate == nullptr) != (table_.plan_choose == nullptr))
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "it has only one of plan_candidate and plan_choose");
  if (table_.memory_spaces == 0 || (table_.memory_spaces & 1) != 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT,
                "its memory_spaces are 0x%llx, they must be some of spaces 1 to 63",
                static_cast<unsigned long long>(table_.memory_spaces));
  if (table_.name == nullptr) table_.name = "";
  if (table_.build_id == nullptr) table_.build_id = "";
  if (table_.sanitizer == nullptr) table_.sanitizer = "";
  return XLASHAPE_STATUS_OK;
}

Status BackendCalls::open(const xlashape_host& host, xlashape_backend_open_fn entry, const char** stage, Error* err) {
  GuardedTable room;
  room.table.struct_size = sizeof room.table;
  // The backend may write into the host table that it gets, so the offered versions are kept here.
  const xlashape_host offered = host;
  *stage = "open";
  XLASHAPE_TRY(
      call_seldom("open", err, [&](const xlashape_backend&, Error* own) { return entry(&host, &room.table, own); }));
  table_ = room.table;
  Status status = XLASHAPE_STATUS_OK;
  if (room.is_overrun()) {
    *stage = "table";
    status = fail(err, XLASHAPE_STATUS_INCOMPATIBLE,
                  "it wrote behind the %zu bytes of its table, which struct_size gave: it was built for a longer one",
                  sizeof room.table);
  } else {
    status = check(sizeof room.table, offered, stage, err);
  }
  // No slot of an invalid table is called.
  if (status != XLASHAPE_STATUS_OK) table_ = {};
  return status;
}

void BackendCalls::close() const {
  if (table_.close != nullptr)
    call_seldom("close", nullptr, [&](const xlashape_backend&, Error*) {
      table_.close(table_.self);
      return XLASHAPE_STATUS_OK;
    });
}

int32_t BackendCalls::device_count() const {
  int32_t count = 0;
  if (table_.device_count != nullptr)
    call_seldom("device_count", nullptr, [&](const xlashape_backend&, Error*) {
      count = table_.device_count(table_.self);
      return XLASHAPE_STATUS_OK;
    });
  return std::clamp(count, 0, kMaxDevices);
}

bool BackendCalls::supports(const xlashape_op& op, xlashape_support* support, Error* why) const {
  *support = {};
  support->struct_size = sizeof *support;
  const Status status = call("supports", why, [&](Error* own) {
    const Status said = table_.supports(table_.self, &op, support, why != nullptr ? own : nullptr);
    if (why == nullptr || said != XLASHAPE_STATUS_OK) return said;
    own->message[sizeof own->message - 1] = '\0';
    fail(why, XLASHAPE_STATUS_UNSUPPORTED, "%s", own->message);
    return said;
  });
  support->struct_size = sizeof *support;
  if (status != XLASHAPE_STATUS_OK || support->level <= XLASHAPE_SUPPORT_NONE) return false;
  if (is_sound(*support)) return true;
  fail(why, XLASHAPE_STATUS_INTERNAL, "its answer is invalid");
  return false;
}

Status BackendCalls::plan_size(const xlashape_op& op, size_t* bytes, size_t* alignment, Error* err) const {
  int64_t size = 0, align = 1;
  if (table_.plan_size != nullptr)
    XLASHAPE_TRY(
        call("plan_size", err, [&](Error* own) { return table_.plan_size(table_.self, &op, &size, &align, own); }));
  if (align < 1 || !is_alignment(align) || size < 0 || size > kMaxPart)
    return fail(err, XLASHAPE_STATUS_INTERNAL, "plan_size asks for %lld bytes at alignment %lld", ll(size), ll(align));
  *bytes = static_cast<size_t>(size);
  *alignment = std::max(static_cast<size_t>(align), alignof(max_align_t));
  return XLASHAPE_STATUS_OK;
}

Status BackendCalls::plan_init(const xlashape_op& op, void* storage, Error* err) const {
  if (table_.plan_init == nullptr) return XLASHAPE_STATUS_OK;
  return call("plan_init", err, [&](Error* own) { return table_.plan_init(table_.self, &op, storage, own); });
}

int64_t BackendCalls::plan_tasks(const void* storage, const xlashape_op& op, int64_t max_workers) const {
  int64_t tasks = 1;
  if (table_.plan_tasks != nullptr)
    call("plan_tasks", nullptr, [&](Error*) {
      tasks = table_.plan_tasks(table_.self, storage, &op, std::min(max_workers, kMaxTasks));
      return XLASHAPE_STATUS_OK;
    });
  return std::clamp<int64_t>(tasks, 1, kMaxTasks);
}

Status BackendCalls::plan_execute(const void* storage, const xlashape_op& op, const xlashape_run& run,
                                  Error* err) const {
  return call("plan_execute", err,
              [&](Error* own) { return table_.plan_execute(table_.self, storage, &op, &run, own); });
}

void BackendCalls::plan_destroy(void* storage) const {
  if (table_.plan_destroy != nullptr)
    call("plan_destroy", nullptr, [&](Error*) {
      table_.plan_destroy(table_.self, storage);
      return XLASHAPE_STATUS_OK;
    });
}

// Reads the line that write(buffer, capacity) gives.
void BackendCalls::read_line(const char* slot, const char* fallback, char* text, size_t capacity,
                             const auto& write) const {
  char line[1024];
  line[0] = '\0';
  call_seldom(slot, nullptr, [&](const xlashape_backend&, Error*) {
    write(line, int64_t{sizeof line});
    return XLASHAPE_STATUS_OK;
  });
  line[sizeof line - 1] = '\0';
  const char* const said = line[0] != '\0' ? line : fallback;
  clean_line({said, strnlen(said, sizeof line)}, false, text, capacity);
}

void BackendCalls::describe(const void* storage, const xlashape_op& op, char* text, size_t capacity) const {
  read_line("describe", table_.name, text, capacity, [&](char* line, int64_t room) {
    if (table_.describe != nullptr) table_.describe(table_.self, storage, &op, line, room);
  });
}

void BackendCalls::device_info(int32_t device, char* text, size_t capacity) const {
  read_line("device_info", "", text, capacity, [&](char* line, int64_t room) {
    if (table_.device_info != nullptr) table_.device_info(table_.self, device, line, room);
  });
}

Status BackendCalls::check_device(int32_t device, Error* err) const {
  if (device == 0) return XLASHAPE_STATUS_OK;
  if (device < 0) return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "device is %d, it must not be negative", device);
  const int32_t count = device_count();
  if (device <= count) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "there is no device number %d: backend %s has %d", device - 1,
              table_.name, count);
}

}  // namespace xlashape::core
