// SPDX-License-Identifier: Apache-2.0
#include "rules.h"

#include <fmt/core.h>
#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "cli/base/failure.h"
#include "cli/base/number.h"
#include "cli/files/formats.h"

namespace xlashape::cli {
namespace {

std::string trimmed(const std::string& text) {
  const size_t from = text.find_first_not_of(' ');
  return from == text.npos ? "" : text.substr(from, text.find_last_not_of(' ') - from + 1);
}

// Where the pattern ends and the layout begins: a = that is not within brackets, nor behind a backslash.
size_t find_equals(const std::string& text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '=') return at;
    if (text[at] == '\\') ++at;
    if (text[at] == '[')
      if (const size_t end = text.find(']', at + 2); end != text.npos) at = end;
  }
  return text.npos;
}

bool matches(const Rule& rule, const std::string& name) { return fnmatch(rule.pattern.c_str(), name.c_str(), 0) == 0; }

}  // namespace

Rule read_rule(const std::string& text, const std::string& where) {
  Rule rule;
  rule.text = text;
  rule.where = fmt::format("{} '{}'", where, text);
  rule.pattern = text;
  if (const size_t equals = find_equals(text); equals != text.npos) {
    rule.pattern = trimmed(text.substr(0, equals));
    rule.to = trimmed(text.substr(equals + 1));
    if (rule.to.empty()) fail_usage("{}: nothing is behind =: give a layout as --to takes it, or keep", rule.where);
    if (rule.to == "keep") {
      rule.keep = true;
      rule.to.clear();
    }
  }
  constexpr std::string_view kRank = " rank ";
  if (const size_t at = rule.pattern.rfind(kRank); at != rule.pattern.npos) {
    const std::string digits = trimmed(rule.pattern.substr(at + kRank.size()));
    rule.rank = number(digits);
    if (!rule.rank || *rule.rank < 0)
      fail_usage("{}: {} is no number of dimensions: give one, as '{} rank 2'; in a name a blank is [ ]", rule.where,
                 digits.empty() ? "nothing" : digits, rule.pattern.substr(0, at));
    rule.pattern = trimmed(rule.pattern.substr(0, at));
  }
  if (rule.pattern.empty()) fail_usage("{}: a pattern of names is missing: * matches all", rule.where);
  return rule;
}

Rules::Rules(std::vector<Rule> rules, const std::string& to) : rules_(std::move(rules)), used_(rules_.size()) {
  bool needs = false, moves = false;
  for (Rule& rule : rules_) {
    if (rule.keep) continue;
    moves = true;
    if (!rule.to.empty()) continue;
    needs = true;
    rule.to = to;
    if (to.empty())
      fail_usage("{} does not say what becomes of its members: give --to, or '{} = LAYOUT'", rule.where, rule.text);
    rule.where = "--to";
  }
  if (!moves) fail_usage("{} moves nothing: give a rule with a layout", rules_.front().where);
  if (!needs && !to.empty())
    fail_usage("--to {}: each rule says a layout of its own, so leave out --to, or add --members '*' for the others",
               to);
}

const Rule* Rules::rule_for(const std::string& name, const std::function<int64_t()>& rank) {
  std::optional<int64_t> known;
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (!matches(rules_[i], name)) continue;
    if (rules_[i].rank && !known) known = rank();
    if (rules_[i].rank && rules_[i].rank != known) continue;
    used_[i] = true;
    return &rules_[i];
  }
  return nullptr;
}

void Rules::require_all_used(const std::string& path, const std::vector<std::string>& names) const {
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (used_[i]) continue;
    const Rule& rule = rules_[i];
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return matches(rule, name); }))
      fail_for_member(path, rule.pattern, names);
    const std::string rank = rule.rank ? fmt::format("has {} dimensions", *rule.rank) : "";
    std::string why = fmt::format("no member that matches {} {}", rule.pattern, rank);
    if (i > 0)
      why = fmt::format("no member is left for '{}': an earlier rule takes each one that matches{}{}", rule.text,
                        rank.empty() ? "" : " and ", rank);
    throw Failure(kData, "NOT_FOUND", fmt::format("{}: {}", path, why));
  }
}

}  // namespace xlashape::cli
