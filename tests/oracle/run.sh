#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# XLA itself as the judge: jaxlib from PyPI, in a virtual environment of its own.
#
#     run.sh [--all] LIBRARY FOLDER
#     run.sh --nightly ...: the XLA of a recent night, see nightly/run.sh
#
# LIBRARY: the shared object; FOLDER: where the environment is made, once. Without --all a small part with a fixed seed.
# Where jaxlib cannot be installed it says NOT RUN and why, and exits with 77. Leaves "PASSED FAILED" in the file
# $counts.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ ${1:-} == --nightly ]]; then exec "$here/nightly/run.sh" "${@:2}"; fi
all=0
if [[ ${1:-} == --all ]]; then
  all=1
  shift
fi
library=$1 folder=$2

# shellcheck source=tools/versions.sh
. "$here/../../tools/versions.sh"
environment=${VENVS:-$folder/venvs}/jax-$jax_newest
python=$environment/bin/python
"$here/../../tools/venv.sh" "$environment" "jax==$jax_newest" "jaxlib==$jax_newest" || exit

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
