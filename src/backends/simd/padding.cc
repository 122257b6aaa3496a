// SPDX-License-Identifier: Apache-2.0
#include "backends/simd/padding.h"

#include <cstring>

#include "backends/common/element.h"
#include "backends/common/fill.h"
#include "backends/simd/containers.h"

namespace xlashape::simd {
namespace {

using backends::LoopRange;
using backends::share;

template <class Run>
void fill_runs(const xlashape_relayout_ir& ir, const TaskRange& part, Run&& run) {
  const xlashape_loops& loops = *ir.fill_loops;
  if (ir.elements > 0 && loops.loop_count > 0)
    backends::walk_fill(loops, share(loops.extent[0], part.begin, part.end, part.count), run);
  const int64_t from = ir.elements > 0 ? ir.dst->data_positions : 0;  // from here on everything is padding
  const LoopRange rest = share(ir.dst->positions - from, part.begin, part.end, part.count);
  const int64_t unit = ir.dst_container_bits < 8 ? 1 : ir.dst_container_bits / 8;
  if (rest.size() > 0) run((from + rest.begin) * unit, (from + rest.end) * unit, 1, 0);
}

// One word of the pattern in each of many places.
template <class T>
void fill_words(char* dst, int64_t count, int64_t distance, const unsigned char* pattern) {
  T word;
  std::memcpy(&word, pattern, sizeof word);
  for (int64_t i = 0; i < count; ++i) std::memcpy(dst + i * distance, &word, sizeof word);
}
// Runs of up to 16 bytes are one word or two, which may overlap.
template <class T>
void fill_short(char* dst, int64_t bytes, int64_t count, int64_t distance, const unsigned char* pattern) {
  fill_words<T>(dst, count, distance, pattern);
  const int64_t second = bytes - int64_t{sizeof(T)};
  if (second > 0) fill_words<T>(dst + second, count, distance, pattern + second);
}
void fill_alike(const Kernels& kernels, Store store, char* dst, int64_t bytes, int64_t count, int64_t distance,
                const unsigned char* pattern) {
  if (count == 1 || bytes > 16) {
    for (int64_t i = 0; i < count; ++i) kernels.fill(dst + i * distance, bytes, pattern, store);
  } else if (bytes >= 8) {
    fill_short<uint64_t>(dst, bytes, count, distance, pattern);
  } else if (bytes >= 4) {
    fill_short<uint32_t>(dst, bytes, count, distance, pattern);
  } else if (bytes >= 2) {
    fill_short<uint16_t>(dst, bytes, count, distance, pattern);
  } else {
    fill_words<uint8_t>(dst, count, distance, pattern);
  }
}

// Writes `value` into the positions [begin, end) of containers of less than a byte.
void fill_packed(const Kernels& kernels, int bits, Store store, char* dst, int64_t begin, int64_t end, int value) {
  const Containers to(bits);
  const int64_t head = to.head(begin, end - begin), tail = to.tail(end - begin, head);
  const int64_t first = to.byte(begin + head), bytes = to.byte(end - tail) - first;
  if (bytes > 0) {
    char byte = 0;
    for (int64_t i = 0; i < to.per_byte(); ++i) to.store(&byte, i, value);
    unsigned char pattern[16];
    std::memset(pattern, byte, sizeof pattern);
    kernels.fill(dst + first, bytes, pattern, store);
  }
  for (int64_t i = begin; i < begin + head; ++i) to.store(dst, i, value);
  for (int64_t i = end - tail; i < end; ++i) to.store(dst, i, value);
}

}  // namespace

void fill_padding(const Kernels& kernels, const xlashape_relayout_ir& ir, Store store, char* dst,
                  const TaskRange& part) {
  if (ir.dst_container_bits < 8) {
    // Parts may cut runs within bytes, so the first part fills everything.
    if (part.first())
      fill_runs(ir, {0, 1, 1}, [&](int64_t from, int64_t to, int64_t count, int64_t distance) {
        for (int64_t i = 0; i < count; ++i, from += distance, to += distance)
          fill_packed(kernels, ir.dst_container_bits, store, dst, from, to, ir.fill[0]);
      });
    return;
  }
  const int64_t unit = ir.dst_container_bits / 8;
  unsigned char pattern[16];
  for (int64_t i = 0; i < 16; ++i) pattern[i] = ir.fill[i % unit];
  fill_runs(ir, part, [&](int64_t from, int64_t to, int64_t count, int64_t distance) {
    fill_alike(kernels, store, dst + from, to - from, count, distance, pattern);
  });
}

void clear_spare_bits(const xlashape_relayout_ir& ir, char* dst) {
  const int64_t per_byte = 8 / ir.dst_container_bits, last = ir.dst->positions % per_byte;
  if (ir.fill_policy != XLASHAPE_FILL_PADDING || last == 0) return;
  char& byte = dst[ir.dst->positions / per_byte];
  const auto used = static_cast<int>(last * ir.dst_container_bits);
  byte = static_cast<char>(byte & (backends::dst_high_first(ir) ? 0xFF00 >> used : (1 << used) - 1));
}

}  // namespace xlashape::simd
