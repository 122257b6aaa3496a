// SPDX-License-Identifier: Apache-2.0
// Runtimes: the backends, and the hooks of the program that uses the library.
#ifndef XLASHAPE_RUNTIME_HPP_
#define XLASHAPE_RUNTIME_HPP_

#include <xlashape_runtime.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

#include "handle.hpp"

namespace xlashape {

// One task of an execution: task(index, worker) with worker < max_workers, never the same worker twice at a time.
class Task {
 public:
  Task(void* opaque, void(XLASHAPE_CALL* function)(void*, std::int64_t, std::uint32_t)) noexcept
      : opaque_(opaque), function_(function) {}
  void operator()(std::int64_t index, std::uint32_t worker) const { function_(opaque_, index, worker); }

 private:
  void* opaque_;
  void(XLASHAPE_CALL* function_)(void*, std::int64_t, std::uint32_t);
};

// Runs each of `count` tasks once, on any thread, and returns when all are done: nothing, or true, or false if it gave
// up. An exception that it throws is thrown by the call that needed it; a call of the C interface only reports that it
// was cancelled. Any callable can be used.
class Executor {
 public:
  Executor() noexcept = default;
  Executor(std::nullptr_t) noexcept {}
  template <class F, class = std::enable_if_t<!std::is_same_v<F, Executor>>>
  Executor(F run) {
    constexpr bool kCallable = std::is_invocable_v<F&, std::int64_t, const Task&>;
    static_assert(kCallable, "an executor is called with (std::int64_t count, const xlashape::Task& task)");
    if constexpr (kCallable) {
      using R = std::invoke_result_t<F&, std::int64_t, const Task&>;
      static_assert(std::is_void_v<R> || std::is_convertible_v<R, bool>, "an executor returns a bool, or nothing");
      if constexpr (std::is_void_v<R>) {
        std::function<void(std::int64_t, const Task&)> function = std::move(run);  // empty if `run` is null or empty
        if (!function) return;
        run_ = [function = std::move(function)](std::int64_t count, const Task& task) {
          function(count, task);
          return true;
        };
      } else {
        run_ = std::move(run);
      }
    }
  }

  explicit operator bool() const noexcept { return static_cast<bool>(run_); }
  bool operator()(std::int64_t count, const Task& task) const { return run_(count, task); }

 private:
  std::function<bool(std::int64_t, const Task&)> run_;
};
// Must not throw; exceptions are dropped.
using Logger = std::function<void(std::int32_t level, std::uint32_t source, std::string_view text)>;

struct RuntimeOptions {
  std::string backend_dirs = {};  // folders to look in first, ':' between them
  std::uint32_t flags = 0;        // XLASHAPE_RUNTIME_*
  // More than 1, or XLASHAPE_THREADS_ALL: a pool of the library, possibly smaller if the system allows fewer; 0: as
  // XLASHAPE_THREADS says, else 1.
  std::int32_t threads = 0;
  Executor executor = {};
  std::uint32_t max_workers = 0;  // of the executor
  Logger logger = {};
  std::int64_t verify_count = 0;  // checked after each execution; 0: as XLASHAPE_VERIFY says
  std::string backend = {};       // of plans whose options name none; syntax and default: XLASHAPE_BACKEND
  std::vector<std::string> denied_backends = {};  // never used, even if they are named
  std::string cpu = {};  // no processor features above this level; syntax and default: XLASHAPE_CPU
  std::vector<std::pair<std::string, std::string>> backend_options = {};  // "NAME.KEY" and its value
  std::optional<std::string> profile =
      {};  // what calibrate returned; "": none; not given: the user's file, if there is
};

struct BackendInfo {
  std::string name;
  std::int32_t state;  // XLASHAPE_BACKEND_STATE_*
  std::uint32_t abi_version;
  std::int32_t priority;
  std::uint64_t memory_spaces;  // the spaces that it works in: XLASHAPE_SPACE_BIT of each
  std::int32_t device_count;
  std::string path;
  std::string detail;
};

namespace detail {

// A call of this layer that may run an executor or report progress, and the exceptions that these threw. Calls that a
// hook makes are separate.
class Call {
 public:
  Call() noexcept : outer_(std::exchange(current(), this)) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { current() = outer_; }

  // The current call of this thread, or none.
  static Call*& current() noexcept {
    static thread_local Call* call = nullptr;
    return call;
  }
  void threw(std::exception_ptr exception, const char* text) noexcept {
    thrown_ = std::move(exception);
    hook_error_ = Error(Status::kCancelled, text);
  }

  // The error of the call; if a hook threw, the hook's error.
  Error outcome(const Error& error) const noexcept { return thrown_ ? hook_error_ : error; }
  template <class T>
  Result<T> outcome(Result<T> result) const {
    if (!result) return outcome(result.error());
    return result;
  }
  // The same as an exception: rethrows the hook's.
  [[noreturn]] XLASHAPE_CPP_COLD XLASHAPE_THROWS void raise(const Error& error) const {
#if XLASHAPE_EXCEPTIONS
    if (thrown_) std::rethrow_exception(thrown_);
#endif
    detail::raise(outcome(error));
  }
  template <class T>
  XLASHAPE_THROWS T value(Result<T> result) const {
    if (!result) raise(result.error());
    return std::move(result).value();
  }

 private:
  Call* outer_;
  std::exception_ptr thrown_;
  Error hook_error_{ForCall()};
};

// Calls a hook, with no current call meanwhile, and failed(exception, text) if it threw; "" where nothing says what.
// The end of its thread (pthread_exit, or it is cancelled) must not be stopped, or the C library ends the process.
template <class Hook, class Failed>
XLASHAPE_THROWS void run_hook(const Hook& hook, const Failed& failed) {
  const struct Apart {
    Call* const call = std::exchange(Call::current(), nullptr);
    ~Apart() { Call::current() = call; }
  } apart;
#if XLASHAPE_EXCEPTIONS
  try {
    hook();
#ifdef __GLIBCXX__
  } catch (const abi::__forced_unwind&) {
    throw;
#endif
  } catch (const std::exception& thrown) {
    failed(std::current_exception(), thrown.what());
  } catch (...) {
    failed(std::current_exception(), "");
  }
#else
  (void)failed;
  hook();
#endif
}

// The hooks that a runtime calls: `self` is its Executor or its Logger.
XLASHAPE_THROWS inline std::int32_t XLASHAPE_CALL parallel_for(void* self, std::int64_t count, void* opaque,
                                                               void(XLASHAPE_CALL* task)(void*, std::int64_t,
                                                                                         std::uint32_t)) {
  const Executor& execute = *static_cast<const Executor*>(self);
  Call* const call = Call::current();
  bool done = false;
  run_hook([&] { done = execute(count, Task(opaque, task)); },
           [&](std::exception_ptr thrown, const char* text) {
             if (call != nullptr) call->threw(std::move(thrown), *text != '\0' ? text : "the executor threw");
           });
  return done ? 0 : 1;
}
XLASHAPE_THROWS inline void XLASHAPE_CALL log(void* self, std::int32_t level, std::uint32_t source, const char* text,
                                              std::int64_t size) {
  const Logger& write = *static_cast<const Logger*>(self);
  run_hook([&] { write(level, source, std::string_view(text, static_cast<std::size_t>(size))); },
           [](const std::exception_ptr&, const char*) {});
}
template <class Hook>
void XLASHAPE_CALL release(void* self) {
  delete static_cast<Hook*>(self);
}

// A device in C's form: 0 if none is given.
inline std::int32_t for_c(std::optional<std::int32_t> device) noexcept {
  if (!device) return 0;
  if (*device < 0 || *device == INT32_MAX) return *device;  // the library refuses it
  return XLASHAPE_DEVICE(*device);
}

// Whether C would read the texts completely: they have no NUL, and no entry of a list has a separator.
inline Error check_texts(const RuntimeOptions& options) {
  Error error;
  const auto check = [&error](const char* name, std::string_view text, const char* separators = "") {
    const auto stops = [&](char c) { return std::strchr(separators, c) != nullptr; };  // NUL, too
    const auto at = std::find_if(text.begin(), text.end(), stops);
    if (at == text.end() || error.status() != Status::kOk) return;
    const std::string what = *at == '\0' ? std::string("NUL") : std::string(1, *at);
    error = Error(Status::kInvalidArgument, std::string(name) + " has a " + what + " in it: " + std::string(text));
  };
  check("options.backend_dirs", options.backend_dirs);
  check("options.backend", options.backend);
  check("options.cpu", options.cpu);
  if (options.profile) check("options.profile", *options.profile);
  for (const std::string& name : options.denied_backends) check("a name of options.denied_backends", name, ",");
  for (const auto& [key, value] : options.backend_options) {
    check("a name of options.backend_options", key, ";=");
    check("a value of options.backend_options", value, ";");
  }
  return error;
}
inline std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}
inline std::string joined(const std::vector<std::pair<std::string, std::string>>& options) {
  std::string text;
  for (const auto& [name, value] : options) text.append(text.empty() ? "" : ";").append(name).append("=").append(value);
  return text;
}

}  // namespace detail

// Backends and hooks. An empty Runtime is the library's default one.
class Runtime : public detail::Handle<xlashape_runtime, xlashape_runtime_retain, xlashape_runtime_release> {
 public:
  using Handle::Handle;
  explicit Runtime(const RuntimeOptions&) = delete;  // it can fail: use Runtime::create(options) or try_create

  // Executor and logger are destroyed when the runtime and all plans that were made with it are destroyed. Their
  // exceptions are caught if this is compiled with exceptions.
  XLASHAPE_THROWS static Result<Runtime> try_create(RuntimeOptions options = {}) {
    if (Error error = detail::check_texts(options); error.status() != Status::kOk) return error;
    const std::string denied = detail::joined(options.denied_backends), own = detail::joined(options.backend_options);
    auto execute = std::make_unique<Executor>(std::move(options.executor));
    auto write = std::make_unique<Logger>(std::move(options.logger));
    const xlashape_executor executor = {sizeof executor, options.max_workers, execute.get(), detail::parallel_for,
                                        detail::release<Executor>};
    const xlashape_logger logger = {sizeof logger, 0, write.get(), detail::log, detail::release<Logger>};
    auto given = XLASHAPE_INIT(xlashape_runtime_options);
    given.flags = options.flags;
    given.threads = options.threads;
    given.verify_count = options.verify_count;
    const auto text = [](const std::string& option) { return option.empty() ? nullptr : option.c_str(); };
    given.backend_dirs = text(options.backend_dirs);
    given.backend = text(options.backend);
    given.denied_backends = text(denied);
    given.cpu = text(options.cpu);
    given.backend_options = text(own);
    if (options.profile) given.profile = options.profile->c_str();
    if (*execute) given.executor = &executor;
    if (*write) given.logger = &logger;
    auto runtime = detail::make<Runtime, xlashape_runtime>(xlashape_runtime_create,
                                                           static_cast<const xlashape_runtime_options*>(&given));
    // The runtime releases what it was given.
    if (runtime && *execute) (void)execute.release();
    if (runtime && *write) (void)write.release();
    return runtime;
  }
  XLASHAPE_THROWS static Runtime create(RuntimeOptions options = {}) { return try_create(std::move(options)).value(); }

  // Makes this the default runtime for the rest of the process:
  // once only, and before the first call that is given none.
  Result<void> try_set_default() const {
    Result<void> result;
    (void)xlashape_runtime_set_default(get(), result.record());
    return result;
  }
  XLASHAPE_THROWS void set_default() const { try_set_default().value(); }

  // Loads the backend in the shared object or manifest. It is never unloaded.
  Result<void> try_load_backend(std::string_view path) const {
    Result<void> result;
    (void)xlashape_runtime_load_backend(get(), path.data(), detail::length(path), result.record());
    return result;
  }
  XLASHAPE_THROWS void load_backend(std::string_view path) const { try_load_backend(path).value(); }

  // Every place that was searched, what was there, and why it is or is not in use: one line each.
  XLASHAPE_THROWS std::string report() const { return detail::text(xlashape_runtime_report, get()).value(); }
  std::int64_t backend_count() const { return xlashape_runtime_backend_count(get()); }
  Result<BackendInfo> try_backend(std::int64_t ordinal) const {
    Error error;
    auto info = XLASHAPE_INIT(xlashape_backend_info);
    if (xlashape_runtime_backend_info(get(), ordinal, &info, error.record()) != XLASHAPE_STATUS_OK) return error;
    auto name = detail::text(xlashape_runtime_backend_text, get(), ordinal, XLASHAPE_BACKEND_TEXT_NAME);
    auto path = detail::text(xlashape_runtime_backend_text, get(), ordinal, XLASHAPE_BACKEND_TEXT_PATH);
    auto about = detail::text(xlashape_runtime_backend_text, get(), ordinal, XLASHAPE_BACKEND_TEXT_DETAIL);
    for (const auto* text : {&name, &path, &about})
      if (!*text) return text->error();
    return BackendInfo{*std::move(name),   info.state,        info.abi_version, info.priority,
                       info.memory_spaces, info.device_count, *std::move(path), *std::move(about)};
  }
  XLASHAPE_THROWS BackendInfo backend(std::int64_t ordinal) const { return try_backend(ordinal).value(); }
  // All of them, in the order of their ordinals.
  XLASHAPE_THROWS std::vector<BackendInfo> backends() const {
    std::vector<BackendInfo> all;
    for (std::int64_t ordinal = 0; ordinal < backend_count(); ++ordinal) all.push_back(backend(ordinal));
    return all;
  }
  // One line about a device of a backend, numbered from 0; without a number the current device, or the first.
  Result<std::string> try_device_text(std::int64_t ordinal, std::optional<std::int32_t> device = {}) const {
    return detail::text(xlashape_runtime_device_text, get(), ordinal, detail::for_c(device));
  }
  XLASHAPE_THROWS std::string device_text(std::int64_t ordinal, std::optional<std::int32_t> device = {}) const {
    return try_device_text(ordinal, device).value();
  }

  // The file where it looked for its profile, or would have without options.profile; "" where it looks for none.
  XLASHAPE_THROWS std::string profile_path() const {
    return detail::text(xlashape_runtime_profile_path, get()).value();
  }
  // Which ways to run plans were the fastest when they were measured, as a text that can be stored.
  XLASHAPE_THROWS std::string wisdom() const { return detail::text(xlashape_runtime_export_wisdom, get()).value(); }
  // Adds the entries of such a text, and returns how many were taken: none of another processor, none on failure.
  Result<std::int64_t> try_import_wisdom(std::string_view text) const {
    return detail::number<std::int64_t>(xlashape_runtime_import_wisdom, get(), text.data(), detail::length(text));
  }
  XLASHAPE_THROWS std::int64_t import_wisdom(std::string_view text) const { return try_import_wisdom(text).value(); }
  // Removes all of it; plans that were made stay as they are.
  void forget_wisdom() const noexcept { xlashape_runtime_forget_wisdom(get()); }
};

}  // namespace xlashape

#endif  // XLASHAPE_RUNTIME_HPP_
