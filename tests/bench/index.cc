// SPDX-License-Identifier: Apache-2.0
#include "index.h"

#include <cstring>

#include "copies.h"
#include "memory.h"
#include "sample.h"
#include "session.h"

namespace bench {
namespace {

// About 10^7 elements at every rank, none a power of two.
constexpr int64_t kDimensions[8][8] = {{10000019},
                                       {3163, 3167},
                                       {211, 217, 223},
                                       {37, 113, 61, 97},
                                       {23, 29, 25, 27, 31},
                                       {13, 15, 17, 14, 18, 19},
                                       {9, 11, 10, 13, 7, 11, 12},
                                       {7, 9, 6, 7, 9, 7, 10, 11}};

struct Setup {
  int64_t rank, count;
  bool structure_of_arrays;
  int64_t* linear;
  int64_t* index;
  int64_t index_step() const { return structure_of_arrays ? 1 : rank; }
  int64_t dimension_step() const { return structure_of_arrays ? count : 1; }
  int64_t bytes() const { return (rank + 1) * count * 8; }
};

// What one writes first: the compiler does not know the dimensions.
__attribute__((noinline)) void plain_to_multi(const Setup& s, const int64_t* dimensions) {
  for (int64_t i = 0; i < s.count; ++i) {
    int64_t rest = s.linear[i];
    int64_t* at = s.index + i * s.index_step();
    for (int64_t d = s.rank - 1; d > 0; --d) {
      at[d * s.dimension_step()] = rest % dimensions[d];
      rest /= dimensions[d];
    }
    at[0] = rest;
  }
}

__attribute__((noinline)) bool plain_to_linear(const Setup& s, const int64_t* dimensions) {
  bool good = true;
  for (int64_t i = 0; i < s.count; ++i) {
    const int64_t* at = s.index + i * s.index_step();
    int64_t position = 0;
    for (int64_t d = 0; d < s.rank; ++d) {
      const int64_t x = at[d * s.dimension_step()];
      good &= x >= 0 && x < dimensions[d];
      position = position * dimensions[d] + x;
    }
    s.linear[i] = position;
  }
  return good;
}

bool run(const Session& session, const Setup& s, char* spare) {
  const int64_t* dimensions = kDimensions[s.rank - 1];
  xlashape_shape* handle = nullptr;
  check([&](xlashape_error* err) {
    return xlashape_shape_create_array(XLASHAPE_TYPE_F32, dimensions, nullptr, s.rank, nullptr, 0, &handle, err);
  });
  const Shape shape(handle);
  const Map map = make_map(shape.get());
  const int64_t positions = xlashape_index_map_storage_elements(map.get());
  const auto start = [&] {
    for (int64_t i = 0; i < s.count; ++i) s.linear[i] = (i * 7919) % positions;
  };
  const auto plan = [&](xlashape_index_conversion conversion) {
    return make_index_plan(session.runtime(), map, conversion, s.index_step(), s.dimension_step());
  };
  const IndexPlan multi_plan = plan(XLASHAPE_CONVERSION_TO_MULTIDIMENSIONAL),
                  linear_plan = plan(XLASHAPE_CONVERSION_TO_LINEAR);
  const auto to_multi = [&] { convert(multi_plan, s.count, s.linear, s.index); };
  const auto to_linear = [&] { convert(linear_plan, s.count, s.index, s.linear); };
  start();
  to_multi();
  std::vector<int64_t> want(s.index, s.index + s.rank * s.count);
  plain_to_multi(s, dimensions);
  bool good = std::memcmp(want.data(), s.index, want.size() * 8) == 0;
  std::memset(s.linear, 0, static_cast<size_t>(s.count) * 8);
  to_linear();
  for (int64_t i = 0; i < s.count; ++i) good &= s.linear[i] == (i * 7919) % positions;

  // The same bytes read and written: half of them each.
  const int64_t copied = s.bytes() / 2;
  const int threads = session.team().size();
  const bool warm = s.bytes() <= (64 << 20);
  std::vector<Contender> contenders = {
      // As the columns of the table.
      {timed(to_multi, warm, threads), {}},
      {timed(to_linear, warm, threads), {}},
      {timed([&] { std::memcpy(spare, reinterpret_cast<const char*>(s.index), static_cast<size_t>(copied)); }, warm),
       {}},
      {timed([&] { streaming_copy(spare, reinterpret_cast<const char*>(s.index), static_cast<size_t>(copied)); }, warm),
       {}},
      {timed([&] { plain_to_multi(s, dimensions); }, warm), {}},
      {timed([&] { good &= plain_to_linear(s, dimensions); }, warm), {}},
  };
  take_turns(contenders, 5, 5, 7);
  std::printf("| %lld | %lld | %s |", static_cast<long long>(s.rank), static_cast<long long>(s.count),
              s.structure_of_arrays ? "SoA" : "AoS");
  for (const auto& contender : contenders)
    std::printf(" %.2f |", contender.median() / static_cast<double>(s.count) * 1e9);
  std::printf("%s\n", good ? "" : " WRONG");
  std::fflush(stdout);
  return good;
}

}  // namespace

bool run_index(const Session& session) {
  std::printf(
      "\nIndex batches, checked, nanoseconds per index. The copies move the same bytes.\n\n"
      "| rank | indices | arrays | to multi | to linear | memcpy | streaming copy | `/ %%` to multi | `/ %%` to linear "
      "|\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  bool good = true;
  for (const int64_t count : {int64_t{16384}, int64_t{10000000}}) {
    Buffer linear(count * 8), index(count * 8 * 8), spare(count * 8 * 5);
    for (int64_t rank = 1; rank <= 8; ++rank)
      for (const bool structure_of_arrays : {true, false})
        good &= run(session,
                    {rank, count, structure_of_arrays, reinterpret_cast<int64_t*>(linear.data()),
                     reinterpret_cast<int64_t*>(index.data())},
                    spare.data());
  }
  return good;
}

}  // namespace bench
