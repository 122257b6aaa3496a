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

std::vector<xlashape_backend_info> backends_of(const Runtime& runtime) {
  std::vector<xlashape_backend_info> all;
  for (int64_t ordinal = 0; ordinal < xlashape_runtime_backend_count(runtime.get()); ++ordinal) {
    xlashape_backend_info info = {};
    info.struct_size = sizeof info;
    xlashape_error err = new_error();
    check(xlashape_runtime_backend_info(runtime.get(), ordinal, &info, &err), err);
    all.push_back(info);
  }
  return all;
}

std::string report_of(const Runtime& runtime) {
  xlashape_error err = new_error();
  size_t needed = 0;
  check(xlashape_runtime_report(runtime.get(), nullptr, 0, &needed, &err), err);
  std::string text(std::max<size_t>(needed, 1), '\0');
  check(xlashape_runtime_report(runtime.get(), text.data(), text.size(), &needed, &err), err);
  text.resize(text.find('\0'));
  return text;
}

}  // namespace

int run_backends(const BackendsOptions& options, const Common& common) {
  const Runtime runtime = make_runtime(options.load);
  const std::vector<xlashape_backend_info> all = backends_of(runtime);
  if (common.json) {
    Json list = Json::array();
    for (const xlashape_backend_info& info : all)
      list.push_back({{"name", info.name},
                      {"state", state_name(info.state)},
                      {"abi_version", info.abi_version},
                      {"priority", info.priority},
                      {"memory_space", space_name(info.memory_space)},
                      {"device_count", info.device_count},
                      {"path", info.path[0] != '\0' ? Json(info.path) : Json()},
                      {"detail", info.detail}});
    const Json json = options.report ? Json{{"backends", list}, {"report", report_of(runtime)}} : list;
    say_json(json);
    return kDone;
  }
  const Paint paint(common);
  size_t name_width = 4;
  for (const xlashape_backend_info& info : all) name_width = std::max(name_width, std::string_view(info.name).size());
  say("{}\n",
      paint.faint(text("{:<{}}  {:<16}{:<8}{:>8}  {}", "name", name_width, "state", "memory", "priority", "from")));
  for (const xlashape_backend_info& info : all) {
    const Text state = text("{:<16}", state_name(info.state));
    say("{:<{}}  {}{:<8}{:>8}  {}\n", info.name, name_width,
        info.state == XLASHAPE_BACKEND_READY    ? paint.good(state)
        : info.state == XLASHAPE_BACKEND_FAILED ? paint.bad(state)
                                                : state,
        space_name(info.memory_space), info.priority, info.path[0] != '\0' ? info.path : "built in");
    if (info.detail[0] != '\0') say("{:<{}}  {}\n", "", name_width, info.detail);
  }
  if (all.empty()) say("none\n");
  if (options.report) {
    say("\n");
    for (const std::string& line : lines_of(report_of(runtime))) say("{}\n", line);
  }
  return kDone;
}

}  // namespace xlashape::cli
