// The cuda backend on a GPU, through the public interface, without GoogleTest: bench verify [SEED COUNT] holds the case table
// and random permutations against the scalar backend; bench measure JSON times the cases against copies of the same bytes
// and prints the table. With --small nothing is large, and nothing is timed.
#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gpu/bench_cases.h"
#include "gpu/device_memory.h"
#include "xlashape.h"

namespace xlashape::gpu {
namespace {

xlashape_error g_err{};

void check(xlashape_status status, const std::string& what) {
  if (status == XLASHAPE_OK) return;
  std::printf("%s: %s\n", what.c_str(), g_err.message);
  std::exit(3);
}

class Shape {
 public:
  explicit Shape(const std::string& words) {
    check(xlashape_shape_parse(words.data(), words.size(), 0, &handle_, &g_err), words);
  }
  ~Shape() { xlashape_shape_release(handle_); }
  Shape(const Shape&) = delete;
  const xlashape_shape* get() const { return handle_; }

 private:
  xlashape_shape* handle_ = nullptr;
};

class Plan {
 public:
  Plan(const std::string& src, const std::string& dst, xlashape_memory_space space, const char* backend) {
    const Shape from(src), to(dst);
    xlashape_relayout_options options{};
    options.struct_size = sizeof options;
    options.src_space = options.dst_space = space;
    options.backend = backend;
    check(xlashape_plan_create(nullptr, from.get(), to.get(), &options, &handle_, &g_err), src + " -> " + dst);
    xlashape_plan_requirements r{};
    r.struct_size = sizeof r;
    check(xlashape_plan_get_requirements(handle_, &r, &g_err), "requirements");
    src_bytes = r.src_high;
    dst_bytes = r.dst_high;
  }
  ~Plan() { xlashape_plan_release(handle_); }
  Plan(const Plan&) = delete;

  void run(const void* src, void* dst) const { check(xlashape_plan_execute(handle_, src, dst, &g_err), "execute"); }
  void enqueue(uint64_t src, uint64_t dst, cuda::CUstream stream) const {
    xlashape_exec exec{};
    exec.struct_size = sizeof exec;
    exec.queue_kind = XLASHAPE_QUEUE_CUDA;
    exec.queue = reinterpret_cast<uint64_t>(stream);
    exec.src = src;
    exec.dst = dst;
    check(xlashape_plan_execute_ex(handle_, &exec, &g_err), "execute");
  }
  std::string words() const {
    char line[512];
    size_t needed;
    check(xlashape_plan_describe(handle_, line, sizeof line, &needed, &g_err), "describe");
    return line;
  }
  int64_t src_bytes, dst_bytes;

 private:
  xlashape_plan* handle_ = nullptr;
};

// -- Verifying ----------------------------------------------------------------------------------------------------------

constexpr int64_t kGuard = 256;

// Whether the device's result, and what lies round it, is what the scalar backend makes.
bool is_right(const Device& device, const std::string& src, const std::string& dst, std::mt19937& random) {
  const Plan here(src, dst, XLASHAPE_SPACE_CPU, "scalar"), there(src, dst, XLASHAPE_SPACE_CUDA, "cuda");
  const int64_t shift = static_cast<int64_t>(random() % 3) * 4;
  std::vector<unsigned char> in(static_cast<size_t>(here.src_bytes + kGuard));
  for (auto& byte : in) byte = static_cast<unsigned char>(random());
  std::vector<unsigned char> want(static_cast<size_t>(here.dst_bytes + 2 * kGuard + shift), 0xA5), got(want);
  here.run(in.data() + shift, want.data() + kGuard + shift);
  const uint64_t from = device.alloc(static_cast<int64_t>(in.size())),
                 to = device.alloc(static_cast<int64_t>(got.size()));
  device.write(from, in.data(), static_cast<int64_t>(in.size()));
  device.write(to, got.data(), static_cast<int64_t>(got.size()));
  there.enqueue(from + static_cast<uint64_t>(shift), to + static_cast<uint64_t>(kGuard + shift), device.stream);
  device.read(got.data(), to, static_cast<int64_t>(got.size()));
  device.free(from);
  device.free(to);
  if (got == want) return true;
  const auto wrong = std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin();
  std::printf("WRONG at byte %lld: %s -> %s (%s)\n", static_cast<long long>(wrong - kGuard - shift), src.c_str(),
              dst.c_str(), there.words().c_str());
  return false;
}

// A permutation of few dimensions, often tiled.
void random_case(std::mt19937& random, std::string* src, std::string* dst) {
  const auto in = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
  };
  static const char* const kTypes[] = {"u8", "bf16", "f32", "f64", "c128", "s4"};
  static const char* const kTiles[] = {"T(8,128)", "T(8,128)(2,1)", "T(4)", "T(3,5)(2,1)", "T(16,16)(2,1)"};
  const std::string type = kTypes[in(0, 5)];
  std::vector<int> dimensions(static_cast<size_t>(in(1, 6)));
  int room = 1 << 20;
  for (int& d : dimensions) {
    d = std::clamp(in(0, 2) == 0 ? in(1, 16) : in(0, 1) == 0 ? 32 * in(1, 8) : in(1, 300), 1, std::max(room, 1));
    room /= d;
  }
  std::shuffle(dimensions.begin(), dimensions.end(), random);
  for (std::string* side : {src, dst}) {
    std::vector<size_t> order(dimensions.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    std::shuffle(order.begin(), order.end(), random);
    std::string bounds, turn;
    for (size_t i = 0; i < order.size(); ++i) {
      bounds += (i ? "," : "") + std::to_string(dimensions[i]);
      turn += (i ? "," : "") + std::to_string(order[i]);
    }
    std::string notes = dimensions.size() > 1 && in(0, 3) == 0 ? kTiles[in(0, 4)] : "";
    if (type == "s4" && in(0, 2) != 0) notes += "E(4)";
    *side = type + "[" + bounds + "]{" + turn + (notes.empty() ? "" : ":" + notes) + "}";
  }
}

int verify(const Device& device, unsigned seed, int count) {
  int wrong = 0, done = 0;
  std::mt19937 random(seed);
  for (const BenchCase& c : bench_cases()) {
    ++done;
    wrong += !is_right(device, c.small_src, c.small_dst, random);
  }
  for (int i = 0; i < count; ++i) {
    std::string src, dst;
    random_case(random, &src, &dst);
    ++done;
    wrong += !is_right(device, src, dst, random);
  }
  std::printf("%d plans in device memory: %d wrong\n", done, wrong);
  return wrong != 0;
}

// -- Measuring ----------------------------------------------------------------------------------------------------------

struct Times {
  double median, quarter;  // of what, and half the range of the middle half, in GB/s
};

// `work(i)` moves `bytes`; i counts, so that buffers can rotate.
template <class Work>
Times measure(const Device& device, double bytes, const Work& work) {
  constexpr int kWarm = 3, kTimes = 25;
  std::vector<double> rates;
  for (int i = 0; i < kWarm + kTimes; ++i) {
    const double us = device.time([&] { work(i); });
    if (i >= kWarm) rates.push_back(bytes / us / 1e3);
  }
  std::sort(rates.begin(), rates.end());
  return {rates[kTimes / 2], (rates[kTimes * 3 / 4] - rates[kTimes / 4]) / 2};
}

int measure_all(const Device& device, const char* json, bool small) {
  std::FILE* file = std::fopen(json, "w");
  if (file == nullptr) return std::printf("%s cannot be written\n", json), 3;
  const bool timed = device.has_clock() && !small;
  std::printf("%s%s\n%-26s %-36s %8s %8s %6s %6s %6s\n", device.name, timed ? "" : ", nothing is timed", "class",
              "from", "GB/s", "copy", "ratio", "floor", "goal");
  int failed = 0;
  for (const BenchCase& c : bench_cases()) {
    const char *src = small ? c.small_src : c.src, *dst = small ? c.small_dst : c.dst;
    const Plan plan(src, dst, XLASHAPE_SPACE_CUDA, "cuda");
    const int64_t side = std::max(plan.src_bytes, plan.dst_bytes);
    // Both sides together are more than four times any second-level cache.
    uint64_t buffers[4];
    for (uint64_t& b : buffers) b = device.alloc(side);
    const double bytes = static_cast<double>(plan.src_bytes) + static_cast<double>(plan.dst_bytes);
    const auto ours = [&](int i) { plan.enqueue(buffers[i % 2 * 2], buffers[i % 2 * 2 + 1], device.stream); };
    const auto copy = [&](int i) {
      device.copy(buffers[i % 2 * 2 + 1], buffers[i % 2 * 2], static_cast<int64_t>(bytes / 2));
    };
    if (timed) {
      const Times before = measure(device, bytes, copy), mine = measure(device, bytes, ours),
                  after = measure(device, bytes, copy);
      const double ceiling = std::max(before.median, after.median), ratio = mine.median / ceiling;
      failed += ratio < c.floor;
      std::printf("%-26s %-36s %8.0f %8.0f %6.3f %6.2f %6.2f  %s\n", c.klass, src, mine.median, ceiling, ratio, c.floor,
                  c.goal,
                  ratio < c.floor  ? "FAIL"
                  : ratio < c.goal ? "PASS, below the goal"
                                   : "PASS");
      std::fprintf(file,
                   "{\"class\": \"%s\", \"src\": \"%s\", \"dst\": \"%s\", \"bytes\": %.0f, \"gb_per_s\": %.1f, "
                   "\"spread\": %.1f, \"copy_gb_per_s\": %.1f, \"ratio\": %.4f, \"floor\": %.2f, \"goal\": %.2f, "
                   "\"plan\": \"%s\"}\n",
                   c.klass, src, dst, bytes, mine.median, mine.quarter, ceiling, ratio, c.floor, c.goal,
                   plan.words().c_str());
    } else {
      ours(0);
      copy(1);
      device.wait();
      std::printf("%-26s %-36s %s\n", c.klass, src, plan.words().c_str());
    }
    for (const uint64_t b : buffers) device.free(b);
  }
  std::fclose(file);
  std::printf(timed ? "%d classes below their floor\n" : "nothing measured\n", failed);
  return failed != 0;
}

}  // namespace
}  // namespace xlashape::gpu

int main(int argc, char** argv) {
  using namespace xlashape::gpu;
  g_err.struct_size = sizeof g_err;
  bool small = false;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--small") == 0) {
      small = true;
    } else {
      words.emplace_back(argv[i]);
    }
  }
  if (words.empty() || (words[0] == "measure" && words.size() != 2)) {
    std::printf("gpu_bench verify [SEED COUNT] | measure JSON, [--small]\n");
    return 2;
  }
  const Device device;
  if (words[0] == "measure") return measure_all(device, words[1].c_str(), small);
  return verify(device, words.size() > 1 ? static_cast<unsigned>(std::stoul(words[1])) : 1,
                words.size() > 2 ? std::stoi(words[2]) : 200);
}
