#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test.sh PREFIX WORK: builds and tests the Rust crates against the library installed in PREFIX; everything that is
# built goes to WORK. Every Rust there is takes part: the one in PATH, and Debian's.
# Shows what fails; `N passed, M failed`.
set -euo pipefail
prefix=$(cd "$1" && pwd) work=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
libdir=$(dirname "$(find "$prefix" -name libxlashape.so | head -n 1)")
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name xlashape.pc | head -n 1)")
export PKG_CONFIG_PATH LD_LIBRARY_PATH=$libdir CARGO_HOME=$work/cargo CARGO_TERM_COLOR=never RUST_BACKTRACE=0
export RUSTFLAGS="-D warnings" RUSTDOCFLAGS="-D warnings"
unset XLASHAPE_LIB_DIR XLASHAPE_STATIC XLASHAPE_BACKEND XLASHAPE_BACKEND_PATH PKG_CONFIG
passed=0 failed=0

# step NAME COMMAND...: one check, or as many as test runners in it report.
step() {
  local name=$1 log=$work/log ok=1 good bad
  shift
  "$@" >"$log" 2>&1 & # not `"$@" || ok=0`: that would have functions go on after what fails in them
  wait $! || ok=0
  read -r good bad < <(awk '
    /^test result: / { good += $4; bad += $6 }
    /^[0-9]+ passed, [0-9]+ failed$/ { good += $1; bad += $3 }
    END { print good + 0, bad + 0 }' "$log")
  if ((ok == 0 && bad == 0)); then bad=1; fi
  if ((ok == 1 && good + bad == 0)); then good=1; fi
  passed=$((passed + good)) failed=$((failed + bad))
  if ((bad > 0)); then
    echo "FAIL $name"
    grep -vE '^(test .* ok|running [0-9]+ tests?|)$' "$log" | tail -n 60 | sed 's/^/  /'
  else
    echo "ok   $name: $good"
  fi
}

no_dependencies() { # only members of the workspace have no source
  if grep -n '^source' Cargo.lock; then return 1; fi
}

# Each crate that may be published carries the licence and a page of its own.
packages() {
  local crate
  for crate in xlashape xlashape-sys xlashape-backend-sys; do
    "$cargo" package --quiet --list --offline --allow-dirty -p "$crate" >"$work/packaged" 2>&1
    if [[ $(grep -cx 'LICENSE\|README.md' "$work/packaged") != 2 ]]; then
      echo "$crate" && cat "$work/packaged" && return 1
    fi
    # What is compiled with the feature `vendored`: all of core, and simd.
    if [[ $crate == xlashape-sys ]]; then
      diff <(cd ../../src && find core backends/scalar backends/simd -name '*.cc' | sort) \
        <(sed -n 's|^library/src/\(.*\.cc\)$|\1|p' "$work/packaged" | grep -v '^backends/common/' | sort)
    fi
  done
}

# refuses TEXT COMMAND...: the build must fail and say TEXT.
refuses() {
  local text=$1
  shift
  if "$@" >"$work/refused" 2>&1; then echo "it went through" && return 1; fi
  grep -F -- "$text" "$work/refused" || { cat "$work/refused" && return 1; }
}

example_prints() {
  "$cargo" run --frozen --quiet -p xlashape --example threads | grep -F 'there and back: the same 4194304 elements'
  "$cargo" run --frozen --quiet -p xlashape --example waste -- 's32[8388608,8,4]{2,1,0:T(8,128)}' | grep -F '32.00x'
  "$cargo" run --frozen --quiet -p xlashape --example waste -- 'pred[8]{0:E(32)}' | grep -E '^ +8 +32 +4\.00x '
  refuses '^' "$cargo" run --frozen --quiet -p xlashape --example waste -- 'f32[2'
}

# A backend in Rust: the conformance kit, then the corpus on it.
backend() {
  local out=$work/backend
  mkdir -p "$out"
  "$cargo" build --frozen --quiet --release -p xlashape-backend-example
  cp "$CARGO_TARGET_DIR/release/librustic.so" "$out/rustic.so"
  cp backend-example/rustic.xlashape.toml "$out/"
  "$prefix/bin/xlashape" self-test --plugin "$out/rustic.so" >"$work/conformance" || {
    cat "$work/conformance" && return 1
  }
  grep -F ': conforms' "$work/conformance"
  XLASHAPE_BACKEND_PATH=$out XLASHAPE_BACKEND=rustic "$cargo" test --frozen --quiet -p xlashape --test corpus
}

# block LANGUAGE N: the Nth block of that language in the README.
block() {
  awk -v fence="\`\`\`$1" -v want="$2" '
    $0 == "```" { inside = 0 }
    inside { print }
    $0 == fence { inside = ++n == want }' README.md
}

# readme BLOCK: the programs of README, begun by that block of commands; the crate is the one here.
readme() {
  local place
  place=$(mktemp -d "$work/readme.XXXX")
  {
    echo 'set -euo pipefail' && block sh "$1" | sed "s|^cargo add xlashape|cargo add --path $PWD/xlashape|" &&
      echo "cat >src/main.rs <<'END'" && block rust 1 && echo END && block sh 2 &&
      echo "cat >src/main.rs <<'END'" && block rust 2 && echo END && block sh 2 &&
      echo "cat >src/main.rs <<'END'" && block rust 3 && echo END && block sh 2
  } >"$place/commands"
  (cd "$place" && PATH=$(dirname "$cargo"):$PATH PREFIX=$prefix CARGO_NET_OFFLINE=true bash commands) >"$place/output"
  diff <(tail -n 5 "$place/output") <(block text 1 && block text 2 && block text 3)
}

# The library compiled in, with simd: nothing that is installed is used. Kernels for one processor take the least time.
vendored() {
  export CARGO_TARGET_DIR=$work/target-vendored CXXFLAGS=-DXLASHAPE_SIMD_LEAST PKG_CONFIG=false LD_LIBRARY_PATH=''
  "$cargo" test --frozen --no-fail-fast -p xlashape --features vendored --tests
  XLASHAPE_BACKEND=simd "$cargo" run --frozen --quiet -p xlashape --features vendored --example threads
  readme 1
  refuses "XLASHAPE_LIB_DIR is '/'" env XLASHAPE_LIB_DIR=/ "$cargo" build --frozen -p xlashape-sys --features vendored
  refuses 'cannot be run' env CXX=/no/such/tool "$cargo" build --frozen -p xlashape-sys --features vendored
  refuses 'does not compile C++20' env CXX=false "$cargo" build --frozen -p xlashape-sys --features vendored
}

# How the build script finds the library.
finding() {
  local other=$work/target-finding
  CARGO_TARGET_DIR=$other PKG_CONFIG=false XLASHAPE_LIB_DIR=$libdir \
    "$cargo" test --frozen --quiet -p xlashape --test api values
  export CARGO_TARGET_DIR=$other
  refuses 'set XLASHAPE_LIB_DIR to the folder' env PKG_CONFIG=/no/such/tool "$cargo" build --frozen -p xlashape-sys
  refuses 'says: Package xlashape was not found' env PKG_CONFIG_PATH=/ PKG_CONFIG_LIBDIR=/ \
    "$cargo" build --frozen -p xlashape-sys
  refuses 'says nothing, exit status: 1' env PKG_CONFIG=false "$cargo" build --frozen -p xlashape-sys
  refuses "XLASHAPE_LIB_DIR is '/'" env XLASHAPE_LIB_DIR=/ "$cargo" build --frozen -p xlashape-sys
  refuses "XLASHAPE_STATIC is 'yes'" env XLASHAPE_STATIC=yes "$cargo" build --frozen -p xlashape-sys
  local spaced="$work/a prefix"
  ln -sfn "$prefix" "$spaced"
  PKG_CONFIG_PATH=$spaced/${PKG_CONFIG_PATH#"$prefix"/} \
    "$cargo" run --frozen --quiet -p xlashape --example waste -- 'f32[2]' >"$work/spaced"
  grep -F '1.00x  f32[2]{0}' "$work/spaced"
  if [[ ! -e $libdir/libxlashape.a ]]; then
    refuses 'there is no libxlashape.a in' env XLASHAPE_STATIC=1 "$cargo" build --frozen -p xlashape-sys
  fi
  if [[ -e $libdir/libxlashape.a ]]; then
    XLASHAPE_LIB_DIR=$libdir XLASHAPE_STATIC=1 LD_LIBRARY_PATH='' \
      "$cargo" test --frozen --quiet -p xlashape --test api values
  fi
}

step 'generated files' python3 generate.py --check
step 'no dependencies' no_dependencies

# Every cargo with the rustc and rustdoc beside it.
tools=()
for tool in "$(command -v cargo || true)" /usr/bin/cargo; do
  if [[ -x $tool && " ${tools[*]} " != *" $tool "* ]]; then tools+=("$tool"); fi
done
if ((${#tools[@]} == 0)); then echo 'FAIL there is no cargo' && failed=$((failed + 1)); fi
for cargo in "${tools[@]}"; do
  RUSTC=$(dirname "$cargo")/rustc RUSTDOC=$(dirname "$cargo")/rustdoc
  export RUSTC RUSTDOC
  version=$("$cargo" --version | cut -d ' ' -f 2) rust=$("$RUSTC" --version | cut -d ' ' -f 2)
  export CARGO_TARGET_DIR=$work/target-$version
  step "rustc $rust: tests" "$cargo" test --frozen --no-fail-fast --workspace --lib --tests --benches
  step "rustc $rust: documentation's examples" "$cargo" test --frozen --no-fail-fast -p xlashape --doc
  step "rustc $rust: examples" example_prints
  step "rustc $rust: the backend in Rust" backend
  step "rustc $rust: README" readme 3
done
step 'finding the library' finding
step 'vendored' vendored
step 'packages' packages
if "$cargo" fmt --version >"$work/log" 2>&1 || "${tools[0]}" fmt --version >"$work/log" 2>&1; then
  step 'format' "${tools[0]}" fmt --check
fi
cargo=${tools[0]} RUSTC=$(dirname "${tools[0]}")/rustc RUSTDOC=$(dirname "${tools[0]}")/rustdoc
if "$cargo" clippy --version >"$work/log" 2>&1; then
  step 'clippy' env CARGO_TARGET_DIR="$work/target-clippy" \
    "$cargo" clippy --frozen --quiet --workspace --all-targets -- -D warnings
fi
step 'documentation' env CARGO_TARGET_DIR="$work/target-clippy" "$cargo" doc --frozen --quiet --workspace --no-deps

if [[ -n ${counts:-} ]]; then echo "$passed $failed" >"$counts"; fi
echo "$passed passed, $failed failed"
((failed == 0))
