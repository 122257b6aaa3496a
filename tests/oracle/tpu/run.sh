#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# libtpu, the compiler of TPUs, as the judge: jax and libtpu from PyPI, in a virtual environment of their own. No TPU is
# needed. The download is 300 MB (libtpu alone 137 MB), the environment takes 1.2 GB; then it runs 10 minutes.
#
#     run.sh [--newest] [--questions N] LIBRARY COMMAND FOLDER
#
# LIBRARY: the shared object; COMMAND: xlashape; FOLDER: where the environment is made, once. --newest: the newest jax
# and libtpu that there are in place of those in requirements.txt: a difference is then drift, which docs/targets.md has
# to tell.
# --questions: random arrays for each target (100000).
# Where libtpu cannot be installed it says NOT RUN and why, and exits with 77. Leaves "PASSED FAILED" in the file
# $counts.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
newest=0 questions=100000
while [[ ${1:-} == --* ]]; do
  case $1 in
    --newest) newest=1 ;;
    --questions) questions=$2 && shift ;;
    *) printf 'unknown option %s\n' "$1" >&2 && exit 2 ;;
  esac
  shift
done
library=$(realpath "$1") command=$(realpath "$2") folder=$3

not_run() {
  printf 'NOT RUN: %s\n' "$*"
  exit 77
}

[[ $(uname -s) == Linux && $(uname -m) == x86_64 ]] || not_run "libtpu is for Linux on x86-64"
environment=$folder/oracle-tpu-venv
if ((newest)); then environment=$folder/oracle-tpu-newest-venv; fi
python=$environment/bin/python
wanted=(-r "$here/requirements.txt")
if ((newest)); then
  wanted=(jax jaxlib libtpu numpy)
  rm -rf "$environment"
fi
"$here/../../../tools/venv.sh" "$environment" "${wanted[@]}" || exit
"$python" -c 'from importlib.metadata import version as v; print("libtpu", v("libtpu"), "with jax", v("jax"))'

passed=0 failed=0
check() {
  local script=$1
  shift
  printf -- '-- %s %s\n' "$script" "$*"
  rm -rf "$folder/oracle-tpu-dump"
  if "$python" "$here/$script" "$@" 2>"$folder/oracle-tpu-stderr"; then
    passed=$((passed + 1))
  else
    tail -n 5 "$folder/oracle-tpu-stderr"
    failed=$((failed + 1))
  fi
}
check layouts.py "$library" "$questions" "$(date +%s)" 40
for target in $("$python" "$here/compiler.py" --targets); do
  for kind in default order tiles; do
    check parameters.py "$library" "$target" 1000 "$(date +%s)" "$kind" "$folder/oracle-tpu-dump"
  done
  check programs.py "$library" "$target" "$folder/oracle-tpu-dump"
done
check advice.py "$command" "$folder/oracle-tpu-dump"
if [[ -n ${counts:-} ]]; then echo "$passed $failed" >"$counts"; fi
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
