// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "cli/output/output.h"
#include "guards.h"
#include "imports.h"
#include "xlashape_runtime.h"

namespace xlashape::cli {
namespace {

// Whether the text can be printed unchanged: UTF-8 without control characters.
bool is_one_line(const char* text) {
  for (std::string_view rest = text; !rest.empty();) {
    uint32_t code = 0;
    const size_t length = character(rest, &code);
    if (length == 0 || code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
    rest.remove_prefix(length);
  }
  return true;
}

// A text for plan_choose that hardly any candidate of a plan has: of another operation, cut, changed, or any.
// `candidates`: the plan's own; `other`: one of another plan.
std::string strange_choice(const std::string& other, const std::vector<std::string>& candidates, uint64_t turn) {
  static const std::string kAny[] = {"", " ", "fast", "-1", "99999999999999999999", std::string(255, '9'), "%s%n"};
  std::string text = candidates.empty() ? other : candidates[turn % candidates.size()];
  const uint64_t kind = turn % 5, at = text.empty() ? 0 : turn * 7 % text.size();
  if (kind == 0) return other;
  if (kind == 1 || text.empty()) return kAny[turn / 5 % std::size(kAny)];
  if (kind == 2) return text.substr(0, at);
  if (kind == 3) return text.insert(at, 1, text[at]).substr(0, XLASHAPE_CHOICE_BYTES - 1);
  constexpr char kOthers[] = {'0', '9', 'a', ',', 'x', '-', ' '};
  text[at] = kOthers[turn / 5 % std::size(kOthers)];
  return text;
}

constexpr int32_t kUnknownKind = 99;

bool is_relayout(const xlashape_op& op) {
  return op.kind == XLASHAPE_OP_RELAYOUT || op.kind == XLASHAPE_OP_RELAYOUT_VALUES;
}

bool is_power_of_two(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

}  // namespace

const char* slot_name(int slot) {
  constexpr const char* kNames[kSlots] = {"load",       "open",         "supports",  "plan_size",    "plan_init",
                                          "plan_tasks", "plan_execute", "indices",   "plan_destroy", "describe",
                                          "candidate",  "choose",       "calibrate", "profile",      "predict",
                                          "stack",      "devices",      "memory",    "close",        "output"};
  return kNames[slot];
}

Watch::In::In(Watch& watch, int slot)
    : watch_(watch), slot_(slot), before_(watch.doing_->slot.exchange(slot)), floats_(float_state()) {
  ++watch.calls_[slot];
}
Watch::In::~In() {
  if (float_state() != floats_) {
    watch_.blame(slot_, "changes how the thread rounds, or what it does with denormals");
    set_float_state(floats_);
  }
  if (watch_.file_.was_closed()) watch_.blame(slot_, "closes a file that the plugin did not open");
  watch_.doing_->slot = before_;
}

// The slots that the library sees. `self` is the watch.
struct WatchedCalls {
  static Watch& of(void* self) { return *static_cast<Watch*>(self); }

  // The plugin's part, and the address of the guard behind it.
  static Part part(Watch& w, const xlashape_op* op) {
    Part part;
    if (w.real_.plan_size != nullptr && w.real_.plan_size(w.real_.self, op, &part.bytes, &part.alignment, nullptr) != 0)
      part = {};
    return part;
  }
  static unsigned char* guard(const void* storage, const Part& part) {
    return static_cast<unsigned char*>(const_cast<void*>(storage)) + part.bytes;
  }

  static void* alloc(void* opaque, size_t size, size_t alignment) {
    Watch& w = of(opaque);
    const int slot = w.doing_->slot;
    if (slot == kSupports || slot == kPlanExecute || slot == kIndices) w.blame(slot, "takes memory from the host");
    if (!is_power_of_two(static_cast<int64_t>(alignment)))
      w.blame(kMemory, fmt::format("asks for alignment {}", alignment));
    if (w.allowed_-- <= 0) return nullptr;
    void* pointer = w.given_->alloc(w.given_->opaque, size, alignment);
    if (pointer != nullptr) ++w.held_, ++w.taken_;
    return pointer;
  }
  static void release(void* opaque, void* pointer, size_t size, size_t alignment) {
    Watch& w = of(opaque);
    if (pointer == nullptr) return;
    --w.held_;
    w.given_->free(w.given_->opaque, pointer, size, alignment);
  }
  static void log(void* opaque, int32_t level, uint32_t source, const char* text, int64_t len) {
    Watch& w = of(opaque);
    if (level < XLASHAPE_LOG_ERROR || level > XLASHAPE_LOG_DEBUG)
      w.blame(kOutput, fmt::format("logs at level {}", level));
    if (source != w.given_->source) w.blame(kOutput, "logs under another source than host->source");
    w.given_->log(w.given_->opaque, level, source, text, len);
  }

  static const char* option(void* opaque, const char* key) {
    Watch& w = of(opaque);
    return w.given_->option(w.given_->opaque, key);
  }

  static void close(void* self) {
    Watch& w = of(self);
    Watch::In in(w, kClose);
    if (w.real_.close != nullptr) w.real_.close(w.real_.self);
    if (w.held_ != 0) w.blame(kClose, fmt::format("{} allocations of the host's are not given back", w.held_.load()));
  }

  static int32_t device_count(void* self) {
    Watch& w = of(self);
    if (w.real_.device_count == nullptr) return 0;
    Watch::In in(w, kDevices);
    const int32_t count = w.real_.device_count(w.real_.self);
    if (count < 0) w.blame(kDevices, fmt::format("device_count is {}", count));
    return std::max(count, 0);
  }

  static xlashape_status supports(void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
    Watch& w = of(self);
    Watch::In in(w, kSupports);
    struct {
      xlashape_support support;
      unsigned char canary[32];
    } answer[2];
    xlashape_status status = 0;
    for (auto& a : answer) {
      a.support = *support;
      std::memset(a.canary, kCanary, sizeof a.canary);
      // The answer must not depend on whether the reason is asked for.
      status = w.real_.supports(w.real_.self, op, &a.support, &a == &answer[0] ? err : nullptr);
      if (!is_canary(a.canary, sizeof a.canary)) w.blame(kSupports, "writes behind the answer");
      if (a.support.struct_size != support->struct_size) w.blame(kSupports, "overwrites the answer's struct_size");
      a.support.struct_size = support->struct_size;
    }
    const xlashape_support& s = answer[0].support;
    if (status == 0 && std::memcmp(&s, &answer[1].support, sizeof s) != 0)
      w.blame(kSupports, "answers the same question in two ways");
    if (status == 0 && (s.level < 0 || s.level > XLASHAPE_SUPPORT_NATIVE))
      w.blame(kSupports, fmt::format("level is {}", s.level));
    for (const int64_t alignment : {s.src_alignment, s.dst_alignment})
      if (status == 0 && alignment != 0 && (!is_power_of_two(alignment) || alignment > 4096))
        w.blame(kSupports, fmt::format("alignment is {}", alignment));
    // The library gives backends no scratch memory, but passes their requirements on to the caller.
    if (s.scratch_bytes < 0 || s.scratch_bytes > (int64_t{1} << 32))
      w.blame(kSupports, fmt::format("scratch_bytes is {}", s.scratch_bytes));
    *support = s;
    refuse_unknown(w, *op);
    return status;
  }
  // The same operation, of a kind that does not exist, as a later version of the library may have one.
  static void refuse_unknown(Watch& w, xlashape_op op) {
    op.kind = kUnknownKind;
    xlashape_support support{};
    support.struct_size = sizeof support;
    const xlashape_status status = w.real_.supports(w.real_.self, &op, &support, nullptr);
    if (status == XLASHAPE_STATUS_OK && support.level != XLASHAPE_SUPPORT_NONE)
      w.blame(kSupports, fmt::format("accepts an operation of kind {}, which does not exist: its level is {}", op.kind,
                                     support.level));
  }

  static xlashape_status plan_size(void* self, const xlashape_op* op, int64_t* bytes, int64_t* alignment,
                                   xlashape_error* err) {
    Watch& w = of(self);
    Watch::In in(w, kPlanSize);
    Part own, again = part(w, op);
    if (w.real_.plan_size != nullptr) {
      const xlashape_status status = w.real_.plan_size(w.real_.self, op, &own.bytes, &own.alignment, err);
      if (status != 0) return status;
    }
    if (own.bytes != again.bytes || own.alignment != again.alignment)
      w.blame(kPlanSize, "answers the same question in two ways");
    if (!is_power_of_two(own.alignment) || own.alignment > 4096 || own.bytes < 0 || own.bytes > (int64_t{1} << 32)) {
      w.blame(kPlanSize, fmt::format("asks for {} bytes at alignment {}", own.bytes, own.alignment));
      return XLASHAPE_STATUS_INTERNAL;
    }
    *bytes = own.bytes + static_cast<int64_t>(kGuard);
    *alignment = own.alignment;
    return XLASHAPE_STATUS_OK;
  }

  static xlashape_status plan_init(void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
    Watch& w = of(self);
    Watch::In in(w, kPlanInit);
    const Part own = part(w, op);
    std::memset(storage, kCanary, own.size() + kGuard);
    if (w.real_.plan_init == nullptr) return XLASHAPE_STATUS_OK;
    const xlashape_status status = w.real_.plan_init(w.real_.self, op, storage, err);
    if (status < 0) w.blame(kPlanInit, fmt::format("fails with {}, which is not a status", status));
    if (!is_canary(guard(storage, own), kGuard)) {
      w.blame(kPlanInit, fmt::format("writes behind the {} bytes that plan_size asked for", own.bytes));
      std::memset(guard(storage, own), kCanary, kGuard);
    }
    if (status == XLASHAPE_STATUS_OK && is_relayout(*op) && w.has_candidates()) choose_one(w, storage, op, own);
    if (status == XLASHAPE_STATUS_OK) predict(w, storage, op, own);
    return status;
  }

  // Candidate `index`, checked; "" where there is none.
  static std::string candidate(Watch& w, const void* storage, const xlashape_op* op, int64_t index) {
    Watch::In in(w, kCandidate);
    char text[XLASHAPE_CHOICE_BYTES + 32];
    std::memset(text, kCanary, sizeof text);
    const int64_t length =
        w.real_.plan_candidate(w.real_.self, storage, op, index, text, int64_t{XLASHAPE_CHOICE_BYTES});
    const auto is_canary_behind =
        is_canary(reinterpret_cast<unsigned char*>(text) + XLASHAPE_CHOICE_BYTES, sizeof text - XLASHAPE_CHOICE_BYTES);
    if (!is_canary_behind) w.blame(kCandidate, "writes behind its capacity");
    if (length == 0) return {};
    std::string said(text, strnlen(text, XLASHAPE_CHOICE_BYTES));
    const bool is_plain = std::all_of(said.begin(), said.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (length == static_cast<int64_t>(said.size()) && length < XLASHAPE_CHOICE_BYTES && is_plain) return said;
    w.blame(kCandidate,
            fmt::format("candidate {} has {} characters, {} of them written, or some that are not printable ASCII",
                        index, length, said.size()));
    return {};
  }

  // Has the plan run as one of its candidates, or as a text says that is none: the bytes that it moves are then checked
  // as those of any plan.
  static void choose_one(Watch& w, void* storage, const xlashape_op* op, const Part& own) {
    const uint64_t turn = w.plans_++, before = hash_of(storage, own.size());
    std::vector<std::string> texts;
    while (static_cast<int64_t>(texts.size()) < XLASHAPE_MAX_CANDIDATES) {
      std::string text = candidate(w, storage, op, static_cast<int64_t>(texts.size()));
      if (text.empty()) break;
      texts.push_back(std::move(text));
    }
    if (hash_of(storage, own.size()) != before) w.blame(kCandidate, "changes the plan");
    const bool is_known = turn % 4 != 3 && !texts.empty();
    const std::string text = is_known ? texts[turn % texts.size()] : strange_choice(w.other_choice_, texts, turn / 4);
    {
      Watch::In in(w, kChoose);
      xlashape_error err{};
      err.struct_size = sizeof err;
      const xlashape_status status = w.real_.plan_choose(w.real_.self, storage, op, text.c_str(), &err);
      if (!is_canary(guard(storage, own), kGuard)) w.blame(kChoose, "writes behind the plan");
      if (status == XLASHAPE_STATUS_NO_MEMORY && w.allowed_ <= 0) return;
      if (is_known && status != XLASHAPE_STATUS_OK)
        w.blame(kChoose, fmt::format("refuses \"{}\", which is a candidate: {}", text, err.message));
      if (status != XLASHAPE_STATUS_OK && status != XLASHAPE_STATUS_INVALID_ARGUMENT)
        w.blame(kChoose, fmt::format("fails with {} for \"{}\"", status, text));
      if (status != XLASHAPE_STATUS_OK && !texts.empty() && candidate(w, storage, op, 0) != texts[0])
        w.blame(kChoose, fmt::format("refuses \"{}\", and changes the plan", text));
    }
    if (is_known && candidate(w, storage, op, 0) != text)
      w.blame(kCandidate,
              fmt::format("candidate 0 is \"{}\" after \"{}\" was chosen", candidate(w, storage, op, 0), text));
    if (!texts.empty()) w.other_choice_ = texts[turn % texts.size()];
  }

  // The library's own questions, where a plan is measured or found in its wisdom.
  static int64_t plan_candidate(void* self, const void* storage, const xlashape_op* op, int64_t index, char* text,
                                int64_t capacity) {
    const std::string said = candidate(of(self), storage, op, index);
    if (static_cast<int64_t>(said.size()) >= capacity) return 0;
    std::memcpy(text, said.c_str(), said.size() + 1);
    return static_cast<int64_t>(said.size());
  }
  static xlashape_status plan_choose(void* self, void* storage, const xlashape_op* op, const char* choice,
                                     xlashape_error* err) {
    Watch& w = of(self);
    Watch::In in(w, kChoose);
    return w.real_.plan_choose(w.real_.self, storage, op, choice, err);
  }
  static xlashape_status calibrate(void* self, const xlashape_calibration* how, char* text, int64_t capacity,
                                   int64_t* needed, xlashape_error* err) {
    Watch& w = of(self);
    Watch::In in(w, kCalibrate);
    return w.real_.calibrate(w.real_.self, how, text, capacity, needed, err);
  }
  static xlashape_status use_profile(void* self, const char* text, xlashape_error* err) {
    Watch& w = of(self);
    Watch::In in(w, kProfile);
    return w.real_.use_profile(w.real_.self, text, err);
  }

  static xlashape_status plan_predict(void* self, const void* storage, const xlashape_op* op, int64_t workers,
                                      int64_t* ns, xlashape_error* err) {
    Watch& w = of(self);
    Watch::In in(w, kPredict);
    const xlashape_status status = w.real_.plan_predict(w.real_.self, storage, op, workers, ns, err);
    if (status != XLASHAPE_STATUS_OK && status != XLASHAPE_STATUS_UNSUPPORTED)
      w.blame(kPredict, fmt::format("fails with {}", status));
    if (status == XLASHAPE_STATUS_OK && *ns < 1) w.blame(kPredict, fmt::format("predicts {} ns", *ns));
    return status;
  }
  static int64_t plan_stack(void* self, const void* storage, const xlashape_op* op) {
    Watch& w = of(self);
    Watch::In in(w, kStack);
    const int64_t bytes = w.real_.plan_stack(w.real_.self, storage, op);
    if (bytes < 1 || bytes > 256 << 10) w.blame(kStack, fmt::format("says {} bytes", bytes));
    return bytes;
  }
  // Of each plan, for one worker and for many.
  static void predict(Watch& w, const void* storage, const xlashape_op* op, const Part& own) {
    if (w.real_.plan_predict == nullptr) return;
    const uint64_t before = hash_of(storage, own.size());
    for (const int64_t workers : {1, 1 << 20}) {
      int64_t ns = 0, again = 0;
      const xlashape_status status = plan_predict(&w, storage, op, workers, &ns, nullptr);
      if (plan_predict(&w, storage, op, workers, &again, nullptr) != status || (status == 0 && again != ns))
        w.blame(kPredict, "answers differently for the same plan");
    }
    if (hash_of(storage, own.size()) != before) w.blame(kPredict, "changes the plan");
  }

  static int64_t plan_tasks(void* self, const void* storage, const xlashape_op* op, int64_t workers) {
    Watch& w = of(self);
    if (w.real_.plan_tasks == nullptr) return 1;
    Watch::In in(w, kPlanTasks);
    const int64_t tasks = w.real_.plan_tasks(w.real_.self, storage, op, workers);
    if (tasks < 1 || tasks > 1000000) w.blame(kPlanTasks, fmt::format("{} tasks for {} workers", tasks, workers));
    return std::clamp<int64_t>(tasks, 1, 1000000);
  }

  static xlashape_status plan_execute(void* self, const void* storage, const xlashape_op* op, const xlashape_run* run,
                                      xlashape_error* err) {
    Watch& w = of(self);
    const int slot = is_relayout(*op) ? kPlanExecute : kIndices;
    Watch::In in(w, slot);
    const Part own = part(w, op);
    const uint64_t before = hash_of(storage, own.size());
    xlashape_status status = XLASHAPE_STATUS_OK;
    {
      const NoCalls none;
      status = w.real_.plan_execute(w.real_.self, storage, op, run, err);
      // Not for devices: their drivers allocate for enqueued work.
      if (none.called() != nullptr && w.is_for_cpu())
        w.blame(slot, fmt::format("calls {}, execution allocates nothing", none.called()));
    }
    if (status < 0) w.blame(slot, fmt::format("fails with {}, which is not a status", status));
    if (hash_of(storage, own.size()) != before || !is_canary(guard(storage, own), kGuard))
      w.blame(slot, "changes the plan, which other threads may be using");
    return status;
  }

  static void plan_destroy(void* self, void* storage) {
    Watch& w = of(self);
    if (w.real_.plan_destroy == nullptr) return;
    Watch::In in(w, kPlanDestroy);
    w.real_.plan_destroy(w.real_.self, storage);
  }

  static int64_t describe(void* self, const void* storage, const xlashape_op* op, char* text, int64_t capacity) {
    Watch& w = of(self);
    if (capacity > 0) text[0] = '\0';
    if (w.real_.describe == nullptr) return 0;
    Watch::In in(w, kDescribe);
    for (const size_t room : {size_t{0}, size_t{1}, size_t{9}, size_t{600}}) {
      char own[600 + 32];
      std::memset(own, kCanary, sizeof own);
      const int64_t wanted = w.real_.describe(w.real_.self, storage, op, own, static_cast<int64_t>(room));
      if (!is_canary(reinterpret_cast<unsigned char*>(own) + room, sizeof own - room))
        w.blame(kDescribe, fmt::format("writes behind a capacity of {}", room));
      const size_t length = strnlen(own, room);
      if (room > 0 && length == room) w.blame(kDescribe, fmt::format("leaves out the NUL at a capacity of {}", room));
      if (room > 0 && static_cast<int64_t>(length) != std::min(wanted, static_cast<int64_t>(room) - 1))
        w.blame(kDescribe, fmt::format("wants {} characters, writes {} into {}", wanted, length, room));
      if (std::memchr(own, '\n', length) != nullptr) w.blame(kDescribe, "takes more than one line");
    }
    return w.real_.describe(w.real_.self, storage, op, text, capacity);
  }
};

Watch::Watch(xlashape_backend_open_fn entry, std::string manifest, ChildProgress* doing)
    : entry_(entry), manifest_(std::move(manifest)), doing_(doing) {}

void Watch::blame(int slot, const std::string& problem) {
  const std::lock_guard guard(lock_);
  if (problems_[slot]++ == 0) first_[slot] = problem;
}

bool Watch::any_problem() const {
  return std::any_of(std::begin(problems_), std::end(problems_), [](const auto& count) { return count > 0; });
}

std::string Watch::problem(int slot) const {
  const std::lock_guard guard(lock_);
  return first_[slot];
}

void Watch::try_other_cores(const xlashape_host& host) {
  In in(*this, kOpen);
  given_ = &host;
  host_ = host;
  host_.opaque = this;
  host_.user = nullptr;
  host_.alloc = WatchedCalls::alloc;
  host_.free = WatchedCalls::release;
  host_.log = WatchedCalls::log;
  host_.option = WatchedCalls::option;
  host_.manifest_path = manifest_.c_str();
  struct {
    xlashape_backend table;
    unsigned char canary[64];
  } room;
  const auto fresh = [&](size_t size) {
    std::memset(static_cast<void*>(&room), 0, sizeof room);
    std::memset(reinterpret_cast<unsigned char*>(&room) + size, kCanary, sizeof room - size);
    room.table.struct_size = static_cast<uint32_t>(size);
  };
  // A core that supports only future versions.
  xlashape_host future = host_;
  future.abi_min = future.abi_max = 0x7FFF0000;
  fresh(sizeof room.table);
  if (entry_(&future, &room.table, nullptr) == XLASHAPE_STATUS_OK) {
    blame(kOpen, "opens although its version was not offered");
    if (room.table.close != nullptr) room.table.close(room.table.self);
  }
  // A core with a shorter table.
  const size_t less = offsetof(xlashape_backend, plan_destroy);
  fresh(less);
  xlashape_error err{};
  err.struct_size = sizeof err;
  if (entry_(&host_, &room.table, &err) == XLASHAPE_STATUS_OK) {
    if (room.table.struct_size > less)
      blame(kOpen, fmt::format("says it filled {} bytes of a table of {}", room.table.struct_size, less));
    if (room.table.close != nullptr) room.table.close(room.table.self);
  }
  if (!is_canary(reinterpret_cast<unsigned char*>(&room) + less, sizeof room - less))
    blame(kOpen, "writes behind the struct_size that the core preset");
}

void Watch::check_table() {
  const xlashape_backend& t = real_;
  if (t.build_id != nullptr && (!is_one_line(t.build_id) || strnlen(t.build_id, 257) > 256))
    blame(kOpen, "build_id is not a line of UTF-8");
  if (t.sanitizer != nullptr && !is_one_line(t.sanitizer)) blame(kOpen, "sanitizer is not a line of UTF-8");
}

xlashape_status Watch::open(const xlashape_host* host, xlashape_backend* backend, xlashape_error* err) {
  Watch& w = *static_cast<Watch*>(host->user);
  w.try_other_cores(*host);
  In in(w, kOpen);
  w.real_ = {};
  w.real_.struct_size = sizeof w.real_;
  if (const xlashape_status status = w.entry_(&w.host_, &w.real_, err)) return status;
  w.check_table();
  const uint32_t size = backend->struct_size;
  *backend = w.real_;
  backend->struct_size = size;
  backend->self = &w;
  backend->close = WatchedCalls::close;
  backend->device_count = WatchedCalls::device_count;
  backend->device_info = nullptr;
  backend->supports = w.real_.supports != nullptr ? WatchedCalls::supports : nullptr;
  backend->plan_size = WatchedCalls::plan_size;
  backend->plan_init = WatchedCalls::plan_init;
  backend->plan_tasks = WatchedCalls::plan_tasks;
  backend->plan_execute = w.real_.plan_execute != nullptr ? WatchedCalls::plan_execute : nullptr;
  backend->plan_destroy = WatchedCalls::plan_destroy;
  backend->describe = WatchedCalls::describe;
  backend->plan_candidate = w.has_candidates() ? WatchedCalls::plan_candidate : nullptr;
  backend->plan_choose = w.has_candidates() ? WatchedCalls::plan_choose : nullptr;
  backend->calibrate = w.calibrates() ? WatchedCalls::calibrate : nullptr;
  backend->use_profile = w.takes_profiles() ? WatchedCalls::use_profile : nullptr;
  backend->plan_predict = w.real_.plan_predict != nullptr ? WatchedCalls::plan_predict : nullptr;
  backend->plan_stack = w.real_.plan_stack != nullptr ? WatchedCalls::plan_stack : nullptr;
  backend->memory_alloc = nullptr;
  backend->memory_free = nullptr;
  backend->memory_copy = nullptr;
  backend->memory_fill = nullptr;
  backend->queue_sync = nullptr;
  backend->queue_wait_event = nullptr;
  backend->queue_signal_event = nullptr;
  return XLASHAPE_STATUS_OK;
}

}  // namespace xlashape::cli
