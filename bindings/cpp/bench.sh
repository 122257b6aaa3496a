#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh PREFIX WORK: JSON lines {"language", "name", "ns"} of the C call ("c") and the header's ("c++"), measured
# with Google Benchmark.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
library=$(find "$prefix" -name libxlashape.so.0.1 | head -n 1)
g++ -std=c++20 -O2 -DNDEBUG "-I$here" "-I$prefix/include" "$here/bench.cc" -o "$work/bench" "$library" \
  "-Wl,-rpath,$(dirname "$library")" -lbenchmark -pthread
"$work/bench" --benchmark_enable_random_interleaving=true 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
