// SPDX-License-Identifier: Apache-2.0
// What a search of all places finds: the backends that are listed, and what the report and the logger get.
#include <memory>

#include "base/cat.h"
#include "runtime/backend_list.h"
#include "runtime/registry.h"

namespace xlashape::core {
namespace {

// Adds a backend for what was found. Returns why there is none, or "". The lock is held.
std::string add_found(Runtime& runtime, Origin origin, FoundBackend found) {
  if (find_same(runtime, found) != nullptr) return cat({found.name, ": ", found.path, " is known already"});
  const std::string name = found.name, place = found.path.empty() ? found.manifest : found.path;
  std::unique_ptr<Backend> backend = backend_of(std::move(found), origin);
  if (is_denied(runtime, name))
    deny(*backend);
  else if (backend->found.wrong.empty() && backend_in_use(runtime, name) != nullptr)
    backend->shadowed = true;  // used if the first one fails
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
  if (has_backend(runtime, "simd") || is_denied(runtime, "simd")) return;
  const char* const text =
      "backend simd: none was found, so that plans on the CPU use scalar, which is slower: it was built with this "
      "library, but this installation lacks it";
  // It may be in what was refused, of which there is a warning already.
  if ((runtime.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) == 0 && lines->warnings.empty())
    lines->warn(text);
  else
    lines->report.emplace_back(text);
}

// Lists what the library was built without although it could have been there, so that a slow or missing backend
// explains itself: unless the folder beside the library, where it would be, is not to be looked into, or there is one
// all the same. The lock is held.
void add_left_out(Runtime& runtime, Lines* lines) {
  if ((runtime.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) != 0) return;
  for (const LeftOut* left = kLeftOut; left->name != nullptr; ++left) {
    if (has_backend(runtime, left->name)) continue;
    FoundBackend found;
    found.name = found.entry = left->name;
    found.wrong = cat({"this library was built without it: ", left->why});
    if (found.name == "simd") warn_of(runtime, found, lines);
    add_found(runtime, Origin::kLeftOut, std::move(found));
  }
}

}  // namespace

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

}  // namespace xlashape::core
