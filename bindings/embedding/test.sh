#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK: the examples in other languages, and the code of docs/embedding.md, with the library installed in
# PREFIX; writes to WORK only. Ends with `N passed, M failed`; with `counts` set, writes "N M" to that file.
set -euo pipefail
prefix=$1 work=$2
cd "$(dirname "${BASH_SOURCE[0]}")"
pc=$(find "$prefix" -name xlashape.pc | head -n 1)
[[ -n $pc ]] || { echo "test.sh: there is no xlashape.pc below $prefix" >&2; exit 2; }
PKG_CONFIG_PATH=$(dirname "$pc")
libdir=$(cd "$(dirname "$PKG_CONFIG_PATH")" && pwd)
export PKG_CONFIG_PATH LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
passed=0 failed=0

check() { # name, command...: one test by its exit status
  local name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name"
    sed 's/^/  /' "$work/log"
  fi
}

# An example prints what all of them print, found by name and by path, and is short.
example() { # file, interpreter...
  local file=$1
  shift
  command -v "$1" >/dev/null || { echo "$1 is not installed"; return 1; }
  (($(wc -l <"$file") <= 120)) || { echo "$file has more than 120 lines"; return 1; }
  diff expected.txt <("$@" "$file" 2>&1) && diff expected.txt <("$@" "$file" "$libdir/libxlashape.so.0.1" 2>&1)
}

# What LuaJIT would cut to 32 bits (to 16 bytes, of which C is told 4 GiB) or round, the example refuses.
refuses() {
  { sed '/^local shape = /,$d' example.lua && cat <<'EOF'; } >"$work/refuses.lua"
local function refused(message, f, ...)
  local ok, err = pcall(f, ...)
  assert(not ok and err.code == "OUT_OF_RANGE" and err.message:find(message, 1, true), err.message or err)
end
local to = Shape.parse("u8[4]{0:T(4294967312)}")
refused("bytes of u8[4]{0:T(4294967312)}: 4294967312, LuaJIT", Shape.relayout, Shape.parse("u8[4]"), "abcd", to)
local large = Shape.parse("u8[9007199254740993]")
refused("a dimension of u8[9007199254740993]{0}: 9007199254740993, LuaJIT", large.dimensions, large)
assert(Shape.parse("u8[9007199254740992]"):dimensions()[1] == 2^53)
EOF
  luajit "$work/refuses.lua" "$libdir/libxlashape.so.0.1"
}

# All C of the document, in its order.
extract() {
  awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) print ""; inside = 0 } inside' ../../docs/embedding.md \
    >"$work/embedding.h"
  (($(grep -c '^```c$' ../../docs/embedding.md) == 10)) # none is lost
}
build() {
  local flags
  read -ra flags <<<"$(pkg-config --cflags --libs xlashape)"
  cc -std=c11 -O1 -Wall -Wextra -Wno-missing-field-initializers -Werror -I"$work" -o "$work/embedding_test" \
    embedding_test.c "${flags[@]}" -pthread -ldl
}
# No call of the library on itself goes through the linker's table, where another copy could come first.
inside() { [[ -z $(readelf -rW "$libdir/libxlashape.so.0.1" | grep 'xlashape_.*@XLASHAPE_' | tee /dev/stderr) ]]; }

check "example.lua" example example.lua luajit
check "example.lua refuses what LuaJIT cannot hold" refuses
check "example.rb" example example.rb ruby -w
check "example.scm" example example.scm guile --no-auto-compile
check "code of docs/embedding.md" extract
check "the code compiles" build
check "the library calls itself" inside
if [[ -x $work/embedding_test ]]; then
  for copy in a b; do
    rm -rf "${work:?}/$copy" && mkdir "$work/$copy"
    cp -L "$libdir/libxlashape.so.0.1" "$work/$copy/" && cp -r "$libdir/xlashape" "$work/$copy/"
  done
  status=0
  "$work/embedding_test" "$(realpath "$work")" >"$work/log" 2>&1 || status=$?
  good=$(grep -c '^ok ' "$work/log" || true) bad=$(grep -c '^FAIL ' "$work/log" || true)
  if ((status != 0 && bad == 0)); then
    bad=1
    echo "FAIL embedding_test: exit status $status"
  fi
  grep -v '^ok ' "$work/log" || true
  passed=$((passed + good)) failed=$((failed + bad))
fi

[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
echo "$passed passed, $failed failed"
((failed == 0))
