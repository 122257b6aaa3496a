// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "copies.h"
#include "means.h"

namespace bench {
namespace {

constexpr size_t kWorst = 20;

bool faster(const Result::Named& a, const Result::Named& b) { return a.second < b.second; }

std::string ratio(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

double rate(const Result& r, double seconds) { return static_cast<double>(r.bytes) / seconds * 1e-9; }

}  // namespace

const Result::Named& Result::best_copy() const { return *std::min_element(copies.begin(), copies.end(), faster); }

const Result::Named* Result::best_peer() const {
  const auto best = std::min_element(peers.begin(), peers.end(), faster);
  return best == peers.end() ? nullptr : &*best;
}

Report::Report(const Options& options, std::vector<std::string> peers, Missing missing)
    : options_(options), peers_(std::move(peers)), missing_(std::move(missing)) {
  std::printf(
      "\nRelayouts, %d thread%s. R: time of memcpy / time, B: time of the fastest copy / time, B + 16: with "
      "both arrays 16 bytes after a line, as malloc has room.\n",
      options.threads, options.threads == 1 ? "" : "s");
  for (const auto& [name, why] : missing_) std::printf("Missing peer: %s: %s\n", name.c_str(), why.c_str());
  std::printf("\n");
  print_header();
}

void Report::print_header() const {
  std::printf("| case | class | MB | GB/s | predicted | R | B | B + 16 | best copy |");
  size_t columns = 9 + copies().size() + peers_.size();
  if (options_.measure > 0) {
    std::printf(" measured B | loss |");
    columns += 2;
  }
  for (const Copy& copy : copies()) std::printf(" %s GB/s |", copy.name);
  for (const auto& peer : peers_) std::printf(" %s |", peer.c_str());
  if (!peers_.empty()) {
    std::printf(" best peer | ratio to it |");
    columns += 2;
  }
  std::printf("\n|");
  for (size_t i = 0; i < columns; ++i) std::printf("---|");
  std::printf("\n");
}

void Report::add(Result result) {
  results_.push_back(std::move(result));
  print_row(results_.back());
}

void Report::add_failure(const std::string& name, const std::string& why) {
  failed_ = true;
  std::printf("| %s | failed: %s |\n", name.c_str(), why.c_str());
}

// Peers stand with their own B.
void Report::print_row(const Result& r) const {
  char predicted[32] = "-";
  if (r.predicted > 0) std::snprintf(predicted, sizeof predicted, "%.3g", rate(r, r.predicted));
  std::printf("| %s | %s | %.3g | %.3g | %s | %.2f | %.2f | %.2f | %s |", r.name.c_str(), r.group.c_str(),
              static_cast<double>(r.bytes) * 1e-6, rate(r, r.seconds), predicted, r.r(), r.b(), r.odd_b(),
              r.best_copy().first.c_str());
  if (options_.measure > 0) std::printf(" %.2f | %.2f |", r.measured_b(), r.loss());
  for (const Copy& copy : copies()) std::printf(" %.3g |", rate(r, r.copies.at(copy.name)));
  const double copy_seconds = r.best_copy().second;
  for (const auto& name : peers_) {
    const auto peer = r.peers.find(name);
    const std::string cell = peer != r.peers.end() ? ratio(copy_seconds / peer->second)
                             : r.wrong.count(name) ? "wrong"
                                                   : "-";
    std::printf(" %s |", cell.c_str());
  }
  if (!peers_.empty()) {
    if (const auto* best = r.best_peer()) {
      std::printf(" %s %.2f | %.2f |", best->first.c_str(), copy_seconds / best->second, best->second / r.seconds);
    } else {
      std::printf(" - | - |");
    }
  }
  std::printf("\n");
  std::fflush(stdout);
}

void Report::print_wrong() const {
  for (const Result& r : results_)
    for (const auto& [peer, what] : r.wrong)
      std::printf("\nWrong: %s in %s: %s\n", peer.c_str(), r.name.c_str(), what.c_str());
}

void Report::print_worst() const {
  std::vector<const Result*> order;
  for (const Result& r : results_) order.push_back(&r);
  std::stable_sort(order.begin(), order.end(), [](const Result* a, const Result* b) { return a->b() < b->b(); });
  order.resize(std::min(order.size(), kWorst));
  std::printf("\nThe %zu cases with the least B:\n\n| B | MB | case |\n|---|---|---|\n", order.size());
  for (const Result* r : order)
    std::printf("| %.2f | %.3g | %s |\n", r->b(), static_cast<double>(r->bytes) * 1e-6, r->name.c_str());
}

bool Report::finish() const {
  print_wrong();
  print_means(results_);
  if (options_.random > 0) print_worst();
  if (!options_.json.empty()) write_json();
  return !failed_;
}

void Report::write_json() const {
  auto all = nlohmann::json::array();
  for (const Result& r : results_) {
    all.push_back({{"name", r.name},
                   {"class", r.group},
                   {"source", r.source},
                   {"backend", r.backend},
                   {"threads", options_.threads},
                   {"seconds", r.seconds},
                   {"seconds_odd", r.seconds_odd},
                   {"measured_seconds", r.measured},
                   {"predicted_seconds", r.predicted},
                   {"bytes", r.bytes},
                   {"best_copy", r.best_copy().first},
                   {"copy_seconds", r.best_copy().second},
                   {"copies", r.copies},
                   {"R", r.r()},
                   {"B", r.b()},
                   {"B_odd", r.odd_b()},
                   {"peers", r.peers},
                   {"wrong_peers", r.wrong}});
  }
  std::ofstream file(options_.json);
  file << nlohmann::json{{"peers", peers_}, {"missing_peers", missing_}, {"results", all}}.dump(1) << "\n";
  if (!file) throw std::runtime_error("cannot write " + options_.json);
}

}  // namespace bench
