// SPDX-License-Identifier: Apache-2.0
#include "texts.h"

#include <algorithm>

#include "cli/output/output.h"
#include "file.h"

namespace xlashape::cli {

void for_each_text(const std::vector<std::string>& texts, const OnText& answer) {
  for (const std::string& text : texts) {
    if (text != "-") {
      answer(text, 0);
      continue;
    }
    int64_t number = 0;
    for (std::string line; read_line(&line);) {
      ++number;
      if (line.empty()) continue;
      answer(line, number);
      flush_output();  // a program may wait for it at the other end of a pipe
    }
  }
}

void complain(const std::string& text, const Failure& failure, int64_t line) {
  constexpr size_t kMost = 200;
  warn("xlashape: {}{}: {}\n", line > 0 ? fmt::format("line {}: ", line) : "", failure.code, failure.message);
  const bool marked = failure.offset >= 0 && text.size() <= kMost &&
                      std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (marked)
    warn("  {}\n  {:>{}}\n", text, "^", failure.offset + 1);
  else if (line > 0)
    warn("  {}{}\n", text.substr(0, kMost), text.size() > kMost ? "..." : "");
}

}  // namespace xlashape::cli
