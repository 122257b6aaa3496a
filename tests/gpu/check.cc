// SPDX-License-Identifier: Apache-2.0
// The cuda backend on a GPU, through the public interface, without GoogleTest. Both read relayouts from standard input,
// as "SRC DST" a line: verify compares them, and random ones, with the scalar backend; measure times them and copies of
// as many bytes in turns.
#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/device_memory.h"
#include "xlashape_runtime.h"

namespace xlashape::gpu {
namespace {

constexpr int64_t kGuard = 256;

xlashape_error& last_error() {
  static xlashape_error err{};
  err.struct_size = sizeof err;
  return err;
}

// A failure ends the program with a line that says what failed.
void check(xlashape_status status, const std::string& what) {
  if (status == XLASHAPE_STATUS_OK) return;
  std::printf("%s: %s\n", what.c_str(), last_error().message);
  std::exit(3);
}

class Plan {
 public:
  Plan(const std::string& src, const std::string& dst, xlashape_memory_space space, const char* backend) {
    xlashape_shape *from = nullptr, *to = nullptr;
    check(xlashape_shape_parse(src.data(), src.size(), 0, &from, &last_error()), src);
    check(xlashape_shape_parse(dst.data(), dst.size(), 0, &to, &last_error()), dst);
    auto options = XLASHAPE_INIT(xlashape_relayout_options);
    options.src_space = options.dst_space = space;
    options.backend = backend;
    check(xlashape_plan_create(nullptr, from, to, &options, &handle_, &last_error()), src + " -> " + dst);
    xlashape_shape_release(from);
    xlashape_shape_release(to);
    auto r = XLASHAPE_INIT(xlashape_plan_requirements);
    check(xlashape_plan_get_requirements(handle_, &r, &last_error()), "requirements");
    src_bytes = r.src_high;
    dst_bytes = r.dst_high;
  }
  ~Plan() { xlashape_plan_release(handle_); }
  Plan(const Plan&) = delete;

  void run(const void* src, void* dst) const {
    check(xlashape_plan_execute(handle_, src, src_bytes, dst, dst_bytes, &last_error()), "run");
  }
  void enqueue(uint64_t src, uint64_t dst, cuda::CUstream stream) const {
    auto exec = XLASHAPE_INIT(xlashape_execute_options);
    exec.queue.kind = XLASHAPE_QUEUE_CUDA;
    exec.queue.handle = reinterpret_cast<uint64_t>(stream);
    exec.src = src;
    exec.dst = dst;
    exec.src_bytes = src_bytes;
    exec.dst_bytes = dst_bytes;
    check(xlashape_plan_execute_with(handle_, &exec, &last_error()), "execute");
  }
  std::string words() const {
    char line[1024];
    int64_t needed;
    check(xlashape_plan_describe(handle_, line, sizeof line, &needed, &last_error()), "describe");
    return line;
  }
  int64_t src_bytes = 0, dst_bytes = 0;

 private:
  xlashape_plan* handle_ = nullptr;
};

// Whether the device's result, and what lies round it, is what the scalar backend makes.
bool is_right(const Device& device, const std::string& src, const std::string& dst, std::mt19937& random,
              std::set<std::string>* kernels) {
  const Plan here(src, dst, XLASHAPE_SPACE_CPU, "scalar"), there(src, dst, XLASHAPE_SPACE_CUDA, "cuda");
  std::istringstream words(there.words());
  for (std::string word; words >> word;)
    if (word.compare(0, 3, "xs_") == 0) kernels->insert(word);
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
  int wrong = 0, named = 0;
  std::mt19937 random(seed);
  std::set<std::string> kernels;
  for (std::string src, dst; std::cin >> src >> dst; ++named) wrong += !is_right(device, src, dst, random, &kernels);
  for (int i = 0; i < count; ++i) {
    std::string src, dst;
    random_case(random, &src, &dst);
    wrong += !is_right(device, src, dst, random, &kernels);
  }
  std::printf("%d named and %d random plans in device memory: %d wrong; %zu kernels:", named, count, wrong,
              kernels.size());
  for (const std::string& kernel : kernels) std::printf(" %s", kernel.c_str());
  std::printf("\n");
  return wrong != 0;
}

// The medians of `rounds`, after three that warm. Bytes are those read plus those written.
int measure(const Device& device, int rounds) {
  if (!device.has_clock()) std::printf("%s has no clock: it says 1 us of everything\n", device.name);
  const auto median = [](std::vector<double> all) {
    std::nth_element(all.begin(), all.begin() + static_cast<ptrdiff_t>(all.size() / 2), all.end());
    return all[all.size() / 2];
  };
  std::printf("%s\n%8s %8s %8s %6s\n", device.name, "MB", "GB/s", "copy", "ratio");
  for (std::string src, dst; std::cin >> src >> dst;) {
    const Plan plan(src, dst, XLASHAPE_SPACE_CUDA, "cuda");
    const int64_t side = std::max(plan.src_bytes, plan.dst_bytes), both = plan.src_bytes + plan.dst_bytes;
    const uint64_t from = device.alloc(side), to = device.alloc(side);
    device.fill(from, 1, side);
    std::vector<double> ours, copies;
    for (int round = -3; round < rounds; ++round) {
      const double our = device.time([&] { plan.enqueue(from, to, device.stream); });
      const double copy = device.time([&] { device.copy(to, from, both / 2); });
      if (round < 0) continue;
      ours.push_back(our);
      copies.push_back(copy);
    }
    device.free(from);
    device.free(to);
    const double our = median(ours), copy = median(copies), bytes = static_cast<double>(both);
    std::printf("%8.1f %8.1f %8.1f %6.3f  %s -> %s  %s\n", bytes / 1e6, bytes / our / 1e3, bytes / copy / 1e3,
                copy / our, src.c_str(), dst.c_str(), plan.words().c_str());
  }
  return 0;
}

}  // namespace
}  // namespace xlashape::gpu

int main(int argc, char** argv) {
  using namespace xlashape::gpu;
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool verifies = words.size() == 3 && words[0] == "verify";
  if (!verifies && (words.size() != 2 || words[0] != "measure")) {
    std::printf("gpu_check verify SEED COUNT | measure ROUNDS\n");
    return 2;
  }
  const Device device;
  if (!verifies) return measure(device, std::stoi(words[1]));
  return verify(device, static_cast<unsigned>(std::stoul(words[1])), std::stoi(words[2]));
}
