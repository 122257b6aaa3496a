// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/subcommands.h"
#include "cli/execution/execution.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"
#include "xlashape_runtime.h"

namespace xlashape::cli {
namespace {

std::string state_name(int32_t state) {
  static constexpr const char* kNames[] = {"not loaded yet", "loading", "ready", "failed"};
  return state >= 0 && state < 4 ? kNames[state] : "unknown";
}

std::string space_name(int32_t space) {
  switch (space) {
    case XLASHAPE_SPACE_CPU:
      return "cpu";
    case XLASHAPE_SPACE_CUDA:
      return "cuda";
    case XLASHAPE_SPACE_CUDA_HOST:
      return "cuda_host";
    case XLASHAPE_SPACE_OPENCL:
      return "opencl";
    case XLASHAPE_SPACE_CUDA_MANAGED:
      return "cuda_managed";
    default:
      return space == 0 ? "" : std::to_string(space);
  }
}

std::vector<std::string> space_names(uint64_t spaces) {
  std::vector<std::string> names;
  for (int32_t space = 1; space < 64; ++space)
    if ((spaces & XLASHAPE_SPACE_BIT(space)) != 0) names.push_back(space_name(space));
  return names;
}

}  // namespace

std::string version_text() {
  std::string text =
      fmt::format("xlashape {}.{}.{} (library {}, C ABI {}.{})", XLASHAPE_VERSION_MAJOR, XLASHAPE_VERSION_MINOR,
                  XLASHAPE_VERSION_PATCH, version(), xlashape_abi_version() >> 16, xlashape_abi_version() & 0xffff);
  for (std::string_view rest = build_info(); !rest.empty();) {
    const size_t end = std::min(rest.find("; "), rest.size());
    if (!rest.starts_with("version: ")) text += "\n" + std::string(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  const Result<Runtime> runtime = Runtime::try_create();
  if (!runtime) return text;
  std::vector<std::string> there;
  std::string not_there;
  for (const BackendInfo& backend : runtime->backends()) {
    if (backend.state == XLASHAPE_BACKEND_STATE_FAILED)
      not_there += fmt::format("\nnot in use: {}: {}", backend.name, backend.detail);
    else if (std::find(there.begin(), there.end(), backend.name) == there.end())
      there.push_back(backend.name);
  }
  return text + "\nbackends: " + joined(there, ", ") + not_there;
}

int run_backends(const BackendsOptions& options, const Common& common) {
  const Runtime runtime = make_runtime(options.load, 0, options.tries ? XLASHAPE_RUNTIME_LOAD_NOW : 0);
  const std::vector<BackendInfo> all = runtime.backends();
  if (common.json) {
    Json list = Json::array();
    for (const BackendInfo& backend : all)
      list.add({{"name", backend.name},
                {"state", state_name(backend.state)},
                {"abi_version", backend.abi_version},
                {"priority", backend.priority},
                {"memory_spaces", space_names(backend.memory_spaces)},
                {"device_count", backend.device_count},
                {"path", backend.path.empty() ? Json() : Json(backend.path)},
                {"detail", backend.detail}});
    const Json json = options.report ? Json{{"backends", list}, {"report", runtime.report()}} : list;
    say_json(json);
    return kDone;
  }
  const Paint paint(common);
  size_t name_width = 4;
  for (const BackendInfo& backend : all) name_width = std::max(name_width, backend.name.size());
  say("{}\n",
      paint.faint(text("{:<{}}  {:<16}{:<8}{:>8}  {}", "name", name_width, "state", "memory", "priority", "from")));
  for (const BackendInfo& backend : all) {
    const Text state = text("{:<16}", state_name(backend.state));
    say("{:<{}}  {}{:<8}{:>8}  {}\n", backend.name, name_width,
        backend.state == XLASHAPE_BACKEND_STATE_READY    ? paint.good(state)
        : backend.state == XLASHAPE_BACKEND_STATE_FAILED ? paint.bad(state)
                                                         : state,
        joined(space_names(backend.memory_spaces), ","), backend.priority,
        !backend.path.empty()                            ? backend.path
        : backend.state == XLASHAPE_BACKEND_STATE_FAILED ? ""
                                                         : "built in");
    if (!backend.detail.empty()) say("{:<{}}  {}\n", "", name_width, backend.detail);
  }
  if (all.empty()) say("none\n");
  const std::string report = runtime.report();
  for (const std::string& line : lines_of(report))
    if (!options.report && line.starts_with("warning: ")) say("{}\n", paint.bad(text("{}", line)));
  if (options.report) {
    say("\n");
    for (const std::string& line : lines_of(report)) say("{}\n", line);
  }
  return kDone;
}

}  // namespace xlashape::cli
