/* SPDX-License-Identifier: Apache-2.0 */
// Where backends are searched for, and what is there. The order is a pure function of the input; the search only reads
// folders and manifests, and maps nothing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "platform/trust.h"
#include "runtime/manifest.h"

namespace xlashape::core {

// Whether backends are found and loaded at all: the build option dynamic_backends. Without it only the types below
// exist.
#ifdef XLASHAPE_NO_LOADER
inline constexpr bool kDynamicBackends = false;
#else
inline constexpr bool kDynamicBackends = true;
#endif
inline constexpr const char* kNoLoader =
    "this library loads no backends, as it was built with dynamic_backends=false: build it with true, or link the "
    "backend in and give it to xlashape_runtime_add_backend";

// What texts about places and backends that cannot be used begin with, and what to do where it is for their
// permissions.
inline constexpr std::string_view kNotLookedInto = "not looked into: ";
inline constexpr std::string_view kPermissions = "permissions: ", kCpu = "cpu: ", kSanitizer = "sanitizer: ";
inline constexpr std::string_view kWhoMayWrite =
    "; only root and the user of this process may be able to change backends and their folders (chmod -R go-w, chown)";

// In order of precedence.
enum class Origin : uint8_t { kAdded, kExplicit, kOption, kEnvironment, kLibrary, kInstall, kBuiltIn, kLeftOut };
const char* origin_name(Origin origin);

struct SearchPlace {
  Origin origin;
  std::string folder;
  std::string refused;  // why it is not searched; "" where it is
};

struct SearchInput {
  std::string_view option_folders;  // kListSeparator between them
  std::string_view environment_folders;
  std::string_view library_folder;        // the library's folder; "" for a static one
  std::string_view install_folder;        // as chosen at build time; the one beside the library has the same name
  uint32_t flags = 0;                     // XLASHAPE_RUNTIME_NO_*
  std::string_view library_unknown = {};  // why that folder is unknown
};
std::vector<SearchPlace> search_places(const SearchInput& input);

// The list with relative folders made absolute, as the working directory may change before they are searched. At most
// `limit` bytes and one folder.
std::string absolute_folders(std::string_view folders, size_t limit);

// A backend found at a place, perhaps one that cannot be used.
struct FoundBackend {
  std::string name, entry;
  std::string path;      // real path of the shared object; "" where there is none
  std::string manifest;  // path of the manifest; "" without one
  Memory memory = Memory::kUnknown;
  bool has_priority = false;
  int32_t priority = 0;
  std::string wrong;  // "stage: reason" why it cannot be used; "" where it can
};

struct Machine {
  uint64_t cpu_features = 0;
  bool (*has_sanitizer)(std::string_view name) = nullptr;
  Trust trust;
};
Machine this_machine(uint64_t cpu_features);

// The backends of one place, sorted by name. `notes` get a line for each other file that looks like a backend but is
// not one.
std::vector<FoundBackend> search_place(const SearchPlace& place, const Machine& machine,
                                       std::vector<std::string>* notes);

// One shared object or manifest whose path the program gave: nothing is refused for its permissions.
FoundBackend inspect_file(const std::string& path, const Machine& machine);

}  // namespace xlashape::core
