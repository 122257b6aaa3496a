// SPDX-License-Identifier: Apache-2.0
// The shared object's sources without JAX: each kind of pool, each failure, the cache under threads. Ends with `N
// passed, M failed`. Built with a sanitizer it finds what tests of results cannot: helpers that touch what is gone, and
// races.
#include <unistd.h>
#include <xlashape.h>

#include <atomic>
#include <cstring>
#include <memory>

#include "cache.h"
#include "fake_xla.h"
#include "pool.h"

extern "C" XLA_FFI_Error* xlashape_jax_instantiate(XLA_FFI_CallFrame* frame);
extern "C" XLA_FFI_Error* xlashape_jax_execute(XLA_FFI_CallFrame* frame);
extern "C" uint32_t xlashape_jax_oldest_ffi_version();

namespace {

struct Seen {
  std::vector<std::atomic<int>> times;
  std::atomic<uint32_t> worker{0};
  std::atomic<bool> slow{false};
};

void XLASHAPE_CALL see(void* opaque, int64_t i, uint32_t worker) {
  auto* seen = static_cast<Seen*>(opaque);
  if (seen->slow) std::this_thread::yield();
  ++seen->times[static_cast<size_t>(i)];
  for (uint32_t old = seen->worker; old < worker && !seen->worker.compare_exchange_weak(old, worker);) {
  }
}

void each_index_once(XLA_FFI_ExecutionContext& context, const char* what) {
  XLA_FFI_CallFrame frame = {};
  frame.api = fake_api();
  frame.ctx = &context;
  const xlashape_jax::Pool pool(frame);
  bool good = true;
  for (int round = 0; round < 300; ++round) {
    const int64_t count = round % 40;
    // On the heap, so that a sanitizer sees a helper that comes too late.
    auto seen = std::make_unique<Seen>();
    seen->times = std::vector<std::atomic<int>>(static_cast<size_t>(count));
    seen->slow = round % 3 == 0;
    pool.parallel_for(count, seen.get(), see);
    for (auto& times : seen->times) good = good && times == 1;
    good = good && seen->worker < pool.workers();
  }
  check(good, "each index once, and workers below their number:", what);
}

void pools() {
  Threads two(4, 2), one(8, 1), many(100, 3), none(4, 0, true);
  Inline same;
  Refusing refusing(0), partly(100);
  NoPool no;
  each_index_once(two, "two threads");
  each_index_once(one, "one thread that says it is eight");
  each_index_once(many, "three threads");
  each_index_once(same, "in the call");
  each_index_once(refusing, "refuses");
  each_index_once(partly, "refuses after a while");
  each_index_once(no, "no pool");
  {
    Threads busy(4, 2, true);  // runs the helpers only when all of these have returned
    each_index_once(busy, "busy");
  }
}

using Bytes = std::vector<uint8_t>;

Bytes numbers(size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
  return bytes;
}

// What the library gives for each of them by itself.
Bytes expected(const std::string& from, const std::string& to, const Bytes& src, int64_t count) {
  const auto a = xlashape::Shape::parse(from), b = xlashape::Shape::parse(to);
  const auto plan = xlashape::Plan::create(a, b);
  Bytes dst(static_cast<size_t>(b.byte_size() * count), 0xEE);
  for (int64_t i = 0; i < count; ++i) plan.execute_at(src.data() + i * a.byte_size(), dst.data() + i * b.byte_size());
  return dst;
}

// count arrays of rows x columns, in each kind of pool.
void moves(int64_t count, int64_t rows, int64_t columns, XLA_FFI_ExecutionContext& context, const char* what) {
  const std::string dimensions = std::to_string(rows) + ',' + std::to_string(columns);
  Call call;
  call.from = "u8[" + dimensions + "]";
  call.to = "u8[" + dimensions + "]{0,1:T(8,4)}";
  const int64_t stored = (rows + 3) / 4 * 4 * ((columns + 7) / 8 * 8);
  call.from_dimensions = {count, rows, columns};
  call.to_dimensions = {count, stored};
  call.context = &context;
  Bytes src = numbers(static_cast<size_t>(count * rows * columns));
  // Bytes behind each array show what is written beyond it.
  Bytes dst(static_cast<size_t>(count * stored) + 64, 0xEE);
  call.src = src.data();
  call.dst = dst.data();
  std::string message;
  const bool ok = call(xlashape_jax_execute, &message) == XLA_FFI_Error_Code_OK;
  Bytes want = expected(call.from, call.to, src, count);
  want.resize(want.size() + 64, 0xEE);
  check(ok && dst == want, what, dimensions + " " + message);
}

// The same where the result is given the memory of the argument, by several threads at once.
void moves_in_place(int64_t count, int64_t rows, int64_t columns, XLA_FFI_ExecutionContext& context, const char* what) {
  const std::string dimensions = std::to_string(rows) + ',' + std::to_string(columns);
  const size_t bytes = static_cast<size_t>(count * rows * columns);
  const Bytes src = numbers(bytes);
  Call call;
  call.from = "u8[" + dimensions + "]";
  call.to = "u8[" + dimensions + "]{0,1}";
  call.from_dimensions = call.to_dimensions = {count, rows * columns};
  call.context = &context;
  Bytes want = expected(call.from, call.to, src, count);
  want.resize(bytes + 64, 0xEE);
  std::atomic<bool> good{true};
  std::vector<std::thread> threads;
  for (int number = 0; number < 2; ++number)
    threads.emplace_back([&] {
      Bytes array = src;
      array.resize(bytes + 64, 0xEE);
      Call mine = call;
      mine.src = mine.dst = array.data();
      if (mine(xlashape_jax_execute) != XLA_FFI_Error_Code_OK || array != want) good = false;
    });
  for (auto& thread : threads) thread.join();
  check(good, what, dimensions + " in place");
}

void movements() {
  Threads threads(4, 3), busy(4, 1, true);
  Inline same;
  NoPool no;
  for (XLA_FFI_ExecutionContext* context : std::vector<XLA_FFI_ExecutionContext*>{&threads, &busy, &same, &no}) {
    moves(1, 5, 7, *context, "one small array");
    moves(9, 5, 7, *context, "small arrays");
    moves(1, 2300, 2001, *context, "one large array");
    moves(2, 2300, 2001, *context, "large arrays");
    moves(120001, 5, 7, *context, "many small arrays");
    moves(61, 290, 251, *context, "arrays of the middle");
    moves(0, 5, 7, *context, "no array");
    moves_in_place(1, 5, 7, *context, "one small array");
    moves_in_place(1, 2300, 2001, *context, "one large array");
    moves_in_place(2, 2300, 2001, *context, "large arrays");
    moves_in_place(61, 290, 251, *context, "arrays of the middle");
  }
}

void refuses(XLA_FFI_Error_Code code, const char* part, const Call& made,
             XLA_FFI_Error* (*handler)(XLA_FFI_CallFrame*) = xlashape_jax_execute) {
  std::string message;
  Call call = made;
  const auto got = call(handler, &message);
  check(got == code && message.find(part) != std::string::npos, part, std::to_string(got) + " " + message);
}

void failures() {
  Call good;
  good.from = "u8[3,4]";
  good.to = "u8[3,4]{0,1}";
  good.from_dimensions = {3, 4};
  good.to_dimensions = {12};
  Bytes memory(64);
  good.src = memory.data();
  good.dst = memory.data() + 32;
  NoPool pool;
  good.context = &pool;
  check(good(xlashape_jax_execute) == XLA_FFI_Error_Code_OK, "the good one");
  const auto with = [&good](const std::function<void(Call&)>& change) {
    Call call = good;
    change(call);
    return call;
  };
  constexpr auto kInvalid = XLA_FFI_Error_Code_INVALID_ARGUMENT, kUnimplemented = XLA_FFI_Error_Code_UNIMPLEMENTED;
  refuses(kInvalid, "attribute from is 'u8[3,'", with([](Call& call) { call.from = "u8[3,"; }));
  refuses(kInvalid, "attribute to is ''", with([](Call& call) { call.to = ""; }), xlashape_jax_instantiate);
  refuses(kInvalid, "there is no attribute to", with([](Call& call) { call.names[1] = "xx"; }));
  refuses(kInvalid, "attribute to is no text", with([](Call& call) { call.types[1] = XLA_FFI_AttrType_ARRAY; }));
  refuses(kInvalid, "u8[3,4] -> u8[4,3]", with([](Call& call) { call.to = "u8[4,3]"; }), xlashape_jax_instantiate);
  refuses(kInvalid, "u8[3,4] -> s8[3,4]", with([](Call& call) { call.to = "s8[3,4]"; }), xlashape_jax_instantiate);
  refuses(kUnimplemented, "u8[3,?]", with([](Call& call) { call.from = call.to = "u8[3,?]"; }));
  refuses(kUnimplemented, "16 bits, which have 8", with([](Call& call) { call.to = "u8[3,4]{1,0:E(16)}"; }));
  refuses(kUnimplemented, "8 bits, which have 4", with([](Call& call) { call.from = call.to = "s4[3,4]"; }));
  refuses(kInvalid, "not u8[3,5] -> u8[12]", with([](Call& call) { call.from_dimensions = {3, 5}; }));
  refuses(kInvalid, "not u8[4,3] -> u8[12]", with([](Call& call) { call.from_dimensions = {4, 3}; }));
  refuses(kInvalid, "not u8[3,4] -> u8[13]", with([](Call& call) { call.to_dimensions = {13}; }));
  refuses(kInvalid, "not u8[3,4] -> u8[2,12]", with([](Call& call) { call.to_dimensions = {2, 12}; }));
  refuses(kInvalid, "not u8[] -> u8[12]", with([](Call& call) { call.from_dimensions = {}; }));
  refuses(kInvalid, "not s8[3,4] -> s8[12]", with([](Call& call) { call.type = XLA_FFI_DataType_S8; }));
  refuses(kInvalid, "share a part", with([&memory](Call& call) { call.dst = memory.data() + 11; }));
  refuses(kUnimplemented, "in place: a layout has padding", with([&memory](Call& call) {
            call.to = "u8[3,4]{0,1:T(2,2)}";
            call.to_dimensions = {16};
            call.dst = memory.data();
          }));
  refuses(kInvalid, "2 arguments and 1 results", with([](Call& call) { call.arguments = 2; }));
  refuses(kUnimplemented, "a batch of 2 arrays", with([](Call& call) {
            call.type = XLA_FFI_DataType_S4;
            call.from = "s4[3]{0:E(4)}";
            call.to = "s4[3]{0:T(4)E(4)}";
            call.from_dimensions = {2, 3};
            call.to_dimensions = {2, 4};
          }));
  refuses(kInvalid, "u8[9223372036854775807,9]",
          with([](Call& call) { call.from = call.to = "u8[9223372036854775807,9]"; }));
  refuses(kInvalid, "xlashape_relayout:", with([](Call& call) { call.from = std::string(100000, '('); }));
}

void versions() {
  const auto asked = [](const XLA_FFI_Api* api) {
    XLA_FFI_Metadata metadata = {};
    metadata.struct_size = XLA_FFI_Metadata_STRUCT_SIZE;
    XLA_FFI_Metadata_Extension extension = {};
    extension.extension_base.type = XLA_FFI_Extension_Metadata;
    extension.metadata = &metadata;
    XLA_FFI_CallFrame frame = {};
    frame.api = api;
    frame.extension_start = &extension.extension_base;
    const bool ok = xlashape_jax_execute(&frame) == nullptr && xlashape_jax_instantiate(&frame) == nullptr;
    return ok ? metadata.api_version.minor_version : -1;
  };
  const int oldest = static_cast<int>(xlashape_jax_oldest_ffi_version() & 0xFFFF);
  check(asked(nullptr) == XLA_FFI_API_MINOR, "the version of the headers where XLA's is not known");
  check(asked(fake_api(XLA_FFI_API_MINOR + 1)) == XLA_FFI_API_MINOR, "the version of the headers for a newer XLA");
  check(asked(fake_api(oldest)) == oldest, "XLA's version where that is older");
  check(asked(fake_api(oldest - 1)) == oldest, "the oldest version where XLA's is still older");
  fake_api();
}

// Threads that plan the same and different shapes at once.
void cold_cache() {
  auto& cache = xlashape_jax::cache();
  std::atomic<bool> good{true};
  std::vector<std::thread> threads;
  for (int number = 0; number < 8; ++number)
    threads.emplace_back([&good, &cache] {
      for (int i = 0; i < 250; ++i) {
        const std::string dimensions = "[" + std::to_string(1 + i % 50) + ",3]";
        const auto found = cache.get("s16" + dimensions, "s16" + dimensions + "{0,1}");
        if (found->key().find("s16" + dimensions) != 0) good = false;
        try {
          cache.get("s16" + dimensions, "s16[9,9]");
          good = false;
        } catch (const xlashape_jax::Failure&) {
        }
      }
    });
  for (auto& thread : threads) thread.join();
  check(good, "each thread gets the plan that it asked for");
}

void bounded_cache() {
  auto& cache = xlashape_jax::cache();
  const auto first = cache.get("u8[2,3]", "u8[2,3]{0,1}");
  const auto before = cache.counts();
  check(cache.get("u8[2,3]{1,0}", "u8[2,3]{0,1}") == first, "another text of the same shape, the same plan");
  check(cache.counts().made == before.made && cache.counts().texts == before.texts + 1, "which is not made again");
  for (int i = 1; i <= 1500; ++i) {
    const std::string dimensions = "[" + std::to_string(i) + ",7]";
    cache.get("f32" + dimensions, "f32" + dimensions + "{0,1}");
    if (i % 100 == 0) cache.get("u8[2,3]", "u8[2,3]{0,1}");
  }
  const auto counts = cache.counts();
  check(counts.texts == xlashape_jax::Cache::kCapacity, "full and bounded", std::to_string(counts.texts));
  check(counts.plans <= counts.texts, "plans that left are gone", std::to_string(counts.plans));
  check(cache.get("u8[2,3]", "u8[2,3]{0,1}") == first && cache.counts().made == counts.made,
        "what is used does not leave");
  cache.get("f32[1,7]", "f32[1,7]{0,1}");
  check(cache.counts().made == counts.made + 1, "what was used least recently has left");
}

}  // namespace

int main() {
  alarm(120);  // a pool that waits for what never happens ends the test
  pools();
  movements();
  failures();
  versions();
  cold_cache();
  bounded_cache();
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
