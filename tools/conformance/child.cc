// SPDX-License-Identifier: Apache-2.0
#include "child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "cli/base/clock.h"
#include "cli/base/failure.h"
#include "cli/output/terminal.h"

namespace xlashape::cli {
namespace {

std::atomic<pid_t> the_child{0};

// A signal that ends this process also ends the child's process group, which the terminal no longer reaches.
void on_signal(int signal) {
  if (const pid_t child = the_child; child > 0) kill(-child, SIGKILL);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void limit(decltype(RLIMIT_CPU) resource, int64_t most) {
  rlimit value = {};
  if (getrlimit(resource, &value) != 0) return;
  if (value.rlim_cur == RLIM_INFINITY || value.rlim_cur > static_cast<rlim_t>(most))
    value.rlim_cur = static_cast<rlim_t>(most);
  setrlimit(resource, &value);
}

// Address space is not limited, as huge arrays are mapped and not filled. The parent checks the memory in use.
int64_t own_memory(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  std::string word;
  int64_t kib = 0;
  while (file >> word)
    if (word == "RssAnon:" && file >> kib) break;
  return kib << 10;
}

// Processes that the child left running become children of this process once their parents have ended.
int64_t end_descendants() {
  int64_t count = 0;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, WNOHANG);
    if (ended > 0) continue;
    if (ended < 0) return count;  // no process is left
    std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
    std::vector<pid_t> processes;
    for (pid_t process; children >> process;) processes.push_back(process);
    if (processes.empty()) return count;  // unknown on this system
    for (const pid_t process : processes) kill(process, SIGKILL);
    // Their children become children of this process only now.
    for (const pid_t process : processes) count += waitpid(process, &status, 0) == process;
  }
}

}  // namespace

Ended run_in_child(int64_t seconds, const std::function<void()>& work, const std::function<int64_t()>& steps_done) {
  std::fflush(nullptr);
  std::FILE* const output = std::tmpfile();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t parent = getpid(), child = fork();
  if (child < 0) wrong("no child process can be started");
  if (child == 0) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, int64_t{1} << 30);
    limit(RLIMIT_NOFILE, 4096);
    if (output != nullptr) {
      dup2(fileno(output), STDOUT_FILENO);
      dup2(fileno(output), STDERR_FILENO);
    }
    work();
    std::fflush(nullptr);
    _exit(0);
  }
  the_child = child;
  constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before[3], action = {};
  action.sa_handler = on_signal;
  for (int i = 0; i < 3; ++i) sigaction(kSignals[i], &action, &before[i]);

  Ended ended;
  int64_t steps = 0;
  double start = seconds_now();  // of this step
  for (int round = 0;; ++round) {
    // Polls rarely, to leave the processor to the child.
    const pid_t done = waitpid(child, &ended.status, WNOHANG);
    if (done == child || (done < 0 && errno != EINTR)) break;
    usleep(round < 50 ? 2000 : 20000);
    if (const int64_t now = steps_done(); now != steps) {
      steps = now;
      start = seconds_now();
    }
    ended.too_late = seconds_now() - start > static_cast<double>(seconds);
    ended.too_much_memory = round % 8 == 7 && own_memory(child) > kMostMemory;
    if (!ended.too_late && !ended.too_much_memory) continue;
    kill(child, SIGKILL);
    while (waitpid(child, &ended.status, 0) < 0 && errno == EINTR) continue;
    break;
  }
  the_child = 0;
  ended.left_behind = end_descendants();
  for (int i = 0; i < 3; ++i) sigaction(kSignals[i], &before[i], nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  if (output != nullptr) {
    char text[200];
    std::rewind(output);
    ended.output.assign(text, std::fread(text, 1, sizeof text, output));
    std::fclose(output);
  }
  return ended;
}

}  // namespace xlashape::cli
