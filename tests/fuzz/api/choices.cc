// SPDX-License-Identifier: Apache-2.0
// What a runtime's options say of its backends: drawn, and read by a reader of our own.
#include "runtimes.h"
#include "xlashape_runtime.h"

namespace api_fuzz {
namespace {

constexpr size_t kMostBytes = 65536;
constexpr const char* kLevels[] = {"scalar", "ssse3", "sse4", "avx2", "avx3", "avx3_dl", "neon", "sve"};

// Texts for options out of what they are made of, so that most are nearly right.
std::string draw_options(Input& input) {
  static constexpr const char* kNames[] = {"ours", "ours", "theirs", "simd", "a-B_9", "", "o urs", "ours."};
  static constexpr const char* kKeys[] = {"kernel", "kernel", "depth", "K-0_z", "", "kern\xC3\xBC", ".depth", "dep=th"};
  static constexpr const char* kValues[] = {"fast", "", "a=b.c", "\x1B]0;x\x07\n\xFF", "3", " "};
  std::string text;
  if (input.one_in(60)) text = "ours.kernel=" + std::string(kMostBytes - static_cast<size_t>(input.below(14)), 'x');
  const bool is_honest = !input.one_in(4);
  for (int64_t n = input.below(5); n > 0; --n) {
    text += kNames[input.below(is_honest ? 4 : std::size(kNames))];
    text += input.one_in(is_honest ? 100 : 12) ? "" : ".";
    text += kKeys[input.below(is_honest ? 4 : std::size(kKeys))];
    text += input.one_in(is_honest ? 100 : 12) ? "" : "=";
    text += input.pick(kValues);
    text += input.one_in(12) ? ";;" : ";";
  }
  if (!text.empty() && input.one_in(2)) text.pop_back();
  return text;
}

bool is_word(const std::string& text) {
  static const std::string kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string::npos;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// By "NAME.KEY"; nullopt where the text is malformed.
std::optional<std::map<std::string, std::string>> read_options(const std::optional<std::string>& backend_options) {
  std::map<std::string, std::string> read;
  if (!backend_options) return read;
  for (const std::string& entry : split(*backend_options, ';')) {
    if (entry.empty()) continue;
    const size_t equals = entry.find('=');
    if (equals == std::string::npos) return std::nullopt;
    const std::vector<std::string> words = split(entry.substr(0, equals), '.');
    if (words.size() != 2 || !is_word(words[0]) || !is_word(words[1])) return std::nullopt;
    if (!read.emplace(words[0] + "." + words[1], entry.substr(equals + 1)).second) return std::nullopt;
  }
  return read;
}

}  // namespace

Choices draw_choices(Input& input) {
  static constexpr const char* kBackends[] = {"scalar",   "scalar,*", "simd", "simd,*",  "ours",    "ours,*",
                                              "nobody,*", "nobody",   "",     "\xFF\n*", "scalar,", ",*"};
  static constexpr const char* kDenied[] = {"ours",  "ours", "theirs,ours", "simd",      "simd,scalar",
                                            "ours,", ",,",   " ours,Ours",  "\x1B[0m\n", "a name,scalar"};
  static constexpr const char* kOther[] = {"", "AVX2", "avx9", "scalar ", "\xFF\x1B[0m\n", "avx2,avx3"};
  Choices drawn;
  const auto endless = [&] { return std::string(kMostBytes + 2 - static_cast<size_t>(input.below(4)), 'x'); };
  if (input.one_in(8)) drawn.backend = input.one_in(30) ? endless() : input.pick(kBackends);
  if (input.one_in(6)) drawn.denied = input.one_in(30) ? endless() : input.pick(kDenied);
  if (input.one_in(8)) drawn.cpu = input.one_in(6) ? input.pick(kOther) : input.pick(kLevels);
  if (input.one_in(3)) drawn.backend_options = draw_options(input);
  return drawn;
}

void Choices::put(xlashape_runtime_options* options) const {
  const auto text = [](const std::optional<std::string>& given) { return given ? given->c_str() : nullptr; };
  options->backend = text(backend);
  options->denied_backends = text(denied);
  options->cpu = text(cpu);
  options->backend_options = text(backend_options);
}

bool Choices::are_good() const {
  for (const auto* text : {&backend, &denied, &backend_options})
    if (*text && (*text)->size() > kMostBytes) return false;
  if (cpu && std::find(std::begin(kLevels), std::end(kLevels), *cpu) == std::end(kLevels)) return false;
  return read_options(backend_options).has_value();
}

bool Choices::denies(const std::string& name) const {
  if (!denied || name.empty()) return false;
  const std::vector<std::string> names = split(*denied, ',');
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<std::string> Choices::demand() const {
  if (!backend || backend->empty()) return std::nullopt;
  const size_t size = backend->size();
  return size >= 2 && backend->substr(size - 2) == ",*" ? std::nullopt : backend;
}

std::optional<std::string> Choices::option(const std::string& name, const std::string& key) const {
  const auto read = read_options(backend_options);
  if (!read || !is_word(name) || !is_word(key)) return std::nullopt;
  const auto at = read->find(name + "." + key);
  return at != read->end() ? std::optional(at->second) : std::nullopt;
}

}  // namespace api_fuzz
