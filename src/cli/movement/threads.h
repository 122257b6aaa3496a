// The command's threads.
#pragma once
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace xlashape::cli {

// Calls work(0) here and work(1), ... on other threads, `count` calls in all, or fewer where the system starts fewer
// threads. Returns the number of calls. Only work(0) may throw.
template <class Work>
int on_threads(int count, const Work& work) {
  struct Others {
    ~Others() {
      for (std::thread& thread : threads) thread.join();
    }
    std::vector<std::thread> threads;
  } others;
  others.threads.reserve(static_cast<size_t>(count));
  try {
    for (int i = 1; i < count; ++i) others.threads.emplace_back([&work, i] { work(i); });
  } catch (const std::system_error&) {  // no more threads
  } catch (const std::bad_alloc&) {     // no memory for one
  }
  work(0);
  return static_cast<int>(others.threads.size()) + 1;
}

}  // namespace xlashape::cli
