// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/subcommands.h"
#include "cli/execution/execution.h"
#include "cli/execution/measuring.h"
#include "cli/explain/facts.h"
#include "cli/files/array_file.h"
#include "cli/files/container.h"
#include "cli/files/destination.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"
#include "flip.h"
#include "in_parts.h"
#include "members.h"
#include "values.h"
#include "verify.h"

namespace xlashape::cli {
namespace {

FillPolicy fill_named(const std::string& name) {
  return name == "preserve"      ? FillPolicy::kPreserve
         : name == "unspecified" ? FillPolicy::kUnspecified
                                 : FillPolicy::kPadding;
}

// The initial contents of the destination: under `preserve`, the bytes of an existing output file of the right size.
Buffer destination(const RelayoutOptions& options, const std::string& out, const Shape& shape, int64_t size) {
  if (options.fill == "preserve" && is_regular_file(place_of(out).file)) {
    Reading as_it_is;
    as_it_is.shape = shape.to_string();
    as_it_is.checks = false;
    try {
      return as_failures([&] { return read_array(out, as_it_is).bytes; });
    } catch (const Failure&) {  // another kind of file, to be replaced
    }
  }
  return Buffer(size);
}

// Once the result is there, which nothing that goes wrong here may cost.
void write_wisdom(const WisdomFile& wisdom, const std::string& out) {
  try {
    wisdom.write();
  } catch (Failure& failure) {
    failure.message += fmt::format("; {} is written", out);
    throw;
  }
}

}  // namespace

int run_relayout(const RelayoutOptions& options, const Common& common) {
  if (options.max_memory) return run_relayout_in_parts(options, common);
  if (!options.members.empty()) return run_relayout_members(options, common);
  if (options.to.empty() && options.flip.empty())
    fail_usage("say what the result is to be, with --to, --transpose or --flip");
  require_one_member(options);
  const Values values(options.values);
  const Array source = read_array(options.in, options.reading);
  Request request;
  request.src = source.shape;
  const std::string words = options.to.empty() ? layout_of(source.shape).to_string() : options.to;
  const Arranged to = arranged_to(words, source, options.out, options.to_option);
  request.dst = to.destination;
  values.complete(&request, source);
  flip(options.flip, source.items, &request);
  const std::string out = named_out(options.out, source);
  require_promise(out, to.result, source, options.reading);
  request.fill_policy = fill_named(options.fill);
  request.backend = options.backend;
  // Measuring and wisdom are about a number of threads.
  const bool knows_times = !options.measure.empty() || !options.wisdom.empty();
  const Runtime runtime = make_runtime(options.load, knows_times ? options.threads : 1);
  WisdomFile wisdom(runtime, options.wisdom);
  Plan plan = make_plan(runtime, request);
  const int64_t size = request.dst.sizes().bytes;
  require_memory(size, "the result, " + request.dst.to_string());
  // How large a PNG becomes is not known.
  require_destination(place_of(out).file, promised_format(out) == "png" ? 0 : size, source.bytes.size());
  Buffer result = destination(options, out, to.result, size);
  std::optional<Measured> measured;
  if (!options.measure.empty()) {
    // What is there already must stay as it is, so it is measured elsewhere.
    if (!options.wisdom.empty() && !file_exists(options.wisdom)) require_place(options.wisdom);
    const bool elsewhere = options.fill == "preserve";
    measured = measure(runtime, request, std::stod(options.measure), elsewhere ? Bytes() : source.bytes.bytes(),
                       elsewhere ? std::span<uint8_t>() : result.writable());
    plan = make_plan(runtime, request);
  }
  const Timing timing = execute_timed(plan, source.bytes.bytes(), result.writable(), options.threads);
  std::optional<Verified> verified;
  if (options.verify)
    verified = verify_relayout(runtime, request, plan, source.bytes.bytes(), result.bytes(), options.threads);
  if (timing.threads < options.threads)
    warn("xlashape: the system gives {} of {} threads\n", timing.threads, options.threads);
  const Bytes whole = result.bytes();
  const Written written = write_array(out, to.result, Pieces(&whole, 1), source.items,
                                      (request.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) != 0);
  if (written.sidecar.empty()) warn_of_bits(out, request);
  const bool converted = (request.flags & XLASHAPE_PLAN_CONVERT) != 0;
  if (measured) write_wisdom(wisdom, options.out);

  const std::optional<SizesWithWaste> sizes = sizes_with_waste(request.dst, nullptr);
  const double moved = static_cast<double>(source.bytes.size() + result.size());
  const std::optional<std::int64_t> predicted = plan.predict();
  const double copied = 2 * static_cast<double>(timing.copy_bytes);
  if (common.json) {
    const Json json = {
        {"in", options.in},
        {"src_shape", request.src.to_string()},
        {"src_bytes", source.bytes.size()},
        {"out", out},
        {"dst_shape", request.dst.to_string()},
        {"result_shape", to.result.to_string()},
        {"converted", converted},
        {"flip", options.flip},
        {"high_first", options.values.high_first.empty() ? Json() : Json(options.values.high_first)},
        {"dst_bytes", result.size()},
        {"kind", written.kind},
        {"sidecar", written.sidecar.empty() ? Json() : Json(written.sidecar)},
        {"waste_ratio", sizes ? sizes->waste_ratio : std::nullopt},
        {"backend", plan.backend()},
        {"plan", plan.describe()},
        {"measured",
         measured ? Json{{"choice", measured->choice}, {"ns", measured->ns}, {"default_ns", measured->default_ns}}
                  : Json()},
        {"threads", timing.threads},
        {"seconds", timing.seconds},
        {"predicted_seconds", predicted ? Json(static_cast<double>(*predicted) * 1e-9) : Json()},
        {"copy_bytes", timing.copy_bytes},
        {"copy_seconds", timing.copy_seconds},
        {"verified", verified ? Json(true) : Json()},
        {"positions", verified ? Json(verified->positions) : Json()},
        {"positions_checked", verified ? Json(verified->checked) : Json()}};
    say_json(json);
    return kDone;
  }
  const Paint paint(common);
  const auto line = [&](std::string_view label, const Text& text) {
    say("  {}  {}\n", paint.label(cli::text("{:<8}", label)), text);
  };
  // The layout alone says enough where the dimensions and the element type stay as they are.
  const bool stays = to.result == to.destination && !converted;
  say("{}\n", paint.title(text("{} -> {}", request.src.to_string(),
                               stays ? layout_of(to.result).to_string() : to.result.to_string())));
  line("read", fmt::format("{:>10}  {}", human_size(static_cast<int64_t>(source.bytes.size())), options.in));
  std::string more;
  if (!written.sidecar.empty()) more = ", described by " + written.sidecar;
  if (written.kind == "png") more = fmt::format(", {} of pixels", human_size(static_cast<int64_t>(result.size())));
  line("wrote", fmt::format("{:>10}  {}{}", human_size(written.bytes), out, more));
  if (!written.note.empty()) warn("xlashape: {}: {}\n", out, written.note);
  if (sizes && sizes->waste_ratio)
    line("waste", paint.by_waste(*sizes->waste_ratio, text("{:>10}", human_ratio(*sizes->waste_ratio))));
  if (timing.copy_bytes > 0)
    line("time", fmt::format("{:>10}  {} read and written, {}{}; a plain copy of the data {}, {}",
                             human_time(timing.seconds), human_rate(moved / timing.seconds), plan.backend(),
                             timing.threads > 1 ? fmt::format(" on {} threads", timing.threads) : "",
                             human_time(timing.copy_seconds), human_rate(copied / timing.copy_seconds)));
  if (measured)
    line("measured", fmt::format("{:>10}  the fastest way, {}; the backend's own choice {}",
                                 human_time(static_cast<double>(measured->ns) * 1e-9), measured->choice,
                                 human_time(static_cast<double>(measured->default_ns) * 1e-9)));
  if (options.explain) {
    if (predicted) {
      const double seconds = static_cast<double>(*predicted) * 1e-9;
      line("predicted",
           fmt::format("{:>9}  {} read and written; measured {}, {}", human_time(seconds), human_rate(moved / seconds),
                       human_time(timing.seconds), human_rate(moved / timing.seconds)));
    }
    std::string_view label = "plan", left = "; ";
    for (std::string rest = plan.describe(); !rest.empty(); label = "") {
      const size_t end = std::min(rest.find(left), rest.size());
      line(label, rest.substr(0, end));
      rest.erase(0, end + left.size());
    }
  }
  if (verified) {
    const bool all = verified->checked == verified->positions;
    const std::string checked =
        all ? "all " + counted(verified->positions, "position")
            : fmt::format("a sample of {} of {}", grouped(verified->checked), counted(verified->positions, "position"));
    const std::string how = converted ? "through the index maps, each value against the scalar backend's of it alone"
                            : !options.flip.empty()
                                ? "through the index maps"
                                : fmt::format("through the index maps; brought back and compared, {} alike",
                                              counted(verified->bytes, "byte"));
    line("verified", paint.good(text("{:>10}  {} checked {}", "yes", checked, how)));
  }
  return kDone;
}

}  // namespace xlashape::cli
