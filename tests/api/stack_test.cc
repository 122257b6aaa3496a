// SPDX-License-Identifier: Apache-2.0
// docs/embedding.md: a thread that calls the library needs 256 KiB of stack, and 64 KiB where arrays are small; a
// plan's requirements say how much an execution takes at most. Measured on a stack that is painted before: what is no
// longer paint was used. Musl gives threads 128 KiB, a glibc that is not asked what `ulimit -s` says.
#include <pthread.h>

#include <algorithm>

#include "api.h"
#include "xlashape_runtime.h"

namespace {

using api::shape;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif
constexpr size_t kPromised = 256 << 10, kPromisedSmall = 64 << 10, kStack = 8 * kPromised;
constexpr unsigned char kPaint = 0xC7;

// Bytes of stack that body() takes on a new thread. With sanitizers, which have a megabyte of their own there, smaller
// rooms are made as large as the others, and not measured: 0.
template <class Body>
size_t stack_of(Body body, size_t room = kStack) {
  static std::vector<unsigned char> memory(kStack + 65536);
  auto* const stack = memory.data() + 65536 - reinterpret_cast<uintptr_t>(memory.data()) % 65536;
  const bool is_measured = !kSanitized || room == kStack;
  if (is_measured)
    std::fill_n(stack, room, kPaint);
  else
    room = kStack;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT_EQ(pthread_attr_setstack(&attributes, stack, room), 0);
  pthread_t thread;
  const auto run = [](void* opaque) -> void* {
    (*static_cast<Body*>(opaque))();
    return nullptr;
  };
  const int failed = pthread_create(&thread, &attributes, run, &body);
  EXPECT_EQ(failed, 0);
  if (!failed) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (!is_measured) return 0;
  return static_cast<size_t>(stack + room -
                             std::find_if(stack, stack + room, [](unsigned char c) { return c != kPaint; }));
}

TEST(Stack, IsEnoughAsPromised) {
  const char* const layouts[] = {"{2,1,0}",
                                 "{0,1,2}",
                                 "{1,2,0}",
                                 "{2,1,0:T(8,128)}",
                                 "{1,2,0:T(4,128)}",
                                 "{0,2,1:T(8,128)}",
                                 "{2,1,0:T(8,16)(2,1)}",
                                 "{2,0,1:T(3,5)}",
                                 "{2,1,0:PD(3,80,100)}"};
  std::vector<unsigned char> src(1 << 24), dst(1 << 24);
  int moved = 0;
  std::string worst;
  size_t most = 0;
  const auto measure = [&](const std::string& name, auto&& body) {
    const size_t used = stack_of(body);
    if (used > most) most = used, worst = name;
  };
  measure("a runtime is made", [&] {
    api::make<api::Plan>(xlashape_plan_create, nullptr, shape("u8[2]").get(), shape("u8[2]").get(), nullptr);
  });
  for (const char* type : {"u8", "bf16", "f32", "f64", "c128", "s4"}) {
    for (const char* from : layouts) {
      measure(std::string(type) + from, [&] {
        for (const char* to : layouts) {
          // Those of 4 bits are packed where the layout has no padding of its own.
          const auto text = [&](std::string_view layout) {
            std::string all = type + std::string("[3,80,96]") + std::string(layout);
            const bool tiled = layout.find(':') != layout.npos, padded = layout.find("PD") != layout.npos;
            if (std::string_view(type) == "s4" && !padded) all.insert(all.size() - 1, tiled ? "E(4)" : ":E(4)");
            return all;
          };
          const auto a = shape(text(from)), b = shape(text(to));
          api::ok(xlashape_relayout, nullptr, a.get(), src.data(), static_cast<int64_t>(src.size()), b.get(),
                  dst.data(), static_cast<int64_t>(dst.size()), nullptr);
          ++moved;
        }
      });
    }
  }
  // As large as to be written past the caches, in columns that begin anywhere within a line.
  measure("u8[4100,4091]", [&] {
    const auto a = shape("u8[4100,4091]{1,0}"), b = shape("u8[4100,4091]{0,1}");
    api::ok(xlashape_relayout, nullptr, a.get(), src.data(), static_cast<int64_t>(src.size()), b.get(), dst.data(),
            static_cast<int64_t>(dst.size()), nullptr);
    ++moved;
  });
  EXPECT_EQ(moved, 6 * 81 + 1);
  RecordProperty("bytes", static_cast<int>(most));
  EXPECT_GT(most, 4096u);
  EXPECT_LE(most, kSanitized ? kStack / 2 : kPromised) << worst;
}

// Random arrays of all element types and of sizes around those of the stages, boxes of them, and tasks.
class RandomPlan {
 public:
  explicit RandomPlan(uint32_t seed, int64_t most_bytes) : state_(seed) {
    const int64_t rank = 1 + below(3);
    int64_t most = most_bytes;
    std::string sizes;
    for (int64_t d = 0; d < rank; ++d) {
      extents_.push_back(1 + below(std::min<int64_t>(most, below(2) ? 40 : 3000)));
      most = std::max<int64_t>(most / extents_.back(), 1);
      elements *= extents_.back();
      sizes += (d == 0 ? "" : ",") + std::to_string(extents_.back());
    }
    constexpr const char* kTypes[] = {"u8", "s8", "pred", "bf16", "f32", "f64", "c128", "s4", "u4", "s2", "u1"};
    type_ = kTypes[below(std::size(kTypes))];
    for (std::string* text : {&from, &to}) *text = type_ + std::string("[") + sizes + "]" + layout(rank);
    for (const int64_t extent : extents_) {
      base_.push_back(below(std::min<int64_t>(extent, 3)));
      extent_.push_back(extent - base_.back());
    }
    options.struct_size = sizeof options;
    options.flags = XLASHAPE_PLAN_ALLOW_FALLBACK;
    options.fill_policy = static_cast<int32_t>(below(3));
    options.backend = below(3) == 0 ? "scalar" : "simd";
    if (below(3) == 0) {
      options.src_base = options.dst_base = base_.data();
      options.extent = extent_.data();
    }
    tasks = below(2) ? 0 : 1 + below(9);
  }
  // Packed elements that are moved as whole bytes.
  void take_whole_bytes() {
    from = "s4[" + std::to_string(2 + below(60)) + "," + std::to_string(2 + below(40)) + "," +
           std::to_string(2 + 2 * below(20)) + "]{";
    to = from + "1,2,0:E(4)}";
    from += "1,0,2:E(4)}";
    options.src_base = options.dst_base = options.extent = nullptr;
    elements = 60 * 40 * 40;
  }
  std::string from, to;
  xlashape_relayout_options options = {};
  int64_t tasks, elements = 1;

 private:
  int64_t below(int64_t limit) {
    state_ = state_ * 1664525 + 1013904223;
    return static_cast<int64_t>(state_ >> 8) % limit;
  }
  std::string layout(int64_t rank) {
    std::vector<int64_t> order;
    for (int64_t d = 0; d < rank; ++d) order.insert(order.begin() + below(d + 1), d);
    std::string text = "{";
    for (const int64_t d : order) text += (text.size() > 1 ? "," : "") + std::to_string(d);
    std::string rest;
    if (rank > 0 && below(2) == 0) {
      constexpr const char* kTiles[] = {"T(8)",   "T(2,4)",       "T(8,128)", "T(8,128)(2,1)",
                                        "T(3,5)", "T(64,8)(8,1)", "T(16,2)"};
      const char* const tile = kTiles[below(std::size(kTiles))];
      if (rank > 1 || std::string_view(tile) == "T(8)") rest += tile;
    }
    const std::string type(type_);
    if (below(2) == 0)
      rest += type == "s4" || type == "u4" ? "E(4)" : type == "s2" ? "E(2)" : type == "u1" ? "E(1)" : "";
    return text + (rest.empty() ? "" : ":" + rest) + "}";
  }

  uint32_t state_;
  const char* type_;
  api::Ints extents_, base_, extent_;
};

constexpr size_t kRoom = kPromised + (64 << 10);

struct Used {
  size_t execution = 0, planning = 0, once = 0, said = 0;
};

// What the parts of a relayout take, each on its own thread.
Used stacks_of(const RandomPlan& random, xlashape_runtime* runtime, std::vector<unsigned char>& src,
               std::vector<unsigned char>& dst) {
  Used used;
  api::Plan plan;
  xlashape_plan_requirements needs = {};
  used.planning = stack_of(
      [&] {
        const auto a = shape(random.from), b = shape(random.to);
        plan = api::make<api::Plan>(xlashape_plan_create, runtime, a.get(), b.get(), &random.options);
        needs.struct_size = sizeof needs;
        if (plan == nullptr) return;
        EXPECT_EQ(xlashape_plan_get_requirements(plan.get(), &needs, nullptr), XLASHAPE_STATUS_OK);
      },
      kRoom);
  if (plan == nullptr) return used;
  const auto grow = [](std::vector<unsigned char>& bytes, int64_t high) {
    if (bytes.size() < static_cast<size_t>(high) + 64) bytes.resize(static_cast<size_t>(high) + 64);
  };
  grow(src, needs.src_high);
  grow(dst, needs.dst_high);
  used.said = static_cast<size_t>(needs.stack_bytes);
  auto exec = XLASHAPE_INIT(xlashape_execute_options);
  exec.src = reinterpret_cast<uintptr_t>(src.data() + 16);
  exec.dst = reinterpret_cast<uintptr_t>(dst.data() + 16);
  exec.src_bytes = exec.dst_bytes = XLASHAPE_UNCHECKED;
  const auto execute = [&] {
    const size_t bytes =
        stack_of([&] { EXPECT_EQ(xlashape_plan_execute_with(plan.get(), &exec, nullptr), XLASHAPE_STATUS_OK); }, kRoom);
    used.execution = std::max(used.execution, bytes);
  };
  execute();
  exec.task_count = random.tasks;
  for (; exec.task_begin < random.tasks; ++exec.task_begin) {
    exec.task_end = exec.task_begin + 1;
    execute();
  }
  const auto a = shape(random.from), b = shape(random.to);
  used.once = stack_of(
      [&] {
        EXPECT_EQ(xlashape_relayout(runtime, a.get(), src.data() + 16, needs.src_high, b.get(), dst.data() + 16,
                                    needs.dst_high, &random.options, nullptr),
                  XLASHAPE_STATUS_OK);
      },
      kRoom);
  return used;
}

TEST(Stack, IsNoMoreThanTheRequirementsSay) {
  std::vector<unsigned char> src, dst;
  auto verifying = XLASHAPE_INIT(xlashape_runtime_options);
  verifying.verify_count = 3;
  const auto verified =
      api::make<api::Runtime>([&](auto** made, auto* err) { return xlashape_runtime_create(&verifying, made, err); });
  // With a profile under which even small arrays are written past the caches.
  char wisdom[512];
  int64_t needed = 0;
  ASSERT_EQ(xlashape_runtime_export_wisdom(verified.get(), wisdom, sizeof wisdom, &needed, nullptr),
            XLASHAPE_STATUS_OK);
  const std::string processor = std::string(wisdom).substr(std::string_view("xlashape wisdom 1\n").size());
  const std::string profile = "xlashape profile 1\n" + processor.substr(0, processor.find('\n')) +
                              "\n[simd]\nstream_runs_bytes = 1\nstream_squares_bytes = 1\nstream_copy_bytes = 1\n";
  auto past_caches = XLASHAPE_INIT(xlashape_runtime_options);
  past_caches.profile = profile.c_str();
  const auto streaming = api::make<api::Runtime>(xlashape_runtime_create, &past_caches);
  Used most, small;
  double tightest = 0;
  const auto larger = [](Used& all, const Used& one) {
    all.execution = std::max(all.execution, one.execution);
    all.planning = std::max(all.planning, one.planning);
    all.once = std::max(all.once, one.once);
    all.said = std::max(all.said, one.said);
  };
  for (uint32_t seed = 0; seed < 800; ++seed) {
    const bool is_small = seed % 3 != 0;
    RandomPlan random(seed, is_small ? 1 << (seed % 12) : 1 << (10 + seed % 11));
    if (seed % 10 == 2) random.take_whole_bytes();
    SCOPED_TRACE(random.from + " -> " + random.to + ", " + random.options.backend + ", " + std::to_string(seed));
    // The first executions are those of a process, where the linker has symbols to find.
    xlashape_runtime* const runtime = seed % 5 == 1 ? verified.get() : seed % 5 == 2 ? streaming.get() : nullptr;
    const Used used = stacks_of(random, runtime, src, dst);
    if (testing::Test::HasFailure()) return;
    if (kSanitized) continue;
    ASSERT_LE(used.execution, used.said);
    ASSERT_LE(used.said, kPromised);
    tightest = std::max(tightest, static_cast<double>(used.execution) / static_cast<double>(used.said));
    larger(most, used);
    const bool is_few = random.elements <= 4096 && dst.size() <= 4096 + 64 && src.size() <= 4096 + 64;
    if (is_few && runtime != streaming.get()) larger(small, used);
    src.clear();
    dst.clear();
  }
  RecordProperty("small_execution", static_cast<int>(small.execution));
  RecordProperty("small_once", static_cast<int>(small.once));
  RecordProperty("planning", static_cast<int>(most.planning));
  RecordProperty("execution", static_cast<int>(most.execution));
  RecordProperty("most_of_the_requirement", std::to_string(tightest));
  if (kSanitized) return;
  EXPECT_LE(small.execution, kPromisedSmall);
  EXPECT_LE(small.once, kPromisedSmall + (12 << 10));
  EXPECT_LE(most.planning, kPromisedSmall);
}

}  // namespace
