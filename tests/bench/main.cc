// SPDX-License-Identifier: Apache-2.0
// The benchmarks: `./x bench`. Through the C API of the shared object only. README.md tells how to read them.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "index.h"
#include "relayouts.h"
#include "session.h"
#include "small.h"

int main(int argc, char** argv) {
  int status = 0;
  const auto options = bench::parse_options(argc, argv, &status);
  if (!options) return status;
  // Before any peer is loaded: they read this when they are.
  setenv("OMP_NUM_THREADS", std::to_string(options->threads).c_str(), 1);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  try {
    const bench::Session session(*options);
    bool good = true;
    if (options->relayouts) good &= bench::run_relayouts(*options, session);
    if (options->index) good &= bench::run_index(session);
    if (options->small) good &= bench::run_small(*options, session);
    return good ? 0 : 1;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "bench: %s\n", problem.what());
    return 1;
  }
}
