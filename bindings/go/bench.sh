#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh PREFIX WORK: what a call costs from Go. JSON lines on stdout: language, name, ns. Batches: per index.
set -euo pipefail
prefix=$1 work=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck disable=SC1091
. ./environment.sh "$prefix" "$work"

go test -c -o "$work/bench" .

measure() { # benchmark, its name, time, the unit that counts: the median of seven
  "$work/bench" -test.run NONE -test.bench "^Benchmark$1\$" -test.benchtime "$3" -test.count 7 |
    awk -v unit="$4" '/^Benchmark/ { for (i = 3; i < NF; i += 2) if ($(i + 1) == unit) print $i }' |
    sort -n | sed -n 4p |
    xargs printf '{"language": "go", "name": "%s", "ns": %.2f}\n' "$2"
}

measure Parse "parse a shape" 0.1s ns/op
measure Print "shape to text" 0.1s ns/op
measure LinearIndex "linear index, rank 4" 0.1s ns/op
measure Unravel1024 "unravel, per index of 1024" 0.1s ns/index
measure Unravel1000000 "unravel, per index of 1000000" 0.1s ns/index
measure ExecuteSmall "relayout of f32[3,4], kept plan" 0.1s ns/op
measure Execute64MB "relayout of 64 MB, kept plan" 15x median-ns
