// Pieces of shell scripts.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace xlashape::cli {

inline std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : between).append(word);
  return text;
}

// `text` with `mark` before each of the `characters`.
inline std::string marked(std::string_view text, std::string_view characters, char mark = '\\') {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != characters.npos) result += mark;
    result += c;
  }
  return result;
}

// One word of bash or zsh.
inline std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace xlashape::cli
