// SPDX-License-Identifier: Apache-2.0
// Choices and profiles of the simd backend as texts, which may come from anywhere, and the candidates of a plan.
#include "backends/simd/candidates.h"

#include <set>

#include "backends/simd/choice_text.h"
#include "backends/simd/copy.h"
#include "backends/simd/profile.h"
#include "ir/compiler.h"
#include "runtime/cpu.h"
#include "unit/random_relayout.h"
#include "unit/simd/targets.h"

namespace xlashape::simd {
namespace {

using core::testing::OpenedBackend;
using core::testing::Random;

std::string printed(const TileChoice& choice) {
  char text[XLASHAPE_CHOICE_BYTES];
  EXPECT_LT(print_choice(choice, text, sizeof text), sizeof text);
  return text;
}

TEST(Choices, TextsAndBack) {
  std::mt19937_64 engine(1);
  const auto below = [&](int64_t limit) { return static_cast<int64_t>(engine() % static_cast<uint64_t>(limit)); };
  for (int i = 0; i < 1000; ++i) {
    TileChoice choice{static_cast<Store>(below(2)), static_cast<LoopOrder>(below(3)), static_cast<CopyKind>(below(4))};
    choice.tile = SidesChoice{{below(1 << 30), below(1 << 30), 1 + below(kUnitBytes)},
                              below(2) == 0,
                              static_cast<int>(below(kMaxAxes + 1)) - 1,
                              below(kMaxSide + 1)};
    if (below(3) == 0) choice.tile = PermutedChoice{1 + below(kLongestRun)};
    if (below(3) == 0) choice.tile = UnitsChoice{1 + below(kLongestRun), 1 + below(kMaxSide)};
    TileChoice again;
    ASSERT_TRUE(parse_choice(printed(choice).c_str(), &again)) << printed(choice);
    EXPECT_EQ(printed(again), printed(choice));
  }
}

TEST(Choices, OtherTextsAreRefused) {
  const std::string good = printed(TileChoice{});
  TileChoice choice{.tile = PermutedChoice{77}};
  for (const char* text : {"", "stores", "stores=ordinary", "stores=none order=nearest", "no such choice",
                           "stores=ordinary order=nearest panels=2", "stores=ordinary order=nearest permuted=0",
                           "stores=ordinary order=nearest permuted=513", "stores=ordinary order=nearest units=64",
                           "stores=ordinary order=nearest units=64 most=0"})
    EXPECT_FALSE(parse_choice(text, &choice)) << text;
  for (const char* more :
       {" ", " copy", " copy=", " copy=plain", " copy=none", " copy=pages ", " copy=pages copy=pages"})
    EXPECT_FALSE(parse_choice((good + more).c_str(), &choice)) << more;
  for (size_t i = 0; i < good.size(); ++i) EXPECT_FALSE(parse_choice(good.substr(0, i).c_str(), &choice));
  const std::pair<const char*, const char*> wrong[] = {
      {"row=1", "row=-1"},    {"row=1", "row=1073741825"},      {"row=1", "row=99999999999999999999"},
      {"row=1", "row=+1"},    {"unit=1048576", "unit=1048577"}, {"planes=0", "planes=2049"},
      {"axis=-1", "axis=33"}, {"axis=-1", "axis=-2"},           {"panels=0", "panels=-1"}};
  for (const auto& [from, to] : wrong) {
    std::string text = good;
    ASSERT_NE(text.find(from), text.npos) << from;
    text.replace(text.find(from), std::strlen(from), to);
    EXPECT_FALSE(parse_choice(text.c_str(), &choice)) << text;
  }
  EXPECT_EQ(choice.as<PermutedChoice>()->run, 77);
}

TEST(Profiles, LinesAndBack) {
  const SpeedProfile profile{1, 2, 3, 4, kNever};
  char text[1024];
  const int64_t length = write_profile(profile, text, sizeof text);
  ASSERT_EQ(static_cast<size_t>(length), std::strlen(text));
  SpeedProfile read{};
  EXPECT_EQ(read_profile(text, &read), "");
  EXPECT_TRUE(read == profile);
  char cut[20];
  EXPECT_EQ(write_profile(profile, cut, sizeof cut), length);
  EXPECT_EQ(std::string(cut), std::string(text).substr(0, sizeof cut - 1));
}

TEST(Profiles, LinesOfOthers) {
  SpeedProfile profile{1, 2, 3, 4, 5};
  EXPECT_EQ(read_profile("of_a_later_release = 7\nshare_bytes = 9", &profile), "");
  EXPECT_EQ(profile.share, 9);
  for (const char* value : {"0", "-1", "1152921504606846977", "99999999999999999999", "7 ", "", "x", "1.5"}) {
    const std::string text = std::string("stream_runs_bytes = 8\nshare_bytes = ") + value + "\n";
    EXPECT_EQ(read_profile(text.c_str(), &profile), "share_bytes") << value;
    EXPECT_EQ(profile.stream_runs, 1) << value;
  }
}

// By family, and never more than a thread's part of the last cache.
TEST(Profiles, Defaults) {
  constexpr int64_t kMiB = 1 << 20;
  const uint64_t skylake = XLASHAPE_CPU_AVX2 | XLASHAPE_CPU_AVX3, later = skylake | XLASHAPE_CPU_AVX3_DL;
  EXPECT_EQ(default_profile(later, kMiB, 16 * kMiB).stream_runs, 4 * kMiB);
  EXPECT_EQ(default_profile(later, kMiB, 260 * kMiB).stream_squares, 8 * kMiB);
  EXPECT_EQ(default_profile(later, 16 * kMiB, 0).stream_copy, 32 * kMiB);
  EXPECT_EQ(default_profile(0, 0, 0).stream_squares, 2 * kMiB);
  EXPECT_EQ(default_profile(skylake, kMiB, 33 * kMiB).stream_runs, kNever);
  EXPECT_EQ(default_profile(skylake, kMiB, 33 * kMiB).stream_squares, 2 * kMiB);
}

// Each has a text of its own that the plan takes; the random relayouts run them.
TEST(Candidates, AreManyAndDifferent) {
  const OpenedBackend backend(xlashape_backend_open_simd, core::detect_cpu().features, 1 << 20);
  const std::pair<const char*, int64_t> forms[] = {
      {"{0,1}", 20}, {"{1,0:T(8,128)}", 6}, {"{1,0}", ir::kHasStringCopy ? 5 : 4}};
  for (const auto& [layout, least] : forms) {
    const core::testing::Case c = core::testing::case_of(core::testing::parsed("f32[1000,1024]{1,0}"),
                                                         core::testing::parsed(std::string("f32[1000,1024]") + layout));
    alignas(16) char memory[16384];
    core::Arena arena(memory, sizeof memory);
    xlashape_relayout_ir ir;
    ASSERT_EQ(core::build_relayout(c.request, arena, &ir, nullptr), XLASHAPE_STATUS_OK);
    auto op = XLASHAPE_INIT(xlashape_op);
    op.kind = XLASHAPE_OP_RELAYOUT;
    op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
    op.relayout = &ir;
    alignas(64) char plan[sizeof(SimdRelayoutPlan)];
    const xlashape_backend& table = backend.table;
    ASSERT_EQ(table.plan_init(table.self, &op, plan, nullptr), XLASHAPE_STATUS_OK);
    std::vector<std::string> texts;
    for (char text[XLASHAPE_CHOICE_BYTES];
         table.plan_candidate(table.self, plan, &op, static_cast<int64_t>(texts.size()), text, sizeof text) > 0;)
      texts.push_back(text);
    EXPECT_GE(static_cast<int64_t>(texts.size()), least) << layout;
    EXPECT_LE(texts.size(), size_t{XLASHAPE_MAX_CANDIDATES});
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
    for (const std::string& text : texts) {
      EXPECT_EQ(table.plan_choose(table.self, plan, &op, text.c_str(), nullptr), XLASHAPE_STATUS_OK) << text;
      char now[XLASHAPE_CHOICE_BYTES];
      table.plan_candidate(table.self, plan, &op, 0, now, sizeof now);
      EXPECT_EQ(now, text);
    }
    // Stores that such a copy does not have, and copies of tiles.
    const bool copies = std::string_view(layout) == "{1,0}";
    for (const TileChoice& wrong :
         {TileChoice{.store = Store::kStream, .copy = CopyKind::kVectors}, TileChoice{.copy = CopyKind::kPages},
          copies ? TileChoice{.store = Store::kStream, .copy = CopyKind::kString}
                 : TileChoice{.copy = CopyKind::kVectors}})
      EXPECT_EQ(table.plan_choose(table.self, plan, &op, printed(wrong).c_str(), nullptr),
                XLASHAPE_STATUS_INVALID_ARGUMENT)
          << printed(wrong);
  }
}

}  // namespace
}  // namespace xlashape::simd
