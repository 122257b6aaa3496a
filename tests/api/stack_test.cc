// docs/embedding.md: a thread that calls the library needs 256 KiB of stack. Measured on one that is painted before: what is no
// longer paint was used. Musl gives threads 128 KiB, a glibc that is not asked what `ulimit -s` says.
#include <pthread.h>

#include <algorithm>

#include "api.h"

namespace {

using api::shape;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif
constexpr size_t kPromised = 256 << 10, kStack = 8 * kPromised;
constexpr unsigned char kPaint = 0xC7;

// Bytes of stack that body() takes on a new thread.
template <class Body>
size_t stack_of(Body body) {
  static std::vector<unsigned char> memory(kStack + 65536);
  auto* const stack = memory.data() + 65536 - reinterpret_cast<uintptr_t>(memory.data()) % 65536;
  std::fill_n(stack, kStack, kPaint);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  EXPECT_EQ(pthread_attr_setstack(&attributes, stack, kStack), 0);
  pthread_t thread;
  const auto run = [](void* opaque) -> void* {
    (*static_cast<Body*>(opaque))();
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return static_cast<size_t>(stack + kStack -
                             std::find_if(stack, stack + kStack, [](unsigned char c) { return c != kPaint; }));
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
    api::make<api::Plan>([&](auto** made, auto* err) {
      return xlashape_plan_create(nullptr, shape("u8[2]").get(), shape("u8[2]").get(), nullptr, made, err);
    });
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
          api::ok([&](auto* err) {
            return xlashape_relayout(nullptr, a.get(), src.data(), static_cast<int64_t>(src.size()), b.get(),
                                     dst.data(), static_cast<int64_t>(dst.size()), nullptr, err);
          });
          ++moved;
        }
      });
    }
  }
  // As large as to be written past the caches, in columns that begin anywhere within a line.
  measure("u8[4100,4091]", [&] {
    const auto a = shape("u8[4100,4091]{1,0}"), b = shape("u8[4100,4091]{0,1}");
    api::ok([&](auto* err) {
      return xlashape_relayout(nullptr, a.get(), src.data(), static_cast<int64_t>(src.size()), b.get(), dst.data(),
                               static_cast<int64_t>(dst.size()), nullptr, err);
    });
    ++moved;
  });
  EXPECT_EQ(moved, 6 * 81 + 1);
  RecordProperty("bytes", static_cast<int>(most));
  EXPECT_GT(most, 4096u);
  EXPECT_LE(most, kSanitized ? kStack / 2 : kPromised) << worst;
}

}  // namespace
