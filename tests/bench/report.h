/* SPDX-License-Identifier: Apache-2.0 */
// What was measured of relayouts: the table, the means, and the JSON file.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "options.h"
#include "peers.h"

namespace bench {

struct Result {
  std::string name, group, source, backend;
  int64_t bytes;
  double seconds, measured;                  // of the default plan, and of a measured one; 0: none
  double seconds_odd;                        // of the default plan, with both arrays 16 bytes after a line
  double predicted;                          // seconds, by the library for the default plan; 0: it does not
  std::map<std::string, double> copies;      // seconds; of each of copies()
  std::map<std::string, double> peers;       // seconds
  std::map<std::string, std::string> wrong;  // a peer -> what was wrong with its result

  using Named = std::pair<const std::string, double>;
  const Named& best_copy() const;
  const Named* best_peer() const;  // null: there is none
  double r() const { return copies.at("memcpy") / seconds; }
  double b() const { return best_copy().second / seconds; }
  double odd_b() const { return best_copy().second / seconds_odd; }
  double measured_b() const { return best_copy().second / measured; }
  double loss() const { return seconds / measured; }
};

// Line by line as results come in, then what they amount to.
class Report {
 public:
  Report(const Options& options, std::vector<std::string> peers, Missing missing);
  void add(Result result);
  void add_failure(const std::string& name, const std::string& why);
  // The means, and the file that --json asks for. False where a relayout failed.
  bool finish() const;

 private:
  void print_header() const;
  void print_row(const Result& result) const;
  void print_wrong() const;
  void print_worst() const;
  void write_json() const;

  const Options& options_;
  std::vector<std::string> peers_;
  Missing missing_;
  std::vector<Result> results_;
  bool failed_ = false;
};

}  // namespace bench
