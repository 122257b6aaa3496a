#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build folder $2 of the repository $1, whose library is static, and links a C program with it: by
# pkg-config, by CMake, and without any shared object. $3: the backends that are linked in, "simd" or nothing.
# $4: true where others are loaded.
set -u
root=$1 build=$2 linked=$3 loads=$4
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ok() { passed=$((passed + 1)) && echo "ok: $1"; }
fail() { failed=$((failed + 1)) && printf 'FAILED: %s\n' "$1"; }

# says DESCRIPTION TEXT COMMAND...: the program must succeed, and print a line with the text.
says() {
  local title=$1 wanted=$2 got
  shift 2
  if got=$("$@" 2>&1) && grep -qF -- "$wanted" <<<"$got"; then
    ok "$title"
  else
    fail "$title: no \"$wanted\" in: $got"
  fi
}

if ! log=$(meson install -C "$build" --destdir "$work/tree" 2>&1); then fail "meson install: $log"; fi
pc=$(find "$work/tree" -name xlashape.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_LIBDIR=$libdir/pkgconfig
backends=$(pkg-config --variable=backend_dir xlashape)
# Nothing but what the program asks for: an installed copy would be found by its place.
export XLASHAPE_BACKEND_PATH=
own=scalar
if [[ $linked == *simd* ]]; then own=simd; fi

flags=$(pkg-config --cflags --libs xlashape)
if [[ $flags == *-DXLASHAPE_STATIC* ]]; then
  ok "pkg-config says that the library is static"
else
  fail "pkg-config: $flags"
fi
# shellcheck disable=SC2086
if log=$(cc -std=c99 -Wall -Wextra -Werror -Wno-missing-field-initializers "$root/tests/install/static.c" $flags \
  -o "$work/user" 2>&1); then
  ok "linked by pkg-config"
  says "its own backend moves" "moved by $own" "$work/user"
  says "it is built in" "backend $own: ready, built in, priority" "$work/user"
  if [[ $own == simd && $(uname -m) == x86_64 ]]; then
    says "not where the processor lacks what it needs" "moved by scalar" env XLASHAPE_CPU=scalar "$work/user"
    says "which the report tells" "backend simd: not in use, built in, priority 100: open: it needs ssse3" \
      env XLASHAPE_CPU=scalar "$work/user"
  fi
  if [[ $loads == true && -e $backends/simd.so ]]; then
    says "a found one moves" "moved by simd" env XLASHAPE_BACKEND_PATH="$backends" "$work/user"
    if [[ $own == simd ]]; then
      says "it comes before the own one" "shadowed by $backends/simd.so" \
        env XLASHAPE_BACKEND_PATH="$backends" "$work/user"
    fi
  elif [[ $loads == false ]]; then
    says "nothing is loaded" "loading: UNSUPPORTED" "$work/user" "$work/some.so"
    says "and the report says so" "folders: none, this library loads no backends" "$work/user"
    if names=$(nm -u "$work/user" | grep -wE 'dlopen|dlsym|opendir'); then
      fail "it imports $names"
    else
      ok "no loader is in it"
    fi
  fi
else
  fail "pkg-config: $log"
fi

# shellcheck disable=SC2046
if log=$(cc "$root/tests/install/static.c" -static $(pkg-config --static --cflags --libs xlashape) \
  -o "$work/alone" 2>&1); then
  says "one binary without any shared object" "moved by $own" env XLASHAPE_BACKEND= "$work/alone"
else
  fail "one binary: $log"
fi

if log=$(cmake -S "$root/tests/install" -B "$work/cmake" -DUSER_SOURCE="$root/tests/install/static.c" \
  -DCMAKE_PREFIX_PATH="${libdir%/lib*}" -DCMAKE_C_FLAGS=-std=c99 2>&1 && cmake --build "$work/cmake" -v 2>&1); then
  says "linked by CMake" "moved by $own" "$work/cmake/user"
  if grep -q -- -DXLASHAPE_STATIC <<<"$log"; then
    ok "CMake says that the library is static"
  else
    fail "CMake does not define XLASHAPE_STATIC"
  fi
else
  fail "CMake: $log"
fi

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
