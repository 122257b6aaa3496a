// What a caller and an execution tell each other while it runs: that it shall end, and how far it is.
#ifndef XLASHAPE_CONTROL_HPP_
#define XLASHAPE_CONTROL_HPP_

#include <atomic>

#include "runtime.hpp"

namespace xlashape {

// Not for executions on queues. With either of them an execution is cut into tasks also where one thread runs them all.
struct Control {
  // Once it is not 0 no further task begins, and the call is kCancelled. Any thread may set it. Where there is `progress`,
  // too, it is looked at before the first task and after each one.
  const std::atomic<std::int32_t>* cancel = nullptr;
  // Hears after each task that `done` of `count` have ended: on the thread that ran it, maybe on several at once. What it
  // throws cancels the execution and comes out of the call.
  std::function<void(std::int64_t done, std::int64_t count)> progress = {};
};

namespace detail {

// One execution under a Control, for the time of a Call.
class Watch {
 public:
  Watch(const Control& control, Call& call) noexcept : control_(control), call_(call) {}
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Writes what C is to look at; what the control does not have stays as it is.
  XLASHAPE_THROWS void put_into(xlashape_exec& exec) noexcept {
    if (control_.cancel != nullptr) exec.cancel = reinterpret_cast<const std::int32_t*>(control_.cancel);
    if (!control_.progress) return;
    // C looks at one number: the watch's own, which the caller's is copied to.
    asked_ = reinterpret_cast<const Number*>(exec.cancel);
    follow();
    exec.cancel = reinterpret_cast<const std::int32_t*>(&cancel_);
    exec.progress = progress;
    exec.progress_opaque = this;
  }
  // Whether progress threw, maybe after the last task, when C has nothing left to cancel.
  bool threw() const noexcept { return threw_; }

 private:
  using Number = std::atomic<std::int32_t>;
  static_assert(sizeof(Number) == sizeof(std::int32_t) && Number::is_always_lock_free, "C reads it as an int32_t");

  void follow() noexcept {
    if (asked_ != nullptr && *asked_ != 0) cancel_ = 1;
  }
  // The first one that is thrown; the others, of tasks that ran at the same time, are dropped.
  void keep(std::exception_ptr exception, const char* text) noexcept {
    if (!threw_.exchange(true)) call_.threw(std::move(exception), text);
    cancel_ = 1;
  }
  XLASHAPE_THROWS static void XLASHAPE_CALL progress(void* self, std::int64_t done, std::int64_t count) {
    Watch& watch = *static_cast<Watch*>(self);
    Call* const call = std::exchange(Call::current(), nullptr);
#if XLASHAPE_EXCEPTIONS
    try {
      watch.control_.progress(done, count);
    } catch (const std::exception& thrown) {
      watch.keep(std::current_exception(), thrown.what());
    } catch (...) {
      watch.keep(std::current_exception(), "progress threw");
    }
#else
    watch.control_.progress(done, count);
#endif
    Call::current() = call;
    watch.follow();
  }

  const Control& control_;
  Call& call_;
  const Number* asked_ = nullptr;  // the caller's
  Number cancel_{0};
  std::atomic<bool> threw_{false};
};

}  // namespace detail

}  // namespace xlashape

#endif  // XLASHAPE_CONTROL_HPP_
