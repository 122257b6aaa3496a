#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK [--all]: builds the plugin against the xlashape installed in PREFIX, tests it through PJRT's C API
# and with jax as its client, and packs it. Outputs are in WORK, an empty folder; virtual environments in $VENVS, which
# stay. --all: also with a jax that is a year old, and under ASan, UBSan and TSan. Ends with `N passed, M failed`;
# writes "N M" to the file in $counts. Where jax cannot be installed it says NOT RUN for that part.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
all=0
if [[ ${3:-} == --all ]]; then all=1; fi
venvs=${VENVS:-$work/../venvs}
# shellcheck source=tools/versions.sh
. "$root/tools/versions.sh"

library=$(find "$prefix" -name libxlashape.so | head -n 1)
PKG_CONFIG_PATH=$(dirname "$library")/pkgconfig
export PKG_CONFIG_PATH PYTHONDONTWRITEBYTECODE=1
unset PJRT_NAMES_AND_LIBRARY_PATHS XLASHAPE_BACKEND
meson=/usr/bin/meson
[[ -x $meson ]] || meson=meson

passed=0
failed=0
fail() {
  failed=$((failed + 1))
  echo "FAIL $1"
  cat "$work/log"
}
# check NAME COMMAND...: one test.
check() {
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then passed=$((passed + 1)); else fail "$name"; fi
}
# tally NAME COMMAND...: as many tests as its last line says, in GoogleTest's form or in ours.
tally() {
  local name=$1 status=0 p f
  shift
  "$@" >"$work/log" 2>&1 || status=$?
  p=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests\{0,1\}\..*/\1/p; s/^\([0-9]*\) passed, [0-9]* failed$/\1/p' \
    "$work/log" | tail -n 1)
  f=$(sed -n 's/^ *\([0-9]*\) FAILED TESTS\{0,1\}$/\1/p; s/^[0-9]* passed, \([0-9]*\) failed$/\1/p' \
    "$work/log" | tail -n 1)
  passed=$((passed + ${p:-0}))
  if [[ -z $p || ${f:-0} -gt 0 || $status -ne 0 ]]; then
    fail "$name: ended with status $status"
    failed=$((failed + (${f:-1} > 0 ? ${f:-1} - 1 : 0)))
  else
    echo "pjrt: $name: $p passed"
  fi
}

# build FOLDER OPTION...
build() {
  local folder=$1
  shift
  "$meson" setup "$work/$folder" "$here" -Dtests=true "$@" && ninja -C "$work/$folder" plugin_and_tests
}
run() {
  "$work/$1/tests" "$work/$1/xlashape_pjrt_plugin.so" "$here/tests/programs" "$work/$1/device.so" --gtest_brief=1
}

check "the plugin is built" build build
tally "C API" run build

plugin=$work/build/xlashape_pjrt_plugin.so
# with_jax VERSION DEVICES
with_jax() {
  env XLASHAPE_PJRT_PLUGIN="$plugin" XLASHAPE_PJRT_DEVICES="$2" XLASHAPE_LIBRARY="$library" \
    XLASHAPE_PJRT_BACKEND_FILES="$work/build/device.so" \
    PYTHONPATH="$here/python:$root/bindings/python" "$venvs/jax-$1/bin/python" "$here/tests/jax_test.py"
}
versions=("$jax_newest")
if ((all)); then versions+=("$jax_older"); fi
for version in "${versions[@]}"; do
  "$root/tools/venv.sh" "$venvs/jax-$version" "jax==$version" "jaxlib==$version" || continue
  tally "jax $version" with_jax "$version" tpu:v5e,cpu,tpu:v4
  tally "jax $version, row-major first" with_jax "$version" cpu,tpu:v5e
done

# The wheel, alone: jax finds the plugin, which finds the library beside it.
package() {
  "$meson" install -C "$work/build" --no-rebuild --destdir "$work/installed" &&
    "${PYTHON:-python3}" "$here/package.py" "$prefix" \
      "$(find "$work/installed" -name xlashape_pjrt_plugin.so)" "$work/dist"
}
check "the wheel" package
installed() {
  "$venvs/jax-$jax_newest/bin/python" -m pip install -q --no-index --no-deps --target "$work/site" "$work"/dist/*.whl &&
    env -u XLASHAPE_LIBRARY PYTHONPATH="$work/site" "$venvs/jax-$jax_newest/bin/python" -c '
import jax, numpy
array = jax.device_put(numpy.arange(6.0).reshape(2, 3), jax.devices("xlashape")[0])
assert numpy.asarray(array).tolist() == [[0, 1, 2], [3, 4, 5]], array
maps = open("/proc/self/maps").read()
for file in ("libxlashape.so.0.1", "xlashape/simd.so"):
    assert "site/jax_plugins/xlashape/" + file in maps, file'
}
if [[ -x $venvs/jax-$jax_newest/bin/python ]]; then check "the wheel, installed" installed; fi

if ((all)); then
  export ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  export TSAN_OPTIONS=halt_on_error=1
  for sanitizer in address,undefined thread; do
    check "built for $sanitizer" build "build-$sanitizer" "-Db_sanitize=$sanitizer" -Db_lundef=false \
      -Dbuildtype=debugoptimized -Doptimization=1
    tally "under $sanitizer" run "build-$sanitizer"
  done
fi

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
