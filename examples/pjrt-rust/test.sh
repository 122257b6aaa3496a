#!/usr/bin/env bash
# test.sh PREFIX WORK PLUGIN: builds and tests the client in Rust with the library installed in PREFIX and the PJRT plugin in that
# file; everything that is built goes to WORK. Shows what fails; `N passed, M failed`; with `counts` set, writes "N M" to that file.
set -euo pipefail
prefix=$(cd "$1" && pwd) work=$(cd "$2" && pwd) PJRT_PLUGIN=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
cd "$(dirname "${BASH_SOURCE[0]}")"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name xlashape.pc | head -n 1)")
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libxlashape.so | head -n 1)")
export TMPDIR=$work PJRT_PLUGIN PKG_CONFIG_PATH LD_LIBRARY_PATH CARGO_HOME=$work/cargo CARGO_TERM_COLOR=never RUST_BACKTRACE=0
export RUSTFLAGS="-D warnings -C debuginfo=0" CARGO_INCREMENTAL=0
unset XLASHAPE_LIB_DIR XLASHAPE_STATIC XLASHAPE_BACKEND XLASHAPE_BACKEND_PATH PKG_CONFIG
passed=0 failed=0

# step NAME COMMAND...: one check, or as many as test runners in it report.
step() {
  local name=$1 log=$work/log ok=1 good bad
  shift
  "$@" >"$log" 2>&1 & # not `"$@" || ok=0`: that would have functions go on after what fails in them
  wait $! || ok=0
  read -r good bad < <(awk '/^test result: / { good += $4; bad += $6 } END { print good + 0, bad + 0 }' "$log")
  if ((ok == 0 && bad == 0)); then bad=1; fi
  if ((ok == 1 && good + bad == 0)); then good=1; fi
  passed=$((passed + good)) failed=$((failed + bad))
  if ((bad > 0)); then
    echo "FAIL $name"
    grep -vE '^(test .* ok|running [0-9]+ tests?|)$' "$log" | tail -n 60 | sed 's/^/  /'
  fi
}

no_dependencies() { # only packages of this tree have no source
  if grep -n '^source' Cargo.lock; then return 1; fi
}

# The program prints what README.md says, by either way to name the plugin.
readme() {
  local program=$CARGO_TARGET_DIR/debug/pjrt-rust
  sed -n '/^<!-- output -->/,/^```$/p' README.md | sed '/^```/d; /^<!--/d' >"$work/want"
  [[ -s $work/want ]]
  diff "$work/want" <("$program")
  diff "$work/want" <(env -u PJRT_PLUGIN "$program" "$PJRT_PLUGIN")
}

step 'generated files' python3 generate.py --check
step 'no dependencies' no_dependencies

# The first cargo builds and runs everything; each other checks that its compiler takes the sources.
tools=()
for tool in "$(command -v cargo || true)" /usr/bin/cargo; do
  if [[ -x $tool && " ${tools[*]} " != *" $tool "* ]]; then tools+=("$tool"); fi
done
if ((${#tools[@]} == 0)); then echo 'FAIL there is no cargo' && failed=$((failed + 1)); fi
for cargo in "${tools[@]}"; do
  RUSTC=$(dirname "$cargo")/rustc RUSTDOC=$(dirname "$cargo")/rustdoc
  export RUSTC RUSTDOC CARGO_TARGET_DIR
  rust=$("$RUSTC" --version | cut -d ' ' -f 2)
  CARGO_TARGET_DIR=$work/target-$rust
  if [[ $cargo == "${tools[0]}" ]]; then
    step "rustc $rust: tests" "$cargo" test --frozen --no-fail-fast --lib --bins --tests
    step "rustc $rust: README.md" readme
    if "$cargo" fmt --version >"$work/log" 2>&1; then step 'format' "$cargo" fmt --check; fi
    if "$cargo" clippy --version >"$work/log" 2>&1; then
      step 'clippy' "$cargo" clippy --frozen --quiet --all-targets -- -D warnings
    fi
  else
    step "rustc $rust: check" "$cargo" check --frozen --quiet --lib --bins --tests
  fi
done

if [[ -n ${counts:-} ]]; then echo "$passed $failed" >"$counts"; fi
echo "$passed passed, $failed failed"
((failed == 0))
