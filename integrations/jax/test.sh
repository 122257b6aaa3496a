#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK [--all] [JAX_VERSION...]: everything that can be tested of xlashape_jax, against the xlashape
# installed in PREFIX, with all outputs in WORK, an empty folder. Ends with `N passed, M failed`; writes "N M" to the
# file in $counts. Where a JAX is needed and cannot be had it says NOT RUN and why, and exits with 77.
#
# JAX_VERSION: the newest tested one if none is given. --all: also the oldest, and each of both with the shared object
# that was compiled with the headers of the other.
# VENVS: where virtual environments with a JAX are kept from one run to the next: jax-0.10.2 and so on ($WORK/../venvs).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
shift 2
# shellcheck source=tools/versions.sh
. "$root/tools/versions.sh"
all=
versions=()
for argument in "$@"; do
  case $argument in
    --all) all=1 ;;
    *) versions+=("$argument") ;;
  esac
done
if [[ ${#versions[@]} == 0 ]]; then versions=("$jax_newest"); fi
if [[ $all ]]; then versions=("$jax_newest" "$jax_older"); fi
[[ -z $(ls -A "$work") ]] || {
  echo "$work is not empty: pip would find the wheel of an earlier run there" >&2
  exit 2
}
mkdir -p "${VENVS:-$work/../venvs}"
venvs=$(cd "${VENVS:-$work/../venvs}" && pwd)
export PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH XLASHAPE_LIBRARY XLASHAPE_BACKEND

cd "$work"  # -m and -c look in the working folder first
label=jax
# shellcheck source=tools/tally.sh
. "$root/tools/tally.sh"

for version in "${versions[@]}"; do
  "$root/tools/venv.sh" "$venvs/jax-$version" "jax==$version" "jaxlib==$version" || exit $?
done
first=${versions[0]}
headers() { echo "$venvs"/jax-"$1"/lib/python3*/site-packages/jaxlib/include; }

# native NAME OPTION...: the native test, compiled with these options.
native() {
  local name=$1 library
  library=$(dirname "$(find "$prefix"/lib* -name libxlashape.so | head -n 1)")
  check "native test, $name: it compiles" "${CXX:-c++}" -std=c++20 "${@:2}" \
    -Wall -Wextra -Werror -Wno-comment \
    -I "$here/native" -I "$prefix/include" -isystem "$(headers "$first")" "$here"/native/*.cc \
    "$here/tests/native_test.cc" -o "$work/native-$name" \
    -L "$library" -lxlashape "-Wl,-rpath,$library"
  tally "native test, $name" "$work/native-$name"
}
native plain -O0
if [[ $all ]]; then
  native thread -g -O1 -fsanitize=thread
  native address -g -O1 -fsanitize=address,undefined -Wno-maybe-uninitialized  # GCC is wrong about std::optional there
fi

# The README's first commands, in an environment whose JAX is the one that is kept.
mkdir -p "$work/readme"
ln -sfn "$root/bindings" "$root/integrations" "$work/readme"
"$venvs/jax-$first/bin/python" -m venv "$work/readme/venv"
ls -d "$venvs"/jax-"$first"/lib/python3*/site-packages >"$(echo "$work"/readme/venv/lib/python3*/site-packages)/jax.pth"
sed -n '/<!-- install -->/,/^```$/p' "$here/README.md" | sed '1,2d;$d' >"$work/install.sh"
[[ -s $work/install.sh ]] || { echo "FAIL README.md has no commands"; failed=$((failed + 1)); }
install_by_readme() { (cd "$work/readme" && PREFIX=$prefix bash -euo pipefail "$work/install.sh"); }
check "README.md: install" install_by_readme
python=$work/readme/venv/bin/python
if [[ $all ]]; then
  check "the same bytes again" "$python" "$here/wheel.py" "$prefix" "$work/again"
  check "the same bytes again: compared" cmp "$work"/readme/dist/xlashape_jax*.whl "$work"/again/*.whl
fi
tally "jax $first" "$python" "$root/bindings/python/tests/run.py" "$here/tests"
tally "README.md" env JAX_PLATFORMS=cpu "$python" "$root/bindings/python/tests/readme.py" "$here/README.md" "$work"
check "doc tests" env JAX_PLATFORMS=cpu "$python" -c \
  'import doctest, sys, xlashape_jax as m; run = doctest.testmod(m); sys.exit(run.failed or not run.attempted)'
check "the benchmark runs" env JAX_PLATFORMS=cpu "$python" "$here/bench.py" --quick
if command -v mypy >/dev/null; then
  # JAX's own sources are not looked at: that takes minutes.
  printf '[mypy]\nstrict = True\n[mypy-jax.*]\nfollow_imports = skip\n' >"$work/mypy.ini"
  ln -sfn "$here/python/xlashape_jax" "$work/xlashape_jax"
  check "types" env MYPYPATH="$work:$root/bindings/python" mypy --config-file "$work/mypy.ini" --no-incremental \
    --python-executable "$python" --cache-dir "$work/mypy" -p xlashape_jax
else
  echo "jax: NOT RUN: types: there is no mypy"
fi

# Other versions, and shared objects that were made with other headers.
for built in "${versions[@]}"; do
  for ran in "${versions[@]}"; do
    if [[ $built == "$first" && $ran == "$first" ]]; then continue; fi
    name="jax $ran, compiled with the headers of jax $built"
    site=$work/site-$built
    if [[ ! -d $site ]]; then
      mkdir -p "$work/dist-$built"
      check "wheel with the headers of jax $built" "$venvs/jax-$built/bin/python" "$here/wheel.py" \
        "$prefix" "$work/dist-$built"
      cp "$work"/readme/dist/xlashape-*.whl "$work/dist-$built"
      check "$built: install" "$venvs/jax-$built/bin/python" -m pip install -q --no-deps --no-index \
        --find-links "$work/dist-$built" \
        --target "$site" xlashape xlashape-jax
    fi
    tally "$name" env PYTHONPATH="$site" "$venvs/jax-$ran/bin/python" "$root/bindings/python/tests/run.py" "$here/tests"
  done
done

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
