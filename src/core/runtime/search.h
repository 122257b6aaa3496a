// Where backends are looked for, and what lies there. The order is a pure function of what is given; finding only reads
// folders and manifests, and maps nothing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "platform/trust.h"
#include "runtime/manifest.h"

namespace xlashape::core {

// Whether backends are found and loaded at all: the build option dynamic_backends. Where they are not, nothing of what
// follows is there but the types.
#ifdef XLASHAPE_NO_LOADER
inline constexpr bool kDynamicBackends = false;
#else
inline constexpr bool kDynamicBackends = true;
#endif
inline constexpr const char* kNoLoader =
    "this library loads no backends, as it was built with dynamic_backends=false: build it with true, or link the "
    "backend in and give it to xlashape_runtime_add_backend";

// In the order in which they count.
enum class Origin : uint8_t { kAdded, kExplicit, kOption, kEnvironment, kLibrary, kInstall, kBuiltIn };
const char* origin_name(Origin origin);

struct Place {
  Origin origin;
  std::string folder;
  std::string refused;  // why it is not looked at; "" where it is
};

struct SearchInput {
  std::string_view option_folders;  // kListSeparator between them
  std::string_view environment_folders;
  std::string_view library_folder;        // where the library itself lies; "" for a static one
  std::string_view install_folder;        // as chosen at build time
  uint32_t flags = 0;                     // XLASHAPE_RUNTIME_NO_*
  std::string_view library_unknown = "";  // why it is not known where that is
};
std::vector<Place> search_places(const SearchInput& input);

// The list with relative folders put behind the working directory, which may be another one when they are searched. Not
// more than `limit` bytes and one folder.
std::string absolute_folders(std::string_view folders, size_t limit);

// A backend that a place holds, or would hold if something were not wrong with it.
struct Found {
  std::string name, entry;
  std::string path;      // real path of the shared object; "" where there is none
  std::string manifest;  // path of the manifest; "" without one
  Memory memory = Memory::kUnknown;
  bool has_priority = false;
  int32_t priority = 0;
  std::string wrong;  // "stage: reason"
};

struct Machine {
  uint64_t cpu_features = 0;
  bool (*has_sanitizer)(std::string_view name) = nullptr;
  Trust trust;
};
Machine this_machine(uint64_t cpu_features);

// What one place holds, sorted by file name. `notes` get a line for each other file that looks like a backend but is none.
std::vector<Found> look_into(const Place& place, const Machine& machine, std::vector<std::string>* notes);

// One shared object or manifest, as given by the embedder: nothing is refused for its permissions.
Found look_at(const std::string& path, const Machine& machine);

}  // namespace xlashape::core
