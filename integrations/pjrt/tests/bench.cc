// SPDX-License-Identifier: Apache-2.0
// What the plugin costs beside the plan that it runs: `bench PLUGIN [THREADS]`. Both move the same arrays to a device
// that stores them as a tpu:v5e does, and back, in turns; both in memory of the plugin,
// and with as many threads. Prints a table.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "client.h"

using xlashape::Shape;

namespace {

double seconds(const std::function<void()>& call, int times) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times;
}

// The median of each, run in turns.
std::pair<double, double> in_turns(const std::function<void()>& first, const std::function<void()>& second, int times) {
  std::vector<double> a, b;
  first(), second();
  for (int round = 0; round < 15; ++round) {
    a.push_back(seconds(first, times));
    b.push_back(seconds(second, times));
  }
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return {a[a.size() / 2], b[b.size() / 2]};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench PLUGIN [THREADS]\n");
    return 2;
  }
  plugin_path = argv[1];
  const std::string threads = argc > 2 ? argv[2] : "1";
  const Client client(Client::Options{{"devices", "tpu:v5e"}, {"threads", threads}});
  xlashape::RuntimeOptions options;
  options.threads = std::atoi(threads.c_str());
  const auto runtime = xlashape::Runtime::create(options);
  std::printf("threads: %s; times in microseconds; put: host to device, get: device to host; ratio: plan / plugin\n",
              threads.c_str());
  std::printf("%-44s %10s %10s %7s %10s %10s %7s\n", "", "plan put", "plugin", "ratio", "plan get", "plugin", "ratio");
  for (const char* const text : {"f32[8,128]", "f32[64,64]", "bf16[256,512]", "f32[1024,1024]", "s8[4096,4096]",
                                 "bf16[4096,8192]", "f32[4096,4096]", "f32[64,512,512]"}) {
    const Shape shape = Shape::parse(text);
    const Shape tiled = xlashape::for_target(shape, xlashape::target("tpu:v5e"));
    const auto in = xlashape::Plan::create(shape, tiled, {}, runtime);
    xlashape::PlanOptions soon;
    soon.flags = XLASHAPE_PLAN_KEEP_IN_CACHE;
    const auto out = xlashape::Plan::create(tiled, shape, soon, runtime);
    Bytes host(static_cast<std::size_t>(shape.byte_size()), 1), back(host.size());
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i * 7 + 1);
    const int times = static_cast<int>(std::clamp<std::int64_t>((4 << 20) / shape.byte_size(), 1, 2000));
    const auto put = [&] {
      Event done;
      const Buffer buffer =
          client.put(host.data(), shape, {}, 0, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, &done);
      await(done.get());
    };
    const Buffer buffer = client.put(host.data(), shape, {}, 0);
    const Buffer second = client.put(host.data(), shape, {}, 0);
    void* const device = reinterpret_cast<void*>(pointer_of(buffer.get()));
    void* const other = reinterpret_cast<void*>(pointer_of(second.get()));
    MemoryLayout layout(shape);
    const auto get = [&] {
      auto args = args_of<PJRT_Buffer_ToHostBuffer_Args>();
      args.src = buffer.get();
      args.host_layout = layout.get();
      args.dst = back.data();
      args.dst_size = back.size();
      CALL(PJRT_Buffer_ToHostBuffer, args);
      await(Event(args.event).get());
    };
    const auto puts = in_turns([&] { in.execute_at(host.data(), other); }, put, times);
    const auto gets = in_turns([&] { out.execute_at(device, back.data()); }, get, times);
    if (back != host) return std::fprintf(stderr, "%s: other bytes came back\n", text), 1;
    std::printf("%-44s %10.2f %10.2f %7.2f %10.2f %10.2f %7.2f\n", tiled.to_string().c_str(), puts.first * 1e6,
                puts.second * 1e6, puts.first / puts.second, gets.first * 1e6, gets.second * 1e6,
                gets.first / gets.second);
  }
}
