// SPDX-License-Identifier: Apache-2.0
#include "capacity.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cli/base/human.h"
#include "cli/base/number.h"

namespace xlashape::cli {
namespace {

// What a program can have, in bytes: libtpu 0.0.52 with jax 0.10.2, asked on 2026-11-29 without a TPU.
// hbm: of each target two programs were compiled that differ by 8 KiB: one fits, and of the other the compiler says by
// how much it does not, to 512 bytes. It is the chip's memory less what the runtime reserves. tpu:v4 is its core alone,
// and with the configuration "megacore" both cores of a chip; v2, v3 and v7x have two devices in a chip.
// vmem, smem: the size that the compiler names where a kernel asks for more. v2 to v4 have a vmem of 16 MiB, but no
// number of a memory space for it.
constexpr Capacity kCapacities[] = {
    {"tpu:v2", "hbm", 0, 8034181120, 8034181120},    {"tpu:v2", "smem", 2, 16 << 10, 16 << 10},
    {"tpu:v3", "hbm", 0, 16624115712, 16624115712},  {"tpu:v3", "smem", 2, 16 << 10, 16 << 10},
    {"tpu:v4", "hbm", 0, 16372985856, 33014413312},  {"tpu:v4", "smem", 2, 1 << 20, 1 << 20},
    {"tpu:v5e", "hbm", 0, 16909334528, 16909334528}, {"tpu:v5e", "vmem", 1, 128 << 20, 128 << 20},
    {"tpu:v5e", "smem", 2, 1 << 20, 1 << 20},        {"tpu:v5p", "hbm", 0, 102786660352, 102786660352},
    {"tpu:v5p", "vmem", 1, 64 << 20, 64 << 20},      {"tpu:v5p", "smem", 2, 1 << 20, 1 << 20},
    {"tpu:v6e", "hbm", 0, 33546041344, 33546041344}, {"tpu:v6e", "vmem", 1, 128 << 20, 128 << 20},
    {"tpu:v6e", "smem", 2, 1 << 20, 1 << 20},        {"tpu:v7x", "hbm", 0, 101724450816, 101724450816},
    {"tpu:v7x", "vmem", 1, 64 << 20, 64 << 20},      {"tpu:v7x", "smem", 2, 1 << 20, 1 << 20},
};

// The program's code is there as well, and no dump says how large it is: 1.1 MiB of the smallest programs, 273 MiB were
// seen. Where less than this part is left, nothing is said.
constexpr int64_t kPartForCode = 50;

std::string why_not_known(const Module& module, const Costs& costs) {
  if (module.unparsed.count() > 0)
    return counted(static_cast<int64_t>(module.unparsed.count()), "line") + " not understood";
  if (!module.program.partitioned)
    return fmt::format("the shapes are those of {} devices together", module.program.partitions.value_or(1));
  if (costs.unsized > 0) return counted(costs.unsized, "array") + " without a known size";
  return "";
}

int64_t needed_in(const Module& module, const Costs& costs, const std::vector<SpaceUse>& uses, int64_t space,
                  bool* found) {
  int64_t needed = 0;
  *found = false;
  if (!module.assignment.empty()) {
    for (const SpaceUse& use : uses)
      if (use.space == space) {
        needed = sum(needed, use.allocated);
        *found = true;
      }
    return needed;
  }
  for (const Row& row : costs.rows) {
    const ShapeFacts& facts = module.program.shapes.facts(row.shape);
    if (row.kind == Row::RowKind::kArgument && facts.space == space) needed = sum(needed, facts.bytes);
  }
  return needed;
}

void judge(Fit* fit, bool with_code) {
  const Capacity& capacity = fit->capacity;
  if (!fit->why.empty()) return;
  if (fit->needed > capacity.most)
    fit->fits = false;
  else if (!fit->exact)
    fit->why = "there is no buffer assignment; arguments alone are counted";
  else if (fit->needed > capacity.least)
    fit->why = fmt::format("a core has {}, both cores as one (megacore) have {}", human_size(capacity.least, 2),
                           human_size(capacity.most, 2));
  else if (!with_code && capacity.space == "hbm" && capacity.least - fit->needed < capacity.least / kPartForCode)
    fit->why = "the program's code needs memory, too, and no dump says how much";
  else
    fit->fits = true;
}

}  // namespace

std::vector<std::string_view> targets_with(int64_t bytes, int64_t rounding) {
  std::vector<std::string_view> targets;
  // A release of the compiler reserves some MiB more than another.
  const int64_t apart = sum(rounding, int64_t{12} << 20);
  for (const Capacity& capacity : kCapacities)
    for (const int64_t available : {capacity.least, capacity.most})
      if (capacity.space == "hbm" && std::max(available, bytes) - std::min(available, bytes) <= apart &&
          (targets.empty() || targets.back() != capacity.target))
        targets.push_back(capacity.target);
  return targets;
}

std::vector<Fit> fits_of(const Module& module, const Costs& costs, const std::vector<SpaceUse>& uses,
                         std::optional<Target> target) {
  std::vector<Fit> fits;
  if (!target) return fits;
  const std::string_view wanted = name(*target);
  const std::string why = why_not_known(module, costs);
  for (const Capacity& capacity : kCapacities) {
    if (capacity.target != wanted) continue;
    Fit fit;
    fit.capacity = capacity;
    fit.exact = !module.assignment.empty();
    bool found = false;
    fit.needed = needed_in(module, costs, uses, capacity.number, &found);
    if (!found && capacity.number != 0) continue;
    // A buffer assignment alone says all that is needed here.
    if (!fit.exact || !module.program.instructions.empty() || module.unparsed.count() > 0) fit.why = why;
    judge(&fit, /*with_code=*/false);
    fits.push_back(std::move(fit));
  }
  return fits;
}

void judge_as_compiled(std::vector<Fit>* fits, int64_t needed) {
  for (Fit& fit : *fits) {
    if (fit.capacity.number != 0) continue;
    fit.needed = needed;
    fit.exact = true;
    fit.fits.reset();
    fit.why.clear();
    judge(&fit, /*with_code=*/true);
  }
}

}  // namespace xlashape::cli
