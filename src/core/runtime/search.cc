// SPDX-License-Identifier: Apache-2.0
#include "runtime/search.h"

#include <algorithm>
#include <cstdio>

#include "base/cat.h"
#include "ir/manifest_text.h"
#include "platform/files.h"
#include "platform/library.h"
#include "xlashape_runtime.h"

namespace xlashape::core {
namespace {

constexpr std::string_view kManifestSuffix = ".xlashape.toml";
constexpr size_t kManifestLimit = ir::ManifestText::kMostBytes;

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

std::string stem(std::string_view file) {
  file = file_name(file);
  if (ends_with(file, kManifestSuffix)) return std::string(file.substr(0, file.size() - kManifestSuffix.size()));
  if (ends_with(file, kLibrarySuffix)) return std::string(file.substr(0, file.size() - kLibrarySuffix.size()));
  return std::string(file.substr(0, file.find('.')));
}

std::string read_file(const std::string& path, std::string* wrong) {
  const File file = open_regular(path, wrong);
  if (file == nullptr) return {};
  std::string text(kManifestLimit + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (text.size() > kManifestLimit) *wrong = "larger than 64 KiB";
  return text;
}

// Fills `found` from the manifest at `path`. Unless the program gave that path, the shared object must be trusted:
// nobody else may be able to write to it. A manifest that describes calls must come from a path or folder that the
// program gave.
void read_manifest(const std::string& path, const Machine& machine, Origin origin, FoundBackend* found) {
  found->manifest = path;
  found->name = found->entry = stem(path);
  std::string wrong;
  const std::string text = read_file(path, &wrong);
  if (!wrong.empty()) {
    found->wrong = cat({"manifest: ", wrong});
    return;
  }
  Manifest manifest;
  xlashape_error err{};
  err.struct_size = sizeof err;
  if (parse_manifest(text, &manifest, &err) != XLASHAPE_STATUS_OK) {
    found->wrong = std::string("manifest: ") + err.message;
    return;
  }
  found->name = manifest.name;
  found->entry = manifest.entry;
  found->memory = manifest.memory;
  found->has_priority = manifest.has_priority;
  found->priority = manifest.priority;
  const std::string library =
      is_absolute(manifest.library) ? manifest.library : in_folder(folder_of(path), manifest.library);
  std::string reason;
  const std::string real = found->path = real_path(library, &reason);
  const std::string missing = found->path.empty() ? cat({"manifest: ", library, ": ", reason}) : "";
  found->wrong = unfit(manifest, machine.cpu_features, machine.has_sanitizer);
  if (found->wrong.empty()) found->wrong = missing;
  if (found->wrong.empty() && manifest.has_roles && origin != Origin::kExplicit && origin != Origin::kOption)
    found->wrong = "roles: a manifest with [role.NAME] is used by path or from options.backend_dirs only";
  if (origin == Origin::kExplicit || !found->wrong.empty()) return;
  found->path = trusted_path(machine.trust, folder_of(path), manifest.library, &reason);
  if (found->path.empty()) found->path = real, found->wrong = cat({kPermissions, reason});
}

// Removes the first folder from a list and returns it.
std::string_view next_folder(std::string_view* folders) {
  const size_t end = folders->find(kListSeparator);
  const std::string_view folder = folders->substr(0, end);
  *folders = end == std::string_view::npos ? std::string_view() : folders->substr(end + 1);
  return folder;
}

void add_places(Origin origin, std::string_view folders, std::vector<SearchPlace>* places) {
  while (!folders.empty()) {
    const std::string folder(next_folder(&folders));
    if (folder.empty()) continue;  // an empty entry does not mean "the current folder"
    places->push_back({origin, folder, is_absolute(folder) ? "" : "not an absolute path"});
  }
}

}  // namespace

Machine this_machine(uint64_t cpu_features) { return {cpu_features, has_sanitizer, own_trust(own_location())}; }

std::vector<SearchPlace> search_places(const SearchInput& input) {
  std::vector<SearchPlace> places;
  add_places(Origin::kOption, input.option_folders, &places);
  if ((input.flags & XLASHAPE_RUNTIME_NO_ENVIRONMENT) == 0)
    add_places(Origin::kEnvironment, input.environment_folders, &places);
  const std::string name(input.install_folder.empty() ? "xlashape" : file_name(input.install_folder));
  if ((input.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) == 0 && !input.library_folder.empty())
    places.push_back({Origin::kLibrary, in_folder(input.library_folder, name), ""});
  if ((input.flags & XLASHAPE_RUNTIME_NO_LIBRARY_DIR) == 0 && !input.library_unknown.empty())
    places.push_back({Origin::kLibrary, name, std::string(input.library_unknown)});
  if ((input.flags & XLASHAPE_RUNTIME_NO_INSTALL_DIR) == 0 && !input.install_folder.empty())
    places.push_back({Origin::kInstall, std::string(input.install_folder), ""});
  return places;
}

std::string absolute_folders(std::string_view folders, size_t limit) {
  std::string here = working_folder();
  if (here.find(kListSeparator) != std::string::npos) here.clear();  // it would split the list
  std::string all;
  while (!folders.empty() && all.size() <= limit) {
    const std::string_view folder = next_folder(&folders);
    if (folder.empty()) continue;
    if (!all.empty()) all += kListSeparator;
    all += here.empty() || is_absolute(folder) ? std::string(folder) : in_folder(here, folder);
  }
  return all;
}

std::vector<FoundBackend> search_place(const SearchPlace& place, const Machine& machine,
                                       std::vector<std::string>* notes) {
  std::vector<FoundBackend> all;
  std::string reason;
  std::vector<std::string> files;
  if (!list_folder(place.folder, &files, &reason)) {
    notes->push_back(reason == kNotThere ? reason : cat({kNotLookedInto, reason}));
    return all;
  }
  // From here on the real path is used, so that redirecting a link later has no effect.
  files.clear();
  const std::string folder = trusted_path(machine.trust, "", place.folder, &reason);
  if (folder.empty() || !list_folder(folder, &files, &reason)) {
    notes->push_back(cat({kNotLookedInto, reason, folder.empty() ? kWhoMayWrite : ""}));
    return all;
  }
  std::sort(files.begin(), files.end());

  const auto insert = [&](FoundBackend&& found) {
    auto at = all.end();
    while (at != all.begin() && found.name < (at - 1)->name) --at;
    all.insert(at, std::move(found));
  };
  // Manifests first: a shared object that one of them names is not a separate backend, even if the manifest cannot be
  // used.
  std::vector<std::string> named;
  for (const std::string& file : files) {
    if (!ends_with(file, kManifestSuffix)) continue;
    FoundBackend found;
    const std::string path = in_folder(folder, file);
    if (trusted_path(machine.trust, folder, file, &reason).empty()) {
      found.name = found.entry = stem(file);
      found.manifest = path;
      found.wrong = cat({kPermissions, reason});
    } else {
      read_manifest(path, machine, place.origin, &found);
    }
    named.push_back(found.path);
    named.push_back(real_path(in_folder(folder, stem(file) + std::string(kLibrarySuffix)), nullptr));
    insert(std::move(found));
  }
  std::vector<std::string> seen;
  for (const std::string& file : files) {
    if (!ends_with(file, kLibrarySuffix)) continue;
    FoundBackend found;
    found.name = found.entry = stem(file);
    found.path = trusted_path(machine.trust, folder, file, &reason);
    if (found.path.empty()) {
      found.wrong = cat({kPermissions, reason});
      found.path = in_folder(folder, file);
    }
    if (std::find(named.begin(), named.end(), found.path) != named.end()) continue;
    if (!is_backend_name(found.name)) {
      notes->push_back(cat({file, ": not a backend: its name is not made of letters, digits and _"}));
      continue;
    }
    if (std::find(seen.begin(), seen.end(), found.path) != seen.end()) {
      notes->push_back(cat({file, ": the same file as ", found.path}));
      continue;
    }
    // Of a file and the links to it, the one with the file's name is the backend.
    const std::string own_name(file_name(found.path));
    if (own_name != file && std::binary_search(files.begin(), files.end(), own_name) &&
        real_path(in_folder(folder, own_name), nullptr) == found.path) {
      notes->push_back(cat({file, ": the same file as ", found.path}));
      continue;
    }
    seen.push_back(found.path);
    insert(std::move(found));
  }
  return all;
}

FoundBackend inspect_file(const std::string& path, const Machine& machine) {
  FoundBackend found;
  if (ends_with(path, kManifestSuffix)) {
    read_manifest(path, machine, Origin::kExplicit, &found);
    return found;
  }
  found.name = found.entry = stem(path);
  std::string reason;
  found.path = real_path(path, &reason);
  if (found.path.empty()) {
    found.wrong = cat({"file: ", reason});
    return found;
  }
  // A manifest in the same folder says what must be known before it is mapped.
  const std::string manifest = in_folder(folder_of(path), found.name + std::string(kManifestSuffix));
  if (exists(manifest)) {
    FoundBackend described;
    read_manifest(manifest, machine, Origin::kExplicit, &described);
    if (described.path == found.path || !described.wrong.empty()) return described;
  }
  if (!is_backend_name(found.name)) found.wrong = "file: its name is not made of letters, digits and _";
  return found;
}

}  // namespace xlashape::core
