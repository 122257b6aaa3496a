// The cuda backend on a GPU, through the public interface, without GoogleTest: verify [SEED COUNT] holds relayouts, read
// from standard input as "SRC DST", and random permutations against the scalar backend; serve PLUGIN answers bench.py.
#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/bench_plan.h"
#include "gpu/bench_server.h"
#include "gpu/device_memory.h"

namespace xlashape::gpu {
namespace {

constexpr int64_t kGuard = 256;

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

}  // namespace
}  // namespace xlashape::gpu

int main(int argc, char** argv) {
  using namespace xlashape::gpu;
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool serves = words.size() == 1 && words[0] == "serve";
  if (!serves && (words.empty() || words[0] != "verify" || words.size() == 2)) {
    std::printf("gpu_bench verify [SEED COUNT] | serve\n");
    return 2;
  }
  const Device device;
  if (serves) return Server(device).serve();
  return verify(device, words.size() > 1 ? static_cast<unsigned>(std::stoul(words[1])) : 1,
                words.size() > 2 ? std::stoi(words[2]) : 200);
}
