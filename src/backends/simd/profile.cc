// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/profile.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "backends/simd/limits.h"
#include "xlashape_backend.h"

namespace xlashape::simd {
namespace {

constexpr struct {
  const char* key;
  int64_t SpeedProfile::*value;
} kLines[] = {{"stream_runs_bytes", &SpeedProfile::stream_runs},
              {"stream_squares_bytes", &SpeedProfile::stream_squares},
              {"stream_copy_bytes", &SpeedProfile::stream_copy},
              {"stream_indices_bytes", &SpeedProfile::stream_indices},
              {"share_bytes", &SpeedProfile::share}};
constexpr const char* kStoreNames[] = {"ordinary", "stream"};
constexpr std::string_view kCallKey = "ns.call", kTileKey = "ns.tile", kWorkersKey = "workers";

// The place of the line ns_per_mib.NAME.STORE.SIZEk; nullptr: it has no such name.
int32_t* rate_at(std::string_view key, Rates& rates) {
  if (key == kCallKey) return &rates.call_ns;
  if (key == kTileKey) return &rates.tile_ns;
  if (key == kWorkersKey) return &rates.workers;
  const auto takes = [&](std::string_view word) {
    if (!key.starts_with(word)) return false;
    key.remove_prefix(word.size());
    return true;
  };
  const auto takes_word = [&](std::string_view word) {
    const std::string_view before = key;
    if (takes(word) && takes(".")) return true;
    key = before;
    return false;
  };
  if (!takes_word("ns_per_mib")) return nullptr;
  for (int rate = 0; rate < kRates; ++rate) {
    if (!takes_word(kRateNames[rate])) continue;
    for (int store = 0; store < 2; ++store) {
      if (!takes_word(kStoreNames[store])) continue;
      int64_t kib = 0;
      const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), kib);
      if (error != std::errc() || std::string_view(end, static_cast<size_t>(key.data() + key.size() - end)) != "k")
        return nullptr;
      const auto* const size =
          std::find(kRateBytes, kRateBytes + kRateSizes, kib <= kRateBytes[kRateSizes - 1] ? kib * 1024 : 0);
      return size == kRateBytes + kRateSizes ? nullptr : &rates.ns_per_mib[rate][store][size - kRateBytes];
    }
  }
  return nullptr;
}

// Reads a value from 1 to `most`.
bool read_value(std::string_view digits, int64_t most, int64_t* value) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), *value);
  return error == std::errc() && end == digits.data() + digits.size() && *value >= 1 && *value <= most;
}

}  // namespace

SpeedProfile default_profile(uint64_t cpu_features, int64_t l2_bytes, int64_t l3_bytes) {
  const int64_t l2 = l2_bytes > 0 ? l2_bytes : int64_t{1} << 20;
  // A guest is told the size of a cache that many share: with 260 MiB reported f32[5120,3072] was half as fast as
  // streamed (Sapphire Rapids). A quarter of it, and no more than 8 MiB, is what one thread finds its data in (Zen 4).
  const int64_t own = std::max(2 * l2, std::min(l3_bytes / 4, int64_t{8} << 20));
  // Between the steps of an index map such stores cost more than they save: on Zen 5 10^7 indices of rank 4 took 2.8 to
  // 3.9 ns each instead of 2.0.
  SpeedProfile profile{own, own, own, kNever, kShareBytes};
  // Skylake servers and their like (AVX-512 without VBMI): ordinary stores won every copy of rows, and lost every plane
  // of squares beyond the second cache (f32[1280,1280]: 0.36 of a copy, streamed 0.61). Measured on a Xeon of 2.5 GHz.
  const bool has_avx3 = (cpu_features & XLASHAPE_CPU_AVX3) != 0, has_dl = (cpu_features & XLASHAPE_CPU_AVX3_DL) != 0;
  if (has_avx3 && !has_dl) profile = {kNever, 2 * l2, kNever, kNever, kShareBytes};
  return profile;
}

int64_t most_of(std::string_view key) {
  return key == kWorkersKey ? kMostWorkers : key.starts_with("ns") ? kMostNsPerMib : kNever;
}

std::string_view read_profile(const char* text, SpeedProfile* profile) {
  SpeedProfile read = *profile;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t equals = line.find(" = ");
    if (equals == line.npos) continue;
    const std::string_view key = line.substr(0, equals);
    int64_t value = 0;
    const bool is_good = read_value(line.substr(equals + 3), most_of(key), &value);
    if (int32_t* const rate = rate_at(key, read.rates)) {
      if (!is_good) return key;
      *rate = static_cast<int32_t>(value);
    }
    for (const auto& known : kLines) {
      if (key != known.key) continue;
      if (!is_good) return key;
      read.*known.value = value;
    }
  }
  *profile = read;
  return {};
}

int64_t write_profile(const SpeedProfile& profile, char* text, int64_t capacity) {
  int64_t used = 0;
  const auto add = [&](const char* format, auto... args) {
    const int64_t at = std::min(used, capacity);
    used += std::snprintf(text + at, static_cast<size_t>(capacity - at), format, args..., 0);
  };
  for (const auto& line : kLines) add("%s = %lld\n", line.key, static_cast<long long>(profile.*line.value));
  const Rates& rates = profile.rates;
  if (rates.call_ns > 0) add("%s = %d\n", kCallKey.data(), static_cast<int>(rates.call_ns));
  if (rates.tile_ns > 0) add("%s = %d\n", kTileKey.data(), static_cast<int>(rates.tile_ns));
  if (rates.workers > 0) add("%s = %d\n", kWorkersKey.data(), static_cast<int>(rates.workers));
  for (int rate = 0; rate < kRates; ++rate)
    for (int store = 0; store < 2; ++store)
      for (int size = 0; size < kRateSizes; ++size)
        if (const int32_t ns = rates.ns_per_mib[rate][store][size]; ns > 0)
          add("ns_per_mib.%s.%s.%lldk = %d\n", kRateNames[rate], kStoreNames[store],
              static_cast<long long>(kRateBytes[size] / 1024), static_cast<int>(ns));
  return used;
}

}  // namespace xlashape::simd
