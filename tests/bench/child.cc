// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

namespace bench {

using nlohmann::json;

Child::Child(const std::string& script, int threads) {
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0) throw std::runtime_error("no pipes for the Python peers");
  const std::string count = std::to_string(threads);
  // Debian's Python has Debian's NumPy; BENCH_PYTHON names another one.
  const char* python = std::getenv("BENCH_PYTHON");
  if (python == nullptr) python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
  process_ = fork();
  if (process_ == 0) {
    dup2(to[0], 0);
    dup2(from[1], 1);
    for (const int file : {to[0], to[1], from[0], from[1]}) close(file);
    execlp(python, python, script.c_str(), count.c_str(), nullptr);
    _exit(127);
  }
  close(to[0]);
  close(from[1]);
  fcntl(to[1], F_SETFD, FD_CLOEXEC);
  fcntl(from[0], F_SETFD, FD_CLOEXEC);
  signal(SIGPIPE, SIG_IGN);
  to_ = fdopen(to[1], "w");
  from_ = fdopen(from[0], "r");
  const std::string answer = ask("{}");
  if (answer.empty()) {
    missing_["numpy, torch, xla"] = std::string(python) + " does not run " + script;
    return;
  }
  const json parsed = json::parse(answer);
  peers_ = parsed.at("peers").get<std::vector<std::string>>();
  missing_ = parsed.at("missing").get<Missing>();
}

Child::~Child() {
  if (to_ != nullptr) fclose(to_);
  if (from_ != nullptr) fclose(from_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

// One line out, one line back; "" from a process that is gone.
std::string Child::ask(const std::string& request) {
  if (to_ == nullptr || std::fprintf(to_, "%s\n", request.c_str()) < 0 || std::fflush(to_) != 0) return "";
  std::string answer;
  for (int c; (c = std::fgetc(from_)) != EOF && c != '\n';) answer += static_cast<char>(c);
  return answer;
}

std::vector<std::string> Child::prepare(const Problem& problem) {
  if (peers_.empty()) return {};
  const Case& c = problem.relayout;
  src_ = Buffer();
  dst_ = Buffer();
  src_ = Buffer(c.src_bytes, true);
  dst_ = Buffer(c.dst_bytes, true);
  json rectangles = json::array();
  for (const Rectangle& rectangle : problem.strided.rectangles) {
    json loops = json::array();
    for (const Loop& loop : rectangle.loops) loops.push_back({loop.extent, loop.src, loop.dst});
    rectangles.push_back({{"src", rectangle.src}, {"dst", rectangle.dst}, {"loops", loops}});
  }
  const auto path = [](const Buffer& buffer) {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(buffer.file());
  };
  const json request = {{"prepare", rectangles},         {"width", problem.strided.width}, {"fill", c.padded},
                        {"warm", c.bytes <= (64 << 20)}, {"src_path", path(src_)},         {"dst_path", path(dst_)},
                        {"src_bytes", c.src_bytes},      {"dst_bytes", c.dst_bytes}};
  const std::string answer = ask(request.dump());
  if (answer.empty()) return {};
  const json parsed = json::parse(answer);
  std::memcpy(src_.data() + parsed.at("src_offset").get<int64_t>(), problem.src, static_cast<size_t>(c.src_bytes));
  dst_offset_ = parsed.at("dst_offset");
  return parsed.at("peers").get<std::vector<std::string>>();
}

void Child::poison() { std::memset(dst_.data() + dst_offset_, 0xA5, static_cast<size_t>(dst_.size())); }

bool Child::run(const std::string& peer) { return ask(json{{"run", peer}}.dump()) == "{}"; }

double Child::sample(const std::string& peer) {
  const std::string answer = ask(json{{"sample", peer}}.dump());
  return answer.empty() ? 0 : json::parse(answer).at("seconds").get<double>();
}

}  // namespace bench
