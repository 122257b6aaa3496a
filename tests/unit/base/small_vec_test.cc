// SPDX-License-Identifier: Apache-2.0
// SmallVec against std::vector: where items live, growing, copying, moving, and what it refuses.
#include "base/small_vec.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace xlashape::core {
namespace {

using Vec = SmallVec<int64_t, 3>;

std::vector<int64_t> items(const Vec& v) { return {v.begin(), v.end()}; }
Vec counted(int64_t count) {
  Vec v;
  for (int64_t i = 0; i < count; ++i) v.push_back(i);
  return v;
}
bool is_inside(const Vec& v) {
  const auto* data = reinterpret_cast<const char*>(v.data());
  const auto* self = reinterpret_cast<const char*>(&v);
  return data >= self && data < self + sizeof v;
}

TEST(SmallVec, SpillsToTheHeapAndKeepsItsItems) {
  Vec v;
  for (int64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(is_inside(v), i <= 3) << i;
    v.push_back(i);
    ASSERT_EQ(v.ssize(), i + 1);
    for (int64_t j = 0; j <= i; ++j) ASSERT_EQ(v[static_cast<size_t>(j)], j);
  }
  v.clear();
  EXPECT_TRUE(v.empty());
  EXPECT_FALSE(is_inside(v)) << "what was allocated stays";
}

// An item of its own, given by reference, while it grows.
TEST(SmallVec, TakesItsOwnItems) {
  for (const int64_t count : {1, 3, 6}) {
    Vec v = counted(count);
    v.push_back(v[0]);
    v.push_back(v.back());
    EXPECT_EQ(v.ssize(), count + 2);
    EXPECT_EQ(v.back(), 0);
    const std::vector<int64_t> tail(v.begin() + 1, v.end());
    v.assign(std::span<const int64_t>(v).subspan(1));
    EXPECT_EQ(items(v), tail);
  }
}

TEST(SmallVec, CopiesAreTheirOwn) {
  for (const int64_t from : {0, 1, 3, 4, 9})
    for (const int64_t to : {0, 2, 3, 4, 20}) {
      const Vec original = counted(from);
      Vec copy = original, assigned = counted(to);
      assigned = original;
      EXPECT_EQ(items(copy), items(original));
      EXPECT_EQ(items(assigned), items(original));
      copy.push_back(-1);
      assigned.push_back(-2);
      EXPECT_EQ(items(original), items(counted(from)));
    }
  Vec v = counted(7);
  v = *&v;
  EXPECT_EQ(items(v), items(counted(7)));
}

TEST(SmallVec, MovesLeaveAnEmptyOneBehind) {
  for (const int64_t from : {0, 1, 3, 4, 9})
    for (const int64_t to : {0, 3, 20}) {
      Vec source = counted(from), assigned = counted(to);
      Vec moved = std::move(source);
      EXPECT_EQ(items(moved), items(counted(from)));
      EXPECT_TRUE(source.empty());
      EXPECT_TRUE(is_inside(source));
      const Vec four = counted(4);
      for (const int64_t item : four) source.push_back(item);  // it is as good as new
      EXPECT_EQ(items(source), items(four));
      EXPECT_FALSE(is_inside(source));
      assigned = std::move(moved);
      EXPECT_EQ(items(assigned), items(counted(from)));
      EXPECT_TRUE(moved.empty());
    }
  for (const int64_t count : {2, 7}) {
    Vec v = counted(count);
    v = std::move(*&v);
    EXPECT_EQ(items(v), items(counted(count)));
  }
}

TEST(SmallVec, ResizesWithAValue) {
  Vec v = counted(2);
  v.resize(5, 7);
  EXPECT_EQ(items(v), (std::vector<int64_t>{0, 1, 7, 7, 7}));
  v.resize(1);
  v.resize(3);  // what was there before does not come back
  EXPECT_EQ(items(v), (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(v, (Vec{0, 0, 0}));
  EXPECT_FALSE(v == (Vec{0, 0}));
  EXPECT_FALSE(v == (Vec{0, 0, 1}));
}

// More bytes than a size holds: refused before anything is allocated, and nothing is lost.
TEST(SmallVec, RefusesMoreThanItCanCount) {
  Vec v = counted(5);
  for (const size_t wanted : {size_t{UINT32_MAX} / 8 + 1, size_t{UINT32_MAX}, SIZE_MAX / 8 + 2, SIZE_MAX}) {
    EXPECT_THROW(v.reserve(wanted), std::bad_alloc) << wanted;
    EXPECT_THROW(v.resize(wanted), std::bad_alloc) << wanted;
  }
  EXPECT_EQ(items(v), items(counted(5)));
}

TEST(SmallVec, DoesAsAVectorDoes) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    Vec v;
    std::vector<int64_t> model;
    for (int step = 0; step < 40; ++step) {
      const auto value = static_cast<int64_t>(random());
      const std::vector<int64_t> some(random() % 9, value);
      switch (random() % 6) {
        case 0:
          v.push_back(value);
          model.push_back(value);
          break;
        case 1:
          v.append(some);
          model.insert(model.end(), some.begin(), some.end());
          break;
        case 2:
          v.assign(some);
          model = some;
          break;
        case 3:
          if (model.empty()) break;
          v.pop_back();
          model.pop_back();
          break;
        case 4:
          v.resize(some.size(), value);
          model.resize(some.size(), value);
          break;
        default:
          v.reserve(some.size());
      }
      ASSERT_EQ(items(v), model);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(v.data()) % alignof(int64_t), 0u);
    }
  }
}

}  // namespace
}  // namespace xlashape::core
