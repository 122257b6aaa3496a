// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bench {
namespace {

constexpr char kUsage[] =
    "bench [OPTION...]: measures relayouts, index batches and small operations; without one of the last three options\n"
    "all of them, with --cases, --random, --only or --json the relayouts.\n"
    "  --cases FILE    relayout cases, may be given several times; by default both files in tests/data/bench\n"
    "  --random N      N random relayouts of 64 KiB to 64 MiB instead, and a list of the worst\n"
    "  --seed S        of the random ones; by default another one at each run, which is printed\n"
    "  --only REGEX    only relayout cases whose names match\n"
    "  --backend B     by this backend; by default the one that the library selects\n"
    "  --plugin PATH   load this backend first\n"
    "  --threads N     on N threads, against copies by N threads\n"
    "  --seconds S     spend about so long on each relayout case; by default 5 to 7 rounds\n"
    "  --measure S     measure a plan too whose candidates were timed for S seconds: what the default choice loses\n"
    "  --peers         measure the other libraries of this machine too\n"
    "  --peer-library FILE.so\n"
    "                  measure this one, as tests/bench/peer_library.h says; may be given several times\n"
    "  --json FILE     write the relayouts' results there\n"
    "  --relayouts, --index, --small\n";

}  // namespace

std::optional<Options> parse_options(int argc, char** argv, int* status) {
  Options options;
  bool relayouts = false, index = false, small = false, narrowed = false;
  const auto text = [&](int* i) -> const char* {
    if (*i + 1 < argc) return argv[++*i];
    std::fprintf(stderr, "bench: %s needs a value\n", argv[*i]);
    return nullptr;
  };
  *status = 2;
  for (int i = 1; i < argc; ++i) {
    const char* value = nullptr;
    const auto is = [&](const char* name) { return std::strcmp(argv[i], name) == 0; };
    const auto given = [&](const char* name) { return is(name) && (value = text(&i)) != nullptr; };
    if (is("--peers")) {
      options.peers = true;
    } else if (is("--relayouts")) {
      relayouts = true;
    } else if (is("--index")) {
      index = true;
    } else if (is("--small")) {
      small = true;
    } else if (given("--cases")) {
      options.cases.push_back(value);
      narrowed = true;
    } else if (given("--peer-library")) {
      options.peer_libraries.push_back(value);
    } else if (given("--random")) {
      options.random = std::atoll(value);
      if (options.random < 1 || options.random > 1000000) {
        std::fputs("bench: --random takes 1 to 1000000\n", stderr);
        return std::nullopt;
      }
      narrowed = true;
    } else if (given("--seed")) {
      options.seed = std::strtoull(value, nullptr, 10);
    } else if (given("--measure")) {
      options.measure = std::atof(value);
      if (!(options.measure > 0 && options.measure <= 3600)) {
        std::fputs("bench: --measure takes seconds, up to 3600\n", stderr);
        return std::nullopt;
      }
    } else if (given("--only")) {
      options.only = value;
      narrowed = true;
    } else if (given("--json")) {
      options.json = value;
      narrowed = true;
    } else if (given("--backend")) {
      options.backend = value;
    } else if (given("--plugin")) {
      options.plugin = value;
    } else if (given("--threads")) {
      options.threads = std::atoi(value);
    } else if (given("--seconds")) {
      options.seconds = std::atof(value);
    } else {
      if (is("--help") || is("-h")) *status = 0;
      std::fputs(kUsage, *status == 0 ? stdout : stderr);
      return std::nullopt;
    }
  }
  if (options.threads < 1 || options.threads > 1024) {
    std::fputs("bench: --threads takes 1 to 1024\n", stderr);
    return std::nullopt;
  }
  if (options.random > 0 && !options.seed) {
    using Clock = std::chrono::system_clock;
    options.seed = std::chrono::duration_cast<std::chrono::seconds>(Clock::now().time_since_epoch()).count();
  }
  if (options.random > 0 && !options.cases.empty()) {
    std::fputs("bench: --random and --cases exclude each other\n", stderr);
    return std::nullopt;
  }
  if (options.cases.empty())
    options.cases = {XLASHAPE_BENCH_DATA "/relayout_cases.json", XLASHAPE_BENCH_DATA "/relayout_cases_2.json"};
  if (relayouts || index || small) {
    options.relayouts = relayouts || narrowed;
    options.index = index;
    options.small = small;
  } else if (narrowed) {
    options.index = options.small = false;
  }
  return options;
}

}  // namespace bench
