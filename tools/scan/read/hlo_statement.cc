// SPDX-License-Identifier: Apache-2.0
#include "hlo_statement.h"

#include <algorithm>

namespace xlashape::cli {
namespace {

using Kind = HloStatement::Kind;
using Inside = HloCursor::Inside;

constexpr std::string_view kTitles[] = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};

class StatementReader {
 public:
  StatementReader(std::string_view text, bool ended, bool in_computation, HloStatement* out)
      : cursor_(text, ended), ended_(ended), in_computation_(in_computation), out_(*out) {}

  void read() {
    clear();
    cursor_.skip(Inside::kModules);
    out_.begin = cursor_.at();
    if (cursor_.state() == HloCursor::State::kBroken) {
      out_.kind = Kind::kUnknown;
      fail("a comment that does not end");
    } else if (cursor_.at() < cursor_.text().size()) {
      dispatch();
    }
    finish();
  }

 private:
  void clear() {
    out_.kind = Kind::kNothing;
    out_.more = out_.flag = false;
    out_.why = nullptr;
    out_.name = out_.shape = out_.opcode = out_.inside = {};
    out_.attributes.clear();
  }

  bool fail(const char* why) {
    if (out_.why == nullptr) out_.why = why;
    return false;
  }

  // Behind blanks, unless they lead to a line that begins something new: then what is here is cut.
  void step() {
    const size_t before = cursor_.at();
    cursor_.skip();
    if (cursor_.at() == before || !cursor_.whole()) return;
    size_t line = cursor_.at();
    while (line > before && (cursor_.text()[line - 1] == ' ' || cursor_.text()[line - 1] == '\t')) --line;
    if (line == before || cursor_.text()[line - 1] != '\n') return;
    if (begins_instruction(cursor_.rest()) || begins_computation(cursor_.rest()) || cursor_.peek() == '}')
      cursor_.move_to(before);
  }

  void dispatch() {
    if (cursor_.peek() == '}') return closing();
    if (cursor_.rest().starts_with("```") || cursor_.rest().starts_with("~~~")) {
      out_.kind = Kind::kFence;
      return cursor_.skip_line();
    }
    if (cursor_.eat("HloModule")) {
      if (begins_module()) return module();
      cursor_.move_to(out_.begin);
    }
    if (!in_computation_ && table()) return;
    if (cursor_.eat("ENTRY")) {
      out_.flag = true;
      cursor_.skip();
      out_.name = cursor_.name();
      cursor_.skip();
      return computation();
    }
    if (cursor_.eat("ROOT")) {
      out_.flag = true;
      cursor_.skip();
    }
    out_.name = cursor_.name();
    cursor_.skip();
    if (out_.name.empty()) return unknown("neither an instruction nor a computation");
    if (cursor_.peek() == '=') return instruction();
    if (!out_.flag && (cursor_.peek() == '(' || cursor_.peek() == '{')) return computation();
    unknown("neither an instruction nor a computation");
  }

  void unknown(const char* why) {
    out_.kind = Kind::kUnknown;
    fail(why);
    // What was looked at may go over several lines; what is next begins behind the first.
    cursor_.move_to(out_.begin);
    cursor_.skip_line();
  }

  // Behind what may be the statement's end. A comment with instructions is not of this statement.
  void skip_behind() {
    if (!cursor_.whole()) return;
    const size_t before = cursor_.at();
    cursor_.skip();
    if (cursor_.state() == HloCursor::State::kBroken) cursor_.return_to(before);
  }

  // To the first thing that is not an attribute.
  void attributes() {
    skip_behind();
    while (cursor_.whole() && cursor_.eat(',')) {
      cursor_.skip();
      const size_t begin = cursor_.at();
      const std::string_view key = cursor_.name();
      if (!cursor_.eat('=')) {
        if (cursor_.whole()) {
          cursor_.move_to(begin);
          fail("no attribute behind a comma");
          if (key.empty() || begins_instruction(cursor_.rest())) return;
          cursor_.value();
        }
      } else {
        const std::string_view value = cursor_.value(inside(key));
        out_.attributes.emplace_back(key, value);
        // literal=f32[] 0.1
        if (key == "literal" && cursor_.whole() && cursor_.peek() == ' ') cursor_.value();
      }
      if (cursor_.state() == HloCursor::State::kBroken) fail("an attribute does not end");
      skip_behind();
    }
  }

  static Inside inside(std::string_view key) {
    if (key == "origin_recovery_table") return Inside::kModules;
    const bool calls = key == "to_apply" || key == "calls" || key == "body" || key == "condition" ||
                       key.ends_with("computation") || key.ends_with("computations");
    return calls ? Inside::kInstructions : Inside::kNothing;
  }

  bool begins_module() {
    cursor_.skip();
    return cursor_.peek() != '=' && cursor_.peek() != '(' && cursor_.peek() != '{';
  }

  void module() {
    out_.kind = Kind::kModule;
    const size_t begin = cursor_.at();
    const size_t end = std::min(cursor_.text().find_first_of(", \t\r\n", begin), cursor_.text().size());
    cursor_.move_to(end);
    out_.name = cursor_.from(begin);
    attributes();
  }

  void closing() {
    out_.kind = Kind::kEnd;
    cursor_.eat('}');
    if (!in_computation_) return unknown("a brace that closes nothing");
    attributes();
  }

  bool table() {
    for (const std::string_view title : kTitles) {
      if (!cursor_.eat(title)) continue;
      out_.name = title;
      cursor_.skip();
      const char next = cursor_.peek();
      if (next == '=' || next == '(' || next == '{') {
        cursor_.move_to(out_.begin);
        return false;
      }
      out_.kind = Kind::kTitle;
      return true;
    }
    if (cursor_.peek() < '0' || cursor_.peek() > '9') return false;
    out_.name = cursor_.name();
    cursor_.skip();
    if (cursor_.peek() != '"' && cursor_.peek() != '{') {
      cursor_.move_to(out_.begin);
      return false;
    }
    out_.inside = cursor_.value();
    out_.kind = Kind::kRow;
    if (!cursor_.whole()) fail("a row of a table does not end");
    return true;
  }

  // Behind its name and blanks.
  void computation() {
    if (out_.name.empty()) return unknown("a computation without a name");
    out_.kind = Kind::kComputation;
    if (cursor_.peek() == '(') {
      cursor_.bracketed();
      cursor_.skip();
      if (cursor_.whole() && cursor_.rest().starts_with("->")) {
        cursor_.move_to(cursor_.at() + 2);
        cursor_.skip();
        out_.shape = cursor_.shape();
        cursor_.skip();
      }
    }
    if (cursor_.state() == HloCursor::State::kShort || (cursor_.whole() && cursor_.eat('{'))) return;
    // A damaged head in one line.
    cursor_.return_to(out_.begin);
    cursor_.skip_line();
    out_.shape = {};
    const std::string_view line = without_blanks(cursor_.from(out_.begin));
    if (line.ends_with('{') && (out_.flag || line.find('(') != std::string_view::npos))
      fail("the head of a computation that is not understood");
    else
      unknown("neither an instruction nor a computation");
  }

  // At the equals sign.
  void instruction() {
    out_.kind = Kind::kInstruction;
    cursor_.eat('=');
    step();
    out_.shape = cursor_.shape();
    if (!cursor_.whole()) return unread("the shape does not end");
    step();
    const size_t begin = cursor_.at();
    out_.opcode = cursor_.opcode();
    step();
    if (out_.opcode.empty() || cursor_.peek() != '(') {
      out_.opcode = {};
      cursor_.move_to(begin);
      return unread("no opcode behind the shape");
    }
    const size_t open = cursor_.at();
    cursor_.bracketed();
    if (!cursor_.whole()) {
      out_.inside = cursor_.from(std::min(open + 1, cursor_.at()));
      fail("the operands do not end");
      return;
    }
    out_.inside = cursor_.text().substr(open + 1, cursor_.at() - open - 2);
    attributes();
    if (!cursor_.whole()) return;
    if (cursor_.at() >= cursor_.text().size() || cursor_.peek() == '}' || behind_line_end()) return;
    // In the same line something new begins only where XLA would see it, too; or a comment.
    const char next = cursor_.peek();
    if (next == ' ' || next == '\t' || next == '\r' || next == '/' || begins_instruction(cursor_.rest())) return;
    fail("text behind the instruction");
    cursor_.skip_line_and_brackets();
  }

  // Whether only blanks are between the line's begin and here.
  bool behind_line_end() const {
    size_t at = cursor_.at();
    while (at > out_.begin && (cursor_.text()[at - 1] == ' ' || cursor_.text()[at - 1] == '\t')) --at;
    return cursor_.text()[at - 1] == '\n';
  }

  // An instruction of which only the name is known.
  void unread(const char* why) {
    out_.kind = Kind::kUnknown;
    fail(why);
    cursor_.skip_line_and_brackets();
  }

  void finish() {
    // Within this many bytes of the text's end a word may be cut.
    constexpr size_t kWord = 512;
    out_.end = cursor_.at();
    out_.more = !ended_ && (cursor_.state() == HloCursor::State::kShort || cursor_.text().size() - out_.end < kWord);
  }

  HloCursor cursor_;
  const bool ended_, in_computation_;
  HloStatement& out_;
};

}  // namespace

void read_statement(std::string_view text, bool ended, bool in_computation, HloStatement* statement) {
  StatementReader(text, ended, in_computation, statement).read();
}

}  // namespace xlashape::cli
