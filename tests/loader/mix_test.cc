// SPDX-License-Identifier: Apache-2.0
// Everything that may happen at once in a runtime, at once: backends are loaded, added and refused while other threads
// plan, move, convert indices and ask, and runtimes come and go. What is answered is checked; TSan sees what is read
// while it is written.
#include <array>
#include <atomic>
#include <thread>

#include "loader.h"
#include "xlashape_backend.h"

namespace {

using namespace loader;

constexpr int kThreads = 12, kRounds = 12, kSteps = 8;
constexpr int64_t kRows = 40, kColumns = 50;

xlashape_status open_refuses(const xlashape_host*, xlashape_backend*, xlashape_error*) {
  return XLASHAPE_STATUS_UNSUPPORTED;
}
xlashape_status supports_nothing(void*, const xlashape_op*, xlashape_support*, xlashape_error*) {
  return XLASHAPE_STATUS_OK;
}
xlashape_status runs_nothing(void*, const void*, const xlashape_op*, const xlashape_run*, xlashape_error*) {
  return XLASHAPE_STATUS_UNSUPPORTED;
}
xlashape_status open_idle(const xlashape_host* host, xlashape_backend* backend, xlashape_error*) {
  backend->abi_version = host->abi_max;
  backend->name = "idle";
  backend->build_id = "1";
  backend->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  backend->supports = supports_nothing;
  backend->plan_execute = runs_nothing;
  return XLASHAPE_STATUS_OK;
}

// What all threads of a round work on.
struct Round {
  const Folder& folder;
  const Runtime& shared;
  xlashape_shape *rows, *columns;
  xlashape_index_map* map;
  std::atomic<xlashape_plan*> handed{nullptr};  // from one thread to the next
  std::atomic<int> wrong{0};
};

bool moves(const std::array<uint8_t, kRows * kColumns>& dst) {
  for (int64_t y = 0; y < kRows; ++y)
    for (int64_t x = 0; x < kColumns; ++x)
      if (dst[static_cast<size_t>(x * kRows + y)] != static_cast<uint8_t>(y * kColumns + x)) return false;
  return true;
}

// One thing that a thread does. `random` is its own.
void step(Round& round, xlashape_runtime* runtime, uint32_t random) {
  std::array<uint8_t, kRows * kColumns> src, dst{};
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<uint8_t>(i);
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = random & 1 ? "good" : nullptr;
  options.flags = XLASHAPE_PLAN_ALLOW_FALLBACK;
  bool right = true;
  switch ((random >> 1) % 8) {
    case 0:
    case 1: {
      xlashape_plan* plan = nullptr;
      right =
          xlashape_plan_create(runtime, round.rows, round.columns, &options, &plan, nullptr) == XLASHAPE_STATUS_OK &&
          xlashape_plan_execute(plan, src.data(), byte_count(src), dst.data(), byte_count(dst), nullptr) ==
              XLASHAPE_STATUS_OK &&
          moves(dst);
      xlashape_plan* const other = round.handed.exchange(plan);
      if (other != nullptr)
        right &= xlashape_plan_execute(other, src.data(), byte_count(src), dst.data(), byte_count(dst), nullptr) ==
                     XLASHAPE_STATUS_OK &&
                 moves(dst);
      xlashape_plan_release(other);
      break;
    }
    case 2:
      right = xlashape_relayout(runtime, round.rows, src.data(), kRows * kColumns, round.columns, dst.data(),
                                kRows * kColumns, &options, nullptr) == XLASHAPE_STATUS_OK &&
              moves(dst);
      break;
    case 3: {
      const int64_t index[] = {3, 7, kRows - 1, kColumns - 1};
      int64_t linear[2] = {};
      xlashape_index_plan* plan = nullptr;
      right = xlashape_index_plan_create(runtime, round.map, XLASHAPE_CONVERSION_TO_LINEAR, nullptr, &plan, nullptr) ==
                  XLASHAPE_STATUS_OK &&
              xlashape_index_plan_execute(plan, 2, index, sizeof index, linear, sizeof linear, nullptr, nullptr) ==
                  XLASHAPE_STATUS_OK &&
              linear[0] == 7 * kRows + 3 && linear[1] == kRows * kColumns - 1;
      xlashape_index_plan_release(plan);
      break;
    }
    case 4: {
      int64_t needed = 0;
      char text[64];
      xlashape_runtime_report(runtime, text, sizeof text, &needed, nullptr);
      auto info = XLASHAPE_INIT(xlashape_backend_info);
      const int64_t count = xlashape_runtime_backend_count(runtime);
      for (int64_t i = 0; i < count; ++i)
        right &= xlashape_runtime_backend_info(runtime, i, &info, nullptr) == XLASHAPE_STATUS_OK;
      right &= needed > int64_t{sizeof text} && count >= 1;
      break;
    }
    case 5: {
      static constexpr const char* kNames[] = {"good", "refuses", "no_symbol", "nests", "missing"};
      const std::string path = round.folder.file(std::string(kNames[(random >> 8) % 5]) + ".so");
      xlashape_runtime_load_backend(runtime, path.data(), path.size(), nullptr);
      break;
    }
    default: {
      const std::string name = "added" + std::to_string((random >> 8) % 20);
      xlashape_runtime_add_backend(runtime, name.data(), name.size(), random & 128 ? open_idle : open_refuses, nullptr,
                                   nullptr, 0, nullptr);
    }
  }
  if (!right) ++round.wrong;
}

void run(Round& round, uint32_t seed) {
  uint32_t state = seed * 2654435761u + 1;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  for (int i = 0; i < kSteps; ++i) {
    if (next() % 8 != 0) {
      step(round, round.shared.get(), next());
      continue;
    }
    const Runtime own(round.folder.path());  // its plans may outlive it
    step(round, own.get(), next());
    step(round, own.get(), next());
  }
}

TEST(Mix, AllAtOnce) {
  const Folder folder;
  folder.add("good"), folder.add("refuses"), folder.add("no_symbol"), folder.add("nests");
  for (uint32_t r = 0; r < kRounds; ++r) {
    const Runtime shared(folder.path());
    Round round{folder, shared, nullptr, nullptr, nullptr};
    ASSERT_EQ(xlashape_shape_parse("u8[40,50]{1,0}", 14, 0, &round.rows, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(xlashape_shape_parse("u8[40,50]{0,1}", 14, 0, &round.columns, nullptr), XLASHAPE_STATUS_OK);
    ASSERT_EQ(xlashape_index_map_create(round.columns, &round.map, nullptr), XLASHAPE_STATUS_OK);
    std::atomic<int> waiting{kThreads};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        --waiting;
        while (waiting > 0) std::this_thread::yield();
        run(round, r * kThreads + t);
      });
    for (std::thread& thread : threads) thread.join();
    xlashape_plan_release(round.handed.exchange(nullptr));
    EXPECT_EQ(round.wrong, 0) << shared.report();
    xlashape_index_map_release(round.map);
    xlashape_shape_release(round.rows);
    xlashape_shape_release(round.columns);
  }
}

}  // namespace
