// What bench.py asks the device, a line each way, so that ours, copies and the other libraries, which live in Python,
// can take turns:
//
//   relayout SRC DST                           makes the plan and its memory
//   indices to_multi|to_linear soa|aos DIMENSIONS COUNT
//       -> ok SRC_BYTES DST_BYTES CONTENDERS WORDS   who can be timed, with commas between, and the plan's line
//   time CONTENDER CALLS                       -> ok MICROSECONDS, of one call
//   bytes OFFSET COUNT                         -> ok HEX, of what ours writes
//
// An answer that does not begin with ok is what went wrong, and the last one.
//
// Two pairs of buffers take turns, and two copies on one pair come right before what is timed on the other: the
// second-level cache then holds nothing of it, is as full of unwritten lines as after any work, and the host is ahead
// of the device. Sources hold what bench_peers.py makes its own of, by the same rule.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "gpu/bench_plan.h"
#include "gpu/device_memory.h"

namespace xlashape::gpu {

class Server {
 public:
  explicit Server(const Device& device) : device_(device) {}
  ~Server() { release(); }

  int serve() {
    std::cout << "ok " << device_.has_clock() << " " << device_.name << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string verb;
      words >> verb;
      if (verb == "relayout") {
        relayout(words);
      } else if (verb == "indices") {
        indices(words);
      } else if (verb == "time") {
        time(words);
      } else if (verb == "bytes") {
        bytes(words);
      } else {
        std::cout << "what is " << verb << "?" << std::endl;
        return 2;
      }
    }
    return 0;
  }

 private:
  using Work = std::function<void(uint64_t src, uint64_t dst)>;
  static constexpr int64_t kBlock = 1000003, kIndexBlock = 1 << 20;
  static constexpr uint64_t kScatter = 2654435761u;

  void relayout(std::istream& words) {
    std::string src, dst;
    words >> src >> dst;
    release();
    add("ours", std::make_shared<Plan>(src, dst, XLASHAPE_SPACE_CUDA, "cuda"));
    const std::string line = plans_[0]->words();
    // The kernels that it could have chosen instead, where there are any.
    for (const auto& [kernels, runtime] : forced_) {
      auto plan = std::make_shared<Plan>(src, dst, XLASHAPE_SPACE_CUDA, "cuda", runtime.get());
      if (plan->words() != line) add(kernels, plan);
    }
    std::vector<unsigned char> block(kBlock);
    for (size_t i = 0; i < block.size(); ++i) block[i] = static_cast<unsigned char>(i * kScatter >> 24);
    take_memory(plans_[0]->src_bytes, plans_[0]->dst_bytes);
    fill(0, plans_[0]->src_bytes, block);
    answer(plans_[0]->src_bytes, plans_[0]->dst_bytes, line);
  }

  void indices(std::istream& words) {
    std::string direction, steps, text;
    int64_t count;
    words >> direction >> steps >> text >> count;
    release();
    std::vector<int64_t> dimensions;
    std::istringstream list(text);
    for (std::string size; std::getline(list, size, ',');) dimensions.push_back(std::stoll(size));
    const bool to_linear = direction == "to_linear", soa = steps == "soa";
    const auto batch = std::make_shared<IndexBatch>(to_linear, soa, text, count, XLASHAPE_SPACE_CUDA, "cuda");
    add("ours", batch);
    take_memory(batch->src_bytes, batch->dst_bytes);
    const int64_t entries = std::min(count, kIndexBlock);
    std::vector<int64_t> linear(static_cast<size_t>(entries));
    for (size_t i = 0; i < linear.size(); ++i)
      linear[i] = static_cast<int64_t>(i * kScatter % static_cast<uint64_t>(batch->positions));
    if (to_linear) {
      const size_t rank = dimensions.size();
      std::vector<std::vector<int64_t>> rows(soa ? rank : 1);
      for (const int64_t position : linear) {
        int64_t stride = batch->positions;
        for (size_t d = 0; d < rank; ++d) {
          stride /= dimensions[d];
          rows[soa ? d : 0].push_back(position / stride % dimensions[d]);
        }
      }
      const int64_t step = batch->src_bytes / static_cast<int64_t>(rows.size());
      for (size_t d = 0; d < rows.size(); ++d) fill(static_cast<int64_t>(d) * step, step, rows[d]);
    } else {
      fill(0, batch->src_bytes, linear);
    }
    answer(batch->src_bytes, batch->dst_bytes, batch->words());
  }

  void time(std::istream& words) {
    std::string who;
    int calls;
    words >> who >> calls;
    const Work& work = works_.at(who);
    turn_ ^= 1;
    if (calls == 1)
      for (int i = 0; i < 2; ++i) device_.copy(dst_[turn_ ^ 1], src_[turn_ ^ 1], half_);
    const auto run = [&] {
      for (int i = 0; i < calls; ++i) work(src_[turn_], dst_[turn_]);
    };
    double us;
    if (device_.has_clock()) {
      us = device_.time(run);
    } else {
      device_.wait();
      const auto begin = std::chrono::steady_clock::now();
      run();
      device_.wait();
      us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    }
    std::cout << "ok " << us / calls << std::endl;
  }

  void bytes(std::istream& words) {
    int64_t offset, count;
    words >> offset >> count;
    device_.fill(dst_[0], 0xA5, side_);
    works_["ours"](src_[0], dst_[0]);
    std::vector<unsigned char> got(static_cast<size_t>(count));
    device_.read(got.data(), dst_[0] + static_cast<uint64_t>(offset), count);
    std::cout << "ok ";
    for (const unsigned char byte : got) std::cout << "0123456789abcdef"[byte >> 4] << "0123456789abcdef"[byte & 15];
    std::cout << std::endl;
  }

  void add(const std::string& name, const std::shared_ptr<Plan>& plan) {
    plans_.push_back(plan);
    works_[name] = [this, plan](uint64_t src, uint64_t dst) { plan->enqueue(src, dst, device_.stream); };
  }

  // The ceiling is the better one of the driver's copy and of our own, of as many bytes.
  void take_memory(int64_t src_bytes, int64_t dst_bytes) {
    side_ = std::max(src_bytes, dst_bytes);
    half_ = (src_bytes + dst_bytes) / 2;
    for (int i = 0; i < 2; ++i) {
      src_[i] = device_.alloc(side_);
      dst_[i] = device_.alloc(side_);
    }
    const std::string run = "u8[" + std::to_string(half_) + "]{0}";
    add("copy_kernel", std::make_shared<Plan>(run, run, XLASHAPE_SPACE_CUDA, "cuda"));
    works_["copy"] = [this](uint64_t src, uint64_t dst) { device_.copy(dst, src, half_); };
  }

  // [offset, offset + bytes) of both sources: `block` over and over.
  template <class T>
  void fill(int64_t offset, int64_t bytes, const std::vector<T>& block) {
    const uint64_t first = src_[0] + static_cast<uint64_t>(offset);
    int64_t done = std::min(bytes, static_cast<int64_t>(block.size() * sizeof(T)));
    device_.write(first, block.data(), done);
    for (; done < bytes; done += std::min(done, bytes - done))
      device_.copy(first + static_cast<uint64_t>(done), first, std::min(done, bytes - done));
    device_.copy(src_[1] + static_cast<uint64_t>(offset), first, bytes);
  }

  void answer(int64_t src_bytes, int64_t dst_bytes, const std::string& line) const {
    std::cout << "ok " << src_bytes << " " << dst_bytes << " ";
    for (auto work = works_.begin(); work != works_.end(); ++work)
      std::cout << (work == works_.begin() ? "" : ",") << work->first;
    std::cout << " " << line << std::endl;
  }

  void release() {
    device_.wait();
    works_.clear();
    plans_.clear();
    for (uint64_t* memory : {&src_[0], &src_[1], &dst_[0], &dst_[1]}) {
      if (*memory != 0) device_.free(*memory);
      *memory = 0;
    }
  }

  const Device& device_;
  struct Forced {
    const char* kernels;
    Runtime runtime;
  };
  const Forced forced_[2] = {{"portable", Runtime("cuda.kernels=portable")},
                             {"nvidia", Runtime("cuda.kernels=nvidia")}};
  std::map<std::string, Work> works_;
  std::vector<std::shared_ptr<Plan>> plans_;
  uint64_t src_[2] = {}, dst_[2] = {};
  int64_t side_ = 0, half_ = 0;
  int turn_ = 0;
};

}  // namespace xlashape::gpu
