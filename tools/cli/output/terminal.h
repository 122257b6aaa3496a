/* SPDX-License-Identifier: Apache-2.0 */
// What depends on the output's destination: colours, the progress bar.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/base/subcommands.h"
#include "output.h"

namespace xlashape::cli {

// Colours text for standard output, or returns it unchanged.
class Paint {
 public:
  explicit Paint(const Common& common);
  bool is_on() const { return on_; }
  Text title(const Text& text) const { return painted("1", text); }
  Text label(const Text& text) const { return painted("36", text); }
  Text faint(const Text& text) const { return painted("2", text); }
  Text good(const Text& text) const { return painted("32", text); }
  Text fair(const Text& text) const { return painted("33", text); }
  Text bad(const Text& text) const { return painted("31", text); }
  // Green to red, by the factor by which something is too large.
  Text by_waste(double ratio, const Text& text) const;

 private:
  Text painted(const char* code, const Text& text) const;
  bool on_;
};

// The columns of the terminal that standard output is; none where it is not one.
std::optional<size_t> output_width();

// A progress bar on standard error, only where that is a terminal, and only when the work takes a while.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  void show(double done);           // 0 to 1
  void show_bytes(uint64_t bytes);  // where nobody knows how many there will be
  void clear();

 private:
  bool due();

  std::string what_;
  bool terminal_;
  bool shown_ = false;
  double started_, last_;
};

}  // namespace xlashape::cli
