#include "runtime/registry.h"

#include <memory>

#include "base/cat.h"
#include "platform/process.h"

namespace xlashape::core {
namespace {

Backend& at(const Runtime& runtime, int32_t ordinal) {
  return *runtime.backends[ordinal].load(std::memory_order_acquire);
}

int32_t count_of(const Runtime& runtime) { return runtime.backend_count.load(std::memory_order_acquire); }

void log(const Runtime& runtime, int32_t level, const Backend& backend, const std::string& text) {
  runtime.hooks.log(level, backend.slots.source(), cat({"backend ", backend.name, ": ", text}));
}

int32_t priority_of(const Found& found) { return found.has_priority ? found.priority : default_priority(found.name); }

std::string whereabouts(const Backend& backend) {
  const Found& found = backend.found;
  return !found.path.empty() ? found.path : !found.manifest.empty() ? found.manifest : origin_name(backend.origin);
}

// Puts a backend at the end of the list. The lock is held. Null when the list is full.
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

bool is_same(const Found& a, const Found& b) { return a.name == b.name && a.entry == b.entry && a.path == b.path; }

// The backend that serves under a name, or will: what failed does not, and the built-in one gives way to others. The
// lock is held.
Backend* holder(const Runtime& runtime, std::string_view name) {
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& b = at(runtime, i);
    if (b.name == name && !b.shadowed && b.origin != Origin::kBuiltIn &&
        b.current_state() != XLASHAPE_BACKEND_STATE_FAILED)
      return &b;
  }
  return nullptr;
}

// Where nobody serves under a name: what others stood before does. The built-in one as well, until another is ready. The lock
// is held.
void let_next_serve(Runtime& runtime, std::string_view name) {
  if (holder(runtime, name) != nullptr) return;
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

// Settles a backend that this thread took into LOADING, also when an exception goes through.
class Loading {
 public:
  Loading(Runtime& runtime, Backend& backend) : runtime_(runtime), backend_(backend) {}
  ~Loading() {
    {
      const std::lock_guard guard(runtime_.lock);
      backend_.detail.swap(detail);
      backend_.status = status;
      backend_.state.store(state, std::memory_order_release);
      if (state == XLASHAPE_BACKEND_STATE_READY && backend_.origin != Origin::kBuiltIn) shadow_others();
      if (state == XLASHAPE_BACKEND_STATE_FAILED) let_next_serve(runtime_, backend_.name);
    }
    runtime_.changed.notify_all();
  }
  Loading(const Loading&) = delete;

  Status run(Error* err) {
    status = load(backend_, runtime_.hooks, &detail, err);
    state = status == XLASHAPE_STATUS_OK ? XLASHAPE_BACKEND_STATE_READY : XLASHAPE_BACKEND_STATE_FAILED;
    return status;
  }

 private:
  // Only what is ready takes others of its name out of use.
  void shadow_others() {
    for (int32_t i = 0; i < count_of(runtime_); ++i) {
      Backend& other = at(runtime_, i);
      if (&other == &backend_ || other.name != backend_.name || other.shadowed) continue;
      if (other.origin == Origin::kBuiltIn || other.state == XLASHAPE_BACKEND_STATE_ABSENT) other.shadowed = true;
    }
  }

  Runtime& runtime_;
  Backend& backend_;
  std::string detail;
  Status status = XLASHAPE_STATUS_NO_MEMORY;
  // Out of memory: the next operation tries again, unless the caller takes back what it gave.
  int32_t state = backend_.origin == Origin::kAdded ? XLASHAPE_BACKEND_STATE_FAILED : XLASHAPE_BACKEND_STATE_ABSENT;
};

// Loads what this thread took into LOADING. It is told once it is settled: a logger may use the runtime, and wait for other
// threads that do. Where there is no memory to tell it, it is loaded all the same.
Status bring_up(Runtime& runtime, Backend& backend, Error* err) {
  const Status status = Loading(runtime, backend).run(err);
  guarded(nullptr, [&] {
    const bool ready = status == XLASHAPE_STATUS_OK;
    std::string line = cat({ready ? "ready, " : "not in use, ", whereabouts(backend), ": "});
    {
      const std::lock_guard guard(runtime.lock);
      line += backend.detail;
    }
    log(runtime, ready ? XLASHAPE_LOG_INFO : XLASHAPE_LOG_WARNING, backend, line);
    return XLASHAPE_STATUS_OK;
  });
  return status;
}

// Who is loading it, or one of its name that may take its place. The lock is held.
const Backend* in_progress(const Runtime& runtime, const Backend& backend) {
  if (backend.state == XLASHAPE_BACKEND_STATE_LOADING) return &backend;
  for (int32_t i = 0; i < count_of(runtime) && backend.origin != Origin::kBuiltIn; ++i) {
    const Backend& b = at(runtime, i);
    if (b.name == backend.name && b.state == XLASHAPE_BACKEND_STATE_LOADING) return &b;
  }
  return nullptr;
}

// Takes it into LOADING, unless it is settled or becomes so while another thread is at it.
bool take(Runtime& runtime, Backend& backend, std::unique_lock<std::mutex>& guard) {
  for (;;) {
    const int32_t state = backend.state;
    if (backend.shadowed || state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_FAILED)
      return false;
    const Backend* const other = in_progress(runtime, backend);
    if (other == nullptr) break;
    // A hook that came back to us while its own thread loads; a child that was forked off meanwhile.
    if (other->loader == std::this_thread::get_id() || other->loader_process != process_id()) return false;
    runtime.changed.wait(guard);
  }
  backend.loader = std::this_thread::get_id();
  backend.loader_process = process_id();
  backend.state.store(XLASHAPE_BACKEND_STATE_LOADING, std::memory_order_release);
  return true;
}

void settle(Runtime& runtime, Backend& backend) {
  std::unique_lock guard(runtime.lock);
  if (!take(runtime, backend, guard)) return;
  guard.unlock();
  bring_up(runtime, backend, nullptr);
}

bool is_settled(const Backend& backend) {
  const int32_t state = backend.state.load(std::memory_order_acquire);
  return state == XLASHAPE_BACKEND_STATE_READY || state == XLASHAPE_BACKEND_STATE_FAILED || backend.shadowed;
}

// Adds a backend for what was found. The answer is why there is none, or "". The lock is held.
std::string enlist(Runtime& runtime, Origin origin, Found found) {
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
  } else if (holder(runtime, name) != nullptr) {
    backend->shadowed = true;  // serves if the first one fails
  }
  if (append(runtime, std::move(backend)) == nullptr)
    return cat({name, ": ", place, " is not taken: the runtime holds ", std::to_string(Runtime::kMaxBackends),
                " backends already"});
  return {};
}

// The lock is held.
void look_into_places(Runtime& runtime) {
  const Machine machine = this_machine(runtime.cpu.features);
  for (const Place& place : places_of(runtime)) {
    const std::string head = cat({"folder ", place.folder, " (", origin_name(place.origin), "): "});
    if (!place.refused.empty()) {
      runtime.journal.push_back(cat({head, "not looked into: ", place.refused}));
      continue;
    }
    std::vector<std::string> notes;
    std::vector<Found> all = look_into(place, machine, &notes);
    if (all.empty() && notes.empty()) notes.emplace_back("no backends");
    const std::string holds = std::to_string(all.size()) + (all.size() == 1 ? " backend" : " backends");
    if (!all.empty()) runtime.journal.push_back(head + holds);
    for (Found& found : all)
      if (std::string note = enlist(runtime, place.origin, std::move(found)); !note.empty())
        notes.push_back(std::move(note));
    for (const std::string& note : notes) runtime.journal.push_back(head + note);
  }
}

Status load_found(Runtime& runtime, const std::string& given, Found found, Error* err) {
  const std::string name = found.name;
  if (is_denied(runtime, name))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: backend %s is %s", given.c_str(), name.c_str(), kDenied);
  std::unique_lock guard(runtime.lock);
  Backend* backend = nullptr;
  for (int32_t i = 0; i < count_of(runtime) && backend == nullptr && !found.path.empty(); ++i)
    if (is_same(at(runtime, i).found, found)) backend = &at(runtime, i);
  const Backend* const first = holder(runtime, name);
  if (first != nullptr && first != backend && first->state != XLASHAPE_BACKEND_STATE_ABSENT && found.wrong.empty())
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "%s: a backend named %s is there already: %s", given.c_str(),
                name.c_str(), whereabouts(*first).c_str());
  // A file that is not there is nothing to remember.
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
  backend->shadowed = false;  // asked for by path: that counts most
  if (take(runtime, *backend, guard)) {
    guard.unlock();
    bring_up(runtime, *backend, nullptr);
    guard.lock();
  }
  switch (backend->current_state()) {
    case XLASHAPE_BACKEND_STATE_READY:
      return XLASHAPE_STATUS_OK;
    case XLASHAPE_BACKEND_STATE_FAILED:
      return fail(err, backend->status != XLASHAPE_STATUS_OK ? backend->status : XLASHAPE_STATUS_INTERNAL, "%s: %s",
                  given.c_str(), backend->current_detail());
    default:
      return fail(err, XLASHAPE_STATUS_BUSY, "%s: it is being loaded by this thread", given.c_str());
  }
}

}  // namespace

const char* origin_name(Origin origin) {
  constexpr const char* kNames[] = {
      "added by the program", "loaded by path", "options.backend_dirs", "XLASHAPE_BACKEND_PATH", "beside the library",
      "install folder",       "built in"};
  return kNames[static_cast<size_t>(origin)];
}

int32_t default_priority(std::string_view name) { return name == "scalar" ? -100 : name == "simd" ? 100 : 0; }

void search(Runtime& runtime) {
  if (runtime.done.load(std::memory_order_acquire) & Runtime::kSearched) return;
  const std::lock_guard guard(runtime.lock);
  if (runtime.done.load(std::memory_order_relaxed) & Runtime::kSearched) return;
  runtime.journal.clear();  // of an attempt that ran out of memory
  if constexpr (kDynamicBackends) look_into_places(runtime);
  if (!kDynamicBackends) runtime.journal.push_back(cat({"folders: none, ", kNoLoader}));
  runtime.done.fetch_or(Runtime::kSearched, std::memory_order_release);
}

void load_backends(Runtime& runtime, std::string_view name, bool device) {
  search(runtime);
  bool all_settled = true;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& backend = at(runtime, i);
    if ((!name.empty() && backend.name != name) || (!device && backend.found.memory == Memory::kDevice)) continue;
    settle(runtime, backend);
    all_settled &= is_settled(backend);
  }
  if (name.empty() && all_settled)
    runtime.done.fetch_or(Runtime::kHostLoaded | (device ? Runtime::kDeviceLoaded : 0), std::memory_order_release);
}

std::string shadowed_by(const Runtime& runtime, const Backend& backend) {
  const Backend* const other = holder(runtime, backend.name);
  return other != nullptr ? whereabouts(*other) : "";
}

void retire_thrown(Runtime& runtime) {
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    Backend& backend = at(runtime, i);
    if (backend.slots.thrown() == nullptr || backend.retired.load(std::memory_order_acquire)) [[likely]]
      continue;
    const std::lock_guard guard(runtime.lock);
    if (backend.current_state() != XLASHAPE_BACKEND_STATE_FAILED) continue;  // it threw while it is loaded
    let_next_serve(runtime, backend.name);
    backend.retired.store(true, std::memory_order_release);
  }
}

Status find_space(Runtime& runtime, xlashape_memory_space space, const Backend** result, Error* err) {
  if ((runtime.done.load(std::memory_order_acquire) & Runtime::kDeviceLoaded) == 0) load_backends(runtime, {}, true);
  const Backend* best = nullptr;
  for (int32_t i = 0; i < count_of(runtime); ++i) {
    const Backend& b = at(runtime, i);
    if (b.current_state() != XLASHAPE_BACKEND_STATE_READY || b.shadowed) continue;
    if ((b.slots.table().memory_spaces & XLASHAPE_SPACE_BIT(space)) == 0) continue;
    if (best == nullptr || b.priority > best->priority || (b.priority == best->priority && b.name < best->name))
      best = &b;
  }
  *result = best;
  if (best != nullptr) return XLASHAPE_STATUS_OK;
  return fail(err, XLASHAPE_STATUS_NOT_FOUND,
              "no backend works in memory space %d: the runtime's report tells what was looked at", space);
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
                    Quoted(name).c_str(), whereabouts(other).c_str());
    }
    backend = append(runtime, std::move(made));
    if (backend == nullptr)
      return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the runtime holds %d backends already", Runtime::kMaxBackends);
  }
  if (denied) return XLASHAPE_STATUS_OK;
  XLASHAPE_TRY(bring_up(runtime, *backend, err));
  backend->release = linked.release;  // where it failed, what the caller gave stays the caller's
  return XLASHAPE_STATUS_OK;
}

Status load_backend(Runtime& runtime, std::string_view path, Error* err) {
  if constexpr (kDynamicBackends)
    return load_found(runtime, std::string(path), look_at(std::string(path), this_machine(runtime.cpu.features)), err);
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "%s: %s", Quoted(path).c_str(), kNoLoader);
}

}  // namespace xlashape::core
