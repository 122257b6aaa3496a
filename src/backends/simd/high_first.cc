// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/high_first.h"

#include <algorithm>
#include <cstring>

#include "backends/common/element.h"
#include "backends/common/packed_writer.h"
#include "backends/simd/containers.h"

namespace xlashape::simd {
namespace {

// Turns the bytes of each group around.
template <int kGroup>
void turn(char* bytes, int64_t count) {
  for (int64_t i = 0; i < count; i += kGroup) {
    char group[kGroup], turned[kGroup];
    std::memcpy(group, bytes + i, kGroup);
    for (int j = 0; j < kGroup; ++j) turned[j] = group[kGroup - 1 - j];
    std::memcpy(bytes + i, turned, kGroup);
  }
}

void turn(char* bytes, int64_t count, int64_t group) {
  if (group == 2) return turn<2>(bytes, count);
  if (group == 4) return turn<4>(bytes, count);
  turn<8>(bytes, count);
}

int index_of(int bits) { return bits == 1 ? 0 : bits == 2 ? 1 : 2; }

}  // namespace

void unpack_high_first(const HighFirst& form, char* to, const char* from, int64_t count) {
  const Containers packed(form.bits);
  const int64_t whole = packed.bytes(count) << packed.log_per_byte;
  form.kernels.fixed.unpack[index_of(form.bits)](to, from, whole, form.value);
  turn(to, whole, packed.per_byte());
}

void pack_high_first(const HighFirst& form, char* to, char* from, int64_t count) {
  const Containers packed(form.bits);
  const int64_t whole = count & -packed.per_byte();
  backends::PackedWriter writer(to, form.bits, backends::order_of(true, form.bits), form.shared);
  for (int64_t i = whole; i < count; ++i) writer.put(i, from[i] & form.value);
  if (whole == 0) return;
  turn(from, whole, packed.per_byte());
  constexpr int64_t kSome = 2048;  // elements; kernels write up to a vector more than is theirs
  alignas(64) char bytes[kSome / 2 + kSlack];
  for (int64_t i = 0; i < whole; i += kSome) {
    const int64_t some = std::min(kSome, whole - i);
    form.kernels.fixed.pack[index_of(form.bits)](bytes, from + i, some, 0, form.value);
    std::memcpy(to + packed.byte(i), bytes, static_cast<size_t>(packed.byte(some)));
  }
}

}  // namespace xlashape::simd
