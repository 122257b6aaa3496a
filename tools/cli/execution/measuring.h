/* SPDX-License-Identifier: Apache-2.0 */
// Measuring for the command: plans that are timed, the wisdom of a runtime in a file, files that appear whole.
#pragma once
#include <optional>
#include <set>
#include <string>

#include "cli/execution/execution.h"

namespace xlashape::cli {

// What a runtime remembers of a plan that was measured.
struct Measured {
  int64_t ns = 0;          // one execution in the fastest way,
  int64_t default_ns = 0;  // and in the way that the backend chose itself
  std::string choice;
};

// Has the plan's ways to run timed for about so long, on these arrays, and remembered by the runtime, so that plans
// made later know it. Nothing where there is nothing to choose, the fastest was known, or the time was too short.
std::optional<Measured> measure(const Runtime& runtime, const Request& request, double seconds, Bytes src,
                                std::span<uint8_t> dst);

// A Failure, which begins with `doing`, where the text is no wisdom.
void add_wisdom(const Runtime& runtime, std::string_view text, const std::string& doing);

// The file of a runtime's wisdom. An empty path: there is none.
class WisdomFile {
 public:
  // Reads the file into the runtime, where it is there.
  WisdomFile(const Runtime& runtime, std::string path);
  // Adds what the runtime has learned since then to what is in the file by now: other programs write to it too.
  void write() const;

 private:
  const Runtime& runtime_;
  std::string path_;
  std::set<std::string> known_;  // entries that were in the file
};

// Throws where a text could not be written to the path, before work is done for it.
void require_place(const std::string& path);
// Writes a text that appears whole; - is standard output. `denied`: rights that the file does not get.
void write_text(const std::string& path, const std::string& text, mode_t denied = 0);

}  // namespace xlashape::cli
