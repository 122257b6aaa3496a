#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK: builds and tests the Go binding against the library installed in PREFIX, writing to WORK only.
# Ends with `N passed, M failed`; with `counts` set, writes "N M" to that file.
set -euo pipefail
prefix=$1 work=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck disable=SC1091
. ./environment.sh "$prefix" "$work"
passed=0 failed=0

check() { # name, command...: one test by its exit status
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    sed 's/^/  /' "$work/log"
  fi
}

counted_corpus=
count() { # name, command...: a run of `go test -v`, counted by its own report and, once, by that of the corpus
  local name=$1 corpus
  shift
  local status=0 n m
  "$@" >"$work/log" 2>&1 || status=$?
  n=$(grep -c '^ *--- PASS' "$work/log" || true)
  m=$(grep -c '^ *--- FAIL' "$work/log" || true)
  corpus=$(sed -n 's/^corpus: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/log")
  if [[ -n $corpus && -z $counted_corpus ]]; then
    counted_corpus=yes
    n=$((n + ${corpus% *})) m=$((m + ${corpus#* }))
  fi
  if ((status != 0 || n == 0)); then
    ((m > 0)) || m=1 # it did not compile, or crashed
    echo "FAIL $name"
    grep -v '^ *\(=== RUN\|--- PASS\|PASS$\)' "$work/log" | sed 's/^/  /' | head -n 100
  fi
  passed=$((passed + n)) failed=$((failed + m))
}

formatted() { [[ -z $(gofmt -l . | tee /dev/stderr) ]]; }
# The module has no requirements.
alone() { [[ $(go list -m all) == "$module" && ! -e go.sum ]]; }
# README and the examples name the module as go.mod does.
one_path() {
  local names
  names=$(grep -ohE '[a-z.]+(/[a-z]+)+/bindings/go' README.md ./*.go | sort -u)
  echo "$names" && [[ $names == "$module" ]]
}
# C that is compiled into other people's programs: no warnings.
strict() {
  local cflags
  read -ra cflags <<<"$(pkg-config --cflags xlashape)"
  gcc -std=gnu11 -Wall -Wextra -Wno-missing-field-initializers -Werror -fsyntax-only "${cflags[@]}" ./*.c
}
# Without cgo the compiler says what is missing, and nothing else.
without_cgo() {
  if CGO_ENABLED=0 go build . 2>"$work/without_cgo"; then return 1; fi
  cat "$work/without_cgo"
  [[ $(grep -c undefined "$work/without_cgo") == 1 ]] && grep -q build_it_with_CGO_ENABLED_1 "$work/without_cgo"
}
# readme NAME PREPARATION: the program of README.md, with the module from a file proxy as a release has it, prints what
# README.md says. PREPARATION comes before its commands.
readme() {
  local folder=$work/$1
  rm -rf "$folder" && mkdir "$folder"
  {
    echo "$2"
    sed -n '/^<!-- run -->/,/^```$/p' README.md | sed '/^```/d; /^<!--/d'
  } >"$folder/run.sh"
  sed -n '/^<!-- output -->/,/^```$/p' README.md | sed '/^```/d; /^<!--/d' >"$folder/want"
  [[ $(wc -l <"$folder/run.sh") -gt 10 && -s $folder/want ]]
  (cd "$folder" && GOPROXY=file://$work/proxy GOFLAGS=-modcacherw bash -e run.sh >got)
  diff "$folder/want" "$folder/got"
}
# The library linked in: the program needs none.
static() {
  readme static 'export GOFLAGS="-modcacherw -tags=xlashape_static" LD_LIBRARY_PATH='
  (cd "$work/static/hello" && GOPROXY=file://$work/proxy go build -tags xlashape_static -o ../program .)
  if readelf -d "$work/static/program" | grep 'libxlashape'; then return 1; fi
}

module=$(go list -m)
python3 -B ../../packaging/go.py "$work/proxy"
check "gofmt" formatted
check "no requirements" alone
check "C without warnings" strict
check "go vet" go vet ./...
check "the module's path" one_path
check "without cgo" without_cgo
count "go test" go test -count=1 -v .
count "go test, cgocheck=2" env GODEBUG=cgocheck=2 go test -count=1 -v .
count "go test -race" go test -count=1 -v -race .
check "benchmarks" go test -run NONE -bench 'Parse|Print|Index|Small|Unravel1024' -benchtime 10x .
check "README.md" readme readme ''
if [[ -n $(find "$prefix" -name libxlashape.a) ]]; then
  check "the static library" static
else
  echo "go: NOT RUN: the static library: there is none in $prefix"
fi

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
