// SPDX-License-Identifier: Apache-2.0
#include "relayouts.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <regex>

#include "child.h"
#include "copies.h"
#include "random_cases.h"
#include "report.h"
#include "sample.h"
#include "session.h"
#include "verify.h"
#include "xlashape_runtime.h"

namespace bench {
namespace {

constexpr int64_t kOdd = 16;             // bytes after a line: where malloc and NumPy put large arrays
constexpr int64_t kWarmUpTo = 64 << 20;  // bytes: what may still lie in a cache gets a run before each sample

// The peers of this program, and those in Python.
struct AllPeers {
  std::vector<Peer> here;
  std::unique_ptr<Child> child;  // null: not asked for
  Missing missing;

  explicit AllPeers(const Options& options) {
    if (options.peers) {
      here = known_peers(&missing);
      child = std::make_unique<Child>(XLASHAPE_BENCH_TOOLS "/bench_peers.py", options.threads);
      missing.insert(child->missing().begin(), child->missing().end());
    }
    for (const std::string& path : options.peer_libraries) {
      Peer peer = peer_of_library(path);
      const auto taken = names();
      if (std::count(taken.begin(), taken.end(), peer.name))
        throw std::runtime_error("--peer-library " + path + ": there is another peer named " + peer.name);
      here.push_back(std::move(peer));
    }
  }
  bool none() const { return here.empty() && child == nullptr; }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Peer& peer : here) all.push_back(peer.name);
    if (child != nullptr) all.insert(all.end(), child->peers().begin(), child->peers().end());
    return all;
  }
};

class Measurement {
 public:
  Measurement(const Case& c, const Options& options, const Session& session, const AllPeers& peers)
      : case_(c), options_(options), session_(session), peers_(peers), copied_(c.bytes / 2) {
    const int64_t room = std::max({c.src_bytes, c.dst_bytes, copied_});
    src_ = Buffer(room + kOdd);
    dst_ = Buffer(room + kOdd);
    fill_normal(src_.data(), room + kOdd, 1);
  }

  Result run() {
    const Plan plan = session_.plan(case_.src.get(), case_.dst.get());
    const auto execution = [this](const Plan& of, int64_t begin) {
      return [this, &of, begin] {
        check([&](xlashape_error* err) {
          return xlashape_plan_execute(of.get(), src_.data() + begin, byte_count(src_) - static_cast<size_t>(begin),
                                       dst_.data() + begin, byte_count(dst_) - static_cast<size_t>(begin), err);
        });
      };
    };
    const auto checked = [&](const char* what, std::function<void()> run, int64_t begin) {
      if (const std::string problem = wrong(run, begin); !problem.empty()) throw std::runtime_error(what + problem);
      return run;
    };
    const auto execute = checked("", execution(plan, 0), 0);
    const auto execute_odd = checked("16 bytes after a line: ", execution(plan, kOdd), kOdd);
    Result result{case_.name, case_.group, case_.source, xlashape_plan_backend(plan.get()), case_.bytes, 0, 0, 0, 0, {},
                  {},         {}};
    if (int64_t ns = 0; xlashape_plan_predict(plan.get(), &ns, nullptr) == XLASHAPE_STATUS_OK)
      result.predicted = static_cast<double>(ns) * 1e-9;
    for (const Copy& copy : copies())
      add(&result.copies[copy.name],
          [this, &copy] { session_.team().copy(copy.run, dst_.data(), src_.data(), copied_); });
    add(&result.seconds, execute);
    add(&result.seconds_odd, execute_odd);
    const Plan measured =
        options_.measure > 0 ? session_.plan(case_.src.get(), case_.dst.get(), options_.measure) : nullptr;
    if (measured) add(&result.measured, checked("measured: ", execution(measured, 0), 0));
    if (!peers_.none()) add_peers(&result);
    const double budget = options_.seconds > 0 ? options_.seconds : 10;
    take_turns(contenders_, budget, options_.seconds > 0 ? 3 : 5, options_.seconds > 0 ? 1000 : 7);
    for (size_t i = 0; i < contenders_.size(); ++i) *medians_[i] = contenders_[i].median();
    return result;
  }

 private:
  // `median` gets its time.
  void add(double* median, std::function<void()> run) {
    contenders_.push_back({timed(std::move(run), case_.bytes <= kWarmUpTo, options_.threads), {}});
    medians_.push_back(median);
  }

  // What is wrong with a result; "": nothing.
  std::string wrong(const std::function<void()>& run, int64_t begin = 0) {
    std::memset(dst_.data() + begin, 0xA5, static_cast<size_t>(case_.dst_bytes));
    run();
    return mismatch(case_, src_.data() + begin, dst_.data() + begin, true);
  }

  void add_peers(Result* result) {
    const auto strided = strided_form(case_);
    if (!strided) return;
    const Problem problem{case_, *strided, src_.data(), dst_.data(), options_.threads};
    for (const Peer& peer : peers_.here) {
      try {
        Run copies = peer.prepare(problem);
        if (!copies) continue;
        const std::function<void()> run = [this, copies] {
          if (case_.padded) std::memset(dst_.data(), 0, static_cast<size_t>(case_.dst_bytes));
          copies();
        };
        const std::string what = wrong(run);
        if (what.empty()) {
          add(&result->peers[peer.name], run);
        } else {
          result->wrong[peer.name] = what;
        }
      } catch (const std::exception& failure) {
        result->wrong[peer.name] = failure.what();
      }
    }
    if (peers_.child != nullptr) add_python_peers(problem, result);
  }

  void add_python_peers(const Problem& problem, Result* result) {
    Child& child = *peers_.child;
    for (const std::string& peer : child.prepare(problem)) {
      child.poison();
      if (!child.run(peer)) continue;
      const std::string what = mismatch(case_, src_.data(), child.result(), true);
      if (what.empty()) {
        contenders_.push_back({[&child, peer] { return child.sample(peer); }, {}});
        medians_.push_back(&result->peers[peer]);
      } else {
        result->wrong[peer] = what;
      }
    }
  }

  const Case& case_;
  const Options& options_;
  const Session& session_;
  const AllPeers& peers_;
  int64_t copied_;
  Buffer src_, dst_;
  std::vector<Contender> contenders_;
  std::vector<double*> medians_;  // of the contenders, in the same order
};

}  // namespace

bool run_relayouts(const Options& options, const Session& session) {
  const std::regex only(options.only.empty() ? ".*" : options.only);
  const AllPeers peers(options);
  Report report(options, peers.names(), peers.missing);
  const auto cases = options.random > 0 ? random_cases(options.random, *options.seed) : read_cases(options.cases);
  if (options.random > 0)
    std::printf("%lld random relayouts: again by --seed %llu\n", static_cast<long long>(options.random),
                static_cast<unsigned long long>(*options.seed));
  for (const Case& c : cases) {
    if (!std::regex_search(c.name, only)) continue;
    try {
      report.add(Measurement(c, options, session, peers).run());
    } catch (const std::exception& problem) {
      report.add_failure(c.name, problem.what());
    }
  }
  return report.finish();
}

}  // namespace bench
