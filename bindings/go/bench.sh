#!/usr/bin/env bash
# bench.sh PREFIX WORK: what a call costs from Go and from C. JSON lines on stdout: language, name, ns. Batches: per index.
set -euo pipefail
prefix=$1 work=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
. ./environment.sh "$prefix" "$work"

read -ra flags <<<"$(pkg-config --cflags --libs xlashape)"
cc -O2 -o "$work/bare" bare/bench.c "${flags[@]}"
go test -c -o "$work/bench" .

names='Parse=parse Print=print LinearIndex=linear_index ExecuteSmall=execute_small
Unravel1024=unravel_1024 Unravel1000000=unravel_1000000 Execute64MB=execute_64MB'
measure() { # benchmarks, time, the unit that counts
  "$work/bench" -test.run NONE -test.bench "$1" -test.benchtime "$2" -test.count 7 |
    awk -v unit="$3" -v names="$names" '
      BEGIN { n = split(names, pairs); for (i = 1; i <= n; i++) { split(pairs[i], p, "="); name[p[1]] = p[2] } }
      /^Benchmark/ {
        sub(/^Benchmark/, "", $1); sub(/-[0-9]+$/, "", $1)
        for (i = 3; i < NF; i += 2) if ($(i + 1) == unit) print name[$1], $i
      }' | sort -k1,1 -k2,2n | awk '
        function out() { if (n) printf "{\"language\": \"Go\", \"name\": \"%s\", \"ns\": %.2f}\n", last, v[int((n + 1) / 2)] }
        $1 != last { out(); last = $1; n = 0 }
        { v[++n] = $2 }
        END { out() }'
}
"$work/bare"
measure '^Benchmark(Parse|Print|LinearIndex|ExecuteSmall)$' 0.1s ns/op
measure '^BenchmarkUnravel10' 0.1s ns/index
measure '^BenchmarkExecute64MB$' 15x median-ns
