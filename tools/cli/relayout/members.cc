// SPDX-License-Identifier: Apache-2.0
#include "members.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/execution/execution.h"
#include "cli/files/container.h"
#include "cli/files/destination.h"
#include "cli/files/file_members.h"
#include "cli/files/formats.h"
#include "cli/output/json.h"
#include "cli/output/output.h"
#include "cli/output/terminal.h"
#include "rules.h"
#include "values.h"
#include "verify.h"

namespace xlashape::cli {
namespace {

// What becomes of a member.
struct Job {
  std::string name;
  std::string rule;  // the text of the one that is for it; "": none
  Shape src, dst;    // none where it is copied without a look at what it is
  Shape result;      // dst with its dimensions in the order that --to asks for
  Request request;   // of a member that is moved
  bool moved = false;
  int64_t bytes = 0;

  bool converted() const { return (request.flags & XLASHAPE_PLAN_CONVERT) != 0; }
};

// Calls `work`, and names the member where it fails.
template <class Work>
void about(const std::string& member, const Work& work) {
  try {
    as_failures(work);
  } catch (Failure& failure) {
    if (!failure.message.starts_with(member)) failure.message = member + ": " + failure.message;
    failure.offset = -1;
    throw;
  }
}

std::vector<Rule> read_rules(const std::vector<std::string>& texts) {
  std::vector<Rule> rules;
  rules.reserve(texts.size());
  for (const std::string& text : texts) rules.push_back(read_rule(text, "--members"));
  return rules;
}

int64_t rank_of(const Raw& raw) { return raw.shape ? raw.shape.rank() : static_cast<int64_t>(raw.dimensions.size()); }

class Mover {
 public:
  explicit Mover(const RelayoutOptions& options)
      : options_(options),
        rules_(read_rules(options.members), options.to),
        values_(options.values),
        in_(options.in),
        out_(place_of(options.out)),
        runtime_(make_runtime(options.load)) {}

  // What is moved and copied; throws where not all of it can be, before anything is.
  void plan() {
    std::set<std::string> names;
    for (size_t i = 0; i < in_.names().size(); ++i) {
      const std::string& name = in_.names()[i];
      if (!names.insert(name).second) fail_data("{}: has two members \"{}\"", in_.path(), name);
      about(in_.path() + ":" + name, [&] { add(i, rules_.rule_for(name, [&] { return rank_of(in_.describe(i)); })); });
    }
    rules_.require_all_used(in_.path(), in_.names());
    int64_t bytes = 0;
    for (const OutMember& member : members_) bytes = sum(bytes, member.bytes);
    require_destination(out_.file, bytes, in_.size());
  }

  int64_t run() {
    return write_members(out_, members_,
                         in_.kind() == out_.kind ? in_.metadata() : std::map<std::string, std::string>());
  }

  const std::vector<Job>& jobs() const { return jobs_; }
  double seconds() const { return seconds_; }
  int64_t checked() const { return checked_; }
  int64_t as_bytes() const { return as_bytes_; }

 private:
  void add(size_t number, const Rule* rule) {
    Job job;
    job.name = in_.names()[number];
    job.rule = rule != nullptr ? rule->text : "";
    job.moved = rule != nullptr && !rule->keep;
    if (!job.moved && in_.kind() == out_.kind) {
      members_.push_back(in_.as_it_is(number));
      jobs_.push_back(job);
      return;
    }
    const std::string path = in_.path() + ":" + job.name;
    const Array array = describe_array(in_.describe(number), path, {});
    job.src = array.shape;
    const Arranged to =
        job.moved ? arranged_to(rule->to, array, options_.out, rule->where.c_str()) : Arranged{job.src, job.src};
    job.dst = to.destination;
    job.result = to.result;
    if (job.moved) job.request = request_of(job, array);
    if (!array.items.descr.empty()) warn("xlashape: {}: {}\n", path, note_of(array.items, array.shape));
    OutMember member = member_of(out_, job.name, job.result, array.items);
    as_bytes_ += member.shape_text.empty() ? 0 : 1;
    job.bytes = job.dst.sizes().bytes;
    require_memory(job.bytes, "the result, " + job.dst.to_string());
    if (job.moved) make_plan(runtime_, job.request);
    member.make = [this, number, at = jobs_.size()](Buffer* keep) {
      about(in_.path() + ":" + jobs_[at].name, [&] { *keep = made(number, jobs_[at]); });
      return keep->bytes();
    };
    members_.push_back(std::move(member));
    jobs_.push_back(std::move(job));
  }

  Request request_of(const Job& job, const Array& array) const {
    Request request;
    request.src = job.src;
    request.dst = job.dst;
    if (options_.fill == "unspecified") request.fill_policy = FillPolicy::kUnspecified;
    request.backend = options_.backend;
    values_.complete(&request, array);
    return request;
  }

  // The bytes of a member of OUT. Those of IN are in memory only here.
  Buffer made(size_t number, const Job& job) {
    Raw raw = in_.read(number);
    if (raw.bytes.size() != job.src.sizes().bytes || describe_array(raw, in_.path(), {}).shape != job.src)
      fail_data("it changed while it was read");
    if (!job.moved) return std::move(raw.bytes);
    const Plan plan = make_plan(runtime_, job.request);
    Buffer result(job.bytes);
    const double before = seconds_now();
    execute(plan, raw.bytes.data(), raw.bytes.size(), result.data(), result.size(), options_.threads);
    seconds_ += seconds_now() - before;
    if (options_.verify)
      checked_ +=
          verify_relayout(runtime_, job.request, plan, raw.bytes.bytes(), result.bytes(), options_.threads).checked;
    return result;
  }

  const RelayoutOptions& options_;
  Rules rules_;
  Values values_;
  FileMembers in_;
  Place out_;
  Runtime runtime_;
  std::vector<Job> jobs_;
  std::vector<OutMember> members_;
  double seconds_ = 0;
  int64_t checked_ = 0, as_bytes_ = 0;
};

void print(const RelayoutOptions& options, const Common& common, const Mover& mover, int64_t size) {
  const auto moved = std::count_if(mover.jobs().begin(), mover.jobs().end(), [](const Job& job) { return job.moved; });
  const auto all = static_cast<int64_t>(mover.jobs().size());
  if (common.json) {
    Json members = Json::array();
    for (const Job& job : mover.jobs())
      members.add(Json{{"name", job.name},
                       {"moved", job.moved},
                       {"rule", job.rule.empty() ? Json() : Json(job.rule)},
                       {"src_shape", job.src ? Json(job.src.to_string()) : Json()},
                       {"dst_shape", job.dst ? Json(job.dst.to_string()) : Json()},
                       {"result_shape", job.result ? Json(job.result.to_string()) : Json()}});
    say_json(Json{{"in", options.in},
                  {"out", options.out},
                  {"bytes", size},
                  {"members", members},
                  {"seconds", mover.seconds()},
                  {"verified", options.verify ? Json(true) : Json()},
                  {"positions_checked", options.verify ? Json(mover.checked()) : Json()}});
    return;
  }
  const Paint paint(common);
  const auto line = [&](std::string_view label, const Text& text) {
    say("  {}  {}\n", paint.label(cli::text("{:<8}", label)), text);
  };
  say("{}\n", paint.title(text("{} -> {}: {} moved, {} copied", options.in, options.out, counted(moved, "member"),
                               grouped(all - moved))));
  for (const Job& job : mover.jobs())
    if (job.moved)
      line("moved",
           text("{:>10}  {}  {} -> {}", human_size(job.bytes), job.name, job.src.to_string(),
                job.result == job.dst && !job.converted() ? layout_of(job.dst).to_string() : job.result.to_string()));
  line("wrote", text("{:>10}  {}", human_size(size), options.out));
  line("time", text("{:>10}  without planning and files", human_time(mover.seconds())));
  if (!options.verify) return;
  const bool converts =
      std::any_of(mover.jobs().begin(), mover.jobs().end(), [](const Job& job) { return job.converted(); });
  line("verified",
       paint.good(text("{:>10}  {} checked through the index maps; {}", "yes", counted(mover.checked(), "position"),
                       converts ? "converted values against the scalar backend's of each alone"
                                : "all brought back and compared")));
}

}  // namespace

int run_relayout_members(const RelayoutOptions& options, const Common& common) {
  const Place out = place_of(options.out);
  if (!has_members(options.in) || out.kind.empty() || !out.name.empty())
    fail_usage("--members is about whole files of members: IN and OUT must be .safetensors or .npz, without :NAME");
  if (options.fill == "preserve")
    fail_usage(
        "--members writes a new file, without what is between the elements of another: --fill preserve is of "
        "one array");
  Mover mover(options);
  mover.plan();
  print(options, common, mover, mover.run());
  for (const Job& job : mover.jobs()) warn_of_bits(options.out + ":" + job.name, job.request);
  if (mover.as_bytes() > 0)
    warn("xlashape: {}: U8 with the shape in __metadata__: {}\n", options.out, counted(mover.as_bytes(), "member"));
  return kDone;
}

void require_one_member(const RelayoutOptions& options) {
  const Place out = place_of(options.out);
  if (out.kind.empty() || !out.name.empty() || !has_members(options.in) || !is_regular_file(options.in)) return;
  const FileMembers in(options.in);
  if (in.names().size() > 1)
    fail_data(
        "{}: has {}: name one, as {}:NAME, or move those that match a pattern and copy the others: --members "
        "'*' moves all",
        options.in, counted(static_cast<int64_t>(in.names().size()), "member"), options.in);
}

}  // namespace xlashape::cli
