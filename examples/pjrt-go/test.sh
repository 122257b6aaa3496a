#!/usr/bin/env bash
# test.sh PREFIX WORK PLUGIN: builds and tests the client in Go with the library installed in PREFIX and the PJRT plugin in that
# file, writing to WORK only. Ends with `N passed, M failed`; with `counts` set, writes "N M" to that file. Most of the time goes
# into compiling what bindings/go/test.sh compiles too: with the same WORK, once it has run, this takes a third.
set -euo pipefail
prefix=$(cd "$1" && pwd) work=$(cd "$2" && pwd) PJRT_PLUGIN=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
export PJRT_PLUGIN TMPDIR=$work
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck disable=SC1091
. ../../bindings/go/environment.sh "$prefix" "$work"
passed=0 failed=0

check() { # name, command...: one test by its exit status
  local name=$1
  shift
  if "$@" >"$work/pjrt.log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    sed 's/^/  /' "$work/pjrt.log"
  fi
}

count() { # name, command...: a run of `go test -v`, counted by its own report
  local name=$1 status=0 n m
  shift
  "$@" >"$work/pjrt.log" 2>&1 || status=$?
  n=$(grep -c '^ *--- PASS' "$work/pjrt.log" || true)
  m=$(grep -c '^ *--- FAIL' "$work/pjrt.log" || true)
  if ((status != 0 || n == 0)); then
    ((m > 0)) || m=1 # it did not compile, or crashed
    echo "FAIL $name"
    grep -v '^ *\(=== RUN\|--- PASS\|PASS$\)' "$work/pjrt.log" | sed 's/^/  /' | head -n 100
  fi
  passed=$((passed + n)) failed=$((failed + m))
}

formatted() { [[ -z $(gofmt -l . | tee /dev/stderr) ]]; }
# No module but the binding.
alone() { [[ $(go list -m all | cut -d ' ' -f 1 | tr '\n' ' ') == 'pjrtgo xlashape ' && ! -e go.sum ]]; }
strict() {
  gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I../pjrt-plugin pjrt/calls.c
  gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I../pjrt-plugin pjrt/testdata/altered.c
}
# The program prints what README.md says, by either way to name the plugin.
readme() {
  sed -n '/^<!-- output -->/,/^```$/p' README.md | sed '/^```/d; /^<!--/d' >"$work/pjrt.want"
  [[ -s $work/pjrt.want ]]
  go build -o "$work/pjrtgo" .
  "$work/pjrtgo" >"$work/pjrt.got"
  diff "$work/pjrt.want" "$work/pjrt.got"
  env -u PJRT_PLUGIN "$work/pjrtgo" "$PJRT_PLUGIN" >"$work/pjrt.got"
  diff "$work/pjrt.want" "$work/pjrt.got"
}

check "gofmt" formatted
check "no other module" alone
check "C without warnings" strict
check "go vet" go vet ./...
count "go test, cgocheck=2" env GODEBUG=cgocheck=2 go test -count=1 -v ./pjrt
count "go test -race" go test -count=1 -v -race -short -run 'Goroutines|Later|AnyOrder|GivenBack' ./pjrt
check "README.md" readme

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
