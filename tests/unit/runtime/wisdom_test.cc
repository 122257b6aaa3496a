// SPDX-License-Identifier: Apache-2.0
// Wisdom: what a runtime keeps of it, and its text, which anybody may have written.
#include "runtime/wisdom.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace xlashape::core {
namespace {

constexpr const char* kHere = "x86_64-p2";
const std::string kHead = "xlashape wisdom 1\nprocessor x86_64-p2\n";
const std::string kForm = "00000000000000010000000000000002";

// Imports a text; the message of the failure, or "".
std::string import(Wisdom& wisdom, const std::string& text, int64_t* taken = nullptr, int64_t* offset = nullptr) {
  xlashape_error err;
  err.struct_size = sizeof err;
  int64_t count = 0;
  const Status status = wisdom.import(text, kHere, &count, &err);
  if (taken != nullptr) *taken = count;
  if (status == XLASHAPE_STATUS_OK) return "";
  if (offset != nullptr) *offset = err.offset;
  return err.message;
}

TEST(Wisdom, IsKeptByFormAndBackend) {
  Wisdom wisdom;
  EXPECT_FALSE(wisdom.any());
  EXPECT_TRUE(wisdom.add({1, 2}, "simd", {10, 20, "a way"}));
  EXPECT_TRUE(wisdom.any());
  EXPECT_TRUE(wisdom.add({0, 3}, "simd", {30, 30, "b"}));
  EXPECT_TRUE(wisdom.add({1, 2}, "other", {1, 2, "c"}));
  EXPECT_EQ(wisdom.find({1, 2}, "simd"), "a way");
  EXPECT_EQ(wisdom.find({1, 2}, "other"), "c");
  EXPECT_EQ(wisdom.find({2, 1}, "simd"), "");
  const std::string text = wisdom.text(kHere);
  EXPECT_EQ(text, kHead + "00000000000000000000000000000003 simd 30 30 b\n" + kForm + " other 1 2 c\n" + kForm +
                      " simd 10 20 a way\n");
  EXPECT_TRUE(wisdom.add({1, 2}, "simd", {9, 20, "d"}));
  EXPECT_EQ(wisdom.find({1, 2}, "simd"), "d");
  EXPECT_FALSE(wisdom.add({1, 2}, "no word", {9, 20, "d"})) << "a text could not hold it";
  int64_t taken = 0;
  EXPECT_EQ(import(wisdom, text, &taken), "");
  EXPECT_EQ(taken, 3);
  EXPECT_EQ(wisdom.find({1, 2}, "simd"), "a way") << "the text's entries replace";
  EXPECT_EQ(wisdom.text(kHere), text);
  wisdom.forget();
  EXPECT_FALSE(wisdom.any());
  EXPECT_EQ(wisdom.text(kHere), kHead);
  EXPECT_EQ(import(wisdom, kHead), "");
  EXPECT_FALSE(wisdom.any());
}

TEST(Wisdom, OfAnotherProcessorIsNotTaken) {
  Wisdom wisdom;
  int64_t taken = 7;
  EXPECT_EQ(import(wisdom, "xlashape wisdom 1\nprocessor vax\n" + kForm + " simd 1 1 a\n", &taken), "");
  EXPECT_EQ(taken, 0);
  EXPECT_FALSE(wisdom.any());
}

TEST(Wisdom, TextsThatAreNone) {
  const std::string good = kForm + " simd 1 1 a\n";
  const struct {
    std::string text;
    const char* message;
    int64_t offset;
  } cases[] = {
      {"", "line 1: the text ends before the line does", 0},
      {"xlashape wisdom 1", "line 1: the text ends before the line does", 0},
      {"xlashape wisdom 2\n", "line 1: xlashape wisdom 2, where \"xlashape wisdom 1\" is expected", 0},
      {"xlashape profile 1\n", "line 1: xlashape profile 1, where \"xlashape wisdom 1\" is expected", 0},
      {"xlashape wisdom 1\n", "line 2: the text ends before the line does", 18},
      {"xlashape wisdom 1\nprocessor \n", "line 2: processor , where \"processor NAME\" is expected", 18},
      {kHead + good + "\n", "line 4: it does not begin with 32 hexadecimal digits", 82},
      {kHead + good + good.substr(0, 20), "line 4: the text ends before the line does", 82},
      {kHead + kForm + "0 simd 1 1 a\n", "line 3: it does not begin with 32 hexadecimal digits", 38},
      {kHead + "0000000000000001000000000000000A simd 1 1 a\n", "line 3: it does not begin with 32 hexadecimal digits",
       38},
      {kHead + kForm + "  simd 1 1 a\n", "line 3:  is no backend's name", 38},
      {kHead + kForm + " si-md 1 1 a\n", "line 3: si-md is no backend's name", 38},
      {kHead + kForm + " " + std::string(64, 'x') + " 1 1 a\n",
       "line 3: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx... is no backend's name", 38},
      {kHead + kForm + " simd 1 -1 a\n", "line 3: -1 is no number of nanoseconds", 38},
      {kHead + kForm + " simd 1.5 1 a\n", "line 3: 1.5 is no number of nanoseconds", 38},
      {kHead + kForm + " simd 01 1 a\n", "line 3: 01 is no number of nanoseconds", 38},
      {kHead + kForm + " simd  1 1 a\n", "line 3:  is no number of nanoseconds", 38},
      {kHead + kForm + " simd 9223372036854775808 1 a\n", "line 3: 9223372036854775808 is no number of nanoseconds",
       38},
      {kHead + kForm + " simd 1 1\n", "line 3: the choice has 0 bytes, it has 1 to 255", 38},
      {kHead + kForm + " simd 1 1 \n", "line 3: the choice has 0 bytes, it has 1 to 255", 38},
      {kHead + kForm + " simd 1 1 " + std::string(256, 'x') + "\n", "line 3: the choice has 256 bytes, it has 1 to 255",
       38},
      {kHead + kForm + " simd 1 1 \xC3\xA4\n", "line 3: it has characters that are not printable ASCII", 38},
      {kHead + kForm + " simd 1 1 a\r\n", "line 3: it has characters that are not printable ASCII", 38},
      {kHead + kForm + " simd 1 1 a" + std::string(1, '\0') + "\n",
       "line 3: it has characters that are not printable ASCII", 38},
  };
  Wisdom wisdom;
  for (const auto& c : cases) {
    int64_t offset = -7;
    EXPECT_EQ(import(wisdom, c.text, nullptr, &offset), c.message);
    EXPECT_EQ(offset, c.offset) << c.message;
    EXPECT_FALSE(wisdom.any());
  }
  EXPECT_EQ(import(wisdom, kHead + kForm + " simd 9223372036854775807 0 " + std::string(255, '~') + "\n"), "");
}

std::string entries(int64_t first, int64_t count) {
  std::string text = kHead;
  char line[80];
  for (int64_t i = first; i < first + count; ++i) {
    std::snprintf(line, sizeof line, "%032llx b 1 1 c\n", static_cast<unsigned long long>(i));
    text += line;
  }
  return text;
}

TEST(Wisdom, Limits) {
  constexpr int64_t kMost = Wisdom::kMostEntries;
  Wisdom wisdom;
  EXPECT_EQ(import(wisdom, entries(0, kMost + 1)), "more than 65536 entries");
  EXPECT_FALSE(wisdom.any());
  EXPECT_EQ(import(wisdom, entries(0, kMost)), "");
  EXPECT_EQ(import(wisdom, entries(kMost - 1, 2)), "the runtime would have 65537 entries, at most 65536 are kept");
  EXPECT_EQ(wisdom.find({0, static_cast<uint64_t>(kMost)}, "b"), "") << "nothing is taken";
  EXPECT_FALSE(wisdom.add({5, 5}, "b", {1, 1, "d"}));
  EXPECT_TRUE(wisdom.add({0, 5}, "b", {1, 1, "d"})) << "there already";
  EXPECT_EQ(wisdom.find({0, 5}, "b"), "d");
  EXPECT_EQ(import(wisdom, std::string(Wisdom::kMostBytes + 1, 'x')),
            "wisdom of 33554433 bytes: at most 33554432 are read");
}

TEST(Wisdom, OnManyThreads) {
  Wisdom wisdom;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 200; ++i) {
        wisdom.add({t, i % 8}, "b", {1, 1, "c"});
        if (wisdom.any()) wisdom.find({(t + 1) % 4, i % 8}, "b");
        if (i % 50 == 49) wisdom.forget();
        int64_t taken;
        wisdom.import(wisdom.text(kHere), kHere, &taken, nullptr);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace xlashape::core
