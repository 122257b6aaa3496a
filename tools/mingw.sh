#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the library, its backends and the tests for Windows (x86-64) with Debian's mingw-w64, and runs unit tests, API
# tests and golden cases under wine. Ends with `N passed, M failed`.
#
#   tools/mingw.sh [FOLDER]    FOLDER (default: build-mingw) holds all that is made
#
# Needs g++-mingw-w64-x86-64-posix, wine, googletest, meson and the packages of `./x build`, of which only
# headers are used. If the variable counts names a file, "PASSED FAILED" is written to it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/cross_build.sh
source tools/cross_build.sh
triple=x86_64-w64-mingw32
folder=$(realpath -m "${1:-build-mingw}")
root=$folder/root
counts=${counts:-$folder/.counts}

for tool in "$triple-gcc-posix" "$triple-g++-posix" wine "$meson" ninja; do
  command -v "$tool" >/dev/null || die "$tool is not installed"
done
mkdir -p "$folder"

# Copies the packages' headers, and what pkg-config knows of them, to a folder without the system's C library.
headers() {
  local package file
  for package in libhwy-dev nlohmann-json3-dev; do
    for file in $(dpkg -L "$package" | grep '^/usr/include/.*'); do
      if [[ -f $file ]]; then install -D -m 644 "$file" "$root/include/${file#/usr/include/}" || return; fi
    done
    for file in $(dpkg -L "$package" | grep '/pkgconfig/.*\.pc$'); do
      install -d "$root/lib/pkgconfig" && sed "s|^prefix=.*|prefix=$root|; s|-I/usr/include|-I$root/include|" "$file" \
        >"$root/lib/pkgconfig/$(basename "$file")" || return
    done
  done
}

# GoogleTest, from Debian's package of its sources, compiled once for all tests.
googletest() {
  local source=/usr/src/googletest made=$folder/googletest name
  rm -rf "$made"
  mkdir -p "$made" "$root/lib/pkgconfig"
  cp -r "$source"/googletest/include/gtest "$source"/googlemock/include/gmock "$root/include" || return
  local compile=("$triple-g++-posix" -std=c++20 -O1 -c
    -I "$root/include" -I "$source/googletest" -I "$source/googlemock")
  "${compile[@]}" -o "$made/gtest.o" "$source/googletest/src/gtest-all.cc" &&
    "${compile[@]}" -o "$made/gtest_main.o" "$source/googletest/src/gtest_main.cc" &&
    "${compile[@]}" -o "$made/gmock.o" "$source/googlemock/src/gmock-all.cc" || return
  for name in gtest gtest_main gmock; do
    "$triple-ar" rcs "$root/lib/lib$name.a" "$made/$name.o" || return
    printf '%s\n' "Name: $name" "Description: $name" 'Version: 1.12.1' \
      "Libs: -L$root/lib -l$name$([[ $name == gtest ]] || echo ' -lgtest')" >"$root/lib/pkgconfig/$name.pc"
  done
}
if [[ ! -e $root/.done ]]; then
  rm -rf "$root"
  { headers && googletest && touch "$root/.done"; } >"$folder/.x-packages" 2>&1 || {
    tail -n 20 "$folder/.x-packages"
    die "GoogleTest or the headers of the packages cannot be had"
  }
fi

# Programs contain the compiler's libraries, as wine does not search Debian's folders for them.
ccache=
if command -v ccache >/dev/null; then ccache="'ccache', "; fi
cat >"$folder/cross.ini.new" <<INI
[binaries]
c = [$ccache'$triple-gcc-posix']
cpp = [$ccache'$triple-g++-posix']
ar = '$triple-ar'
nm = '$triple-nm'
strip = '$triple-strip'
windres = '$triple-windres'
pkgconfig = 'pkg-config'
exe_wrapper = ['wine']

[built-in options]
c_args = ['-isystem$root/include']
cpp_args = ['-isystem$root/include']
c_link_args = ['-static']
cpp_link_args = ['-static']

[properties]
pkg_config_libdir = ['$root/lib/pkgconfig']

[host_machine]
system = 'windows'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = 'little'
INI

cross_build "$folder"
printf '%s: unit tests, API tests and golden cases under wine, of the backends: scalar and simd\n' "$triple"
echo 'left out: bound (libffi), the GPU backends, the command, and the tests of POSIX: what they say of its files,' \
  'links and forks'
rm -f "$folder/meson-logs/x-test"* "$counts"
# A separate registry and folders for wine, not the user's.
export WINEPREFIX=$folder/wine WINEDEBUG=-all
mkdir -p "$WINEPREFIX"
wine wineboot --init >"$folder/.wine" 2>&1 || true
status=0
"$meson" test -C "$folder" --no-rebuild --logbase x-test --quiet --timeout-multiplier 4 \
  >"$folder/.x-test" 2>&1 || status=1
"$python" tests/count.py "$folder/meson-logs" x-test "$counts" || {
  [[ -s $counts ]] || tail -n 60 "$folder/.x-test"
  status=1
}
read -r passed failed <"$counts"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$status"
