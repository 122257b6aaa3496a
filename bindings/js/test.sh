#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK [BUILD]: builds the package for JavaScript, in BUILD if that is given, and tests it under Node.js,
# against the command installed in PREFIX; else writes to WORK only.
# Ends with `N passed, M failed`; with `counts` set, writes "N M" to that file.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
build=${3:-$work/wasm}
# First loads of a page are small: bytes, compressed. Of these 32,000 are for what people write: Shape.read, withWords
# and toNotation, and 4,500 for windows and slabs.
most_bytes=248500
cases=("$root"/tests/data/golden/*.jsonl)
cd "$work"
passed=0 failed=0

check() { # name, command...: one test by its exit status
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    tail -n 60 "$work/log"
  fi
}

tally() { # name, command...: as many tests as its last line says
  local name=$1 status=0 last
  shift
  "$@" >"$work/log" 2>&1 || status=$?
  last=$(tail -n 1 "$work/log")
  if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && ((status == 0 || BASH_REMATCH[2] > 0)); then
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
    echo "js: $name: $last"
    if ((BASH_REMATCH[2] > 0)); then
      echo "FAIL $name"
      head -n 100 "$work/log"
    fi
    sed -n 's/^without/js: &/p' "$work/log"
  else
    failed=$((failed + 1))
    echo "FAIL $name: ended with status $status"
    tail -n 60 "$work/log"
  fi
}

end() {
  [[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
  echo "$passed passed, $failed failed"
  ((failed == 0))
}

# What a page loads, and that nothing else is needed.
small() {
  local size
  size=$(gzip -9c "$build/js/xlashape.wasm" | wc -c)
  echo "the module has $size bytes, compressed"
  ((size <= most_bytes))
}
files() {
  diff <(printf '%s\n' LICENSE README.md THIRD_PARTY.txt abi.mjs arrays.mjs draw.mjs errors.mjs index.d.mts index.mjs \
    indices.mjs memory.mjs module.mjs package.json relayout.mjs shape.mjs slabs.mjs target.mjs window.mjs words.mjs \
    xlashape.wasm) \
    <(LC_ALL=C ls "$build/js")
  ! grep -hE "^import .* from \"[^.]" "$build"/js/*.mjs
}

check "build" "$here/build.sh" "$build"
if ((failed)); then end; exit; fi
package=$build/js/index.mjs
mkdir -p node_modules
ln -sfn "$build/js" node_modules/xlashape
check "the module is small" small
check "the package's files" files
tally "unit" node --expose-gc "$here/tests/unit.mjs" "$package"
tally "words" node "$here/tests/words.mjs" "$package"
tally "memory" node --expose-gc "$here/tests/memory.mjs" "$package"
tally "values" node "$here/tests/values.mjs" "$package"
tally "windows" node "$here/tests/windows.mjs" "$package"
tally "corpus" node "$here/tests/corpus.mjs" "$package" "${cases[@]}"
# A runner that passes everything would be worth nothing.
sed -n 1p "$root/tests/data/golden/shapes.jsonl" | sed 's/"expect": \["a"/"expect": ["f"/' >wrong.jsonl
check "the corpus can fail" bash -c "! node '$here/tests/corpus.mjs' '$package' wrong.jsonl"
tally "the command" node "$here/tests/command.mjs" "$package" "$prefix/bin/xlashape" "${cases[@]}"
tally "README.md" node "$here/tests/readme.mjs" "$here/README.md" "$work"
if command -v tsc >/dev/null; then
  cp "$here/tests/types.mts" .
  check "types" tsc --strict --noUncheckedIndexedAccess --noEmit --target es2022 --lib es2022,dom --module nodenext \
    --moduleResolution nodenext types.mts
else
  echo "js: NOT RUN: types: there is no tsc"
fi
end
