#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build folder $2 of the repository $1, links a C program with it once, builds the example backend against
# the installed headers with its own meson.build, and has the program use scalar and the example by nothing but the
# environment, then the C library's memcpy through `bound` by an option: what it prints must be the same.
set -u
root=$1 build=$2 meson=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*" && exit 1; }

log=$("$meson" install -C "$build" --no-rebuild --destdir "$work/tree" 2>&1) || die "meson install: $log"
libdir=$(dirname "$(find "$work/tree" -name libxlashape.so.0.1 | head -n 1)")
export PKG_CONFIG_LIBDIR=$libdir/pkgconfig PKG_CONFIG_PATH='' LD_LIBRARY_PATH=$libdir
# shellcheck disable=SC2046
log=$(cc -std=c99 -Wall -Wextra -Werror -Wno-missing-field-initializers "$root/tests/loader/swap.c" \
  $(pkg-config --cflags --libs xlashape) -o "$work/swap" 2>&1) || die "cc: $log"
cp -r "$root/examples/backend" "$work/source"
log=$("$meson" setup "$work/plugin" "$work/source" 2>&1 && "$meson" compile -C "$work/plugin" 2>&1) ||
  die "the example: $log"
if readelf -d "$work/plugin/example.so" | grep -q 'libxlashape'; then die "the example links the library"; fi
lines=$(wc -l <"$root/examples/backend/example.c")
if ((lines > 150)); then die "the example has $lines lines, 150 are enough"; fi

use() { # backend, folder: what it printed, after a check of who did it
  XLASHAPE_BACKEND=$1 XLASHAPE_BACKEND_PATH=$2 "$work/swap" 2>"$work/who" >"$work/$1" || die "$1: $(cat "$work/who")"
  [[ $(sort -u "$work/who") == "$1" ]] || die "asked for $1, came $(sort -u "$work/who")"
}
use scalar ""
use example "$work/plugin"
diff -u "$work/scalar" "$work/example" || die "scalar and the example differ"
backends=$(pkg-config --variable=backend_dir xlashape)
"$work/swap" "$backends/bound/libc.xlashape.toml" libc 2>"$work/who" >"$work/libc" ||
  die "libc: $(cat "$work/who")"
[[ $(tail -n 1 "$work/who") == libc ]] || die "asked for libc, came $(sort -u "$work/who")"
diff -u "$work/scalar" "$work/libc" || die "scalar and libc differ"
"$work/swap" 2>/dev/null >"$work/chosen" || die "without a wish"
diff -u "$work/scalar" "$work/chosen" || die "scalar and what the library chooses differ"
if XLASHAPE_BACKEND=example "$work/swap" 2>"$work/who" >/dev/null; then die "the example came without its folder"; fi
grep -q 'no backend is named example' "$work/who" || die "it said: $(cat "$work/who")"
echo "ok: $(wc -l <"$work/scalar") relayouts, the same from each backend"
