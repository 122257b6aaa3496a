// SPDX-License-Identifier: Apache-2.0
// Any bytes as a dump, with what `xlashape scan` makes of it: HLO text, HloProto, StableHLO, buffer assignments,
// compressed or not, and reports of memory that did not suffice. What is behind a line "#buffers" is the text beside it
// about its buffers. It must neither crash nor hang, and what it tells must agree with itself.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "cli/base/failure.h"
#include "scan/read/read.h"
#include "scan/report/budgets.h"
#include "scan/report/diff.h"
#include "scan/report/oom.h"
#include "scan/report/report.h"
#include "scan/report/summary.h"

namespace {

using namespace xlashape::cli;

void check_that(bool holds) {
  if (!holds) std::abort();
}

// A file in memory.
class File {
 public:
  explicit File(std::string_view bytes) : number_(memfd_create("fuzz", MFD_CLOEXEC)) {
    check_that(number_ >= 0 && write(number_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  ~File() { close(number_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

void judge(Module* module, std::optional<xlashape::Target> target) {
  const Program& program = module->program;
  for (const Instruction& instruction : program.instructions) {
    check_that(instruction.computation < program.computations.size());
    for (const uint32_t operand : program.operands_of(instruction))
      check_that(operand == kNone || program.at(operand).computation == instruction.computation);
    for (const uint32_t called : program.called_by(instruction))
      check_that(called == kNone || called < program.computations.size());
    check_that(program.name_of(instruction).size() <= program.names.size());
  }
  const Costs costs = costs_of(&module->program, target, /*interiors=*/true);
  check_that(costs.arguments.bytes >= 0 && costs.values.bytes >= 0);
  for (const Relayout& relayout : costs.relayouts) check_that(relayout.bytes >= 0 && relayout.times >= 0);
  SummaryOptions wanted;
  wanted.rows = 20;
  wanted.drawing = wanted.interiors = true;
  const Summary summary = summary_of(module, costs, wanted, target);
  for (const SpaceRow& space : summary.spaces) {
    check_that(space.peak <= space.allocated && space.peak >= 0);
    for (const auto& [step, bytes] : space.timeline) check_that(bytes >= 0 && bytes <= space.peak);
  }
  check_that(module_json(summary).text().size() > 2);
  for (const auto kind : {Budget::LimitKind::kBytes, Budget::LimitKind::kWaste, Budget::LimitKind::kMoved})
    check_that(!words(check(budget_of(kind, "1:1"), *module, costs)).empty());
  // A dump does not differ from itself.
  const DiffSide side = diff_side(module, costs, summary);
  const ModuleDiff diff = diff_of(side, side);
  check_that(diff.changed.empty() && diff.gone.empty() && diff.added.empty());
}

void judge(MemoryReport&& report) {
  check_that(report.needed.bytes >= -1 && report.available.bytes >= -1 && report.over.bytes >= -1);
  for (const StatedBuffer& buffer : report.buffers) check_that(buffer.size.known());
  const size_t count = report.buffers.size();
  const OomSummary summary = oom_summary(std::move(report), "fuzz", 20);
  int64_t rows = summary.rows_left_out;
  for (const StatedRow& row : summary.rows) {
    rows += row.count;
    check_that(row.bytes.value_or(0) >= row.logical_bytes.value_or(0) || !row.understood);
    check_that(!row.better || row.better->bytes < row.bytes);
  }
  check_that(rows <= static_cast<int64_t>(count));
  check_that(oom_json(summary).text().size() > 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view all(reinterpret_cast<const char*>(data), size);
  constexpr std::string_view kBuffers = "\n#buffers\n";
  const size_t split = all.find(kBuffers);
  const File program(all.substr(0, split));
  const File buffers(split == std::string_view::npos ? "" : all.substr(split + kBuffers.size()));
  const bool predicts = size % 2 == 1;
  try {
    read_dump(
        {program.path(), split == std::string_view::npos ? "" : buffers.path(), ""}, nullptr,
        [&](Module&& module) { judge(&module, predicts ? std::optional(xlashape::target("tpu:v5e")) : std::nullopt); },
        [](MemoryReport&& report) { judge(std::move(report)); });
  } catch (const Failure& failure) {
    check_that(!failure.message.empty() && failure.exit != kDone);
  }
  return 0;
}
