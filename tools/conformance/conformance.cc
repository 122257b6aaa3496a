// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "child.h"
#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/base/subcommands.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"
#include "cli/random_cases/stage.h"
#include "conformance_suite.h"
#include "imports.h"
#include "xlashape_runtime.h"

namespace xlashape::cli {
namespace {

// The child's results, in memory that it shares with its parent.
struct Shared {
  ChildProgress doing;
  char name[64] = "";
  std::atomic<bool> finished{false};
  Tally tally;
  char notes[3000] = "";  // lines: checks that were not run, and why
  struct {
    int64_t calls = 0, problems = 0;
    char first[600] = "";
  } slots[kSlots];

  void copy(const Watch& watch) {
    for (int slot = 0; slot < kSlots; ++slot) {
      slots[slot].calls += watch.calls(slot);
      if (watch.problems(slot) == 0) continue;
      slots[slot].problems += watch.problems(slot);
      std::snprintf(slots[slot].first, sizeof slots[slot].first, "%s", watch.problem(slot).c_str());
    }
  }
  void blame(int slot, const std::string& problem) {
    ++slots[slot].problems;
    std::snprintf(slots[slot].first, sizeof slots[slot].first, "%s", problem.c_str());
  }
};

// Not the plugin's name, as scalar is in use.
constexpr std::string_view kTested = "under_test";

Runtime runtime_alone() {
  RuntimeOptions options;
  options.flags = XLASHAPE_RUNTIME_NO_ENVIRONMENT | XLASHAPE_RUNTIME_NO_LIBRARY_DIR | XLASHAPE_RUNTIME_NO_INSTALL_DIR;
  return as_failures([&] { return Runtime::create(options); }, "starting the runtime");
}

std::string stem(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.find('.'));
}

// The plugin's entry function. The library has loaded the object and never unloads it.
xlashape_backend_open_fn entry_of(const BackendInfo& backend) {
  void* handle = dlopen(backend.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  for (const std::string& name : {backend.name, stem(backend.path)})
    if (handle != nullptr)
      if (void* symbol = dlsym(handle, ("xlashape_backend_open_" + name).c_str()))
        return reinterpret_cast<xlashape_backend_open_fn>(symbol);
  throw Failure(kData, "NOT_FOUND", fmt::format("{} has no entry named {}", backend.path, backend.name));
}

// Adds a line to the notes; where it does not fit, the notes say that there are more.
void note(Shared& shared, const std::string& words) {
  const std::string line = safe(words);  // one line, even if the plugin's text has several
  constexpr std::string_view kMore = "and more\n";
  const size_t used = std::strlen(shared.notes), room = sizeof shared.notes - used;
  const bool fits = line.size() + 1 + kMore.size() < room;
  if (fits) std::snprintf(shared.notes + used, room, "%s\n", line.c_str());
  if (!fits && !std::string_view(shared.notes).ends_with(kMore))
    std::snprintf(shared.notes + used, room, "%s", kMore.data());
}

// All checks, quick ones first.
void run_suite(const SelfTestOptions& options, const Watch& watch, Suite& suite, Shared& shared) {
  const int64_t count = options.count;
  const auto share = [&](int64_t part) { return static_cast<double>(options.seconds) / static_cast<double>(part); };
  const auto stage = [&](int done) { shared.doing.permille = done; };
  suite.every_element_type();
  stage(80);
  suite.random_relayouts(count, options.seed);
  stage(350);
  suite.index_batches(count, options.seed);
  stage(450);
  suite.many_threads();
  suite.no_memory();
  suite.no_leaks();
  if (watch.has_candidates() && watch.is_for_cpu()) suite.measured_plans();
  stage(500);
  if (watch.any_problem()) return note(shared, "not run: large, sparse and huge ones, as something is wrong already");
  suite.real_sizes((count + 11) / 12, options.seed, share(30));
  stage(800);
  if (!watch.is_for_cpu())
    return note(
        shared,
        "not run: sparse and huge ones, of which a device gets a copy of all between the first byte and the last");
  suite.sparse_boxes((count + 49) / 50, options.seed, share(60));
  stage(900);
  suite.huge_ones(options.seed, share(60));
}

// The plugin with a profile: its own, and others that have the form of one and nothing else.
void test_profiles(const SelfTestOptions& options, xlashape_backend_open_fn entry, const std::string& manifest,
                   Suite& suite, Shared& shared) {
  const std::string own = suite.calibrate();
  for (const std::string& profile : profiles_to_try(own)) {
    Watch watch(entry, manifest, &shared.doing);
    const Runtime runtime = runtime_with(profile);
    Error error;
    if (xlashape_runtime_add_backend(runtime.get(), kTested.data(), static_cast<int64_t>(kTested.size()), Watch::open,
                                     &watch, nullptr, 0, error.record()) != XLASHAPE_STATUS_OK) {
      watch.blame(kProfile, std::string("with another profile: ") + error.c_str());
    } else {
      Suite again(runtime, std::string(kTested), watch, shared.doing);
      again.random_relayouts(std::min<int64_t>(options.count, 40), options.seed);
      suite.add(again.tally());
    }
    shared.copy(watch);
  }
}

// Runs in the child: loads the plugin first as any program would, then with a watch on every slot.
void run_child(const SelfTestOptions& options, Shared& shared) {
  const Runtime plain = runtime_alone();
  ++shared.slots[kLoad].calls;
  if (const Result<void> loaded = plain.try_load_backend(options.plugin); !loaded) {
    shared.blame(kLoad, loaded.error().c_str());
    return;
  }
  const BackendInfo loaded = plain.backends().back();
  std::snprintf(shared.name, sizeof shared.name, "%s", loaded.name.c_str());
  const bool has_manifest = options.plugin.size() > 5 && options.plugin.substr(options.plugin.size() - 5) == ".toml";
  shared.doing.slot = kOpen;
  const xlashape_backend_open_fn entry = entry_of(loaded);
  Watch watch(entry, has_manifest ? options.plugin : "", &shared.doing);
  try {
    const Runtime runtime = runtime_alone();
    Error error;
    const std::string name(kTested);
    if (xlashape_runtime_add_backend(runtime.get(), name.data(), static_cast<int64_t>(name.size()), Watch::open, &watch,
                                     nullptr, 0, error.record()) != XLASHAPE_STATUS_OK) {
      watch.blame(kOpen, error.c_str());
    } else {
      if (!watch_imports(reinterpret_cast<const void*>(entry)))
        note(shared, "not run: what the plugin calls while it executes cannot be seen here");
      Suite suite(runtime, name, watch, shared.doing);
      as_failures([&] { run_suite(options, watch, suite, shared); });
      if (!watch.any_problem() && (watch.calibrates() || watch.takes_profiles()))
        as_failures([&] { test_profiles(options, entry, has_manifest ? options.plugin : "", suite, shared); });
      for (const std::string& line : suite.notes()) note(shared, line);
      shared.tally = suite.tally();
    }
  } catch (const Failure& failure) {
    watch.blame(shared.doing.slot, failure.message);
  }
  shared.copy(watch);
}

std::string death(int status) {
  if (!WIFSIGNALED(status))
    return WIFEXITED(status) ? fmt::format("ended the process with exit code {}", WEXITSTATUS(status)) : "";
  const int signal = WTERMSIG(status);
  return fmt::format("ended the process: signal {} ({})", signal, strsignal(signal));
}

int print_report(const SelfTestOptions& options, const Common& common, const Shared& shared) {
  int64_t problems = 0;
  for (const auto& slot : shared.slots) problems += slot.problems;
  const int exit = problems > 0 ? kData : shared.tally.passed == 0 ? kUnsupported : kDone;
  if (common.json) {
    Json slots = Json::array();
    for (int slot = 0; slot < kSlots; ++slot) {
      const auto& s = shared.slots[slot];
      slots.add({{"slot", slot_name(slot)},
                 {"calls", s.calls},
                 {"problems", s.problems},
                 {"first", s.problems > 0 ? Json(s.first) : Json()}});
    }
    const Json json = {{"plugin", options.plugin},
                       {"name", shared.name},
                       {"passed", shared.tally.passed},
                       {"failed", shared.tally.failed},
                       {"refused", shared.tally.refused},
                       {"conforms", exit == kDone},
                       {"large", shared.tally.large},
                       {"sparse", shared.tally.sparse},
                       {"huge", shared.tally.huge},
                       {"notes", shared.notes},
                       {"seconds", shared.tally.seconds},
                       {"bytes", shared.tally.bytes},
                       {"slots", slots}};
    say_json(json);
    return exit;
  }
  const Paint paint(common);
  say("{}\n", options.plugin);
  for (int slot = 0; slot < kSlots; ++slot) {
    const auto& s = shared.slots[slot];
    if (s.calls == 0 && s.problems == 0) {
      if (slot != kOutput && slot != kMemory) say("  {:<14}{}\n", slot_name(slot), paint.faint("not called"));
      continue;
    }
    const Text verdict = s.problems == 0 ? paint.good("ok") : paint.bad("WRONG");
    say("  {:<14}{}  {} calls\n", slot_name(slot), verdict, s.calls);
    if (s.problems > 0) say("    {}{}\n", s.first, s.problems > 1 ? fmt::format(" (and {} more)", s.problems - 1) : "");
  }
  for (const std::string& line : lines_of(shared.notes)) say("{}\n", line);
  say("relayouts: {} large, {} sparse, {} huge besides the small ones; {:.1f} s, at most {} MiB for one\n",
      shared.tally.large, shared.tally.sparse, shared.tally.huge, shared.tally.seconds, (shared.tally.bytes >> 20) + 1);
  const Text verdict = exit == kDone          ? paint.good("conforms")
                       : exit == kUnsupported ? paint.bad("takes no operation, so nothing was tested")
                                              : paint.bad("does not conform");
  say("{} checks passed, {} failed, {} operations refused: {}\n", shared.tally.passed, shared.tally.failed,
      shared.tally.refused, verdict);
  return exit;
}

}  // namespace

int test_plugin(const SelfTestOptions& options, const Common& common) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const auto unmap = [](Shared* shared) { munmap(shared, sizeof *shared); };
  const std::unique_ptr<Shared, decltype(unmap)> shared(new (memory) Shared, unmap);
  Progress progress("self-test");
  const double start = seconds_now();
  const Ended ended = run_in_child(
      options.seconds,
      [&] {
        explain_faults(shared->doing.note, sizeof shared->doing.note);
        try {
          as_failures([&] { run_child(options, *shared); });
        } catch (const std::exception& error) {
          shared->blame(shared->doing.slot, error.what());
        }
        shared->finished = true;
      },
      [&] {
        progress.show(shared->doing.permille / 1000.0);
        return shared->doing.steps.load();
      });
  progress.clear();
  if (!ended.output.empty()) shared->blame(kOutput, "prints: " + ended.output);
  if (ended.left_behind > 0)
    shared->blame(kClose, fmt::format("leaves {} processes behind, which are ended", ended.left_behind));
  if (!shared->finished) {
    const std::string doing = shared->doing.text, why = shared->doing.note;
    const std::string text = ended.too_late          ? "did not come back in time"
                             : ended.too_much_memory ? fmt::format("took more than {} GiB of memory", kMostMemory >> 30)
                             : why.empty()           ? death(ended.status)
                                                     : why + ": " + death(ended.status);
    shared->blame(shared->doing.slot, text + (doing.empty() ? "" : ", in: " + doing));
  }
  shared->tally.seconds = seconds_now() - start;
  return print_report(options, common, *shared);
}

}  // namespace xlashape::cli
