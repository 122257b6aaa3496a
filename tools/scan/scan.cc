// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <utility>

#include "cli/base/failure.h"
#include "cli/files/file.h"
#include "cli/output/terminal.h"
#include "scan/html/html.h"
#include "scan/options.h"
#include "scan/read/read.h"
#include "scan/report/budgets.h"
#include "scan/report/diff.h"
#include "scan/report/oom.h"
#include "scan/report/report.h"
#include "scan/report/stakes.h"
#include "scan/report/summary.h"
#include "scan/trace/trace.h"

namespace xlashape::cli {
namespace {

constexpr size_t kRowsForEyes = 5, kRowsForMachines = 100, kRowsOfPage = 500;
constexpr size_t kBlocksOfPage = 4000, kBlocksOfTrace = 100000;  // of each memory space, the largest
constexpr int64_t kSmall = int64_t{1} << 20;  // a module with less than this is told in one line, beside larger ones

std::vector<Budget> budgets_of(const ScanOptions& options) {
  std::vector<Budget> budgets;
  const auto add = [&](Budget::LimitKind kind, const std::vector<std::string>& given) {
    for (const std::string& text : given) budgets.push_back(budget_of(kind, text));
  };
  add(Budget::LimitKind::kBytes, options.max_bytes);
  add(Budget::LimitKind::kWaste, options.max_waste);
  add(Budget::LimitKind::kMoved, options.max_moved);
  return budgets;
}

std::optional<Target> target_of(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const Result<Target> target = try_target(*name);
  if (!target) fail_usage("{}", target.error().message());
  return *target;
}

// What makes a module worth a look: bytes that are no data, and those that move or are there twice.
int64_t weight(const Summary& summary) {
  return sum(summary.wasted(), sum(summary.of(Verdict::kMoves).bytes, summary.of(Verdict::kDuplicate).bytes));
}

class Scan {
 public:
  Scan(const ScanOptions& options, const Common& common)
      : options_(options), common_(common), target_(target_of(options.target)), budgets_(budgets_of(options)) {
    wanted_.rows = options.top    ? static_cast<size_t>(*options.top)
                   : options.html ? kRowsOfPage
                   : common.json  ? kRowsForMachines
                                  : kRowsForEyes;
    wanted_.blocks = options.trace ? kBlocksOfTrace : options.html ? kBlocksOfPage : 0;
    wanted_.interiors = options.interiors;
    wanted_.space = options.space;
  }

  int run() { return options_.diff ? run_diff() : run_scan(); }

 private:
  using OnCosts = std::function<void(Module*, const Costs&)>;

  void read(const DumpFile& file, const OnCosts& use) {
    Progress progress("reading " + file.program);
    const auto use_module = [&](Module&& module) {
      const Costs costs = costs_of(&module.program, target_, options_.interiors);
      unparsed_ = unparsed_ || module.unparsed.count() > 0;
      use(&module, costs);
    };
    if (options_.diff)
      read_dump(file, &progress, use_module);
    else
      read_dump(file, &progress, use_module, [&](MemoryReport&& report) {
        reports_.push_back(
            oom_summary(std::move(report), file.program == "-" ? "standard input" : file.program, wanted_.rows));
      });
  }

  // Of several files those that cannot be read or hold no program are named and left out: a folder, or a pattern of the
  // shell, has more than was meant.
  void read_all(const std::vector<std::string>& paths, const OnCosts& use) {
    std::vector<DumpFile> files;
    for (const std::string& path : paths)
      for (DumpFile& file : dump_files(path)) files.push_back(std::move(file));
    size_t left_out = 0;
    for (const DumpFile& file : files) {
      try {
        read(file, use);
      } catch (const Failure& failure) {
        if (++left_out == files.size()) throw;
        if (failure.exit != kUnsupported) wrong_ = true;
        left_out_.push_back({{"file", file.program}, {"error", error_json(failure)}});
        warn("xlashape: {}; it is left out\n", failure.message);
      }
    }
  }

  bool fails_for_lines() const {
    if (!options_.fail_unparsed || !unparsed_) return false;
    warn("xlashape: --fail-unparsed: a line was not understood\n");
    return true;
  }

  int run_scan() {
    read_all(options_.paths, [&](Module* module, const Costs& costs) {
      for (const Budget& budget : budgets_) results_.push_back(check(budget, *module, costs));
      summaries_.push_back(summary_of(module, costs, wanted_, target_));
    });
    if (summaries_.empty()) needs_program();
    for (Summary& summary : summaries_) {
      // One program, and what the compiler says of it.
      for (const OomSummary& stats : reports_)
        if (stats.report.of_program && stats.report.needed.known() && summaries_.size() == 1 && reports_.size() == 1)
          judge_as_compiled(&summary.fits, stats.report.needed.bytes);
      fits_.emplace_back(summary.name, summary.fits);
    }
    if (options_.trace) {
      write_trace(path_of(*options_.trace), summaries_);
      for (Summary& summary : summaries_)
        for (SpaceRow& space : summary.spaces) cut(&space.blocks, kBlocksOfPage, &space.blocks_left_out);
    }
    // The worst first, for eyes; machines get them as they were read.
    if (options_.html)
      write_page(path_of(*options_.html), summaries_, reports_, results_, options_.target.value_or(""));
    if (common_.json)
      print_json();
    else
      print();
    const bool broken = std::any_of(results_.begin(), results_.end(), [](const BudgetResult& r) { return r.broken; });
    return broken || wrong_ || fails_for_lines() || !all_fit() ? kData : kDone;
  }

  // What is asked of programs, where there are only reports.
  void needs_program() const {
    if (!budgets_.empty() || options_.trace || options_.space)
      fail_unsupported("{}: a report of memory alone, without a program: budgets, --trace and --space want a dump",
                       reports_.front().path);
  }

  // --fits: what cannot be judged does not pass.
  bool all_fit() const {
    bool fit = true;
    const auto fails = [&](const std::string& name, const std::string& why) {
      fit = false;
      warn("xlashape: --fits: {}: {}\n", name, why);
    };
    if (!options_.fits) return fit;
    for (const auto& [name, fits] : fits_) {
      if (fits.empty())
        fails(name, fmt::format("the memory of {} is not known", options_.target.value_or("no target")));
      for (const Fit& found : fits) {
        if (!found.fits)
          fails(name, fmt::format("{} cannot be judged: {}", found.capacity.space, found.why));
        else if (!*found.fits)
          fails(name, fmt::format("{} of {} {} needed", stated_text(found.needed), stated_text(found.capacity.most),
                                  found.capacity.space));
      }
    }
    for (const OomSummary& summary : reports_)
      if (summary.report.fails) fails(summary.path, "says that memory does not suffice");
    return fit;
  }

  void print() {
    std::stable_sort(summaries_.begin(), summaries_.end(), [](const Summary& a, const Summary& b) {
      return std::pair(weight(a), memory_of(a)) > std::pair(weight(b), memory_of(b));
    });
    Report report(common_, options_.interiors || options_.space.has_value());
    std::vector<Summary> small;
    for (Summary& summary : summaries_) {
      // The page has the whole tables.
      if (options_.html) shorten(&summary);
      if (&summary != &summaries_.front() && memory_of(summary) < kSmall && summary.unparsed.count() == 0)
        small.push_back(std::move(summary));
      else
        report.module(summary);
    }
    report.small(small);
    const OomText oom(common_);
    for (OomSummary& summary : reports_) {
      if (options_.html) cut(&summary.rows, kRowsForEyes, &summary.rows_left_out);
      oom.print(summary);
    }
    report.budgets(results_);
    if (options_.html) say("The page is in {}\n", *options_.html);
    if (options_.trace) say("The trace is in {}\n", *options_.trace);
  }

  static std::string path_of(const std::string& given) { return given == "-" ? "/dev/stdout" : given; }

  template <class Rows>
  static void cut(Rows* rows, size_t most, int64_t* left_out) {
    if (rows->size() <= most) return;
    *left_out += static_cast<int64_t>(rows->size() - most);
    rows->resize(most);
  }

  static void shorten(Summary* summary) {
    int64_t unused = 0;
    cut(&summary->waste, kRowsForEyes, &unused);
    cut(&summary->by_bytes, kRowsForEyes, &summary->arrays_left_out);
    cut(&summary->relayouts, kRowsForEyes, &summary->relayouts_left_out);
    cut(&summary->undonated, kRowsForEyes, &summary->undonated_left_out);
    cut(&summary->largest, kRowsForEyes, &summary->largest_left_out);
    for (SpaceRow& space : summary->spaces) cut(&space.groups, kRowsForEyes, &space.groups_left_out);
  }

  void print_json() {
    Json modules = Json::array();
    for (const Summary& summary : summaries_) modules.add(module_json(summary));
    Json reports = Json::array();
    for (const OomSummary& summary : reports_) reports.add(oom_json(summary));
    Json json = scan_json(std::move(modules), std::move(reports), results_, options_.target.value_or(""));
    json.add("left_out", left_out_);
    say_json(json);
  }

  int run_diff() {
    if (options_.paths.size() != 2) fail_usage("--diff compares two dumps: scan --diff OLD NEW");
    if (!budgets_.empty()) fail_usage("--max-bytes, --max-waste and --max-moved are for one dump, not for --diff");
    const std::optional<double> limit =
        options_.max_growth ? std::optional<double>(growth_limit(*options_.max_growth)) : std::nullopt;
    std::vector<DiffSide> sides[2];
    for (size_t i = 0; i < 2; ++i)
      read_all({options_.paths[i]}, [&](Module* module, const Costs& costs) {
        sides[i].push_back(diff_side(module, costs, summary_of(module, costs, wanted_, target_)));
      });
    const auto pairs = pairs_of(sides[0], sides[1]);
    std::vector<Json> alone;  // modules of one side
    if (pairs.empty()) fail_data("{} and {} have no module of the same name", options_.paths[0], options_.paths[1]);
    const auto name_alone = [&](const std::vector<DiffSide>& side, auto member, const std::string& path) {
      for (const DiffSide& one : side)
        if (std::none_of(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.*member == &one; })) {
          alone.push_back({{"name", one.summary.name}, {"file", one.summary.path}});
          if (!common_.json) warn("xlashape: {} is only in {}\n", one.summary.name, path);
        }
    };
    using SidePair = std::pair<const DiffSide*, const DiffSide*>;
    name_alone(sides[0], &SidePair::first, options_.paths[0]);
    name_alone(sides[1], &SidePair::second, options_.paths[1]);
    bool grown = false;
    Json modules = Json::array();
    for (const auto& [before, after] : pairs) {
      const ModuleDiff diff = diff_of(*before, *after);
      if (common_.json)
        modules.add(diff_json(diff, wanted_.rows, limit));
      else
        print_diff(diff, wanted_.rows, limit, common_);
      if (limit && !diff.why.empty()) {
        grown = true;
        warn("xlashape: --max-growth {}: {}: cannot be judged: {}\n", *options_.max_growth, diff.name, diff.why);
      }
      for (const Growth& growth : diff.growths) {
        if (!limit || !exceeds(growth, *limit)) continue;
        grown = true;
        if (!common_.json)
          warn("xlashape: --max-growth {}: {}: {} grew from {} to {} bytes\n", *options_.max_growth, diff.name,
               growth.what, growth.before, growth.after);
      }
    }
    if (common_.json) say_json({{"xlashape_scan_diff", kScanVersion}, {"modules", modules}, {"alone", alone}});
    return grown || wrong_ || fails_for_lines() ? kData : kDone;
  }

  const ScanOptions& options_;
  const Common& common_;
  std::optional<Target> target_;
  std::vector<Budget> budgets_;
  SummaryOptions wanted_;
  std::vector<Summary> summaries_;
  std::vector<BudgetResult> results_;
  std::vector<OomSummary> reports_;
  std::vector<std::pair<std::string, std::vector<Fit>>> fits_;  // of each module, by its name
  std::vector<Json> left_out_;                                  // files, and why
  bool unparsed_ = false;
  bool wrong_ = false;  // a file could not be read
};

// Of an option whose file is written. `format`: what its name may promise.
void check_output(const char* option, const std::optional<std::string>& given, std::string_view format,
                  const ScanOptions& options, const Common& common) {
  if (!given) return;
  if (options.diff) fail_usage("{} is not for --diff", option);
  if (given->empty()) fail_usage("{}: the file's name is empty", option);
  if (const std::string promised = promised_format(*given); !promised.empty() && !promised.starts_with(format))
    fail_usage("{} {}: its name promises another format", option, *given);
  if (*given == "-") {
    if (common.json) fail_usage("{} - and --json both want standard output", option);
    leave_output_to_data();
    return;
  }
  for (const std::string& path : options.paths)
    if (is_same_file(path, *given)) fail_usage("{} {}: this is the dump", option, *given);
}

}  // namespace

int run_scan(const ScanOptions& options, const Common& common) {
  if (options.max_growth && !options.diff) fail_usage("--max-growth is for --diff");
  if (options.fits && options.diff) fail_usage("--fits is not for --diff");
  check_output("--html", options.html, "htm", options, common);
  check_output("--trace", options.trace, "json", options, common);
  if (options.html && options.trace && (options.html == options.trace || is_same_file(*options.html, *options.trace)))
    fail_usage("--html and --trace both want {}", *options.html);
  return Scan(options, common).run();
}

}  // namespace xlashape::cli
