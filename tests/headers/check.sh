#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles every header in the folder $1, and those named behind it, each alone and without warnings, in all promised
# standards with gcc and clang, and XLASHAPE_INIT of each of its structs.
set -u
include=$1
shift
passed=0 failed=0

first_of() { # the first of these programs that is there
  local program
  for program in "$@"; do command -v "$program" && return; done
}

initialised() { # header: a function for each struct that begins with struct_size
  sed -n '/^\(typedef \)\{0,1\}struct .* {$/{
    N
    s/\(typedef \)\{0,1\}struct \([a-z_]*\) {\n  uint32_t struct_size;.*/\2/p
  }' "$1" |
    sed 's/.*/void init_&(&* out);\nvoid init_&(&* out) { & made = XLASHAPE_INIT(&); *out = made; }/'
}

check() { # compiler language standard header
  local log
  if log=$({ printf '#include "%s"\n#include "%s"\n' "$4" "$4"; initialised "$4"; } |
    "$1" -x "$2" -std="$3" -Wall -Wextra -Wpedantic -Wundef -Werror -I"$include" -c -o /dev/null - 2>&1); then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED: %s as %s with %s\n%s\n' "$4" "$3" "$1" "$log"
  fi
}

for family in gcc clang; do
  case $family in
    gcc) c=$(first_of gcc) cxx=$(first_of g++) ;;
    clang) c=$(first_of clang-14 clang) cxx=$(first_of clang++-14 clang++) ;;
  esac
  if [[ -z $c || -z $cxx ]]; then
    echo "NOT RUN: $family is not installed"
    continue
  fi
  for header in "$include"/*.h "$@"; do
    for standard in c99 c11 c17; do check "$c" c "$standard" "$header"; done
    for standard in c++11 c++14 c++17 c++20; do check "$cxx" c++ "$standard" "$header"; done
  done
done
echo "$passed passed, $failed failed"
[[ $passed -gt 0 && $failed -eq 0 ]]
