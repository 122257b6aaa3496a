#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# growth.sh BUILD WORK: programs and backends of this release run with a library whose structs have grown. A field is
# appended to every struct of the headers but xlashape_queue, which never grows; a library is built of that in WORK, and
# the API tests and the simd backend that BUILD holds, which know nothing of those fields, are run with it. Ends with
# `N passed, M failed`.
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -rf "$work/tree" "$work/build"
mkdir -p "$work/tree"
# shellcheck source=tools/sources.sh
. tools/sources.sh
source_files meson.build meson_options.txt include src cmake tools bindings/cpp LICENSE README.md |
  xargs -0 cp --parents -t "$work/tree"
structs=$(cat include/*.h | grep -E '^(typedef )?struct xlashape_\w+ \{$' | grep -cvw xlashape_queue)
sed -i -E '/^(typedef )?struct xlashape_\w+ \{$/,/^\}/{
    /^\} xlashape_queue;$/!s/^\}( xlashape_\w+)?;$/  int64_t appended_by_the_test;\n&/
  }' "$work"/tree/include/*.h
appended=$(cat "$work"/tree/include/*.h | grep -c appended_by_the_test)
if ((structs < 15 || appended != structs)); then echo "$appended of $structs structs have grown" && exit 1; fi
if ! { meson setup "$work/build" "$work/tree" -Doptimization=0 -Dtests=disabled -Dcli=disabled -Dsimd_targets=least \
  -Dopencl=disabled -Dcuda=disabled && ninja -C "$work/build"; } >"$work/log" 2>&1; then
  tail -n 40 "$work/log" && exit 1
fi

passed=0 failed=0
# run NAME COMMAND...
run() {
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + $(sed -nE 's/^\[  PASSED  \] ([0-9]+) tests?\.$/\1/p' "$work/log")))
  else
    failed=$((failed + 1))
    echo "FAIL $name" && grep -A 9 -m 3 'Failure$' "$work/log" | sed 's/^/  /'
  fi
}
export LD_LIBRARY_PATH=$work/build/src XLASHAPE_SOURCE_ROOT=$PWD
unset XLASHAPE_BACKEND XLASHAPE_BACKEND_PATH
for test in values element_type device index_map index_plan runtime relayout memory threads; do
  run "api_$test" "$build/tests/api_$test"
done
export XLASHAPE_BACKEND_PATH=$build/src/xlashape
for test in index_map relayout threads; do run "api_$test with the older simd" "$build/tests/api_$test"; done
echo "$structs structs have grown: $passed passed, $failed failed"
echo "$passed $failed" >"${counts:-/dev/null}"
((failed == 0))
