// SPDX-License-Identifier: Apache-2.0
#include "backends/bound/self_test.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/common/entry.h"

namespace xlashape::bound {
namespace {

using backends::fail;

constexpr size_t kGuard = 8192;  // bytes on both sides: more than the error of a pitch that is off by one
constexpr unsigned char kCanary = 0xA5;

// Patterns of 32 and 64 bits that loads and stores preserve and arithmetic does not.
constexpr uint32_t kWords[] = {0x7F800001, 0xFF812345, 0x7FC00000, 0xFFC54321, 0x00000001, 0x807FFFFF, 0x00400000,
                               0x80000000, 0x7F800000, 0xFF800000, 0x3F800000, 0x007FFFFF, 0xFFFFFFFF};
constexpr uint64_t kLongs[] = {0x7FF0000000000001, 0xFFF0000012345678, 0x7FF8000000000000, 0xFFF8000087654321,
                               0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x8000000000000000, 0x7FF0000000000000,
                               0xFFF0000000000000, 0x3FF0000000000000, 0x000FFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF};

class GuardedBuffer {
 public:
  explicit GuardedBuffer(size_t bytes) : bytes_(bytes), memory_(bytes + 2 * kGuard, kCanary) {}
  unsigned char* data() { return memory_.data() + kGuard; }
  const std::vector<unsigned char>& all() const { return memory_; }
  size_t size() const { return bytes_; }

  // Special patterns of both widths, whatever the element's width: a complex element is made of two numbers.
  void fill() {
    uint64_t random = 0x9E3779B97F4A7C15u;
    for (size_t at = 0, n = 0; at < bytes_; at += 8, ++n) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      uint64_t value = random;
      if (n % 3 == 0) value = kLongs[n / 3 % std::size(kLongs)];
      if (n % 3 == 1) value = kWords[n % std::size(kWords)] | uint64_t{kWords[n / 3 % std::size(kWords)]} << 32;
      std::memcpy(data() + at, &value, std::min<size_t>(8, bytes_ - at));
    }
  }

 private:
  size_t bytes_;
  std::vector<unsigned char> memory_;
};

// Runs one move and compares every byte of both buffers, guards included, with the expected one.
template <class Reference>
xlashape_status try_move(const Routine& routine, RoutineCall move, size_t src_bytes, size_t dst_bytes, size_t shift,
                         int32_t element_bits, Reference&& reference, xlashape_error* err) {
  GuardedBuffer src(src_bytes + shift), dst(dst_bytes + shift), want(dst_bytes + shift);
  src.fill();
  const std::vector<unsigned char> src_before = src.all();
  move.src = src.data() + shift;
  move.dst = dst.data() + shift;
  if (!routine.takes(move)) return XLASHAPE_STATUS_OK;  // the routine will never be called for it
  reference(src.data() + shift, want.data() + shift);
  if (const xlashape_status status = routine.call(move, err)) return status;
  if (src.all() != src_before) return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "self-test: it wrote to its source");
  const auto differs = std::mismatch(dst.all().begin(), dst.all().end(), want.all().begin());
  if (differs.first == dst.all().end()) return XLASHAPE_STATUS_OK;
  const auto at = differs.first - dst.all().begin() - static_cast<std::ptrdiff_t>(kGuard + shift);
  if (at < 0 || at >= static_cast<std::ptrdiff_t>(dst_bytes))
    return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "self-test: it wrote outside of its destination, at byte %lld of %zu",
                static_cast<long long>(at), dst_bytes);
  const size_t width = static_cast<size_t>(std::max(element_bits, 8)) / 8;
  const size_t element = static_cast<size_t>(at) / width;
  char got[40] = "", wanted[40] = "";
  for (size_t b = 0; b < width && (element + 1) * width <= dst_bytes; ++b) {
    const size_t place = kGuard + shift + element * width + width - 1 - b;
    std::snprintf(got + 2 * b, sizeof got - 2 * b, "%02x", dst.all()[place]);
    std::snprintf(wanted + 2 * b, sizeof wanted - 2 * b, "%02x", want.all()[place]);
  }
  return fail(err, XLASHAPE_STATUS_UNSUPPORTED, "self-test: not bit for bit: element %zu is 0x%s, it must be 0x%s",
              element, got, wanted);
}

xlashape_status test_linear(const Routine& routine, xlashape_error* err) {
  for (const int64_t bytes : {1, 7, 64, 4095, 65536, 300001}) {
    for (const size_t shift : {0, 3}) {
      RoutineCall move;
      move.bytes = bytes;
      const auto size = static_cast<size_t>(bytes);
      const auto reference = [size](const unsigned char* src, unsigned char* dst) { std::memcpy(dst, src, size); };
      if (const xlashape_status status = try_move(routine, move, size, size, shift, 0, reference, err)) return status;
    }
  }
  return XLASHAPE_STATUS_OK;
}

xlashape_status test_2d(const Routine& routine, xlashape_error* err) {
  constexpr int64_t kCases[][4] = {{1, 1, 1, 1},         {5, 3, 8, 6},           {64, 17, 64, 80},
                                   {100, 300, 128, 100}, {4096, 40, 4100, 4096}, {7, 600, 7, 7}};
  const int32_t bits = routine.description().element_bits;
  const int64_t unit = bits == 0 ? 1 : bits / 8;
  for (const auto& [columns, rows, src_pitch, dst_pitch] : kCases) {
    RoutineCall move;
    move.row_bytes = columns * unit;
    move.columns = columns;
    move.rows = rows;
    move.src_pitch = src_pitch;
    move.dst_pitch = dst_pitch;
    const auto reference = [&](const unsigned char* src, unsigned char* dst) {
      for (int64_t r = 0; r < move.rows; ++r)
        std::memcpy(dst + r * move.dst_pitch * unit, src + r * move.src_pitch * unit,
                    static_cast<size_t>(move.row_bytes));
    };
    if (const xlashape_status status = try_move(routine, move, static_cast<size_t>(rows * src_pitch * unit),
                                                static_cast<size_t>(rows * dst_pitch * unit), 0, bits, reference, err))
      return status;
  }
  return XLASHAPE_STATUS_OK;
}

xlashape_status test_transpose(const Routine& routine, xlashape_error* err) {
  constexpr int64_t kCases[][4] = {{1, 1, 1, 1},     {1, 9, 9, 1},        {9, 1, 1, 9},     {3, 5, 5, 3},
                                   {3, 5, 8, 4},     {17, 33, 40, 21},    {64, 64, 64, 64}, {130, 67, 67, 130},
                                   {63, 65, 80, 77}, {257, 300, 301, 258}};
  const int32_t bits = routine.description().element_bits;
  const int64_t width = bits / 8;
  for (const auto& [rows, columns, src_pitch, dst_pitch] : kCases) {
    RoutineCall move;
    move.rows = rows;
    move.columns = columns;
    move.src_pitch = src_pitch;
    move.dst_pitch = dst_pitch;
    const auto reference = [&](const unsigned char* src, unsigned char* dst) {
      for (int64_t r = 0; r < move.rows; ++r)
        for (int64_t c = 0; c < move.columns; ++c)
          std::memcpy(dst + (c * move.dst_pitch + r) * width, src + (r * move.src_pitch + c) * width,
                      static_cast<size_t>(width));
    };
    if (const xlashape_status status =
            try_move(routine, move, static_cast<size_t>(rows * src_pitch * width),
                     static_cast<size_t>(columns * dst_pitch * width), 0, bits, reference, err))
      return status;
  }
  return XLASHAPE_STATUS_OK;
}

}  // namespace

xlashape_status self_test(const Routine& routine, xlashape_error* err) {
  switch (routine.description().role) {
    case Role::kCopyLinear:
      return test_linear(routine, err);
    case Role::kCopy2d:
      return test_2d(routine, err);
    default:
      return test_transpose(routine, err);
  }
}

}  // namespace xlashape::bound
