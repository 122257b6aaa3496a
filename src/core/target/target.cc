// SPDX-License-Identifier: Apache-2.0
#include "target/target.h"

#include "base/checked.h"
#include "ir/edit_distance.h"
#include "shape/type_names.h"
#include "xlashape_target.h"

namespace xlashape::core {
namespace {

constexpr const char* kSpaceNames[] = {"hbm", "vmem", "smem", nullptr, nullptr, "host"};
constexpr uint16_t kHbm = 1 << 0, kVmem = 1 << 1, kSmem = 1 << 2, kHost = 1 << 5;
constexpr uint16_t kOldSpaces = kHbm | kSmem | kHost, kSpaces = kOldSpaces | kVmem;

// TPUs: libtpu 0.0.52 with jax 0.10.2, asked on 2026-11-23; their memory spaces are
// those of its memory usage reports. cpu: what jaxlib 0.10.2 compiles. gpu: gpu_compiler.cc of XLA, August 2026.
constexpr TargetInfo kTargets[] = {
    // name, lanes, sublanes, least_words, packs, large_tiles, pointer_bytes, tuple_alignment, spaces
    {"cpu", 0, 0, 0, true, false, 8, 1, 0},
    {"gpu", 0, 0, 0, true, false, 8, 1, 0},
    {"tpu:v2", 128, 8, 2, false, false, 4, 1024, kOldSpaces},
    {"tpu:v3", 128, 8, 2, false, false, 4, 1024, kOldSpaces},
    {"tpu:v4", 128, 8, 1, true, true, 4, 512, kOldSpaces},
    {"tpu:v5e", 128, 8, 1, true, true, 4, 512, kSpaces},
    {"tpu:v5p", 128, 8, 1, true, true, 4, 32, kSpaces},
    {"tpu:v6e", 128, 8, 1, true, true, 4, 32, kSpaces},
    {"tpu:v7x", 128, 8, 1, true, true, 4, 32, kSpaces},
};
constexpr int kCount = static_cast<int>(sizeof kTargets / sizeof kTargets[0]);

// What others call them, in small letters and without blanks: jax's device_kind ("TPU v5 lite"), libtpu's topologies
// ("tpu7x:2x2x1", of which the name is kept), platforms.
struct Alias {
  std::string_view name, target;
};
constexpr Alias kAliases[] = {
    {"tpuv5lite", "tpu:v5e"}, {"v5lite", "tpu:v5e"},   {"v5litepod", "tpu:v5e"}, {"tpuv5", "tpu:v5p"},
    {"tpuv6lite", "tpu:v6e"}, {"v6lite", "tpu:v6e"},   {"trillium", "tpu:v6e"},  {"tpu7x", "tpu:v7x"},
    {"v7x", "tpu:v7x"},       {"ironwood", "tpu:v7x"}, {"cuda", "gpu"},          {"rocm", "gpu"},
    {"host", "cpu"},
};

// "TPU v5 lite", "v5e:2x2", "tpu:v5e", "TPU v4": a target's number, or -1.
int of_word(std::string_view name) {
  char text[24];
  size_t size = 0;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    if (size == sizeof text) return -1;
    text[size++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  std::string_view word(text, size);
  if (word.starts_with("tpu:")) word.remove_prefix(4);
  const size_t topology = word.find(':');  // "2x2" and "2x2x1"
  if (topology != std::string_view::npos && topology + 1 < word.size() &&
      word.find_first_not_of("0123456789x", topology + 1) == std::string_view::npos)
    word = word.substr(0, topology);
  for (const Alias& alias : kAliases)
    if (word == alias.name) word = alias.target;
  for (int i = 0; i < kCount; ++i) {
    const std::string_view known = kTargets[i].name;
    if (word == known || (known.starts_with("tpu:") &&
                          (word == known.substr(4) || (word.starts_with("tpu") && word.substr(3) == known.substr(4)))))
      return i;
  }
  return -1;
}

}  // namespace

std::span<const TargetInfo> targets() noexcept { return kTargets; }

Status find_target(xlashape_target target, const TargetInfo** info, Error* err) {
  if (target < 0 || target >= kCount)
    return fail(err, XLASHAPE_STATUS_OUT_OF_RANGE, "target %d is not in [0, %d)", target, kCount);
  *info = &kTargets[target];
  return XLASHAPE_STATUS_OK;
}

Status target_from_name(std::string_view name, xlashape_target* target, Error* err) {
  const int found = of_word(name);
  if (found >= 0) {
    *target = found;
    return XLASHAPE_STATUS_OK;
  }
  const char* nearest = nullptr;
  for (const TargetInfo& other : kTargets) {
    const std::string_view whole = other.name, own = whole.starts_with("tpu:") ? whole.substr(4) : whole;
    // The beginning of a name, or one slip in it; but another generation is another machine.
    const bool begins = name.size() > 1 && (own.starts_with(name) || (name.size() > 5 && whole.starts_with(name)));
    const bool slip = name != "tpu" && (ir::edit_distance(name, whole, 1) == 1 || ir::edit_distance(name, own, 1) == 1);
    const auto generation = [](std::string_view text) {
      const size_t v = text.find('v');
      return v == std::string_view::npos || v + 1 >= text.size() ? '\0' : text[v + 1];
    };
    if (nearest == nullptr && (begins || (slip && generation(name) == generation(whole)))) nearest = other.name;
  }
  char known[16 * kCount] = "";
  size_t size = 0;
  for (const TargetInfo& target : kTargets) {
    if (size > 0) known[size++] = ' ';
    for (const char* c = target.name; *c != 0; ++c) known[size++] = *c;
  }
  return fail(err, XLASHAPE_STATUS_NOT_FOUND, "no target is called '%s'%s%s%s, only: %s", Quoted(name).c_str(),
              nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "", known);
}

Status memory_space_name(const TargetInfo& target, int64_t space, std::string_view* name, Error* err) {
  if (space < 0 || space >= 16 || (target.spaces >> space & 1) == 0)
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "the name of memory space %lld of %s is not known", ll(space),
                target.name);
  *name = kSpaceNames[space];
  return XLASHAPE_STATUS_OK;
}

Status tuple_bytes(const TargetInfo& target, int64_t elements, int64_t* bytes, Error* err) {
  if (elements < 0)
    return fail(err, XLASHAPE_STATUS_INVALID_ARGUMENT, "elements is %lld, it must not be negative", ll(elements));
  int64_t table;
  if (checked_mul(elements, target.pointer_bytes, &table) && checked_round_up(table, target.tuple_alignment, &table)) {
    *bytes = table;
    return XLASHAPE_STATUS_OK;
  }
  return fail(err, XLASHAPE_STATUS_OVERFLOW, "the table of %lld pointers does not fit 64 bits", ll(elements));
}

}  // namespace xlashape::core
