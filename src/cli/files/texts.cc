#include "texts.h"

#include "cli/output/output.h"
#include "file.h"

namespace xlashape::cli {

void for_each_text(const std::vector<std::string>& texts, const std::function<void(const std::string&)>& answer) {
  for (const std::string& text : texts) {
    if (text != "-") {
      answer(text);
      continue;
    }
    for (std::string line; read_line(&line);) {
      if (line.empty()) continue;
      answer(line);
      flush_output();  // a program may wait for it at the other end of a pipe
    }
  }
}

void complain(const std::string& text, const Failure& failure) {
  warn("xlashape: {}: {}\n", failure.code, failure.message);
  if (failure.offset < 0 || text.size() > 200) return;
  for (const char c : text)
    if (c < ' ' || c > '~') return;
  warn("  {}\n  {:>{}}\n", text, "^", failure.offset + 1);
}

}  // namespace xlashape::cli
