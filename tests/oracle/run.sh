#!/usr/bin/env bash
# XLA itself as the judge: jaxlib from PyPI, in a virtual environment of its own.
#
#     run.sh [--all] LIBRARY FOLDER
#
# LIBRARY: the shared object; FOLDER: where the environment is made, once. Without --all a small part with a fixed seed.
# Where jaxlib cannot be installed it says NOT RUN and why, and exits with 77. Leaves "PASSED FAILED" in the file $counts.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
all=0
if [[ ${1:-} == --all ]]; then
  all=1
  shift
fi
library=$1 folder=$2

not_run() {
  printf 'NOT RUN: %s\n' "$*"
  exit 77
}

environment=$folder/oracle-venv
python=$environment/bin/python
if ! "$python" -c 'import jax, jaxlib, numpy' 2>/dev/null; then
  base=
  for candidate in python3 /usr/bin/python3 python3.11 python3.12 python3.13; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      base=$candidate
      break
    fi
  done
  [[ -n $base ]] || not_run "there is no python3 of 3.11 or later with venv and pip"
  rm -rf "$environment"
  mkdir -p "$folder"
  "$base" -m venv "$environment" || not_run "no virtual environment can be made in $folder"
  log=$folder/oracle-pip.log
  "$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" >"$log" 2>&1 ||
    not_run "jaxlib cannot be installed: $(tail -n 1 "$log")"
fi

if ((all)); then texts=20000 arrays=500 sizes=20000; else texts=1000 arrays=40 sizes=500; fi
passed=0 failed=0
check() {
  local script=$1
  shift
  printf -- '-- %s %s\n' "$script" "$*"
  if "$python" "$here/$script" "$@" 2>"$folder/oracle-stderr"; then
    passed=$((passed + 1))
  else
    tail -n 5 "$folder/oracle-stderr"
    failed=$((failed + 1))
  fi
}
for seed in 1 $( ((all)) && echo 2 3); do check differential.py "$library" "$texts" "$seed"; done
check sizes.py "$library" "$sizes" 1
check memory.py "$library" "$arrays" 1
check hlo.py "$library"
if [[ -n ${counts:-} ]]; then echo "$passed $failed" >"$counts"; fi
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
