// SPDX-License-Identifier: Apache-2.0
#include "in_parts.h"

#include <fmt/core.h>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/execution/execution.h"
#include "cli/files/array_place.h"
#include "cli/files/container.h"
#include "cli/files/destination.h"
#include "cli/files/new_file.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"
#include "cli/stream/stream.h"
#include "values.h"

namespace xlashape::cli {
namespace {

void require_parts(const RelayoutOptions& options) {
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) fail_usage("{} and --max-memory: {}: leave one of them out", option, why);
  };
  refuse(!options.members.empty(), "--members", "each member is moved whole, one after the other");
  refuse(!options.flip.empty(), "--flip", "an array that runs backwards is read whole");
  refuse(options.verify, "--verify", "whole arrays are compared");
  refuse(!options.measure.empty(), "--measure", "a plan for whole arrays is measured");
  refuse(options.fill == "preserve", "--fill preserve", "a new file is written");
  if (options.to.empty()) fail_usage("say what the result is to be, with --to or --transpose");
}

void print(const RelayoutOptions& options, const Common& common, const Request& request, const Shape& result,
           const std::string& out, const Written& written, const StreamPlan& plan, const StreamTimes& times) {
  const int64_t src_bytes = request.src.sizes().bytes, dst_bytes = request.dst.sizes().bytes;
  const Slabs& slabs = plan.slabs;
  if (common.json) {
    say_json(Json{{"in", options.in},
                  {"src_shape", request.src.to_string()},
                  {"src_bytes", src_bytes},
                  {"out", out},
                  {"dst_shape", request.dst.to_string()},
                  {"result_shape", result.to_string()},
                  {"converted", (request.flags & XLASHAPE_PLAN_CONVERT) != 0},
                  {"dst_bytes", dst_bytes},
                  {"kind", written.kind},
                  {"sidecar", written.sidecar.empty() ? Json() : Json(written.sidecar)},
                  {"max_memory", *options.max_memory},
                  {"memory", plan.memory()},
                  {"slabs", slabs.count},
                  {"slab_extent", slabs.extent},
                  {"src_runs", slabs.src_runs},
                  {"dst_runs", slabs.dst_runs},
                  {"seconds", times.all},
                  {"read_seconds", times.read},
                  {"move_seconds", times.move},
                  {"write_seconds", times.write}});
    return;
  }
  const Paint paint(common);
  const auto line = [&](std::string_view label, const Text& text) {
    say("  {}  {}\n", paint.label(cli::text("{:<8}", label)), text);
  };
  const bool stays = result == request.dst && (request.flags & XLASHAPE_PLAN_CONVERT) == 0;
  say("{}\n", paint.title(text("{} -> {}", request.src.to_string(),
                               stays ? layout_of(result).to_string() : result.to_string())));
  const auto runs = [](int64_t count, int64_t bytes) {
    return fmt::format("in {} of {}", counted(count, "run"), human_size(bytes / std::max<int64_t>(count, 1)));
  };
  line("read", text("{:>10}  {}, {}", human_size(src_bytes), options.in, runs(slabs.src_runs, src_bytes)));
  const std::string more = written.sidecar.empty() ? "" : ", described by " + written.sidecar;
  line("wrote", text("{:>10}  {}{}, {}", human_size(written.bytes), out, more, runs(slabs.dst_runs, dst_bytes)));
  if (!written.note.empty()) warn("xlashape: {}: {}\n", out, written.note);
  line("memory", text("{:>10}  in {} of [{}]{}", human_size(plan.memory()), counted(slabs.count, "slab"),
                      joined(slabs.extent, ","),
                      plan.in_flight > 1 ? ", which are read, moved and written at the same time" : ""));
  line("time", text("{:>10}  {} read and written; reading {}, moving {}, writing {}", human_time(times.all),
                    human_rate(static_cast<double>(src_bytes + dst_bytes) / std::max(times.all, 1e-9)),
                    human_time(times.read), human_time(times.move), human_time(times.write)));
}

}  // namespace

int run_relayout_in_parts(const RelayoutOptions& options, const Common& common) {
  require_parts(options);
  const Values values(options.values);
  const ArrayPlace source(options.in, options.reading);
  Request request;
  request.src = source.array().shape;
  const Arranged to = arranged_to(options.to, source.array(), options.out, options.to_option);
  request.dst = to.destination;
  values.complete(&request, source.array());
  const std::string out = named_out(options.out, source.array());
  require_promise(out, to.result, source.array(), options.reading);
  if (options.fill == "unspecified") request.fill_policy = FillPolicy::kUnspecified;
  request.backend = options.backend;
  const StreamPlan plan = plan_stream(request, *options.max_memory);
  const std::string file = place_of(out).file;
  if (is_stream(file) && !plan.writes_in_order)
    fail_data("{}: the result would be written in {}, which a pipe cannot be: give a file", out,
              counted(plan.slabs.dst_runs, "run"));
  const int64_t size = request.dst.sizes().bytes;
  require_destination(file, size, request.src.sizes().bytes);
  const Runtime runtime = make_runtime(options.load, options.threads);
  make_plan(runtime, request);  // what cannot be moved is refused before anything is written
  StreamTimes times;
  const Pieces pieces(size, [&](const Pieces::SinkAt& sink) {
    times = run_stream(runtime, request, plan,
                       {[&](int64_t at, std::span<uint8_t> bytes) { source.read_to(at, bytes); }, sink});
    source.require_unchanged();
  });
  const Written written =
      write_array(out, to.result, pieces, source.array().items, (request.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) != 0);
  if (written.sidecar.empty()) warn_of_bits(out, request);
  print(options, common, request, to.result, out, written, plan, times);
  return kDone;
}

}  // namespace xlashape::cli
