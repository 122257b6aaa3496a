#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh PREFIX HEADERS OUT: compiles the custom call into OUT/libxlashape_jax.so, against the xlashape installed in
# PREFIX and the headers of XLA's FFI in HEADERS (python -c 'import jax; print(jax.ffi.include_dir())').
# CXX: the compiler.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$1 headers=$2 out=$3
library=$(find "$prefix"/lib* -name 'libxlashape.so' | head -n 1)
[[ -n $library ]] || { echo "build.sh: $prefix has no libxlashape.so: is xlashape installed there?" >&2; exit 1; }
mkdir -p "$out"
# The library is found where the Python package has loaded it; the path is for programs that do not use that package.
# shellcheck disable=SC2016  # $ORIGIN is for the loader
"${CXX:-c++}" -std=c++20 -O2 -fPIC -shared -fvisibility=hidden -fvisibility-inlines-hidden \
  -Wall -Wextra -Wno-comment \
  -I "$prefix/include" -isystem "$headers" "$here"/native/*.cc -o "$out/libxlashape_jax.so" \
  -L "$(dirname "$library")" -lxlashape -Wl,-rpath,'$ORIGIN/../xlashape/lib' -Wl,-z,defs -Wl,--as-needed \
  -Wl,--version-script="$here/native/exports.map"
