#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The parts of this repository stand apart: the library is built with all its neighbours' folders removed, and the
# programs of tools are built against an installed library, without src/core. Not optimized: it is the boundaries that
# are tested.
#
#   tests/install/apart.sh PREFIX WORK        PREFIX: an installed xlashape (meson install)
#
# Ends with `N passed, M failed`, and writes "N M" to the file $counts, if that is set.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
prefix=$1 work=$2
# shellcheck source=tools/tally.sh
. "$root/tools/tally.sh"
# shellcheck source=tools/sources.sh
. "$root/tools/sources.sh"
rm -rf "$work"
mkdir -p "$work/library" "$work/tools"
pc=$(dirname "$(find "$prefix" -name xlashape.pc)")

copy() { # folder, what of the repository
  local to=$1
  shift
  (cd "$root" && source_files "$@" | xargs -0 cp --parents -P -t "$to")
}
build() { # folder, options of meson
  local folder=$1
  shift
  meson setup "$folder/build" "$folder" -Doptimization=0 -Ddebug=false "$@" && ninja -C "$folder/build"
}

copy "$work/library" meson.build meson_options.txt LICENSE include src cmake
check "the library without its neighbours" build "$work/library" -Dsimd=disabled -Dopencl=disabled -Dcuda=disabled
check "its symbols" python3 "$root/bindings/abi/symbols.py" "$work/library/build/src/libxlashape.so"

# What tools may include of src, and nothing else.
copy "$work/tools" meson.build meson_options.txt LICENSE tools docs src/ir/edit_distance.h src/ir/int128.h \
  src/ir/wire_bytes.h
check "tools with an installed library" env PKG_CONFIG_PATH="$pc" meson setup "$work/tools/build" "$work/tools" \
  -Doptimization=0 -Ddebug=false -Dlibrary=installed -Dcli=enabled
check "their build" ninja -C "$work/tools/build"
explained() { LD_LIBRARY_PATH=${pc%/pkgconfig} "$work/tools/build/xlashape" explain 'f32[2,3]{0,1}' | grep -q column; }
check "xlashape explain" explained
scanned() {
  gunzip -c "$root/tests/data/scan/v5e_decode.txt.gz" |
    LD_LIBRARY_PATH=${pc%/pkgconfig} "$work/tools/build/xlashape" scan - | grep -q jit_
}
check "xlashape scan" scanned
echo "$passed $failed" >"${counts:-/dev/null}"
echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
