/* SPDX-License-Identifier: Apache-2.0 */
// Limits for continuous integration: what a module may cost, and whether it does.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scan/cost/costs.h"
#include "scan/program/module.h"

namespace xlashape::cli {

struct Budget {
  enum class LimitKind : uint8_t { kBytes, kWaste, kMoved };
  LimitKind kind = LimitKind::kBytes;
  std::optional<int64_t> space;  // only what is there
  int64_t bytes = 0;             // the limit; of kWaste `ratio`
  double ratio = 0;
  std::string given;  // "1:16MiB"
};

// "12GiB", "1:16MiB", of kWaste "1.5", "1:1.5"; a Failure where it is not one.
Budget budget_of(Budget::LimitKind kind, const std::string& given);
// "100MiB", "1.5GB", "4096": bytes.
std::optional<int64_t> size_of(std::string_view text);
std::string_view name(Budget::LimitKind kind);  // "max-bytes"

// Who takes most of what the budget limits.
struct Contributor {
  std::string name, text;
  int64_t bytes = 0;
};

struct BudgetResult {
  Budget budget;
  std::string module;
  int64_t bytes = 0;
  double ratio = 0;
  bool broken = false;
  std::string why;  // it cannot be judged, which breaks the budget too; empty where it can
  std::vector<Contributor> worst;
};

BudgetResult check(const Budget& budget, const Module& module, const Costs& costs);
// Which lines of a module are not understood; empty where all are.
std::string not_understood(const Unparsed& unparsed);
// "jit_f: 48.0 MiB moved by relayouts, 1.0 MiB allowed"
std::string words(const BudgetResult& result);

}  // namespace xlashape::cli
