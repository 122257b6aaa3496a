# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts that build for another system, tools/cross.sh and tools/mingw.sh.

# Debian's Python and meson, as in ./x.
meson=/usr/bin/meson python=/usr/bin/python3
[[ -x $meson ]] || meson=meson
[[ -x $python ]] || python=python3

die() {
  printf 'NOT RUN: %s\n' "$*"
  exit 1
}

# cross_build FOLDER: builds the library, its backends and the tests in FOLDER by FOLDER/cross.ini.new, and configures
# first if that differs from the last one. Ends the script with what went wrong.
cross_build() {
  local folder=$1
  local options=(--cross-file "$folder/cross.ini" -Dbuildtype=release -Dtests=enabled
    -Dcli=disabled -Dopencl=disabled -Dcuda=disabled)
  if ! cmp -s "$folder/cross.ini.new" "$folder/cross.ini" || [[ ! -f $folder/build.ninja ]]; then
    mv "$folder/cross.ini.new" "$folder/cross.ini"
    rm -rf "$folder/meson-private"
    "$meson" setup "$folder" "${options[@]}" >"$folder/.x-configure" 2>&1 || {
      cat "$folder/.x-configure"
      exit 1
    }
  fi
  rm -f "$folder/cross.ini.new"
  ninja -k 0 -j "$(nproc)" -C "$folder" >"$folder/.x-compile" 2>&1 || {
    sed -n '/^FAILED: /,$p' "$folder/.x-compile" | grep -v '^\[[0-9]*/[0-9]*\] '
    exit 1
  }
}
