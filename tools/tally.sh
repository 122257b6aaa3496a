# SPDX-License-Identifier: Apache-2.0
# How the tests of bindings count; sourced, with `work`, the folder for a log, and `label`, which stands before results.
# shellcheck shell=bash disable=SC2154
passed=0
failed=0

# check NAME COMMAND...: one test.
check() {
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    cat "$work/log"
  fi
}

# tally NAME COMMAND...: as many tests as its last line says.
tally() {
  local name=$1 status=0 last
  shift
  "$@" >"$work/log" 2>&1 || status=$?
  last=$(tail -n 1 "$work/log")
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && ((status == 0 || BASH_REMATCH[2] > 0)); then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
    ((BASH_REMATCH[2] == 0)) || { echo "FAIL $name"; cat "$work/log"; }
    grep '^NOT RUN' "$work/log" || true
    echo "$label: $name: $last"
  else
    failed=$((failed + 1))
    echo "FAIL $name: ended with status $status"
    cat "$work/log"
  fi
}
