// SPDX-License-Identifier: Apache-2.0
// Every plan of the scalar backend against the reference walker: random shapes, layouts, boxes, strides, with a
// poisoned destination and guard bytes, and in any number of tasks.
#include "unit/huge_relayout.h"

extern "C" xlashape_status xlashape_backend_open_scalar(const xlashape_host*, xlashape_backend*, xlashape_error*);

namespace xlashape::core {
namespace {

TEST(Relayout, MatchesTheReferenceOnRandomCases) {
  const int64_t count = testing::case_count(3000);
  const testing::OpenedBackend scalar(xlashape_backend_open_scalar, 0, 0);
  testing::Tally tally;
  for (int64_t i = 0; i < count; ++i) {
    testing::Random random(static_cast<uint64_t>(i) + 1);
    const testing::Case c = testing::random_case(random);
    testing::check_relayout(scalar, random, c, &tally);
    if (HasFatalFailure()) {
      ADD_FAILURE() << "seed " << i + 1;
      return;
    }
  }
  EXPECT_EQ(tally.taken, count);
  EXPECT_GT(tally.with_nest, count / 3);  // the fast form is to be common even among such layouts
}

TEST(Relayout, ConvertsAsTheReferenceOnRandomCases) {
  const int64_t count = testing::case_count(2000);
  const testing::OpenedBackend scalar(xlashape_backend_open_scalar, 0, 0);
  testing::Tally tally;
  int scaled = 0, high_first = 0;
  for (int64_t i = 0; i < count; ++i) {
    testing::Random random(static_cast<uint64_t>(i) + 1);
    const testing::Case c = testing::random_value_case(random);
    testing::check_relayout(scalar, random, c, &tally);
    if (HasFatalFailure()) {
      ADD_FAILURE() << "seed " << i + 1;
      return;
    }
    scaled += c.scale.size() > 1;
    high_first += c.request.values.src_high_first || c.request.values.dst_high_first;
  }
  EXPECT_EQ(tally.taken, count);
  EXPECT_GT(scaled, count / 20);
  EXPECT_GT(high_first, count / 40);
}

// How many words of a struct grew by `apart`. Of a form made twice, so far apart, these are the addresses within
// its memory; numbers stay.
template <class Form>
int addresses(const Form& first, const Form& second, uintptr_t apart) {
  uintptr_t words[sizeof first / sizeof(uintptr_t)], others[std::size(words)];
  std::memcpy(words, &first, sizeof words);
  std::memcpy(others, &second, sizeof others);
  int count = 0;
  for (size_t i = 0; i < std::size(words); ++i) count += others[i] - words[i] == apart;
  return count;
}

// Whatever the form referred to, its copy refers to its own block: members that nobody has named among them.
TEST(Relayout, CopiesLieInTheirBlock) {
  constexpr size_t kSize = 1 << 16;
  static char space[2][kSize], block[2][2 * kSize];
  int seen = 0, sums = 0, guards = 0, fills = 0;
  for (uint64_t seed = 1; seed <= 5000; ++seed) {
    testing::Random random(seed);
    const testing::Case c = seed % 2 != 0 ? testing::random_case(random) : testing::random_value_case(random);
    Arena arena(space[0], kSize), other(space[1], kSize);
    xlashape_relayout_ir built, twin;
    ASSERT_EQ(build_relayout(c.request, arena, &built, nullptr), XLASHAPE_STATUS_OK) << c.name();
    ASSERT_EQ(build_relayout(c.request, other, &twin, nullptr), XLASHAPE_STATUS_OK) << c.name();
    const size_t size = relayout_bytes(built);
    ASSERT_LE(size, kSize);
    FixedArena copies(block[0], size), twins(block[1], size);
    const xlashape_relayout_ir &kept = *keep_relayout(built, copies), &kept_twin = *keep_relayout(twin, twins);
    const auto check = [&](const auto& own, const auto& own_twin, const auto& from, const auto& from_twin) {
      ASSERT_EQ(addresses(own, own_twin, kSize), 0) << c.name();
      const int moved = addresses(own, own_twin, 2 * kSize);
      ASSERT_GE(moved, addresses(from, from_twin, kSize)) << c.name();
      seen += moved;
    };
    ASSERT_NO_FATAL_FAILURE(check(kept, kept_twin, built, twin));
    ASSERT_NO_FATAL_FAILURE(check(*kept.src, *kept_twin.src, *built.src, *twin.src));
    ASSERT_NO_FATAL_FAILURE(check(*kept.dst, *kept_twin.dst, *built.dst, *twin.dst));
    if (built.values != nullptr) {
      ASSERT_NO_FATAL_FAILURE(check(*kept.values, *kept_twin.values, *built.values, *twin.values));
    }
    for (const auto loops : {&xlashape_relayout_ir::nest, &xlashape_relayout_ir::fill_loops})
      if (built.*loops != nullptr) {
        ASSERT_NO_FATAL_FAILURE(check(*(kept.*loops), *(kept_twin.*loops), *(built.*loops), *(twin.*loops)));
      }
    sums += built.dst->sum_count > 0;
    guards += built.nest != nullptr && built.nest->guard_count > 0;
    fills += built.fill_loops != nullptr;
  }
  EXPECT_GT(seen, 5000 * 20);
  EXPECT_GT(sums, 200);
  EXPECT_GT(guards, 100);
  EXPECT_GT(fills, 100);
}

// What was measured wrongly is an error, never memory that nobody keeps.
TEST(Relayout, ACopyDoesNotLeaveItsBlock) {
  alignas(8) char block[64];
  const int64_t items[8] = {};
  FixedArena arena(block, 63);
  EXPECT_EQ(arena.copy(items, 7), reinterpret_cast<int64_t*>(block));
  EXPECT_THROW(arena.copy(items, 1), std::bad_alloc);
  EXPECT_EQ(arena.copy(static_cast<const int64_t*>(nullptr), 1), nullptr);
}

TEST(Relayout, PlansWhatNoMemoryHolds) {
  const testing::OpenedBackend scalar(xlashape_backend_open_scalar, 0, 0);
  testing::plan_huge_cases(scalar, "scalar", testing::case_count(3000), 2);
}

// What becomes of a value, and of a padding value, in containers wider than it is: worked out from the type's name
// alone. The tests of backends take the answers to this from the form, so a wrong one there they would all share.

// An integral type of less than a byte.
struct Small {
  const char* name;
  int bits;
  bool is_signed;
};
constexpr Small kSmall[] = {{"u1", 1, false}, {"u2", 2, false}, {"u4", 4, false},  {"s1", 1, true},
                            {"s2", 2, true},  {"s4", 4, true},  {"pred", 1, false}};

// The number that a container holds whose lowest bits are `value`: zeros above it, whether or not it has a sign, as in
// XLA's UnpackIntN.
int64_t number(const Small& type, int64_t value) { return value & ((int64_t{1} << type.bits) - 1); }

template <class T>
int64_t nth(const std::vector<unsigned char>& bytes, int64_t i) {
  T word;
  std::memcpy(&word, bytes.data() + static_cast<size_t>(i) * sizeof word, sizeof word);
  return static_cast<int64_t>(word);
}

// Container i as a number without a sign; packed ones by their value.
int64_t number_at(const Small& type, const std::vector<unsigned char>& bytes, int container, int64_t i) {
  switch (container) {
    case 8:
      return nth<uint8_t>(bytes, i);
    case 16:
      return nth<uint16_t>(bytes, i);
    case 32:
      return nth<uint32_t>(bytes, i);
    case 64:
      return nth<int64_t>(bytes, i);
    default:
      return number(type, bytes[static_cast<size_t>(i * container / 8)] >> (i * container % 8));
  }
}

struct Padding {
  const char* name;
  int64_t number;
};
std::vector<Padding> paddings(const Small& type) {
  const int64_t all = int64_t{1} << type.bits;
  return {{"zero", 0},
          {"one", number(type, 1)},
          {"lowest", type.is_signed ? all / 2 : 0},
          {"highest", (type.is_signed ? all / 2 : all) - 1}};
}

std::string array(const Small& type, int container, const std::string& padding) {
  std::string ends = container == 8 ? "" : "E(" + std::to_string(container) + ")";
  ends += padding.empty() ? "" : "PD(29)PV(" + padding + ")";
  return std::string(type.name) + "[23]{0" + (ends.empty() ? "" : ":" + ends) + "}";
}

void check(const Small& type, int from, int to, const Padding& padding) {
  const testing::Case c =
      testing::case_of(testing::parsed(array(type, from, "")), testing::parsed(array(type, to, padding.name)));
  alignas(16) char space[8192];
  Arena arena(space, sizeof space);
  xlashape_relayout_ir ir;
  auto err = XLASHAPE_INIT(xlashape_error);
  ASSERT_EQ(build_relayout(c.request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message << "\n" << c.name();
  ASSERT_EQ(ir.src_container_bits, from);
  ASSERT_EQ(ir.dst_container_bits, to);
  // Whatever lies in a container beside the value, where containers differ it goes no further.
  testing::Random random(static_cast<uint64_t>(from * 100 + to));
  const auto src = testing::random_bytes(random, ir.src_high);
  std::vector<unsigned char> dst(static_cast<size_t>(ir.dst_high), 0x5A);
  reference::relayout(ir, reinterpret_cast<const char*>(src.data()), reinterpret_cast<char*>(dst.data()));
  for (int64_t i = 0; i < 23; ++i) {
    const int64_t held = number_at(type, src, from, i), wanted = from == to ? held : number(type, held);
    EXPECT_EQ(number_at(type, dst, to, i), wanted) << c.name() << " element " << i;
  }
  for (int64_t i = 23; i < 29; ++i)
    EXPECT_EQ(number_at(type, dst, to, i), padding.number) << c.name() << " position " << i;
}

TEST(Values, KeepTheirBitsInEveryContainer) {
  for (const Small& type : kSmall)
    for (const int from : {type.bits, 8, 16, 32, 64})
      for (const int to : {type.bits, 8, 16, 32, 64})
        for (const Padding& padding : paddings(type)) {
          // Between containers of whole bytes those of a pred are left as they are.
          if (std::string(type.name) == "pred" && from >= 8 && to >= 8) continue;
          check(type, from, to, padding);
          if (::testing::Test::HasFailure()) return;
        }
}

}  // namespace
}  // namespace xlashape::core
