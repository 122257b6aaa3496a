// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>

#include "cli/base/failure.h"
#include "cli/files/file.h"
#include "input.h"
#include "read.h"

namespace xlashape::cli {
namespace {

namespace fs = std::filesystem;

std::string_view without_end(std::string_view text, std::string_view end) {
  if (text.ends_with(end)) text.remove_suffix(end.size());
  return text;
}

// Stages in the order in which XLA reaches them; of the last ones only "after_optimizations" has a buffer assignment.
constexpr std::array<std::string_view, 6> kStages = {"before_optimizations",
                                                     "after_optimizations_before_buffer_assignment",
                                                     "after_optimizations_after_buffer_assignment",
                                                     "after_codegen",
                                                     "optimized",
                                                     "after_optimizations"};

struct Candidate {
  std::string path;
  int stage = -1;
  int kind = 0;  // text before protos before MLIR
  std::string name;
  auto rank() const { return std::tuple(stage, kind, name); }
};

// "module_0086.jit_decode" of a file that XLA named; else the name before the stage.
std::string module_of(std::string_view name, int stage) {
  if (name.starts_with("module_")) {
    const size_t first = name.find('.');
    const size_t second = first == std::string_view::npos ? first : name.find('.', first + 1);
    return std::string(name.substr(0, second));
  }
  size_t end = stage >= 0 ? name.find(kStages[static_cast<size_t>(stage)]) : name.find(".stablehlo");
  if (end == std::string_view::npos) end = name.find('.');
  if (end != std::string_view::npos && end > 0 && name[end - 1] == '.') --end;
  return std::string(name.substr(0, end));
}

int stage_of(std::string_view stem) {
  int best = -1;
  for (size_t i = 0; i < kStages.size(); ++i)
    if (stem.find(kStages[i]) != std::string_view::npos &&
        (best < 0 || kStages[i].size() > kStages[static_cast<size_t>(best)].size()))
      best = static_cast<int>(i);
  return best;
}

bool begins_as_hlo(const std::string& path) {
  try {
    Input input(path);
    return input.peek(10) == "HloModule ";
  } catch (const Failure&) {
    return false;  // a file that is no text is not read, whatever is wrong with it
  }
}

// Whether the file is a program, by its name; a text without a known stage also by its beginning.
bool candidate_of(const fs::path& path, Candidate* candidate) {
  const std::string file = path.filename().string();
  const std::string_view name = without_end(file, ".gz");
  candidate->path = path.string();
  candidate->name = name;
  if (name.ends_with(".hlo.pb")) {
    candidate->kind = 1;
    candidate->stage = stage_of(without_end(name, ".hlo.pb"));
    return true;
  }
  if (name.ends_with(".mlir")) {
    candidate->kind = 0;
    return true;
  }
  if (!name.ends_with(".txt") && !name.ends_with(".hlo")) return false;
  for (const std::string_view other :
       {"-buffer-assignment.txt", "-live-range.txt", "-memory-usage-report.txt", "-buffer-assignment-values.txt"})
    if (name.ends_with(other)) return false;
  candidate->kind = 2;
  candidate->stage = stage_of(without_end(name, ".txt"));
  return candidate->stage >= 0 || begins_as_hlo(candidate->path);
}

// The path itself, or compressed; empty where neither is there.
std::string existing(const std::string& path, const std::string& program) {
  for (const char* end : {"", ".gz"})
    if (path + end != program && is_regular_file(path + end)) return path + end;
  return "";
}

DumpFile with_buffers(const std::string& program) {
  std::string_view stem = without_end(program, ".gz");
  for (const std::string_view end : {".hlo.pb", "-buffer-assignment.txt", ".txt", ".hlo"})
    if (stem.ends_with(end)) {
      stem.remove_suffix(end.size());
      break;
    }
  return {program, existing(std::string(stem) + "-buffer-assignment.txt", program),
          existing(std::string(stem) + "-live-range.txt", program)};
}

}  // namespace

std::vector<DumpFile> dump_files(const std::string& path) {
  std::error_code error;
  if (path == "-") return {{path, "", ""}};
  if (!fs::is_directory(path, error)) return {with_buffers(path)};
  std::map<std::string, Candidate> best;
  fs::directory_iterator entries(path, error);
  if (error) fail_data("{} cannot be read: {}", path, error.message());
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    Candidate candidate;
    std::error_code unknown;
    if (!entries->is_regular_file(unknown) || !candidate_of(entries->path(), &candidate)) continue;
    Candidate& known = best[module_of(candidate.name, candidate.stage)];
    if (known.path.empty() || known.rank() < candidate.rank()) known = std::move(candidate);
  }
  if (error) fail_data("{} cannot be read to its end: {}", path, error.message());
  if (best.empty()) fail_unsupported("{}: no program in this folder: no HLO text, no .hlo.pb, no .mlir", path);
  std::vector<DumpFile> files;
  files.reserve(best.size());
  for (const auto& [module, candidate] : best) files.push_back(with_buffers(candidate.path));
  return files;
}

}  // namespace xlashape::cli
