// SPDX-License-Identifier: Apache-2.0
#include "space_rows.h"

#include <algorithm>

namespace xlashape::cli {
namespace {

class Spaces {
 public:
  Spaces(const Module& module, const Costs& costs, const SummaryOptions& wanted, std::optional<Target> target,
         Writers* writers)
      : program_(module.program),
        assignment_(module.assignment),
        costs_(costs),
        wanted_(wanted),
        target_(target),
        writers_(writers) {
    for (const Allocation& allocation : assignment_.allocations)
      for (uint32_t v = 0; v < allocation.count; ++v) owner_.push_back(&allocation);
  }

  // One pass over the program for all values that will be shown.
  void look_for_writers(const std::vector<SpaceUse>& uses) {
    std::vector<std::string_view> names;
    for (const SpaceUse& use : uses)
      for (const uint32_t value : use.members) names.push_back(assignment_.texts.text(assignment_.values[value].name));
    if (wanted_.blocks > 0)
      for (const SpaceUse& use : uses)
        for (const uint32_t value : blocks_of(use.space).first)
          names.push_back(assignment_.texts.text(assignment_.values[value].name));
    writers_->look_for(names);
  }

  SpaceRow row(const SpaceUse& use) const {
    SpaceRow row;
    row.space = use.space;
    if (target_)
      if (const Result<std::string> name = try_memory_space_name(*target_, use.space)) row.name = *name;
    row.allocated = use.allocated;
    row.temporary = use.temporary;
    row.peak = use.peak;
    row.peak_step = use.peak_step;
    row.steps = static_cast<int64_t>(assignment_.steps.size());
    if (use.peak_step >= 0 && use.peak_step < row.steps)
      row.peak_instruction = assignment_.texts.text(assignment_.steps[static_cast<size_t>(use.peak_step)]);
    for (const uint32_t value : use.members) {
      if (row.members.size() == wanted_.rows) break;
      row.members.push_back(member(value));
    }
    row.members_left_out = static_cast<int64_t>(use.members.size() - row.members.size());
    Groups groups;
    for (const uint32_t number : use.members) {
      const AssignedValue& value = assignment_.values[number];
      const Allocation::Use of = owner(number).use;
      if (of == Allocation::Use::kTemporary) row.temporary_at_peak = sum(row.temporary_at_peak, value.size);
      groups.add(shape_text(value), name(of), value.size, number);
    }
    row.groups = groups.rows(wanted_.rows, &row.groups_left_out, [&](uint32_t number, ArrayGroup* group) {
      const std::string_view value = assignment_.texts.text(assignment_.values[number].name);
      add_written(std::string(value), origin_of(program_, costs_, writers_->of_value(value)), group);
    });
    if (wanted_.blocks > 0) {
      row.timeline = use.timeline;
      blocks(&row);
    }
    return row;
  }

 private:
  std::string_view shape_text(const AssignedValue& value) const {
    return value.shape == kNone ? std::string_view() : assignment_.shapes.text(value.shape);
  }

  // The largest values of a space, and how many more it has.
  std::pair<std::vector<uint32_t>, int64_t> blocks_of(int64_t space) const {
    std::vector<uint32_t> values;
    for (const Allocation& allocation : assignment_.allocations) {
      if (allocation.space != space || allocation.use == Allocation::Use::kThreadLocal) continue;
      for (uint32_t v = allocation.first; v < allocation.first + allocation.count; ++v) values.push_back(v);
    }
    std::stable_sort(values.begin(), values.end(),
                     [&](uint32_t a, uint32_t b) { return assignment_.values[a].size > assignment_.values[b].size; });
    const size_t count = std::min(values.size(), wanted_.blocks);
    const auto left_out = static_cast<int64_t>(values.size() - count);
    values.resize(count);
    return {std::move(values), left_out};
  }

  void blocks(SpaceRow* row) const {
    for (const Allocation& allocation : assignment_.allocations)
      if (allocation.space == row->space && allocation.use != Allocation::Use::kThreadLocal)
        row->allocations.push_back(allocation);
    const auto [values, left_out] = blocks_of(row->space);
    row->blocks_left_out = left_out;
    for (const uint32_t value : values) row->blocks.push_back(member(value));
  }

  const Allocation& owner(uint32_t value) const { return *owner_[value]; }

  MemberRow member(uint32_t number) const {
    const AssignedValue& value = assignment_.values[number];
    MemberRow row;
    row.name = assignment_.texts.text(value.name);
    row.origin = origin_of(program_, costs_, writers_->of_value(row.name));
    row.shape = shape_text(value);
    if (value.shape != kNone)
      if (const ShapeFacts& facts = assignment_.shapes.facts(value.shape);
          facts.array && facts.sized && facts.bytes == value.size)
        row.padding = wasted(facts);
    row.use = name(owner(number).use);
    row.allocation = owner(number).number;
    row.offset = value.offset;
    row.bytes = value.size;
    row.begin = value.begin;
    row.end = value.end;
    return row;
  }

  const Program& program_;
  const Assignment& assignment_;
  const Costs& costs_;
  const SummaryOptions& wanted_;
  std::optional<Target> target_;
  Writers* writers_;
  std::vector<const Allocation*> owner_;  // by value: they lie in the order of the allocations
};

}  // namespace

std::vector<SpaceRow> space_rows(const Module& module, const Costs& costs, const SummaryOptions& wanted,
                                 std::optional<Target> target, const std::vector<SpaceUse>& uses, Writers* writers) {
  Spaces spaces(module, costs, wanted, target, writers);
  spaces.look_for_writers(uses);
  std::vector<SpaceRow> rows;
  rows.reserve(uses.size());
  for (const SpaceUse& use : uses) rows.push_back(spaces.row(use));
  return rows;
}

}  // namespace xlashape::cli
