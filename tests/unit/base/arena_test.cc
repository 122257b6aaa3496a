// SPDX-License-Identifier: Apache-2.0
// Arena: what it hands out is aligned, apart from all else, and stays where it is, in the buffer and past it.
#include "base/arena.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace xlashape::core {
namespace {

TEST(Arena, UsesTheBufferFirst) {
  alignas(16) char buffer[64];
  Arena arena(buffer, sizeof buffer);
  auto* first = arena.make<int64_t>(3);
  auto* second = arena.make<char>(1);
  auto* third = arena.make<int32_t>(2);
  EXPECT_EQ(static_cast<void*>(first), buffer);
  EXPECT_EQ(second, buffer + 24);
  EXPECT_EQ(static_cast<void*>(third), buffer + 32) << "aligned behind the one byte";
  auto* last = arena.make<char>(24);
  EXPECT_EQ(last, buffer + 40) << "the last byte is used, too";
  auto* past = arena.make<char>(1);
  EXPECT_TRUE(past < buffer || past >= buffer + sizeof buffer);
}

// Where aligning alone passes the end of the buffer.
TEST(Arena, SmallAndCrookedBuffers) {
  for (size_t size = 0; size <= 24; ++size)
    for (size_t offset = 0; offset < 8; ++offset) {
      alignas(16) char buffer[64];
      std::memset(buffer, 0x5A, sizeof buffer);
      Arena arena(buffer + offset, size);
      auto* value = arena.make<int64_t>(1);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(value) % alignof(int64_t), 0u);
      *value = -1;
      for (size_t i = 0; i < sizeof buffer; ++i) {
        const bool own =
            reinterpret_cast<char*>(value) <= buffer + i && buffer + i < reinterpret_cast<char*>(value + 1);
        ASSERT_EQ(buffer[i], own ? '\xFF' : '\x5A') << size << " bytes at " << offset;
        ASSERT_TRUE(!own || (i >= offset && i < offset + size));
      }
    }
  Arena none(nullptr, 0);
  auto* value = none.make<int64_t>(2);
  value[0] = value[1] = 1;
}

// Many pieces, far more than the buffer and than one chunk: none lies in another, and none moves.
TEST(Arena, PiecesStayApartAndInPlace) {
  struct Piece {
    unsigned char* bytes;
    size_t size;
    unsigned char fill;
  };
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    alignas(16) char buffer[300];
    Arena arena(buffer, sizeof buffer);
    std::vector<Piece> pieces;
    for (int i = 0; i < 300; ++i) {
      const size_t count = random() % (random() % 20 == 0 ? 2000 : 30);
      Piece piece{nullptr, 0, static_cast<unsigned char>(i)};
      const auto made = [&]<class T>(T* items) {
        EXPECT_EQ(reinterpret_cast<uintptr_t>(items) % alignof(T), 0u);
        piece.bytes = reinterpret_cast<unsigned char*>(items);
        piece.size = count * sizeof(T);
      };
      switch (random() % 4) {
        case 0:
          made(arena.make<char>(count));
          break;
        case 1:
          made(arena.make<int32_t>(count));
          break;
        case 2:
          made(arena.make<int64_t>(count));
          break;
        default:
          made(arena.make<max_align_t>(count));
      }
      if (piece.size > 0) std::memset(piece.bytes, piece.fill, piece.size);
      pieces.push_back(piece);
    }
    for (const Piece& piece : pieces)
      for (size_t i = 0; i < piece.size; ++i) ASSERT_EQ(piece.bytes[i], piece.fill);
  }
}

TEST(Arena, ZeroedAndCopied) {
  alignas(16) char buffer[40];
  std::memset(buffer, 0x5A, sizeof buffer);
  Arena arena(buffer, sizeof buffer);
  for (int i = 0; i < 3; ++i) {  // in the buffer, then in a chunk, which malloc gives as it is
    const auto* zeros = arena.zeroed<int64_t>(3);
    EXPECT_EQ(zeros[0] | zeros[1] | zeros[2], 0);
  }
  const int32_t from[] = {1, -2, 3};
  const int32_t* own = arena.copy(from, 3);
  EXPECT_NE(own, from);
  EXPECT_EQ(std::vector<int32_t>(own, own + 3), (std::vector<int32_t>{1, -2, 3}));
  EXPECT_EQ(arena.copy<int32_t>(nullptr, 3), nullptr);
  EXPECT_NE(arena.copy(from, 0), nullptr);
}

// A count whose bytes no size holds: refused, and the arena goes on.
TEST(Arena, RefusesMoreThanMemoryHas) {
  alignas(16) char buffer[32];
  Arena arena(buffer, sizeof buffer);
  for (const size_t count : {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 8 + 1, SIZE_MAX / 16 + 1})
    EXPECT_THROW(arena.make<int64_t>(count), std::bad_alloc) << count;
  EXPECT_THROW(arena.make<char>(SIZE_MAX / 2 + 1), std::bad_alloc);
  EXPECT_EQ(static_cast<void*>(arena.make<int64_t>(1)), buffer);
}

}  // namespace
}  // namespace xlashape::core
