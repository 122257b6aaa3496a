/* SPDX-License-Identifier: Apache-2.0 */
// One statement of HLO text, taken apart and not yet understood: an instruction, a computation's head or end, a
// module's head, a row of a table of sources.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "hlo_cursor.h"
#include "scanner.h"

namespace xlashape::cli {

// All texts are parts of the text that was read.
struct HloStatement {
  enum class Kind : uint8_t {
    kNothing,      // only blanks and comments to the end
    kModule,       // HloModule name, attributes
    kComputation,  // ENTRY name (parameters) -> shape {
    kEnd,          // }, attributes
    kInstruction,  // ROOT name = shape opcode(inside), attributes
    kTitle,        // FileNames and its like: name
    kRow,          // 1 "text" or 1 {fields}: name, inside
    kFence,        // ``` of Markdown
    kUnknown,
  };
  Kind kind = Kind::kNothing;
  bool more = false;          // it may go on behind the text, so that nothing else here counts
  bool flag = false;          // it says ROOT, or ENTRY
  size_t begin = 0;           // behind blanks and comments
  size_t end = 0;             // where the next one begins, or blanks before it
  const char* why = nullptr;  // why not all of it is understood
  std::string_view name, shape, opcode, inside;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
};

// Reads the statement that `text` begins with into `statement`. `ended`: nothing comes behind the text.
void read_statement(std::string_view text, bool ended, bool in_computation, HloStatement* statement);

// Calls use(piece) for each piece between commas outside of brackets and quotes. Empty text has none.
template <class Use>
void for_each_item(std::string_view text, const Use& use) {
  HloCursor cursor(text, /*ended=*/true);
  for (cursor.skip(); cursor.whole() && cursor.at() < text.size(); cursor.skip()) {
    const size_t begin = cursor.at();
    while (cursor.whole() && cursor.at() < text.size() && cursor.peek() != ',') {
      const size_t before = cursor.at();
      cursor.value(HloCursor::Inside::kInstructions);
      cursor.skip();
      if (cursor.at() == before) cursor.move_to(before + 1);  // a bracket that closes nothing
    }
    use(without_blanks(text.substr(begin, cursor.at() - begin)));
    cursor.eat(',');
  }
}

}  // namespace xlashape::cli
