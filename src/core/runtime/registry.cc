// SPDX-License-Identifier: Apache-2.0
#include "runtime/registry.h"

#include <memory>

#include "base/cat.h"
#include "platform/process.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

Backend& at(const Runtime& runtime, int32_t ordinal) {
  return *runtime.backends[ordinal].load(std::memory_order_acquire);
}

int32_t count_of(const Runtime& runtime) { return runtime.backend_count.load(std::memory_order_acquire); }

void log(const Runtime& runtime, int32_t level, const Backend& backend, const std::string& text) {
  runtime.hooks.log(level, backend.calls.source(), cat({"backend ", backend.name, ": ", text}));
}

int32_t priority_of(const FoundBackend& found) {
  return found.has_priority ? found.priority : default_priority(found.name);
}

std::string location_of(const Backend& backend) {
  const FoundBackend& found = backend.found;
  return !found.path.empty() ? found.path : !found.manifest.empty() ? found.manifest : origin_name(backend.origin);
}

// Appends a backend to the list. Null when the list is full. The lock is held.
Backend* append(Runtime& runtime, std::unique_ptr<Backend> backend) {
  const int32_t ordinal = count_of(runtime);
  if (ordinal == Runtime::kMaxBackends) return nullptr;
  fill_host(*backend, runtime.hooks, runtime.backend_options, runtime.cpu, ordinal);
  runtime.backends[ordinal].store(backend.get(), std::memory_order_release);
  runtime.backend_count.store(ordinal + 1, std::memory_order_release);
  return backend.release();
}

constexpr const char* kDenied = "denied by the runtime's options";

void deny(Backend& backend) {
  backend.detail = kDenied;
  backend.status = XLASHAPE_STATUS_UNSUPPORTED;
  backend.state = XLASHAPE_BACKEND_STATE_FAILED;
}

bool is_same(const FoundBackend& a, const FoundBackend& b) {
  return a.name == b.name && a.entry == b.entry && a.path == b.path;
}

// The backend that is, or will be, used under a name: not a failed one, and not the built-in one, which others replace.
// The lock is held.
Backend* backend_in_use(const Runtime& runtime, std::string_view name) {
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& b = at(runtime, i);
    if (b.name == name && !b.shadowed && b.origin != Origin::kBuiltIn &&
        b.current_state() != XLASHAPE_BACKEND_STATE_FAILED)
      return &b;
  }
  return nullptr;
}

// Where no backend is used under a name, puts a shadowed one into use, and the built-in one until that is ready. The
// lock is held.
void use_next(Runtime& runtime, std::string_view name) {
  if (backend_in_use(runtime, name) != nullptr) return;
  bool found = false;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& next = at(runtime, i);
    const bool is_built_in = next.origin == Origin::kBuiltIn;
    if (next.name != name || !next.shadowed) continue;
    if (!is_built_in && (found || next.state != XLASHAPE_BACKEND_STATE_ABSENT)) continue;
    found |= !is_built_in;
    next.shadowed = false;
  }
  if (found) runtime.done.fetch_and(~(Runtime::kHostLoaded | Runtime::kDeviceLoaded));
}

// Ends the LOADING state of a backend that this thread set, also when an exception passes.
class Loading {
 public:
  // *is_repeated: whether it fails for the same lack as the last time.
  Loading(Runtime& runtime, Backend& backend, bool* is_repeated)
      : runtime_(runtime), backend_(backend), is_repeated(*is_repeated) {}
  ~Loading() {
    {
      const std::lock_guard guard(runtime_.lock);
      is_repeated = state == XLASHAPE_BACKEND_STATE_ABSENT && backend_.detail == detail;
      backend_.detail.swap(detail);
      backend_.profile_refusal.swap(profile_refusal);
      backend_.status = status;
      backend_.state.store(state, std::memory_order_release);
      if (state == XLASHAPE_BACKEND_STATE_READY && backend_.origin != Origin::kBuiltIn) shadow_others();
      if (state == XLASHAPE_BACKEND_STATE_FAILED) use_next(runtime_, backend_.name);
    }
    runtime_.changed.notify_all();
  }
  Loading(const Loading&) = delete;

  Status run(Error* err) {
    std::string profile;
    {
      const std::lock_guard guard(runtime_.lock);
      if (const char* const lines = runtime_.profile.profile.find(backend_.name)) profile = lines;
    }
    status = load(backend_, runtime_.hooks, profile, &detail, &profile_refusal, err);
    if (status != XLASHAPE_STATUS_NO_MEMORY)
      state = status == XLASHAPE_STATUS_OK ? XLASHAPE_BACKEND_STATE_READY : XLASHAPE_BACKEND_STATE_FAILED;
    return status;
  }

 private:
  // Only a ready backend takes others of its name out of use.
  void shadow_others() {
    for (int32_t i = 0; i < count_of(runtime_); ++i) {
      Backend& other = at(runtime_, i);
      if (&other == &backend_ || other.name != backend_.name || other.shadowed) continue;
      if (other.origin == Origin::kBuiltIn || other.state == XLASHAPE_BACKEND_STATE_ABSENT) other.shadowed = true;
    }
  }

  Runtime& runtime_;
  Backend& backend_;
  bool& is_repeated;
  std::string detail, profile_refusal;
  Status status = XLASHAPE_STATUS_NO_MEMORY;
  // The state for lack of memory or descriptors: a later operation tries again. A backend that the program added fails
  // instead.
  int32_t state = backend_.origin == Origin::kAdded ? XLASHAPE_BACKEND_STATE_FAILED : XLASHAPE_BACKEND_STATE_ABSENT;
};

// Loads a backend that this thread set to LOADING. Logs the result only once it is settled: a logger may use the
// runtime, and wait for other threads that do. Without memory for the log line the backend is loaded, too.
Status load_and_log(Runtime& runtime, Backend& backend, Error* err) {
  bool is_repeated = false;
  const Status status = Loading(runtime, backend, &is_repeated).run(err);
  if (is_repeated) return status;
  guarded(nullptr, [&] {
    const bool ready = status == XLASHAPE_STATUS_OK;
    const bool is_lacking = backend.state == XLASHAPE_BACKEND_STATE_ABSENT;
    std::string line = cat({ready ? "ready, " : "not in use, ", location_of(backend), ": "}), refusal;
    {
      const std::lock_guard guard(runtime.lock);
      line += backend.detail;
      refusal = backend.profile_refusal;
    }
    if (is_lacking) line += "; later plans try again";
    log(runtime, ready ? XLASHAPE_LOG_INFO : XLASHAPE_LOG_WARNING, backend, line);
    if (ready && !refusal.empty())
      log(runtime, XLASHAPE_LOG_WARNING, backend, cat({"it does not use the profile: ", refusal}));
    return XLASHAPE_STATUS_OK;
  });
  return status;
}

// The backend itself or one of its name that may take its place, if it is being loaded. The lock is held.
const Backend* loading_backend(const Runtime& runtime, const Backend& backend) {
  if (backend.state == XLASHAPE_BACKEND_STATE_LOADING) return &backend;
  for (int32_t i = 0; i < count_of(runtime) && backend.origin != Origin::kBuiltIn; ++i) {
    const Backend& b = at(runtime, i);
    if (b.name == backend.name && b.state == XLASHAPE_BACKEND_STATE_LOADING) return &b;
  }
  return nullptr;
}

// Sets it to LOADING, unless it is settled or becomes so while another thread loads it.
bool begin_loading(Runtime& runtime, Backend& backend, std::unique_lock<std::mutex>& guard) {
  for (;;) {
    const int32_t state = backend.state;
    if (backend.shadowed || state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_FAILED)
      return false;
    const Backend* const other = loading_backend(runtime, backend);
    if (other == nullptr) break;
    // A hook calls the library while its thread is loading, or this is a child that was forked meanwhile.
    if (other->loader == std::this_thread::get_id() || other->loader_process != process_id()) return false;
    runtime.changed.wait(guard);
  }
  backend.loader = std::this_thread::get_id();
  backend.loader_process = process_id();
  backend.state.store(XLASHAPE_BACKEND_STATE_LOADING, std::memory_order_release);
  return true;
}

// NO_MEMORY where it was not loaded for lack of memory or descriptors.
Status settle(Runtime& runtime, Backend& backend) {
  std::unique_lock guard(runtime.lock);
  if (!begin_loading(runtime, backend, guard)) return XLASHAPE_STATUS_OK;
  guard.unlock();
  return load_and_log(runtime, backend, nullptr);
}

bool is_settled(const Backend& backend) {
  const int32_t state = backend.state.load(std::memory_order_acquire);
  return state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_FAILED || backend.shadowed;
}

// Adds a backend for what was found. Returns why there is none, or "". The lock is held.
std::string add_found(Runtime& runtime, Origin origin, FoundBackend found) {
  for (int32_t i = 0; i < count_of(runtime); ++i)
    if (is_same(at(runtime, i).found, found) && !found.path.empty())
      return cat({found.name, ": ", found.path, " is known already"});
  auto backend = std::make_unique<Backend>();
  backend->origin = origin;
  backend->priority = priority_of(found);
  const std::string name = found.name, place = found.path.empty() ? found.manifest : found.path;
  backend->found = std::move(found);
  if (is_denied(runtime, name)) {
    deny(*backend);
  } else if (!backend->found.wrong.empty()) {
    backend->detail = backend->found.wrong;
    backend->status = XLASHAPE_STATUS_NOT_FOUND;
    backend->state = XLASHAPE_BACKEND_STATE_FAILED;
  } else if (backend_in_use(runtime, name) != nullptr) {
    backend->shadowed = true;  // used if the first one fails
  }
  if (append(runtime, std::move(backend)) == nullptr)
    return cat({name, ": ", place, " is not added: the runtime holds ", std::to_string(Runtime::kMaxBackends),
                " backends already"});
  return {};
}

// What a search says: lines of the report, and what the logger gets once.
struct Lines {
  std::vector<std::string> report, warnings;

  void warn(const std::string& text) {
    report.push_back("warning: " + text);
    warnings.push_back(text);
  }
};

// A place that was searched, and what the report says of it.
struct Searched {
  SearchPlace place;
  std::vector<FoundBackend> found;
  std::vector<std::string> notes;
};

// Changes nothing, so that it may be done again if it throws.
std::vector<Searched> search_all_places(const Runtime& runtime) {
  const Machine machine = this_machine(runtime.cpu.features);
  std::vector<Searched> all;
  for (SearchPlace& place : places_of(runtime)) {
    Searched& each = all.emplace_back(Searched{std::move(place), {}, {}});
    if (!each.place.refused.empty())
      each.notes.push_back(cat({kNotLookedInto, each.place.refused}));
    else
      each.found = search_place(each.place, machine, &each.notes);
    if (each.found.empty() && each.notes.empty()) each.notes.emplace_back("no backends");
  }
  return all;
}

// The lines of the report about places that there are not.
void note_absent_places(const Runtime& runtime, const std::vector<Searched>& all, Lines* lines) {
  const auto note = [&](Origin origin, const char* why) {
    for (const Searched& each : all)
      if (each.place.origin == origin) return;
    lines->report.push_back(cat({"folder (", origin_name(origin), "): none, ", why}));
  };
  note(Origin::kLibrary, (runtime.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) != 0 ? "as the options say"
                                                                                : "the library is part of the program");
  note(Origin::kInstall, "as the options say");
}

// Warns of a backend that is refused, which has its own line in the report. One for other machines or processes is
// nobody's mistake.
void warn_of(const Runtime& runtime, const FoundBackend& found, Lines* lines) {
  const std::string_view wrong = found.wrong;
  if (wrong.empty() || wrong.starts_with(kCpu) || wrong.starts_with(kSanitizer) || is_denied(runtime, found.name))
    return;
  lines->warnings.push_back(
      cat({"backend ", found.name, ": not in use, ", found.path.empty() ? found.manifest : found.path,
           found.path.empty() && found.manifest.empty() ? "" : ": ", wrong,
           wrong.starts_with(kPermissions) ? kWhoMayWrite : ""}));
}

// Adds what was found. The lock is held.
void add_all(Runtime& runtime, std::vector<Searched> all, Lines* lines) {
  note_absent_places(runtime, all, lines);
  for (Searched& each : all) {
    const std::string head = cat({"folder ", each.place.folder, " (", origin_name(each.place.origin), "): "});
    const size_t count = each.found.size();
    if (count > 0) lines->report.push_back(cat({head, std::to_string(count), count == 1 ? " backend" : " backends"}));
    for (FoundBackend& found : each.found) {
      warn_of(runtime, found, lines);
      if (std::string note = add_found(runtime, each.place.origin, std::move(found)); !note.empty())
        each.notes.push_back(std::move(note));
    }
    for (const std::string& note : each.notes) {
      if (note.starts_with(kNotLookedInto))
        lines->warn(head + note);
      else
        lines->report.push_back(head + note);
    }
  }
}

// Where a fast backend was built but is not there, nobody would see anything but slow plans. The lock is held.
void note_missing(const Runtime& runtime, Lines* lines) {
  if (!kSimdIsBuilt) return;  // what was left out says so itself
  for (int32_t i = 0; i < count_of(runtime); ++i)
    if (at(runtime, i).name == "simd") return;
  if (is_denied(runtime, "simd")) return;
  const char* const text =
      "backend simd: none was found, so that plans on the CPU use scalar, which is slower: it was built with this "
      "library, but this installation lacks it";
  // It may be in what was refused, of which there is a warning already.
  if ((runtime.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) == 0 && lines->warnings.empty())
    lines->warn(text);
  else
    lines->report.push_back(text);
}

// Lists what the library was built without although it could have been there, so that a slow or missing backend
// explains itself: unless the folder beside the library, where it would be, is not to be looked into, or there is one
// all the same. The lock is held.
void add_left_out(Runtime& runtime, Lines* lines) {
  if ((runtime.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) != 0) return;
  for (const LeftOut* left = kLeftOut; left->name != nullptr; ++left) {
    bool is_there = false;
    for (int32_t i = 0; i < count_of(runtime); ++i) is_there |= at(runtime, i).name == left->name;
    if (is_there) continue;
    FoundBackend found;
    found.name = found.entry = left->name;
    found.wrong = cat({"this library was built without it: ", left->why});
    if (found.name == "simd") warn_of(runtime, found, lines);
    add_found(runtime, Origin::kLeftOut, std::move(found));
  }
}

Status load_found(Runtime& runtime, const std::string& given, FoundBackend found, Error* err) {
  const std::string name = found.name;
  if (is_denied(runtime, name))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: backend %s is %s", given.c_str(), name.c_str(), kDenied);
  std::unique_lock guard(runtime.lock);
  Backend* backend = nullptr;
  for (int32_t i = 0; i < count_of(runtime) && backend == nullptr && !found.path.empty(); ++i)
    if (is_same(at(runtime, i).found, found)) backend = &at(runtime, i);
  const Backend* const first = backend_in_use(runtime, name);
  if (first != nullptr && first != backend && first->state != XLASHAPE_BACKEND_STATE_ABSENT && found.wrong.empty())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s: a backend named %s is there already: %s", given.c_str(),
                name.c_str(), location_of(*first).c_str());
  // A file that does not exist is not listed.
  if (backend == nullptr && found.path.empty())
    return fail(err, XLASHAPE_STATUS_NOT_FOUND, "%s: %s", given.c_str(), found.wrong.c_str());
  if (backend == nullptr) {
    auto made = std::make_unique<Backend>();
    made->origin = Origin::kExplicit;
    made->priority = priority_of(found);
    made->found = std::move(found);
    if (!made->found.wrong.empty()) {
      made->detail = made->found.wrong;
      made->status = XLASHAPE_STATUS_NOT_FOUND;
      made->state = XLASHAPE_BACKEND_STATE_FAILED;
    }
    backend = append(runtime, std::move(made));
    if (backend == nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the runtime holds %d backends already", Runtime::kMaxBackends);
  }
  backend->shadowed = false;  // asked for by path, which overrides others
  if (begin_loading(runtime, *backend, guard)) {
    guard.unlock();
    const Status status = load_and_log(runtime, *backend, nullptr);
    guard.lock();
    if (backend->state == XLASHAPE_BACKEND_STATE_ABSENT)
      return fail(err, status, "%s: %s", given.c_str(), backend->current_detail());
  }
  switch (backend->current_state()) {
    case XLASHAPE_BACKEND_STATE_READY:
      return XLASHAPE_STATUS_OK;
    case XLASHAPE_BACKEND_STATE_FAILED:
      return fail(err, backend->status != XLASHAPE_STATUS_OK ? backend->status : XLASHAPE_STATUS_INTERNAL, "%s: %s",
                  given.c_str(), backend->current_detail());
    default:
      return fail(err, XLASHAPE_STATUS_BUSY, "%s: this thread is loading it already", given.c_str());
  }
}

}  // namespace

const char* origin_name(Origin origin) {
  constexpr const char* kNames[] = {
      "added by the program", "loaded by path", "options.backend_dirs",  "XLASHAPE_BACKEND_PATH", "beside the library",
      "install folder",       "built in",       "left out of this build"};
  return kNames[static_cast<size_t>(origin)];
}

int32_t default_priority(std::string_view name) { return name == "scalar" ? -100 : name == "simd" ? 100 : 0; }

bool search(Runtime& runtime) {
  if (runtime.done.load(std::memory_order_acquire) & Runtime::kSearched) return true;
  Lines lines;
  bool is_done = true;
  {
    const std::lock_guard guard(runtime.lock);
    if (runtime.done.load(std::memory_order_relaxed) & Runtime::kSearched) return true;
    if constexpr (kDynamicBackends) {
      try {
        if (runtime.profile.is_lacking) read_profile(&runtime.profile);
        if (runtime.profile.is_lacking) throw Shortage("too many open files");
        add_all(runtime, search_all_places(runtime), &lines);
        note_missing(runtime, &lines);
      } catch (const Shortage& shortage) {
        is_done = false;
        lines = {};
        lines.warn(cat({"folders: not searched for backends: ", shortage.what(), "; later plans try again"}));
        if (runtime.search_log == lines.report) return false;  // logged already
      }
    } else {
      lines.report.push_back(cat({"folders: none, ", kNoLoader}));
    }
    if (is_done) add_left_out(runtime, &lines);
    runtime.search_log = std::move(lines.report);
    if (is_done) runtime.done.fetch_or(Runtime::kSearched, std::memory_order_release);
  }
  for (const std::string& warning : lines.warnings) runtime.hooks.log(XLASHAPE_LOG_WARNING, 0, warning);
  return is_done;
}

bool load_backends(Runtime& runtime, std::string_view name, bool device) {
  bool all_settled = search(runtime), is_lacking = !all_settled;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& backend = at(runtime, i);
    if ((!name.empty() && backend.name != name) || (!device && backend.found.memory == Memory::kDevice)) continue;
    is_lacking |= settle(runtime, backend) == XLASHAPE_STATUS_NO_MEMORY;
    all_settled &= is_settled(backend);
  }
  if (name.empty() && all_settled)
    runtime.done.fetch_or(Runtime::kHostLoaded | (device ? Runtime::kDeviceLoaded : 0), std::memory_order_release);
  return !is_lacking;
}

std::string shadowed_by(const Runtime& runtime, const Backend& backend) {
  const Backend* const other = backend_in_use(runtime, backend.name);
  return other != nullptr ? location_of(*other) : "";
}

void retire_thrown(Runtime& runtime) {
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& backend = at(runtime, i);
    if (backend.calls.thrown() == nullptr || backend.retired.load(std::memory_order_acquire)) [[likely]]
      continue;
    const std::lock_guard guard(runtime.lock);
    if (backend.current_state() != XLASHAPE_BACKEND_STATE_FAILED) continue;  // it threw while being loaded
    use_next(runtime, backend.name);
    backend.retired.store(true, std::memory_order_release);
  }
}

Status find_space(Runtime& runtime, xlashape_memory_space space, const Backend** result, Error* err) {
  if ((runtime.done.load(std::memory_order_acquire) & Runtime::kDeviceLoaded) == 0) load_backends(runtime, {}, true);
  const Backend* best = nullptr;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    const Backend& b = at(runtime, i);
    if (b.current_state() != XLASHAPE_BACKEND_STATE_READY || b.shadowed) continue;
    if ((b.calls.table().memory_spaces & XLASHAPE_SPACE_BIT(space)) == 0) continue;
    if (best == nullptr || b.priority > best->priority || (b.priority == best->priority && b.name < best->name))
      best = &b;
  }
  *result = best;
  if (best != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no backend works in memory space %d: see the runtime's report", space);
}

Status add_backend(Runtime& runtime, const Linked& linked, Origin origin, int32_t priority, Error* err) {
  const std::string_view name = linked.name;
  const bool denied = is_denied(runtime, name);
  if (denied && origin != Origin::kBuiltIn)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "backend %s is %s", Quoted(name).c_str(), kDenied);
  auto made = std::make_unique<Backend>();
  made->found.name = made->found.entry = name;
  made->origin = origin;
  made->priority = priority;
  made->open = linked.open;
  made->user = linked.user;
  made->needs = linked.needs;
  made->state = XLASHAPE_BACKEND_STATE_LOADING;
  made->loader = std::this_thread::get_id();
  made->loader_process = process_id();
  if (denied) deny(*made);
  Backend* backend;
  {
    const std::lock_guard guard(runtime.lock);
    for (int32_t i = 0; i < count_of(runtime); ++i) {
      const Backend& other = at(runtime, i);
      const int32_t state = other.current_state();
      if (other.name == name && !other.shadowed &&
          (state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_LOADING))
        return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "a backend named %s is there already: %s",
                    Quoted(name).c_str(), location_of(other).c_str());
    }
    backend = append(runtime, std::move(made));
    if (backend == nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the runtime holds %d backends already", Runtime::kMaxBackends);
  }
  if (denied) return XLASHAPE_STATUS_OK;
  XLASHAPE_TRY(load_and_log(runtime, *backend, err));
  backend->release = linked.release;  // on failure `user` stays the caller's
  return XLASHAPE_STATUS_OK;
}

Status load_backend(Runtime& runtime, std::string_view path, Error* err) {
  if constexpr (kDynamicBackends)
    return load_found(runtime, std::string(path), inspect_file(std::string(path), this_machine(runtime.cpu.features)),
                      err);
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: %s", Quoted(path).c_str(), kNoLoader);
}

}  // namespace xlashape::core
