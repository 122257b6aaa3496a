/* SPDX-License-Identifier: Apache-2.0 */
// Steps through HLO text by its tokens, as XLA reads it: line ends are blanks, comments are nothing, brackets are
// balanced, and quoted texts are one piece.
//
// Lines count in one way only: a line that begins as an instruction or a computation does, within brackets or quotes
// that were opened before, means that what closes them is missing. So damage ends where the next instruction begins.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace xlashape::cli {

// Whether a line, or the rest of one, begins as an instruction does ("ROOT %a = f32[2]"), or as a computation or a
// module.
bool begins_instruction(std::string_view line);
bool begins_computation(std::string_view line);

class HloCursor {
 public:
  // `ended`: nothing comes behind the text.
  HloCursor(std::string_view text, bool ended) : text_(text), ended_(ended) {}

  enum class State : uint8_t {
    kWhole,
    kShort,   // the text ends too early, and more of it can be read
    kBroken,  // something does not end before the next instruction, at at(), or before the text's end
  };
  State state() const { return state_; }
  bool whole() const { return state_ == State::kWhole; }
  size_t at() const { return at_; }
  std::string_view text() const { return text_; }
  std::string_view from(size_t begin) const { return text_.substr(begin, at_ - begin); }
  std::string_view rest() const { return text_.substr(at_); }
  void move_to(size_t at) { at_ = at; }
  // Back to a place where all was whole.
  void return_to(size_t at) {
    at_ = at;
    state_ = State::kWhole;
  }

  // The next character, 0 at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool eat(char c);
  bool eat(std::string_view word);
  // What may stand within brackets, quotes and comments: see above; instructions; or whole modules.
  enum class Inside : uint8_t { kNothing, kInstructions, kModules };
  // Behind blanks, line ends and comments.
  void skip(Inside inside = Inside::kNothing) {
    if (at_ >= text_.size() || text_[at_] <= ' ' || text_[at_] == '/') skip_blanks(inside);
  }
  void skip_line();
  void skip_line_and_brackets();  // to the end of a line outside of brackets and quotes
  // "%a.1" or "a.1", without the percent sign; empty where there is none.
  std::string_view name();
  std::string_view opcode();
  // A shape, with its layout; empty where there is none. In the text of a computation's head a brace may follow.
  std::string_view shape();
  // From the bracket here to the one that closes it, both included.
  std::string_view bracketed(Inside inside = Inside::kNothing);
  // What is behind "key=", to the comma, the blank or the bracket behind it.
  std::string_view value(Inside inside = Inside::kNothing);

 private:
  void skip_blanks(Inside inside);
  bool at_end();
  bool breaks_at(size_t line_end, Inside inside);
  void quoted(Inside inside);
  void comment(Inside inside);

  std::string_view text_;
  size_t at_ = 0;
  bool ended_;
  State state_ = State::kWhole;
};

// The text without blanks outside of quotes, line ends and comments.
std::string squeezed(std::string_view text);

}  // namespace xlashape::cli
