// SPDX-License-Identifier: Apache-2.0
#include "read.h"

#include <algorithm>

#include "buffer_text.h"
#include "cli/base/failure.h"
#include "formats.h"
#include "hlo_source.h"
#include "input.h"
#include "oom_reader.h"

namespace xlashape::cli {
namespace {

enum class Format : uint8_t { kHloText, kHloProto, kStablehlo, kBuffers, kOther };

bool has(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_binary(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<uint8_t>(c);
    return byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte != 0x1b);
  });
}

// By the beginning: what comes before a program, like a log, is HLO text that is not understood.
Format format_of(std::string_view start) {
  if (start.starts_with("HloModule ") || has(start, {"\nHloModule "})) return Format::kHloText;
  // A report of memory; whatever stands around it, as a log may.
  if (OomReader::is_in(start) && start[0] != '\n') return Format::kHloText;
  // An HloProto begins with its first field, a message, and so does a module with its name.
  if (is_binary(start)) return start[0] == '\n' ? Format::kHloProto : Format::kOther;
  if (looks_like_hlo(start)) return Format::kHloText;
  if (start.starts_with("BufferAssignment:") || start.starts_with("HloLiveRange")) return Format::kBuffers;
  if (has(start, {"module @", "module {", "module attributes", "func.func", "stablehlo.", "mhlo."}) ||
      start.starts_with("#loc"))
    return Format::kStablehlo;
  return Format::kHloText;
}

// Lines that somebody took out of a program have shapes; calls in a traceback, `state = step(state, batch)`, have none.
bool is_hlo(const Program& program) {
  return !program.fragment || std::any_of(program.instructions.begin(), program.instructions.end(),
                                          [](const Instruction& one) { return one.shape != kNone; });
}

// What lies beside the program about its buffers, as far as the module has not got it from the program's file.
void add_buffers(const DumpFile& file, Module* module) {
  const bool known = !module->assignment.empty();
  BufferReader reader(&module->assignment, &module->unparsed);
  for (const std::string& path : {known ? std::string() : file.assignment, file.live_range}) {
    if (path.empty()) continue;
    Input input(path);
    reader.read(input);
  }
}

void read_buffers(Input& input, const OnModule& use) {
  Module module;
  module.path = input.path();
  module.program.format = "buffer_assignment";
  BufferReader(&module.assignment, &module.unparsed).read(input);
  module.program.text_bytes = input.bytes_read();
  if (!module.assignment.empty()) use(std::move(module));
}

}  // namespace

void read_dump(const DumpFile& file, Progress* progress, const OnModule& use, const OnMemoryReport& use_report) {
  Input input(file.program, progress);
  OomReader reports;
  bool found = false;
  const OnModule with_buffers = [&](Module&& module) {
    // Other texts have lines that end in a brace, and other protocol buffers fields of these numbers.
    const bool empty = module.program.instructions.empty() && module.assignment.empty();
    if (empty && (module.program.name.empty() || module.unparsed.count() == 0)) return;
    if (!is_hlo(module.program)) return;
    if (!found) add_buffers(file, &module);  // what lies beside a file is about its first module
    check_consistency(&module);
    found = true;
    use(std::move(module));
  };
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (input.peek(kByteOrderMark.size()) == kByteOrderMark) input.skip(kByteOrderMark.size());
  if (const std::string_view start = input.peek(2); start == "\xff\xfe" || start == "\xfe\xff")
    fail_data("{}: a text in UTF-16: XLA writes UTF-8", input.path());
  constexpr size_t kStart = 1 << 16;
  switch (format_of(input.peek(kStart))) {
    case Format::kHloText:
      input.set_taker([&](std::string_view line, uint64_t number) { return reports.take(line, number); });
      read_hlo_text(input, with_buffers);
      break;
    case Format::kHloProto:
      read_hlo_proto(input.rest(), input.path(), with_buffers);
      break;
    case Format::kStablehlo:
      read_stablehlo(input, with_buffers);
      break;
    case Format::kBuffers:
      read_buffers(input, with_buffers);
      break;
    case Format::kOther:
      break;
  }
  for (MemoryReport& report : reports.finish()) {
    found = true;
    if (use_report) use_report(std::move(report));
  }
  if (!found)
    fail_unsupported(
        "{}: no program found: neither HLO text, an HloProto, StableHLO, a buffer assignment nor a report "
        "of memory that did not suffice",
        input.path());
}

}  // namespace xlashape::cli
