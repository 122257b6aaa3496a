#include "backends/simd/profile.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "backends/simd/limits.h"
#include "xlashape_backend.h"

namespace xlashape::simd {
namespace {

constexpr struct {
  const char* key;
  int64_t Profile::*value;
} kLines[] = {{"stream_runs_bytes", &Profile::stream_runs},
              {"stream_squares_bytes", &Profile::stream_squares},
              {"stream_copy_bytes", &Profile::stream_copy},
              {"stream_indices_bytes", &Profile::stream_indices},
              {"share_bytes", &Profile::share}};

}  // namespace

Profile default_profile(uint64_t cpu_features, int64_t l2_bytes, int64_t l3_bytes) {
  const int64_t l2 = l2_bytes > 0 ? l2_bytes : int64_t{1} << 20;
  // A guest is told the size of a cache that many share: with 260 MiB reported f32[5120,3072] was half as fast as
  // streamed (Sapphire Rapids). A quarter of it, and no more than 8 MiB, is what one thread finds its data in (Zen 4).
  const int64_t own = std::max(2 * l2, std::min(l3_bytes / 4, int64_t{8} << 20));
  // Between the steps of an index map such stores cost more than they save: on Zen 5 10^7 indices of rank 4 took 2.8 to
  // 3.9 ns each instead of 2.0.
  Profile profile{own, own, own, kNever, kShareBytes};
  // Skylake servers and their like (AVX-512 without VBMI): ordinary stores won every copy of rows, and lost every plane
  // of squares beyond the second cache (f32[1280,1280]: 0.36 of a copy, streamed 0.61). Measured on a Xeon of 2.5 GHz.
  const bool has_avx3 = (cpu_features & XLASHAPE_CPU_AVX3) != 0, has_dl = (cpu_features & XLASHAPE_CPU_AVX3_DL) != 0;
  if (has_avx3 && !has_dl) profile = {kNever, 2 * l2, kNever, kNever, kShareBytes};
  return profile;
}

const char* read_profile(const char* text, Profile* profile) {
  Profile read = *profile;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t equals = line.find(" = ");
    if (equals == line.npos) continue;
    for (const auto& known : kLines) {
      if (line.substr(0, equals) != known.key) continue;
      const std::string_view digits = line.substr(equals + 3);
      int64_t value = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error != std::errc() || end != digits.data() + digits.size() || value < 1 || value > kNever) return known.key;
      read.*known.value = value;
    }
  }
  *profile = read;
  return nullptr;
}

int64_t write_profile(const Profile& profile, char* text, int64_t capacity) {
  int64_t used = 0;
  for (const auto& line : kLines) {
    const int64_t at = std::min(used, capacity);
    used += std::snprintf(text + at, static_cast<size_t>(capacity - at), "%s = %lld\n", line.key,
                          static_cast<long long>(profile.*line.value));
  }
  return used;
}

}  // namespace xlashape::simd
