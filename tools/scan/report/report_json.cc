// SPDX-License-Identifier: Apache-2.0
#include "report.h"

namespace xlashape::cli {
namespace {

Json total_json(const Total& total) {
  return {{"arrays", total.arrays}, {"bytes", total.bytes}, {"logical_bytes", total.logical_bytes}};
}

Json number_or_null(int64_t number) { return number < 0 ? Json() : Json(number); }

void add_origin(Json* json, const InstructionOrigin& origin) {
  json->add("op", origin.opcode);
  json->add("name", origin.name);
  json->add("computation", origin.computation);
  json->add("op_name", origin.op_name);
  json->add("source", origin.source);
  json->add("line", origin.line > 0 ? Json(origin.line) : Json());
  json->add("times", origin.times);
  json->add("times_known", origin.times_known);
}

Json array_json(const ArrayRow& row) {
  Json json = {{"kind", row.kind},
               {"shape", row.shape},
               {"bytes", row.bytes},
               {"logical_bytes", row.logical_bytes},
               {"waste_ratio", ratio(row.bytes, row.logical_bytes)},
               {"space", row.space}};
  add_origin(&json, row.origin);
  json.add("operand", row.origin.operand);
  json.add("better",
           row.better ? Json{{"layout", row.better->layout}, {"bytes", row.better->bytes}, {"moved", row.better->moved}}
                      : Json());
  return json;
}

Json undonated_json(const UndonatedRow& row) {
  Json json = array_json(row);
  json.add("donation", name(row.donation));
  Json by;
  if (row.blocked_by) {
    by = Json::object();
    add_origin(&by, *row.blocked_by);
  }
  json.add("blocked_by", by);
  return json;
}

Json relayout_json(const RelayoutRow& row) {
  Json json = {{"verdict", name(row.verdict)},
               {"from", row.from},
               {"to", row.to},
               {"bytes", row.bytes},
               {"bytes_read", row.bytes_read},
               {"bytes_written", row.bytes_written},
               {"why", row.why},
               {"remedy", text_or_null(row.remedy)},
               {"operand", row.operand},
               {"in_fusion", row.interior}};
  add_origin(&json, row.origin);
  return json;
}

// Who writes an array; all empty where that is not known.
void add_writer(Json* json, const InstructionOrigin& origin) {
  json->add("writer", origin.name);
  json->add("op", origin.opcode);
  json->add("operand", origin.operand);
  json->add("op_name", origin.op_name);
  json->add("source", origin.source);
}

Json member_json(const MemberRow& row) {
  Json json = {{"name", row.name},
               {"shape", row.shape},
               {"use", row.use},
               {"allocation", row.allocation},
               {"offset", row.offset},
               {"bytes", row.bytes},
               {"padding", row.padding},
               {"begin", number_or_null(row.begin)},
               {"end", number_or_null(row.end)}};
  add_writer(&json, row.origin);
  return json;
}

Json group_json(const ArrayGroup& group) {
  Json origins = Json::array();
  for (const WrittenArrays& written : group.origins) {
    Json origin = {{"count", written.count}, {"names", written.names}};
    add_writer(&origin, written.origin);
    origins.add(std::move(origin));
  }
  return {{"count", group.count}, {"bytes", group.bytes},          {"shape", group.shape},
          {"use", group.use},     {"origins", std::move(origins)}, {"origins_left_out", group.origins_left_out}};
}

Json stake_json(const Stake& stake) {
  return {{"finding", name(stake.finding)},
          {"space", stake.finding == Stake::Finding::kPeak ? Json(stake.space) : Json()},
          {"bytes", stake.bytes},
          {"little", stake.little}};
}

template <class Rows, class Make>
Json list(const Rows& rows, const Make& make) {
  Json json = Json::array();
  for (const auto& row : rows) json.add(make(row));
  return json;
}

Json space_json(const SpaceRow& space) {
  Json json = {{"space", space.space},
               {"name", text_or_null(space.name)},
               {"allocated", space.allocated},
               {"temp", space.temporary},
               {"peak_bytes", space.peak},
               {"peak_step", number_or_null(space.peak_step)},
               {"peak_instruction", text_or_null(space.peak_instruction)},
               {"steps", space.steps},
               {"members", list(space.members, member_json)},
               {"members_left_out", space.members_left_out},
               {"groups", list(space.groups, group_json)},
               {"groups_left_out", space.groups_left_out}};
  if (space.allocations.empty()) return json;
  json.add("timeline", list(space.timeline, [](const auto& at) {
             return Json(std::vector<int64_t>{at.first, at.second});
           }));
  json.add("allocations", list(space.allocations, [](const Allocation& allocation) {
             return Json{{"number", allocation.number}, {"bytes", allocation.size}, {"use", name(allocation.use)}};
           }));
  json.add("blocks", list(space.blocks, member_json));
  json.add("blocks_left_out", space.blocks_left_out);
  return json;
}

Json fit_json(const Fit& fit) {
  return {{"space", fit.capacity.number},
          {"name", fit.capacity.space},
          {"needed", fit.needed},
          {"exact", fit.exact},
          {"available", fit.capacity.least},
          {"available_most", fit.capacity.most},
          {"fits", fit.fits ? Json(*fit.fits) : Json()},
          {"why", text_or_null(fit.why)}};
}

}  // namespace

Json module_json(const Summary& summary) {
  Json spaces = Json::array();
  for (const auto& [space, total] : summary.by_space) {
    Json json = {{"space", space}};
    std::string name;
    if (summary.target)
      if (const Result<std::string> found = try_memory_space_name(*summary.target, space)) name = *found;
    json.add("name", text_or_null(name));
    json.add_members_of(total_json(total));
    spaces.add(json);
  }
  Json verdicts = Json::object();
  for (const Verdict verdict : kVerdicts)
    verdicts.add(name(verdict), Json{{"count", summary.of(verdict).count}, {"bytes", summary.of(verdict).bytes}});
  Json json = {{"name", summary.name},
               {"file", summary.path},
               {"format", summary.format},
               {"target", summary.target ? Json(name(*summary.target)) : Json()},
               {"fits", list(summary.fits, fit_json)},
               {"layouts_predicted", summary.predicted},
               {"scheduled", summary.scheduled},
               {"partitions", summary.partitions ? Json(*summary.partitions) : Json()},
               {"partitioned", summary.partitions ? Json(summary.partitioned) : Json()},
               {"computations", summary.computations},
               {"instructions", summary.instructions},
               {"text_bytes", summary.text_bytes},
               {"unparsed", summary.unparsed.count()},
               {"unparsed_lines", list(summary.unparsed.first(),
                                       [](const Unparsed::UnparsedLine& line) {
                                         return Json{{"line", line.number}, {"text", line.text}, {"why", line.why}};
                                       })},
               {"totals",
                {{"arguments", total_json(summary.arguments)},
                 {"outputs", summary.outputs_known ? total_json(summary.outputs) : Json()},
                 {"constants", total_json(summary.constants)},
                 {"values", total_json(summary.values)},
                 {"temp", summary.temporary() ? Json(*summary.temporary()) : Json()},
                 {"allocated", summary.allocated() ? Json(*summary.allocated()) : Json()},
                 {"moved", summary.of(Verdict::kMoves).bytes},
                 {"undonated", summary.outputs_known ? Json(summary.undonated_bytes) : Json()},
                 {"rewritten", summary.outputs_known ? Json(summary.rewritten_bytes) : Json()},
                 {"unsized", summary.unsized},
                 {"by_space", spaces}}},
               {"look_first", text_or_null(look_first(summary))},
               {"sections", list(stakes_of(summary), stake_json)},
               {"waste", list(summary.waste, array_json)},
               {"values", list(summary.by_bytes, array_json)},
               {"values_left_out", summary.arrays_left_out},
               {"largest", list(summary.largest, group_json)},
               {"largest_left_out", summary.largest_left_out},
               {"undonated", list(summary.undonated, undonated_json)},
               {"undonated_left_out", summary.undonated_left_out},
               {"rewritten", list(summary.rewritten, undonated_json)},
               {"rewritten_left_out", summary.rewritten_left_out},
               {"relayouts", list(summary.relayouts, relayout_json)},
               {"relayouts_left_out", summary.relayouts_left_out},
               {"verdicts", verdicts},
               {"peak", summary.spaces.empty() ? Json() : Json{{"spaces", list(summary.spaces, space_json)}}}};
  return json;
}

Json budget_json(const BudgetResult& result) {
  const bool waste = result.budget.kind == Budget::LimitKind::kWaste;
  return {{"budget", name(result.budget.kind)},
          {"module", result.module},
          {"space", result.budget.space},
          {"limit", waste ? Json(result.budget.ratio) : Json(result.budget.bytes)},
          {"value", waste ? Json(result.ratio) : Json(result.bytes)},
          {"broken", result.broken},
          {"why", text_or_null(result.why)},
          {"worst", list(result.worst, [](const Contributor& contributor) {
             return Json{{"name", contributor.name}, {"text", contributor.text}, {"bytes", contributor.bytes}};
           })}};
}

Json scan_json(Json modules, Json reports, const std::vector<BudgetResult>& budgets, const std::string& target) {
  return {{"xlashape_scan", kScanVersion},
          {"target", text_or_null(target)},
          {"modules", std::move(modules)},
          {"budgets", list(budgets, budget_json)},
          {"reports", std::move(reports)}};
}

}  // namespace xlashape::cli
