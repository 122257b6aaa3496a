#include "relayouts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "child.h"
#include "sample.h"
#include "session.h"
#include "verify.h"

namespace bench {
namespace {

constexpr int64_t kSmall = 20000;        // bytes: cases below count in no mean
constexpr int64_t kWarmUpTo = 64 << 20;  // bytes: what may still lie in a cache gets a run before each sample
constexpr char kOwn[] = "xlashape";

struct Result {
  std::string name, group, backend;
  int64_t bytes;
  double seconds, memcpy_seconds, streaming_seconds;
  std::map<std::string, double> peers;  // NaN: its result was wrong

  double copy_seconds() const { return std::min(memcpy_seconds, streaming_seconds); }
  double r() const { return memcpy_seconds / seconds; }
  double b() const { return copy_seconds() / seconds; }
  const std::pair<const std::string, double>* best_peer() const {
    const std::pair<const std::string, double>* best = nullptr;
    for (const auto& peer : peers)
      if (!std::isnan(peer.second) && (best == nullptr || peer.second < best->second)) best = &peer;
    return best;
  }
};

void* copy_plain(void* dst, const void* src, size_t bytes) { return std::memcpy(dst, src, bytes); }
// Not known at compile time, so that what is measured is libc's.
void* (*volatile libc_copy)(void*, const void*, size_t) = copy_plain;

class Measurement {
 public:
  Measurement(const Case& c, const Options& options, const Session& session, Child* child)
      : case_(c), options_(options), session_(session), child_(child), copied_(c.bytes / 2) {
    const int64_t room = std::max({c.src_bytes, c.dst_bytes, copied_});
    src_ = Buffer(room);
    dst_ = Buffer(room);
    fill_random(src_.data(), room, 1);
  }

  Result run() {
    const Plan plan = session_.plan(case_.src.get(), case_.dst.get());
    const auto execute = [&] {
      check([&](xlashape_error* err) { return xlashape_plan_execute(plan.get(), src_.data(), dst_.data(), err); });
    };
    verify(execute, dst_.data(), kOwn);
    Team& team = session_.team();
    add("memcpy", [&] {
      team.copy([](char* dst, const char* src, size_t bytes) { libc_copy(dst, src, bytes); }, dst_.data(), src_.data(),
                copied_);
    });
    add("streaming", [&] { team.copy(streaming_copy, dst_.data(), src_.data(), copied_); });
    add(kOwn, execute);
    Result result{case_.name, case_.group, xlashape_plan_backend(plan.get()), case_.bytes, 0, 0, 0, {}};
    if (options_.peers) add_peers(&result);
    const double budget = options_.seconds > 0 ? options_.seconds : 10;
    take_turns(contenders_, budget, options_.seconds > 0 ? 3 : 5, options_.seconds > 0 ? 1000 : 7);
    for (const Contender& contender : contenders_) {
      const double median = contender.median();
      if (contender.name == "memcpy") {
        result.memcpy_seconds = median;
      } else if (contender.name == "streaming") {
        result.streaming_seconds = median;
      } else if (contender.name == kOwn) {
        result.seconds = median;
      } else {
        result.peers[contender.name] = median;
      }
    }
    return result;
  }

 private:
  void add(const std::string& name, std::function<void()> run) {
    contenders_.push_back({name, timed(std::move(run), case_.bytes <= kWarmUpTo, options_.threads), {}});
  }

  void verify(const std::function<void()>& run, const char* dst, const std::string& who) {
    std::memset(dst_.data(), 0xA5, static_cast<size_t>(case_.dst_bytes));
    run();
    const std::string problem = mismatch(case_, src_.data(), dst, true);
    if (!problem.empty()) throw std::runtime_error(who + ": " + problem);
  }

  void add_peers(Result* result) {
    const auto strided = strided_form(case_);
    if (!strided) return;
    const Problem problem{case_, *strided, src_.data(), dst_.data(), options_.threads};
    for (const Peer& peer : kPeers) {
      Run copies = peer.prepare(problem);
      if (!copies) continue;
      const std::function<void()> run = [this, copies] {
        if (case_.padded) std::memset(dst_.data(), 0, static_cast<size_t>(case_.dst_bytes));
        copies();
      };
      try {
        verify(run, dst_.data(), peer.name);
        add(peer.name, run);
      } catch (const std::exception&) {
        result->peers[peer.name] = std::nan("");
      }
    }
    for (const std::string& peer : child_->prepare(problem)) {
      child_->poison();
      if (!child_->run(peer)) continue;
      if (mismatch(case_, src_.data(), child_->result(), true).empty()) {
        contenders_.push_back({peer, [this, peer] { return child_->sample(peer); }, {}});
      } else {
        result->peers[peer] = std::nan("");
      }
    }
  }

  const Case& case_;
  const Options& options_;
  const Session& session_;
  Child* child_;
  int64_t copied_;
  Buffer src_, dst_;
  std::vector<Contender> contenders_;
};

// -- Showing ----------------------------------------------------------------------------------------------------------

std::string ratio(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

std::vector<std::string> peer_names(const Child* child) {
  std::vector<std::string> names;
  for (const Peer& peer : kPeers) names.push_back(peer.name);
  if (child != nullptr) names.insert(names.end(), child->peers().begin(), child->peers().end());
  return names;
}

void print_header(const Options& options, const std::vector<std::string>& peers) {
  std::printf("| case | class | MB | GB/s | R | B |");
  for (const auto& peer : peers) std::printf(" %s |", peer.c_str());
  if (options.peers) std::printf(" best peer | ratio to it |");
  std::printf("\n|---|---|---|---|---|---|");
  for (size_t i = 0; i < peers.size(); ++i) std::printf("---|");
  if (options.peers) std::printf("---|---|");
  std::printf("\n");
}

// Peers stand with their own B.
void print_row(const Options& options, const Result& r, const std::vector<std::string>& peers) {
  std::printf("| %s | %s | %.3g | %.3g | %.2f | %.2f |", r.name.c_str(), r.group.c_str(),
              static_cast<double>(r.bytes) * 1e-6, static_cast<double>(r.bytes) / r.seconds * 1e-9, r.r(), r.b());
  for (const auto& name : peers) {
    const auto peer = r.peers.find(name);
    const bool there = peer != r.peers.end();
    std::printf(" %s |", !there                     ? "-"
                         : std::isnan(peer->second) ? "wrong"
                                                    : ratio(r.copy_seconds() / peer->second).c_str());
  }
  if (options.peers) {
    if (const auto* best = r.best_peer()) {
      std::printf(" %s %.2f | %.2f |", best->first.c_str(), r.copy_seconds() / best->second, best->second / r.seconds);
    } else {
      std::printf(" - | - |");
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

class Mean {
 public:
  void add(double value) {
    sum_ += std::log(value);
    ++count_;
    least_ = count_ == 1 ? value : std::min(least_, value);
  }
  int count() const { return count_; }
  double mean() const { return std::exp(sum_ / count_); }
  double least() const { return least_; }

 private:
  double sum_ = 0, least_ = 0;
  int count_ = 0;
};

// Younger classes have means of their own, so that the first one is of the cases that every table has.
const std::string kYoung[] = {"packed", "small-digits", "padded"};

struct Means {
  Mean b, best;
  std::map<std::string, Mean> peers;

  void add(const Result& r) {
    b.add(r.b());
    for (const auto& [name, seconds] : r.peers)
      if (!std::isnan(seconds)) peers[name].add(seconds / r.seconds);
    if (const auto* peer = r.best_peer()) best.add(peer->second / r.seconds);
  }
  void print(const std::string& of) const {
    if (b.count() == 0) return;
    std::printf("\nB over the %d %scases of 20 KB and more: %.3f in the geometric mean, at least %.2f\n", b.count(),
                of.c_str(), b.mean(), b.least());
    const auto line = [](const char* name, const Mean& mean) {
      if (mean.count() > 0)
        std::printf("against %s: %.2f times as fast in the geometric mean of %d cases, at least %.2f\n", name,
                    mean.mean(), mean.count(), mean.least());
    };
    for (const auto& [name, mean] : peers) line(name.c_str(), mean);
    line("the best peer", best);
  }
};

void print_means(const std::vector<Result>& results) {
  Means others;
  std::map<std::string, Means> young;
  for (const Result& r : results) {
    if (r.bytes < kSmall) continue;
    (std::count(std::begin(kYoung), std::end(kYoung), r.group) ? young[r.group] : others).add(r);
  }
  others.print("");
  for (const auto& [group, means] : young) means.print(group + " ");
}

void write_json(const std::string& path, int threads, const std::vector<Result>& results) {
  auto all = nlohmann::json::array();
  for (const Result& r : results) {
    nlohmann::json peers = nlohmann::json::object();
    for (const auto& [name, seconds] : r.peers)
      if (!std::isnan(seconds)) peers[name] = seconds;
    all.push_back({{"name", r.name},
                   {"class", r.group},
                   {"backend", r.backend},
                   {"threads", threads},
                   {"seconds", r.seconds},
                   {"bytes", r.bytes},
                   {"copy_seconds", r.copy_seconds()},
                   {"memcpy_seconds", r.memcpy_seconds},
                   {"R", r.r()},
                   {"B", r.b()},
                   {"peers", peers}});
  }
  std::ofstream file(path);
  file << all.dump(1) << "\n";
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace

bool run_relayouts(const Options& options, const Session& session) {
  const std::regex only(options.only.empty() ? ".*" : options.only);
  std::unique_ptr<Child> child;
  if (options.peers) child = std::make_unique<Child>(XLASHAPE_BENCH_TOOLS "/bench_peers.py", options.threads);
  const auto peers = options.peers ? peer_names(child.get()) : std::vector<std::string>();
  bool all_good = true;
  std::vector<Result> results;
  std::printf(
      "\nRelayouts, %d thread%s. R: time of memcpy / time, B: time of the faster of memcpy and a streaming copy / "
      "time.\n\n",
      options.threads, options.threads == 1 ? "" : "s");
  print_header(options, peers);
  for (const Case& c : read_cases(options.cases)) {
    if (!std::regex_search(c.name, only)) continue;
    try {
      results.push_back(Measurement(c, options, session, child.get()).run());
      print_row(options, results.back(), peers);
    } catch (const std::exception& problem) {
      all_good = false;
      std::printf("| %s | failed: %s |\n", c.name.c_str(), problem.what());
    }
  }
  print_means(results);
  if (!options.json.empty()) write_json(options.json, options.threads, results);
  return all_good;
}

}  // namespace bench
