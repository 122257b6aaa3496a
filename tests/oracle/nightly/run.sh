#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The XLA of a recent night as the judge: it is months newer than the one in jaxlib. TensorFlow's nightly wheel has
# XLA's headers and a library that exports its functions; answers.cc is compiled against both.
# The download is 650 MB, the environment takes 2 GB.
#
#     run.sh [--texts N] LIBRARY FOLDER
#
# LIBRARY: the shared object; FOLDER: where the environment is made, once. --texts: random shapes (40000).
# A difference that explained.md does not list is drift, which the library or that list has to follow. Where the wheel
# cannot be installed or linked it says NOT RUN and why, and exits with 77. Leaves "PASSED FAILED" in the file $counts.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
texts=40000
if [[ ${1:-} == --texts ]]; then
  texts=$2
  shift 2
fi
library=$(realpath "$1") folder=$2

not_run() {
  printf 'NOT RUN: %s\n' "$*"
  exit 77
}

[[ $(uname -s) == Linux && $(uname -m) == x86_64 ]] || not_run "the wheel is for Linux on x86-64"
environment=${VENVS:-$folder/venvs}/tf-nightly
python=$environment/bin/python
"$here/../../../tools/venv.sh" "$environment" --no-deps --pre tf-nightly || exit
"$python" -c 'from importlib.metadata import version; print("XLA of tf-nightly", version("tf-nightly"))'
tensorflow=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tensorflow
library_of_xla=$(find "$tensorflow" -maxdepth 1 -name 'libtensorflow_framework.so*' | sort | head -n 1)
[[ -n $library_of_xla ]] || not_run "the wheel has no libtensorflow_framework.so"
include=(-isystem "$tensorflow/include")
# Headers of XLA include these from folders of their own.
for header in highwayhash/arch_specific.h farmhash.h; do
  found=$(find "$tensorflow/include/external" -path "*/$header" -print -quit)
  if [[ -n $found ]]; then include+=(-isystem "${found%"/$header"}"); fi
done
# -O0: templates of protobuf and absl take most of the time, and the program waits for XLA anyway.
"${CXX:-g++}" -std=c++17 -O0 -w "${include[@]}" -o "$folder/oracle-nightly" "$here/answers.cc" "$library_of_xla" \
  -Wl,-rpath,"$tensorflow" 2>"$folder/oracle-nightly-stderr" || {
  tail -n 5 "$folder/oracle-nightly-stderr"
  not_run "answers.cc cannot be compiled against the wheel"
}

passed=0 failed=0
check() {
  printf -- '-- %s\n' "$*"
  if TF_CPP_MIN_LOG_LEVEL=3 "$python" "$@" 2>"$folder/oracle-nightly-stderr"; then
    passed=$((passed + 1))
  else
    tail -n 5 "$folder/oracle-nightly-stderr"
    failed=$((failed + 1))
  fi
}
check "$here/compare.py" "$library" "$folder/oracle-nightly" "$texts" 1
check "$here/compare.py" "$library" "$folder/oracle-nightly" "$texts" "$(date +%s)"
if [[ -n ${counts:-} ]]; then echo "$passed $failed" >"$counts"; fi
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
