// SPDX-License-Identifier: Apache-2.0
#include "hlo_source.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "hlo_cursor.h"
#include "log_prefix.h"
#include "scanner.h"

namespace xlashape::cli {
namespace {

constexpr size_t kStart = 1 << 16;  // enough to tell what a text is

template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (!use(text.substr(at, end - at))) return;
    at = end + 1;
  }
}

bool begins_mlir(std::string_view line) {
  for (const std::string_view word :
       {"module @", "module {", "module attributes", "func.func", "#loc", "builtin.module", "\"builtin.module\"",
        "stablehlo.", "mhlo.", "\"stablehlo.", "\"mhlo.", "#sdy", "sdy.mesh", "func @"})
    if (line.starts_with(word)) return true;
  // "%0 = stablehlo.add", "%0:2 = ..."
  if (!line.starts_with('%')) return false;
  const size_t equals = line.find(" = ");
  if (equals == std::string_view::npos) return false;
  const std::string_view what = line.substr(equals + 3);
  const size_t end = std::min(what.find_first_of(" ([{"), what.size());
  return what.starts_with('"') || what.substr(0, end).find('.') != std::string_view::npos;
}

bool begins_hlo(std::string_view line) {
  if (begins_instruction(line)) return true;
  if (line.starts_with("HloModule ") || line.starts_with("ENTRY ")) return true;
  // "%fused (p: f32[8]) -> f32[8] {", "body {"
  HloCursor cursor(line, /*ended=*/true);
  if (cursor.name().empty()) return false;
  cursor.skip();
  if (cursor.peek() != '(') return false;
  cursor.bracketed();
  cursor.skip();
  return cursor.whole() && cursor.rest().starts_with("->");
}

}  // namespace

bool looks_like_hlo(std::string_view start) {
  bool hlo = false;
  for_each_line(start, [&](std::string_view line) {
    const std::string_view text = without_blanks(without_prefix(line));
    if (begins_mlir(text)) return false;
    hlo = begins_hlo(text);
    return !hlo;
  });
  return hlo;
}

HloSource::HloSource(Input& input) : input_(input) {
  for_each_line(input.peek(kStart), [&](std::string_view line) {
    if (const std::string_view text = without_blanks(without_prefix(line)); begins_hlo(text))
      prefixed_ = prefixed_ || text.data() != without_blanks(line).data();
    return !prefixed_;
  });
}

std::string_view HloSource::window(size_t size) {
  if (!by_lines()) return seen_ = input_.peek(size);
  constexpr size_t kPassed = 1 << 20;
  if (at_ > kPassed) {
    lines_.erase(0, at_);
    at_ = 0;
  }
  std::string_view line;
  while (lines_.size() - at_ < size && input_.next_line(&line)) {
    const std::string_view text = prefixed_ ? without_prefix(line) : line;
    // What a log says before is no part of the program.
    begun_ = begun_ || !prefixed_ || begins_hlo(without_blanks(text));
    lines_.append(input_.line_number() - line_count_ - 1, '\n');
    if (begun_) lines_ += text;
    lines_ += '\n';
    line_count_ = input_.line_number();
  }
  return seen_ = std::string_view(lines_).substr(at_, std::min(size, lines_.size() - at_));
}

void HloSource::advance(size_t count) {
  const char* at = seen_.data();
  const char* const end = at + count;
  for (; (at = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)))) != nullptr; ++at)
    ++line_;
  seen_.remove_prefix(count);
  place_ += count;
  if (by_lines())
    at_ += count;
  else
    input_.skip(count);
}

}  // namespace xlashape::cli
