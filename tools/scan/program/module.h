/* SPDX-License-Identifier: Apache-2.0 */
// What a reader makes of a dump: a program, where its values are in memory, and what was not understood.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "assignment.h"
#include "program.h"

namespace xlashape::cli {

// Lines (of an HloProto: places) that were not understood: how many, and the first ones.
class Unparsed {
 public:
  struct UnparsedLine {
    uint64_t number = 0;
    std::string text;  // its beginning
    std::string why;
  };
  void add(uint64_t number, std::string_view text, std::string_view why) {
    constexpr size_t kKept = 10, kLength = 160;
    ++count_;
    if (first_.size() < kKept) first_.push_back({number, std::string(text.substr(0, kLength)), std::string(why)});
  }
  uint64_t count() const { return count_; }
  const std::vector<UnparsedLine>& first() const { return first_; }

 private:
  uint64_t count_ = 0;
  std::vector<UnparsedLine> first_;
};

struct Module {
  std::string path;
  Program program;
  Assignment assignment;
  Unparsed unparsed;
};
using OnModule = std::function<void(Module&&)>;

}  // namespace xlashape::cli
