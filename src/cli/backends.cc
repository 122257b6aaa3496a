#include "backends.h"

#include <fmt/format.h>

#include <algorithm>

#include "explain_json.h"
#include "movement.h"

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

std::string report_of(const Runtime& runtime) {
  xlashape_error err = new_error();
  int64_t needed = 0;
  check(xlashape_runtime_report(runtime.get(), nullptr, 0, &needed, &err), err);
  std::string text(static_cast<size_t>(needed), '\0');
  check(xlashape_runtime_report(runtime.get(), text.data(), needed, &needed, &err), err);
  text.resize(text.find('\0'));
  return text;
}

}  // namespace

int run_backends(const BackendsOptions& options, const Common& common) {
  const Runtime runtime = make_runtime(options.load);
  const std::vector<BackendFacts> all = backends_of(runtime);
  if (common.json) {
    Json list = Json::array();
    for (const auto& [info, name, path, detail] : all)
      list.push_back({{"name", name},
                      {"state", state_name(info.state)},
                      {"abi_version", info.abi_version},
                      {"priority", info.priority},
                      {"memory_spaces", space_names(info.memory_spaces)},
                      {"device_count", info.device_count},
                      {"path", path.empty() ? Json() : Json(path)},
                      {"detail", detail}});
    const Json json = options.report ? Json{{"backends", list}, {"report", report_of(runtime)}} : list;
    say_json(json);
    return kDone;
  }
  const Paint paint(common);
  size_t name_width = 4;
  for (const BackendFacts& backend : all) name_width = std::max(name_width, backend.name.size());
  say("{}\n",
      paint.faint(text("{:<{}}  {:<16}{:<8}{:>8}  {}", "name", name_width, "state", "memory", "priority", "from")));
  for (const auto& [info, name, path, detail] : all) {
    const Text state = text("{:<16}", state_name(info.state));
    say("{:<{}}  {}{:<8}{:>8}  {}\n", name, name_width,
        info.state == XLASHAPE_BACKEND_STATE_READY    ? paint.good(state)
        : info.state == XLASHAPE_BACKEND_STATE_FAILED ? paint.bad(state)
                                                      : state,
        fmt::to_string(fmt::join(space_names(info.memory_spaces), ",")), info.priority,
        path.empty() ? "built in" : path);
    if (!detail.empty()) say("{:<{}}  {}\n", "", name_width, detail);
  }
  if (all.empty()) say("none\n");
  if (options.report) {
    say("\n");
    for (const std::string& line : lines_of(report_of(runtime))) say("{}\n", line);
  }
  return kDone;
}

}  // namespace xlashape::cli
