// SPDX-License-Identifier: Apache-2.0
// Pieces (boxes) of one packed array that are written at the same time: bytes that several of them share keep the bits
// of all. On its own the test sees lost bits, the build for TSan each access that is not ordered.
#include <atomic>
#include <chrono>
#include <thread>

#include "api.h"
#include "xlashape_experimental.h"

namespace {

using api::Ints;
using api::Plan;
using api::Runtime;
using api::shape;

using Bytes = std::vector<unsigned char>;

uint64_t address(const void* p) { return reinterpret_cast<uintptr_t>(p); }

struct Array {
  const char *from, *to;
  Ints base, extent;  // a box that shares bytes with what is beside it
};

// Edges of runs, single elements, runs of many bytes, and tiles that are transposed.
const Array kArrays[] = {
    {"s4[64,96]", "s4[64,96]{1,0:T(64,128)(8,1)E(4)}", {1, 0}, {1, 96}},
    {"s4[64,96]", "s4[64,96]{0,1:E(4)}", {3, 0}, {32, 96}},
    {"s4[63,65]", "s4[63,65]{1,0:E(4)}", {1, 0}, {1, 65}},
    {"s4[64,256]", "s4[64,256]{1,0:T(8,128)E(4)}", {0, 5}, {64, 130}},
    {"u4[100,300]{1,0:E(4)}", "u4[100,300]{0,1:E(4)}", {1, 0}, {97, 300}},
    {"u4[100,300]{1,0:E(4)}", "u4[100,300]{1,0:E(4)}", {0, 1}, {100, 255}},
    {"s2[64,96]", "s2[64,96]{0,1:E(2)}", {1, 0}, {61, 96}},
    {"s2[16,1001]{1,0:E(4)}", "s2[16,1001]{1,0:E(2)}", {1, 0}, {3, 1001}},
    {"u1[64,96]{1,0:E(1)}", "u1[64,96]{0,1:E(1)}", {3, 1}, {42, 90}},
    {"u1[5,77]", "u1[5,77]{1,0:E(1)}", {2, 0}, {1, 77}},
    {"s4[4,3,50]", "s4[4,3,50]{2,1,0:T(*,3)E(4)}", {0, 1, 0}, {4, 1, 50}},  // without a nest
};

int64_t bytes_of(std::string_view text) {
  int64_t bytes = 0;
  EXPECT_EQ(xlashape_shape_byte_size(shape(text).get(), 0, 0, &bytes, nullptr), XLASHAPE_STATUS_OK);
  return bytes;
}

Plan plan(xlashape_runtime* runtime, const Array& array, const Ints* base, const Ints* extent, const char* backend,
          int32_t policy = XLASHAPE_FILL_PADDING) {
  auto options = XLASHAPE_INIT(xlashape_relayout_options);
  options.backend = backend;
  options.flags = XLASHAPE_PLAN_ALLOW_FALLBACK;
  options.fill_policy = policy;
  if (base != nullptr) options.src_base = options.dst_base = base->data();
  if (extent != nullptr) options.extent = extent->data();
  return api::make<Plan>(xlashape_plan_create, runtime, shape(array.from).get(), shape(array.to).get(), &options);
}

Bytes source_of(const Array& array) {
  Bytes src(static_cast<size_t>(bytes_of(array.from)));
  uint32_t state = 7;
  for (auto& byte : src) byte = static_cast<unsigned char>((state = state * 1664525 + 1013904223) >> 24);
  return src;
}

// Changes all bits beside the box again and again, each byte at once, sometimes with a pause: on one processor it then
// begins in the middle of what the other thread does.
class Neighbour {
 public:
  Neighbour(Bytes& dst, const Bytes& own) : dst_(dst), own_(own), thread_([this] { run(); }) {}
  // Whether the bits were changed an odd number of times.
  bool stop() {
    stopped_ = true;
    thread_.join();
    return odd_;
  }

 private:
  void run() {
    for (int round = 0; !stopped_; ++round) {
      for (size_t i = 0; i < dst_.size(); ++i)
        if (own_[i] != 0xFF) __atomic_fetch_xor(&dst_[i], static_cast<unsigned char>(~own_[i]), __ATOMIC_RELAXED);
      odd_ = !odd_;
      if (round % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(1));
    }
  }

  Bytes& dst_;
  const Bytes& own_;
  std::atomic<bool> stopped_{false};
  bool odd_ = false;
  std::thread thread_;
};

TEST(Pieces, KeepTheBitsThatOthersWriteMeanwhile) {
  using Clock = std::chrono::steady_clock;
  for (const char* backend : {"scalar", "simd"}) {
    for (const Array& array : kArrays) {
      const Plan piece = plan(nullptr, array, &array.base, &array.extent, backend);
      SCOPED_TRACE(std::string(xlashape_plan_backend(piece.get())) + ", " + array.to);
      const Bytes src = source_of(array);
      const auto bytes = static_cast<size_t>(bytes_of(array.to));
      // Which bits are the box's: those that get ones whatever was there, and those that keep what was there.
      Bytes zeros(bytes, 0), ones(bytes, 0xFF), own(bytes);
      ASSERT_EQ(
          xlashape_plan_execute(piece.get(), src.data(), byte_count(src), zeros.data(), byte_count(zeros), nullptr), 0);
      ASSERT_EQ(xlashape_plan_execute(piece.get(), src.data(), byte_count(src), ones.data(), byte_count(ones), nullptr),
                0);
      for (size_t i = 0; i < bytes; ++i) own[i] = static_cast<unsigned char>(~(zeros[i] ^ ones[i]));

      Bytes dst(bytes, 0);
      Neighbour neighbour(dst, own);
      const auto end = Clock::now() + std::chrono::milliseconds(60);
      int wrong = 0, rounds = 0;
      for (; rounds < 40 || Clock::now() < end; ++rounds)
        wrong += xlashape_plan_execute(piece.get(), src.data(), byte_count(src), dst.data(), byte_count(dst), nullptr);
      const bool odd = neighbour.stop();
      EXPECT_EQ(wrong, 0);
      for (size_t i = 0; i < bytes; ++i)
        ASSERT_EQ(dst[i], (odd ? ones : zeros)[i]) << "byte " << i << " of " << bytes << " after " << rounds;
    }
  }
}

// Where the array is cut: dimension 0 in unequal pieces.
std::vector<std::pair<Ints, Ints>> pieces_of(const Array& array) {
  Ints whole(8);
  int64_t rank = 0;
  EXPECT_EQ(xlashape_shape_dimensions(shape(array.to).get(), whole.data(), 8, &rank, nullptr), 0);
  whole.resize(static_cast<size_t>(rank));
  const int64_t rows = whole[0];
  std::vector<std::pair<Ints, Ints>> pieces;
  for (int64_t at = 0, step = 1; at < rows; at += step, step = step % 3 + 1) {
    Ints base(whole.size()), extent = whole;
    base[0] = at;
    extent[0] = std::min(step, rows - at);
    pieces.emplace_back(base, extent);
  }
  return pieces;
}

Runtime runtime(int32_t threads) {
  auto options = XLASHAPE_INIT(xlashape_runtime_options);
  options.threads = threads;
  return api::make<Runtime>(xlashape_runtime_create, &options);
}

TEST(Pieces, SideBySideMakeTheWhole) {
  const Runtime rt = runtime(4);
  const auto& x = *static_cast<const xlashape_extension_execution*>(
      xlashape_get_extension(XLASHAPE_EXTENSION_EXECUTION, sizeof XLASHAPE_EXTENSION_EXECUTION - 1));
  for (const char* backend : {"scalar", "simd"}) {
    for (const Array& array : kArrays) {
      SCOPED_TRACE(std::string(backend) + ", " + array.to);
      const Bytes src = source_of(array);
      const auto bytes = static_cast<size_t>(bytes_of(array.to));
      Bytes want(bytes, 0xA5);
      const Plan whole = plan(rt.get(), array, nullptr, nullptr, backend, XLASHAPE_FILL_PRESERVE);
      ASSERT_EQ(xlashape_plan_execute(whole.get(), src.data(), byte_count(src), want.data(), byte_count(want), nullptr),
                0);

      std::vector<Plan> owners;
      std::vector<xlashape_plan*> plans;
      for (const auto& [base, extent] : pieces_of(array)) {
        owners.push_back(plan(rt.get(), array, &base, &extent, backend));
        plans.push_back(owners.back().get());
      }
      const auto count = static_cast<int64_t>(plans.size());
      Bytes dst(bytes, 0xA5);
      const std::vector<uint64_t> from(plans.size(), address(src.data())), to(plans.size(), address(dst.data()));
      const std::vector<int64_t> from_bytes(plans.size(), byte_count(src)), to_bytes(plans.size(), byte_count(dst));
      ASSERT_EQ(xlashape_plan_execute_list(count, plans.data(), from.data(), from_bytes.data(), to.data(),
                                           to_bytes.data(), nullptr, nullptr),
                0);
      EXPECT_EQ(dst, want) << "as a list";

      std::fill(dst.begin(), dst.end(), 0xA5);
      std::atomic<int> left{static_cast<int>(count)}, wrong{0};
      struct Waiting {
        std::atomic<int>*left, *wrong;
      } waiting{&left, &wrong};
      for (xlashape_plan* const piece : plans) {
        auto exec = XLASHAPE_INIT(xlashape_execute_options);
        exec.src = address(src.data());
        exec.src_bytes = byte_count(src);
        exec.dst = address(dst.data());
        exec.dst_bytes = byte_count(dst);
        const auto done = [](void* opaque, xlashape_status status, const xlashape_error*) {
          auto* const w = static_cast<Waiting*>(opaque);
          *w->wrong += status;
          --*w->left;
        };
        ASSERT_EQ(x.execute_async(piece, &exec, done, &waiting, nullptr), 0);
      }
      while (left > 0) std::this_thread::yield();
      EXPECT_EQ(wrong, 0);
      EXPECT_EQ(dst, want) << "asynchronously";
    }
  }
}

// Tasks of one plan, boxes and whole arrays, each on its own thread.
TEST(Pieces, TasksOfPackedArraysShareNoByte) {
  for (const char* backend : {"scalar", "simd"}) {
    for (const Array& array : kArrays) {
      for (int kind = 0; kind < 4; ++kind) {
        const bool box = kind == 3;
        const Plan p =
            plan(nullptr, array, box ? &array.base : nullptr, box ? &array.extent : nullptr, backend, box ? 0 : kind);
        SCOPED_TRACE(std::string(backend) + ", " + array.to + ", " + std::to_string(kind));
        const Bytes src = source_of(array);
        const auto bytes = static_cast<size_t>(bytes_of(array.to));
        Bytes want(bytes, 0xA5), dst(bytes, 0xA5);
        ASSERT_EQ(xlashape_plan_execute(p.get(), src.data(), byte_count(src), want.data(), byte_count(want), nullptr),
                  0);
        constexpr int kTasks = 5;
        std::atomic<int> wrong{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < kTasks; ++t)
          threads.emplace_back([&, t] {
            auto exec = XLASHAPE_INIT(xlashape_execute_options);
            exec.src = address(src.data());
            exec.src_bytes = byte_count(src);
            exec.dst = address(dst.data());
            exec.dst_bytes = byte_count(dst);
            exec.task_begin = t;
            exec.task_end = t + 1;
            exec.task_count = kTasks;
            wrong += xlashape_plan_execute_with(p.get(), &exec, nullptr);
          });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(wrong, 0);
        if (kind != XLASHAPE_FILL_UNSPECIFIED) {
          EXPECT_EQ(dst, want);
        }
      }
    }
  }
}

}  // namespace
