/* SPDX-License-Identifier: Apache-2.0 */
// The reports of memory in one text, each once: logs repeat them, and say the same with less and with more.
#pragma once
#include <utility>
#include <vector>

#include "scan/program/memory_report.h"

namespace xlashape::cli {

class OomReports {
 public:
  void add(MemoryReport&& report);
  std::vector<MemoryReport> take() { return std::move(reports_); }

 private:
  std::vector<MemoryReport> reports_;
};

}  // namespace xlashape::cli
