/* SPDX-License-Identifier: Apache-2.0 */
// The HLO text in a file, and how people pass it on: indented, quoted with "> ", behind the prefixes of a log.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "input.h"

namespace xlashape::cli {

// Whether a text that begins so is HLO: the first line that is a module's head, a computation's or an instruction says
// it, and one of MLIR that comes before it denies it.
bool looks_like_hlo(std::string_view start);

// The text from the place that has been reached. Where lines have prefixes, it is the text without them; those that the
// input's taker wants are empty lines.
class HloSource {
 public:
  explicit HloSource(Input& input);
  HloSource(const HloSource&) = delete;
  HloSource& operator=(const HloSource&) = delete;

  const std::string& path() const { return input_.path(); }
  // Up to `size` bytes; fewer only where no more come. They stay until the next call.
  std::string_view window(size_t size);
  void advance(size_t count);  // over a part of the window
  uint64_t line_number() const { return line_; }
  uint64_t place() const { return place_; }  // bytes before it

 private:
  bool by_lines() const { return prefixed_ || input_.has_taker(); }

  Input& input_;
  bool prefixed_ = false, begun_ = false;
  std::string lines_;        // where each line is looked at
  uint64_t line_count_ = 0;  // how many that are so far
  size_t at_ = 0;            // in lines_
  std::string_view seen_;    // the window
  uint64_t line_ = 1, place_ = 0;
};

}  // namespace xlashape::cli
