#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK [--all]: everything that can be tested of xlashape_torch, against the xlashape installed in
# PREFIX, with all outputs in WORK, an empty folder. With --all also with the oldest PyTorch that it supports, and with
# each one's binary in the other. Ends with `N passed, M failed`; writes "N M" to the file in $counts.
# Without a network, or a Python that PyTorch has packages for, it says NOT RUN and exits with 77.
# VENVS: where virtual environments with PyTorch are kept from one run to the next, some 6 GB each; WORK/../venvs if
# unset.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
all=${3:-}
[[ -z $(ls -A "$work") ]] || { echo "$work is not empty: a wheel of an earlier run could be taken" >&2; exit 2; }
mkdir -p "${VENVS:-$work/../venvs}"
venvs=$(cd "${VENVS:-$work/../venvs}" && pwd)
# shellcheck source=tools/versions.sh
. "$root/tools/versions.sh"
newest=$torch_newest
oldest=$torch_older
export PYTHONDONTWRITEBYTECODE=1
# Inductor's own cache would hide what this build does.
export TORCHINDUCTOR_CACHE_DIR=$work/inductor TRITON_CACHE_DIR=$work/triton TMPDIR=$work/tmp
mkdir "$TMPDIR"
unset PYTHONPATH XLASHAPE_LIBRARY XLASHAPE_COMMAND XLASHAPE_BACKEND

cd "$work"  # -m and -c look in the working folder first
label=torch
# shellcheck source=tools/tally.sh
. "$root/tools/tally.sh"

# The kept environments have PyTorch only, and stay as they are; each run has its packages in folders of its own.
python_of() { echo "$venvs/torch-$1/bin/python"; }

# installed FOLDER VERSION WHEEL...: the wheels in FOLDER.
installed() {
  local folder=$1 version=$2
  shift 2
  "$(python_of "$version")" -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
    --target "$folder" "$@"
}

in_folder() { env PYTHONPATH="$1" "${@:2}"; }

versions=("$newest")
[[ $all != --all ]] || versions+=("$oldest")
for version in "${versions[@]}"; do
  "$root/tools/venv.sh" "$venvs/torch-$version" "torch==$version" numpy || exit $?
done

"$(python_of "$newest")" "$root/bindings/python/wheel.py" "$prefix" "$work/dist" >"$work/log"
package=$(echo "$work"/dist/xlashape-*.whl)
for version in "${versions[@]}"; do
  python=$(python_of "$version")
  dist=$work/dist-$version
  check "$version: the wheel is built" "$python" "$here/wheel.py" "$prefix" "$dist"
  wheel=$(echo "$dist"/*.whl)
  check "$version: it installs beside xlashape" installed "$work/site-$version" "$version" "$package" "$wheel"
  check "$version: what the object needs" "$python" "$here/tests/check_object.py" \
    "$work/site-$version/xlashape_torch/_operators.so"
done

python=$(python_of "$newest")
check "the same bytes again" "$python" "$here/wheel.py" "$prefix" "$work/again"
check "the same bytes again: compared" cmp "$work/again/"*.whl "$work/dist-$newest/"*.whl
check "pip builds it" env XLASHAPE_PREFIX="$prefix" "$python" -m pip wheel -q --no-build-isolation --no-deps \
  --no-index -w "$work/pip" "$here"
check "pip builds it: compared" cmp "$work/pip/"*.whl "$work/dist-$newest/"*.whl

for version in "${versions[@]}"; do
  python=$(python_of "$version")
  site=$work/site-$version
  tally "unit, PyTorch $version" in_folder "$site" "$python" -W ignore "$root/bindings/python/tests/run.py" \
    "$here/tests"
  tally "README.md, PyTorch $version" in_folder "$site" "$python" "$root/bindings/python/tests/readme.py" \
    "$here/README.md" "$work"
  check "int4 weights, PyTorch $version" in_folder "$site" "$python" "$here/example_int4.py"
  check "the benchmark runs, PyTorch $version" in_folder "$site" "$python" "$here/bench.py" --quick
done

# One binary for all: each version's in the other. In 2.9 kernels get their texts in another way, and no threads.
if [[ $all == --all ]]; then
  for pair in "$oldest $newest" "$newest $oldest"; do
    read -r built used <<<"$pair"
    site=$work/site-$built-in-$used
    installed "$site" "$used" "$package" "$work/dist-$built"/*.whl
    tally "unit, built with $built, in $used" in_folder "$site" "$(python_of "$used")" -W ignore \
      "$root/bindings/python/tests/run.py" "$here/tests"
  done
else
  echo "torch: NOT RUN: PyTorch $oldest, and binaries of one version in the other: see --all"
fi
if command -v clang-format >/dev/null; then
  check "format" clang-format --dry-run --Werror --style=file "$here"/src/*.h "$here"/src/*.cc
fi
if command -v mypy >/dev/null; then
  # PyTorch itself is left out: reading it takes mypy ten minutes.
  check "types" env MYPYPATH="$work/site-$newest" mypy --strict --no-incremental --cache-dir "$work/mypy" \
    --ignore-missing-imports --allow-subclassing-any --allow-untyped-decorators -p xlashape_torch
fi

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
