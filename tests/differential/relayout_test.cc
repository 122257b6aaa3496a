// SPDX-License-Identifier: Apache-2.0
// Relayouts of the sizes that people use, on every target of the simd backend that this machine has and on scalar,
// against a reference of its own. A failure says its seed: XLASHAPE_TEST_SEED=seed XLASHAPE_TEST_CASES=1 and the test's
// name as --gtest_filter run that case alone. XLASHAPE_TEST_CASES is the number of all cases together,
// XLASHAPE_TEST_SEED that of the first; "clock" takes seeds that nobody had before.
#include <ctime>

#include "differential/cases.h"
#include "differential/levels.h"
#include "differential/run.h"

namespace xlashape::core {
namespace {

using testing::Buffers;
using testing::Case;
using testing::Family;
using testing::Faults;
using testing::Form;
using testing::Level;
using testing::Random;

constexpr int64_t kLargest = 8 << 20;  // bytes of an array

int64_t case_count() {
  const char* given = std::getenv("XLASHAPE_TEST_CASES");
  return given != nullptr ? std::atoll(given) : XLASHAPE_DIFFERENTIAL_CASES;
}

uint64_t first_seed() {
  const char* given = std::getenv("XLASHAPE_TEST_SEED");
  if (given == nullptr) return 1;
  if (std::string(given) != "clock") return std::strtoull(given, nullptr, 10);
  static const auto now = static_cast<uint64_t>(std::time(nullptr)) * 1000000;
  return now;
}

// About so many bytes: most between 64 KiB and 1 MiB; some where a number of tasks ends; few larger.
int64_t draw_bytes(Random& random) {
  if (random.chance(25)) {
    static const std::vector<int64_t> units = {1 << 16, 1 << 17, 1 << 20};
    return random.of(units) * random.in(1, 6) + random.in(-2, 2) * random.in(1, 64);
  }
  const double low = 16, high = random.chance(4) ? 22.5 : 20;
  return static_cast<int64_t>(std::exp2(low + (high - low) * static_cast<double>(random.in(0, 1000)) / 1000));
}

struct Param {
  const Family* family;
  const Level* level;
};

void PrintTo(const Param& param, std::ostream* out) { *out << param.family->name << " on " << param.level->name; }

class Differential : public ::testing::TestWithParam<Param> {};

// A case that fits, the first of what the seed gives.
Case draw_case(const Family& family, Random& random, uint64_t number, std::optional<Form>* form) {
  while (true) {
    const int64_t bytes = draw_bytes(random);
    Case c = family.make({random, number, bytes});
    form->emplace(c);
    if ((*form)->status() != XLASHAPE_STATUS_OK)
      continue;  // strides that overlap, a tile that such a layout cannot have
    const int64_t size = std::max((*form)->src_bytes(), (*form)->dst_bytes());
    if (size >= 4096 && size <= std::min(kLargest, 4 * bytes + 65536)) return c;
  }
}

// Whether elements of a side share bytes and lie by strides, which may leave gaps between them: that may be refused.
bool has_packed_strides(const xlashape_relayout_ir& ir) {
  return (ir.src->output_extent == nullptr && ir.src_container_bits < 8) ||
         (ir.dst->output_extent == nullptr && ir.dst_container_bits < 8);
}

TEST_P(Differential, Relayouts) {
  static Buffers buffers(kLargest);
  const auto& [family, level] = GetParam();
  const std::string why = testing::missing(*level);
  if (!why.empty()) GTEST_SKIP() << why;
  const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  Faults::watch();
  const testing::Opened opened(*level);
  const int64_t count = testing::part_of(case_count(), *family, *level);
  int64_t taken = 0, scattered = 0, wrong = 0, elements = 0;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t seed = first_seed() + static_cast<uint64_t>(i);
    // Each test has its own cases, and orders that go on where the other levels' end.
    const auto place = static_cast<uint64_t>(family - testing::families().data()) * 16 + testing::number_of(*level);
    Random random(seed * 128 + place);
    std::optional<Form> form;
    const Case c = draw_case(*family, random, seed + place * 331, &form);
    const testing::How how = testing::draw_how(random);
    const auto& [form_name, backend] = opened.of(random);
    const std::string seed_text = std::string(form_name) + "; XLASHAPE_TEST_SEED=" + std::to_string(seed);
    Faults::begins(name + " " + seed_text + "\n" + c.name());
    testing::Run run(*backend, *form, how, buffers, random);
    const auto failure = run.failure();
    taken += run.taken();
    scattered += !run.taken() && has_packed_strides(form->ir());
    elements += form->ir().elements;
    if (!failure) continue;
    if (++wrong <= 3)
      ADD_FAILURE() << c.name() << "\n"
                    << *failure << "\n"
                    << level->name << ", " << form_name << "; XLASHAPE_TEST_SEED=" << seed;
  }
  EXPECT_EQ(wrong, 0) << "of " << count << " cases, " << taken << " of which the backend takes";
  EXPECT_GE(taken + scattered + 5, count * 8 / 10);  // a few other cases scatter more
  RecordProperty("taken", std::to_string(taken));
  RecordProperty("elements", std::to_string(elements));
}

std::vector<Param> all_params() {
  std::vector<Param> params;
  for (const Family& family : testing::families())
    for (const Level& level : testing::levels()) params.push_back({&family, &level});
  return params;
}

INSTANTIATE_TEST_SUITE_P(Real, Differential, ::testing::ValuesIn(all_params()), [](const auto& info) {
  return std::string(info.param.family->name) + "On" + info.param.level->name;
});

}  // namespace
}  // namespace xlashape::core
