// SPDX-License-Identifier: Apache-2.0
// Relayouts that once were wrong, or lie beside one that was: on every level, for every number of workers, with
// streaming stores and without.
#include "differential/levels.h"
#include "differential/run.h"

namespace xlashape::core {
namespace {

using testing::Faults;
using testing::Level;
using testing::Placement;

// Where each takes long, under a sanitizer or on a processor that is not there, there are fewer.
constexpr bool kFew = XLASHAPE_DIFFERENTIAL_CASES < 10000;

struct Pair {
  const char *from, *to;
};

class Named : public ::testing::TestWithParam<const Level*> {
 protected:
  void SetUp() override {
    const std::string why = testing::missing(*GetParam());
    if (!why.empty()) GTEST_SKIP() << why;
  }

  // Every pair with every policy.
  void check(std::span<const Pair> pairs, bool in_place = false) {
    static const std::vector<int32_t> policies = {XLASHAPE_FILL_PADDING, XLASHAPE_FILL_PRESERVE,
                                                  XLASHAPE_FILL_UNSPECIFIED};
    check(pairs, policies, in_place);
  }
  void check(std::span<const Pair> pairs, std::span<const int32_t> policies, bool in_place) {
    static testing::Buffers buffers(2 << 20);
    const testing::Opened opened(*GetParam());
    Faults::watch();
    for (const auto& [from, to] : pairs) {
      for (const int32_t policy : policies) {
        const testing::Case c = testing::case_of(testing::parsed(from), testing::parsed(to), policy);
        const testing::Form form(c);
        ASSERT_EQ(form.status(), XLASHAPE_STATUS_OK) << form.message();
        int wrong = 0, runs = 0;
        std::string first;
        for (const auto& [name, backend] : opened.forms())
          for (const int64_t workers : {1, 2, 3, 4, 8})
            for (const Placement& place :
                 {Placement{}, Placement{true, 0}, Placement{false, 16}, Placement{false, 29}}) {
              testing::Random random(static_cast<uint64_t>(++runs));
              testing::How how;
              how.workers = workers;
              how.in_place = in_place;
              how.tasks = (runs + runs / 4) % 2 ? 0 : workers;  // at each place in both ways
              how.src = place;
              how.dst = runs % 3 ? place : Placement{};
              Faults::begins(std::string(GetParam()->name) + ", " + name + "\n" + c.name());
              testing::Run run(*backend, form, how, buffers, random);
              auto failure = run.failure();
              if (!run.taken()) failure = "not taken";
              if (failure && ++wrong == 1) first = *failure + "\n" + name;
            }
        EXPECT_EQ(wrong, 0) << "of " << runs << " runs of " << c.name() << "\n" << first;
      }
    }
  }
};

// Runs of more than 4096 bytes in rows that are apart, moved in several tasks.
TEST_P(Named, LongRunsInSeveralTasks) {
  static constexpr Pair pairs[] = {
      {"u8[12,2,5678]{2,1,0}", "u8[12,2,5678]{2,0,1}"},
      {"f32[4,16,2048]{2,1,0}", "f32[4,16,2048]{2,0,1}"},
      {"f32[40,5,1500]{2,1,0}", "f32[40,5,1500]{2,0,1}"},
      {"c128[38,4,291,1]{3,2,1,0}", "c128[38,4,291,1]{3,2,0,1}"},
      {"u8[64,20000]{1,0:PD(64,20001)}", "u8[64,20000]{1,0}"},
      {"u8[64,20000]{1,0}", "u8[64,20000]{1,0:PD(64,20001)}"},
      {"u8[16,2,4097]{2,1,0}", "u8[16,2,4097]{2,0,1}"},
      {"u8[16,2,4096]{2,1,0}", "u8[16,2,4096]{2,0,1}"},
      {"u8[32,2,2049]{2,1,0}", "u8[32,2,2049]{2,0,1}"},
      {"u8[3,2,30000]{2,1,0}", "u8[3,2,30000]{2,0,1}"},
      {"u8[2,2,40000]{2,1,0}", "u8[2,2,40000]{2,0,1}"},
  };
  check(pairs);
}

// Units that end within lines of the destination where the next ones begin: in rows that are contiguous in the source,
// all of them or some, and in rows that are apart.
TEST_P(Named, UnitsThatShareLines) {
  static constexpr Pair pairs[] = {
      {"u8[9,7,64]{2,1,0}", "u8[9,7,64]{2,0,1}"},
      {"u8[9,7,65]{2,1,0}", "u8[9,7,65]{2,0,1}"},
      {"bf16[3,40,4,64]{3,2,1,0}", "bf16[3,40,4,64]{3,1,2,0}"},
      {"f32[2,9,2,47]{3,2,1,0}", "f32[2,9,2,47]{3,1,2,0}"},
      {"u8[7,3,5,6,80]{4,3,2,1,0}", "u8[7,3,5,6,80]{4,2,0,3,1}"},
      {"f32[3,2,4,1,25]{4,3,2,1,0}", "f32[3,2,4,1,25]{4,2,0,3,1}"},
      {"f32[40,300]{1,0}", "f32[40,300]{1,0:T(8,128)}"},
  };
  check(pairs);
}

// Tiles are cut where lines of the destination begin.
TEST_P(Named, ColumnsThatBeginWithinLines) {
  static constexpr Pair pairs[] = {
      {"f32[64,128]{1,0}", "f32[64,128]{0,1}"},
      {"f32[65,128]{1,0}", "f32[65,128]{0,1}"},
      {"f32[128,33]{1,0}", "f32[128,33]{0,1}"},
      {"f64[3,96,40]{2,1,0}", "f64[3,96,40]{1,2,0}"},
      {"c128[80,20]{1,0}", "c128[80,20]{0,1}"},
      {"bf16[512,40]{1,0}", "bf16[512,40]{0,1}"},
      {"u8[1024,70]{1,0}", "u8[1024,70]{0,1}"},
      {"f32[16,16,30]{2,1,0}", "f32[16,16,30]{1,0,2}"},
      {"f32[120,200]{1,0}", "f32[120,200]{0,1:T(8,128)}"},
  };
  check(pairs);
}

// Elements in the other order: of a dimension that is contiguous, or of one that steps over a few.
TEST_P(Named, Reversed) {
  struct Reversal {
    const char *from, *to;
    std::vector<int64_t> strides;  // of the source
  };
  static const Reversal reversals[] = {
      {"u8[50,67,3]{2,1,0}", "u8[50,67,3]{2,1,0}", {201, 3, -1}},
      {"u8[50,67,3]{2,1,0}", "u8[50,67,3]{2,1,0}", {201, -3, 1}},
      {"u8[50,67,3]{2,1,0}", "u8[50,67,3]{2,1,0}", {201, -3, -1}},
      {"u8[50,67,3]{2,1,0}", "u8[50,67,3]{2,1,0}", {-201, -3, -1}},
      {"u8[50,67,4]{2,1,0}", "u8[50,67,4]{2,1,0}", {-300, 4, -1}},
      {"bf16[2001,2]{1,0}", "bf16[2001,2]{1,0}", {4, -2}},
      {"f32[9,1033]{1,0}", "f32[9,1033]{1,0}", {4132, -4}},
      {"f64[1029]{0}", "f64[1029]{0}", {-8}},
      {"c128[515]{0}", "c128[515]{0}", {-16}},
      {"u8[4099]{0}", "u8[4099]{0}", {-1}},
      {"u8[333,5,3]{2,1,0}", "u8[333,5,3]{1,2,0}", {15, -3, 1}},
      {"u8[333,3,2]{2,1,0}", "u8[333,3,2]{2,1,0}", {6, 3, 1}},  // what is read overlaps, and has gaps
  };
  static testing::Buffers buffers(1 << 20);
  const testing::Opened opened(*GetParam());
  for (const Reversal& reversal : reversals) {
    testing::Case c = testing::case_of(testing::parsed(reversal.from), testing::parsed(reversal.to));
    c.src_strides = reversal.strides;
    c.request.src.byte_strides = c.src_strides.data();
    const testing::Form form(c);
    ASSERT_EQ(form.status(), XLASHAPE_STATUS_OK) << form.message();
    for (const auto& [name, backend] : opened.forms())
      for (const int64_t tasks : {1, 2, 3, 7})
        for (const Placement& place : {Placement{}, Placement{true, 0}, Placement{false, 29}}) {
          testing::Random random(static_cast<uint64_t>(tasks));
          testing::How how;
          how.tasks = tasks;
          how.src = how.dst = place;
          testing::Run run(*backend, form, how, buffers, random);
          const auto failure = run.failure();
          EXPECT_FALSE(failure) << c.name() << "\n" << *failure << "\n" << name;
          EXPECT_TRUE(run.taken()) << c.name();
        }
  }
}

// A dimension of the destination whose last tile is short, behind dimensions that go on as one.
TEST_P(Named, ShortLastTiles) {
  static constexpr Pair pairs[] = {
      {"u8[3,11,6,10,9]{4,0,2,1,3}", "u8[3,11,6,10,9]{3,2,1,0,4:T(6)}"},
      {"u8[5,6,11,11,5]{4,0,2,1,3}", "u8[5,6,11,11,5]{3,2,1,0,4:T(4)}"},
      {"u8[3,7,5,3,5,7,2]{6,5,0,2,1,3,4}", "u8[3,7,5,3,5,7,2]{3,4,2,1,6,0,5:T(4,1)}"},
  };
  check(pairs);
}

// Packed elements of one row more than whole vectors, or one less.
TEST_P(Named, PackedRows) {
  static const std::vector<std::array<std::string, 2>> texts = [] {
    std::vector<std::array<std::string, 2>> made;
    struct Matrix {
      const char* type;
      int64_t bits, columns;
    };
    for (const Matrix& m :
         {Matrix{"s4", 4, 9}, {"s4", 4, 2}, {"s4", 4, 64}, {"u2", 2, 4}, {"u2", 2, 42}, {"u1", 1, 8}, {"u1", 1, 65}})
      for (const int64_t rows : {127, 128, 129, 130, 257, 385}) {
        const std::string shape =
            std::string(m.type) + "[" + std::to_string(rows) + "," + std::to_string(m.columns) + "]";
        const std::string bits = ":E(" + std::to_string(m.bits) + ")}";
        made.push_back({shape + "{1,0" + bits, shape + "{0,1}"});
        made.push_back({shape + "{1,0}", shape + "{0,1" + bits});
        made.push_back({shape + "{1,0" + bits, shape + "{0,1" + bits});
        made.push_back({shape + "{0,1" + bits, shape + "{1,0" + bits});
      }
    return made;
  }();
  std::vector<Pair> pairs;
  for (const auto& text : texts) pairs.push_back({text[0].c_str(), text[1].c_str()});
  static constexpr int32_t kAny[] = {XLASHAPE_FILL_PADDING};  // there is no padding
  check(pairs, kAny, false);
}

// Small tiles whose rows and columns could both be interleaves: what is on its way out past the caches has room in its
// stage.
TEST_P(Named, InterleavesOnBothSides) {
  static constexpr Pair pairs[] = {
      {"u8[2049,4]{1,0:T(5,7)(5,1)}", "u8[2049,4]{1,0}"},
      {"u8[8,1,1,191]{2,1,0,3}", "u8[8,1,1,191]{2,3,0,1:T(8,128)(2,1)}"},
      {"bf16[9,3992,7]{2,1,0}", "bf16[9,3992,7]{2,1,0:T(5,7)(5,1)}"},
      {"u8[5,255,5,3,4,2]{3,0,1,4,2,5}", "u8[5,255,5,3,4,2]{0,5,4,3,2,1:T(4)}"},
  };
  check(pairs);
}

// Interleaves side by side whose planes lie one behind the other in the source. On their way out past the caches each
// column of a plane takes whole lines of the stage: far fewer planes have room there than their bytes alone would.
TEST_P(Named, ManyShortInterleaves) {
  static constexpr Pair pairs[] = {
      {"u8[128,16,4]{2,1,0}", "u8[128,16,4]{1,2,0}"},
      {"u8[3,600,3,4]{3,2,1,0}", "u8[3,600,3,4]{2,3,1,0}"},
      {"u8[200,20,2]{2,1,0}", "u8[200,20,2]{1,2,0}"},
      {"bf16[2,150,9,3]{3,2,1,0}", "bf16[2,150,9,3]{2,3,1,0}"},
  };
  check(pairs);
}

// The last tile's rows are cut short, and a tile's rows go on from one to the next on both sides: rows and columns are
// one loop then, the bound of the rows counts elements, and so must all loops over rows.
TEST_P(Named, ShortLastRowsFusedWithColumns) {
  static constexpr Pair pairs[] = {
      {"u8[10,6]{1,0:T(2,3)}", "u8[10,6]{1,0:T(4,3)}"},
      {"u8[102,12]{1,0:T(2,3)}", "u8[102,12]{1,0:T(4,3)}"},
      {"f32[90,256]{1,0:T(4,128)}", "f32[90,256]{1,0:T(8,128)}"},
      {"bf16[301,384]{1,0:T(8,128)}", "bf16[301,384]{1,0:T(16,128)}"},
  };
  check(pairs);
}

// An outer dimension that the source's tiles cut in two and the destination pads: filled in the pass that moves.
TEST_P(Named, PaddedOuterDimension) {
  static constexpr Pair pairs[] = {
      {"u8[64,90,51]{2,1,0:T(3,4,4)}", "u8[64,90,51]{2,1,0:T(8,128)PD(68,90,51)}"},
      {"u8[9,51,65,2]{3,2,1,0:T(2,3,4)}", "u8[9,51,65,2]{1,3,0,2:T(8,128)PD(9,53,68,2)}"},
      {"u8[65,90,51]{2,1,0:T(3,4,4)}", "u8[65,90,51]{2,1,0:T(8,128)}"},
  };
  check(pairs);
}

// Both sides alike, in the same memory: only padding is written.
TEST_P(Named, InPlace) {
  static constexpr Pair pairs[] = {
      {"u8[8,7,8,8]{2,1,0,3:T(7)}", "u8[8,7,8,8]{2,1,0,3:T(7)}"},
      {"u8[100,8]{1,0:T(7)}", "u8[100,8]{1,0:T(7)}"},
      {"f32[100,100]{1,0:T(8,128)}", "f32[100,100]{1,0:T(8,128)}"},
      {"bf16[5,99,1000]{2,1,0:T(8,128)(2,1)}", "bf16[5,99,1000]{2,1,0:T(8,128)(2,1)}"},
      {"u8[31,33]{1,0:T(4,4)}", "u8[31,33]{1,0:T(4,4)}"},
      {"u8[64,20000]{1,0:PD(64,20001)PV(one)}", "u8[64,20000]{1,0:PD(64,20001)PV(one)}"},
      {"f32[1001]{0:L(512)}", "f32[1001]{0:L(512)}"},
      {"s4[129,9]{1,0:T(2,16)E(4)}", "s4[129,9]{1,0:T(2,16)E(4)}"},
      {"f64[70,70]{1,0}", "f64[70,70]{1,0}"},
  };
  check(pairs, true);
}

// The same order in containers of another width is not the same array: moved in the same memory, elements would be
// written over others that are still to be read.
TEST_P(Named, OtherContainersAreNotInPlace) {
  static constexpr Pair pairs[] = {
      {"s4[999]{0:E(4)}", "s4[999]{0}"},
      {"s4[999]{0}", "s4[999]{0:E(4)}"},
      {"u2[40,64]{1,0:E(2)}", "u2[40,64]{1,0:E(4)}"},
  };
  for (const auto& [from, to] : pairs) {
    const testing::Case c = testing::case_of(testing::parsed(from), testing::parsed(to));
    EXPECT_EQ(testing::Form(c).ir().flags & XLASHAPE_IR_IS_IDENTITY, 0u) << c.name();
  }
  check(pairs, true);
}

// Boxes of packed rows that begin within a byte: the tasks that move one share none, as they may run at once. So many
// rows as a tile of the source has are whole bytes, and it is tempting to cut there.
TEST_P(Named, PackedBoxInSeveralTasks) {
  struct Box {
    const char *from, *to;
    std::vector<int64_t> src_base, dst_base, extent;
  };
  static const Box boxes[] = {
      {"s2[513,47]{1,0:T(8,128)(4,1)E(2)}", "s2[513,47]{1,0:E(2)}", {59, 0}, {9, 0}, {422, 47}},
      {"s4[101,15]{1,0:T(4,5)E(4)}", "s4[101,15]{1,0:E(4)}", {4, 0}, {1, 0}, {80, 15}},
      {"u1[300,9]{1,0:T(8,3)E(1)}", "u1[300,9]{1,0:E(1)}", {16, 0}, {3, 0}, {280, 9}},
  };
  static testing::Buffers buffers(1 << 20);
  const testing::Opened opened(*GetParam());
  for (const Box& box : boxes) {
    testing::Case c = testing::case_of(testing::parsed(box.from), testing::parsed(box.to));
    c.src_base = box.src_base, c.dst_base = box.dst_base, c.extent = box.extent;
    c.request.src.base = c.src_base.data();
    c.request.dst.base = c.dst_base.data();
    c.request.extent = c.extent.data();
    const testing::Form form(c);
    ASSERT_EQ(form.status(), XLASHAPE_STATUS_OK) << form.message();
    for (const auto& [name, backend] : opened.forms())
      for (const int64_t tasks : {1, 2, 3, 5, 8, 50}) {
        testing::Random random(static_cast<uint64_t>(tasks));
        testing::How how;
        how.tasks = tasks;
        how.watch = true;
        testing::Run run(*backend, form, how, buffers, random);
        const auto failure = run.failure();
        EXPECT_FALSE(failure) << c.name() << "\n" << *failure << "\n" << name;
        EXPECT_TRUE(run.taken() || GetParam()->simd) << c.name();  // simd leaves some to scalar
      }
  }
}

// The largest sizes, a few: with the caches that there are, so that what is streamed at home is streamed here.
TEST_P(Named, Large) {
  static constexpr Pair pairs[] = {
      {"f32[2048,4097]{1,0}", "f32[2048,4097]{0,1}"},
      {"bf16[64,1025,255]{2,1,0}", "bf16[64,1025,255]{1,2,0:T(8,128)(2,1)}"},
      {"u8[37,129,5000]{2,1,0}", "u8[37,129,5000]{2,0,1}"},
      {"f32[4096,4096]{1,0}", "f32[4096,4096]{1,0:T(8,128)}"},
      {"s4[8193,8191]{1,0:E(4)}", "s4[8193,8191]{0,1:E(4)}"},
      {"c128[1023,65,63]{2,1,0}", "c128[1023,65,63]{0,1,2}"},
  };
  if (kFew) GTEST_SKIP() << "only where it does not take long";
  static testing::Buffers buffers(int64_t{70} << 20);
  const testing::OpenedBackend backend(testing::Opened::opener(*GetParam()), GetParam()->features,
                                       detect_cpu().l2_bytes);
  uint64_t seed = testing::number_of(*GetParam());
  for (const auto& [from, to] : pairs) {
    if (seed++ % 3 != 0) continue;  // each level has two of them
    testing::Random random(seed);
    const testing::Case c = testing::case_of(testing::parsed(from), testing::parsed(to));
    const testing::Form form(c);
    ASSERT_EQ(form.status(), XLASHAPE_STATUS_OK) << form.message();
    testing::How how;
    how.workers = 4;
    how.dst.misalignment = random.in(0, 1) * 16;
    testing::Run run(backend, form, how, buffers, random);
    const auto failure = run.failure();
    EXPECT_FALSE(failure) << c.name() << "\n" << *failure;
    EXPECT_TRUE(run.taken()) << c.name();
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Named, ::testing::ValuesIn([] {
                           std::vector<const Level*> all;
                           for (const Level& level : testing::levels()) all.push_back(&level);
                           return all;
                         }()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace xlashape::core
