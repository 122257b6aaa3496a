#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK: everything that can be tested of the Python package, against the xlashape installed in PREFIX,
# with all outputs in WORK, an empty folder. Ends with `N passed, M failed`; writes "N M" to the file in $counts.
# PYTHON: the interpreter.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
[[ -z $(ls -A "$work") ]] || {
  echo "$work is not empty: pip would find the wheel of an earlier run there" >&2
  exit 2
}
python=${PYTHON:-}
# Debian's own, which has Debian's NumPy, before any other.
[[ -n $python ]] || { [[ -x /usr/bin/python3 ]] && python=/usr/bin/python3 || python=$(command -v python3); }
export PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH XLASHAPE_LIBRARY XLASHAPE_COMMAND XLASHAPE_BACKEND

cd "$work"  # -m and -c look in the working folder first
label=python
# shellcheck source=tools/tally.sh
. "$root/tools/tally.sh"

check "_raw.py is what generate.py gives" "$python" "$here/generate.py" --check

# The README's commands, from a clean environment: a wheel, a virtual environment, the package in it.
mkdir -p "$work/readme"
ln -sfn "$root/bindings" "$work/readme/bindings"
sed -n '/<!-- install -->/,/^```$/p' "$here/README.md" | sed '1,2d;$d' >"$work/install.sh"
[[ -s $work/install.sh ]] || { echo "FAIL README.md has no commands"; failed=$((failed + 1)); }
install_by_readme() (
  cd "$work/readme" && PREFIX=$prefix PATH=$(dirname "$python"):$PATH bash -euo pipefail "$work/install.sh"
)
check "README.md: install" install_by_readme
bare=$work/readme/venv/bin/python
wheel=$(echo "$work"/readme/dist/*.whl)
check "the wheel is right" "$python" "$here/tests/check_wheel.py" "$wheel"
check "the same bytes again" "$python" "$here/wheel.py" "$prefix" "$work/again"
check "the same bytes again: compared" cmp "$wheel" "$work/again/$(basename "$wheel")"
cp -r "$prefix" "$work/without-simd"
find "$work/without-simd" -name 'simd*' -delete
check "without simd: refused" \
  bash -c "! '$python' '$here/wheel.py' '$work/without-simd' '$work/refused' 2>'$work/refusal'"
check "without simd: why" grep -q 'has no simd.so, so relayouts would be many times slower' "$work/refusal"
check "without simd: allowed" "$python" "$here/wheel.py" --without-simd "$work/without-simd" "$work/allowed"
find "$work/without-simd" -path '*/xlashape/*.so' -exec truncate -s 0 {} +
check "a broken object: refused" \
  bash -c "! '$python' '$here/wheel.py' --without-simd '$work/without-simd' '$work/broken' 2>'$work/refusal'"
check "a broken object: why" grep -q '^wheel.py: .*\.so is broken' "$work/refusal"
check "a broken object: in a sentence" bash -c "! grep Traceback '$work/refusal'"
check "pip builds it" \
  env XLASHAPE_PREFIX="$prefix" "$work/readme/venv/bin/pip" wheel -q --no-index -w "$work/pip" "$root"
check "the source distribution" "$python" "$here/tests/check_sdist.py" "$work/sdist"
check "pip builds it: compared" cmp "$wheel" "$work/pip/$(basename "$wheel")"

if [[ -x $prefix/bin/xlashape && $(uname) == Linux ]]; then
  check "the wheel's command" env -i "$work/readme/venv/bin/xlashape" explain 'f32[2]'
else
  echo "python: NOT RUN: the wheel's command: $prefix has none"
fi

tally "unit, without NumPy" "$bare" "$here/tests/run.py" --without-numpy
tally "corpus" "$bare" "$here/tests/corpus.py" "$root"/tests/data/golden/*.jsonl
tally "README.md" "$bare" "$here/tests/readme.py" "$here/README.md" "$work"
check "doc tests" "$bare" -c 'import doctest, sys, xlashape; sys.exit(doctest.testmod(xlashape).failed)'
# A runner that passes everything would be worth nothing.
sed -n '1p' "$root/tests/data/golden/shapes.jsonl" | sed 's/"expect": \["a"/"expect": ["f"/' >"$work/wrong.jsonl"
check "the corpus can fail" bash -c "! '$bare' '$here/tests/corpus.py' '$work/wrong.jsonl'"

if "$python" -c 'import numpy' 2>/dev/null; then
  "$python" -m venv --system-site-packages "$work/numpy"
  "$work/numpy/bin/pip" install -q --no-index --find-links "$work/readme/dist" xlashape
  tally "unit, with NumPy" "$work/numpy/bin/python" "$here/tests/run.py"
  tally "README.md, with NumPy" "$work/numpy/bin/python" "$here/tests/readme.py" "$here/README.md" "$work"
else
  echo "python: NOT RUN: with NumPy: $python has none"
fi
if command -v mypy >/dev/null; then
  check "types" mypy --strict --no-incremental --python-executable "$python" --cache-dir "$work/mypy" "$here/xlashape"
else
  echo "python: NOT RUN: types: there is no mypy"
fi
for version in 9 10 12 13; do
  other=python3.$version
  "$other" -c '' 2>/dev/null || continue
  tally "unit, $other" env PYTHONPATH="$work/readme/venv/lib/python3.$("$bare" -c \
    'import sys; print(sys.version_info[1])')/site-packages" "$other" "$here/tests/run.py" --without-numpy
done

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
