#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the library, its backends and the tests for another processor with Debian's cross compiler, or for another C
# library, and runs the unit tests, relayouts of real size, the API tests and the golden cases: in qemu's user mode, or
# directly for i386 and musl. For aarch64 it also runs the simd backend's tests, those of real size and the golden cases
# on a processor without SVE and with SVE vectors of each length. Ends with `N passed, M failed`.
#
#   tools/cross.sh ARCH [FOLDER]    ARCH: aarch64, s390x, riscv64, armhf, i386, musl; FOLDER (default: build-ARCH)
#                                   holds all that is made
#
# Needs Debian's cross compiler of C++ for ARCH and qemu-user (on x86-64 for i386 libc6-i386 and lib32stdc++6 instead of
# it; for musl musl-tools, clang-14, libc++-14-dev, libc++abi-14-dev and libunwind-14-dev: see tools/musl/compile.sh),
# meson, googletest and the packages of `./x build`. GoogleTest is compiled from Debian's sources, as it has packages of
# it for some processors only. If the variable counts names a file, "PASSED FAILED" is written to it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/cross_build.sh
source tools/cross_build.sh
arch=${1:-}
family=$arch endian=little qemu=qemu-$arch triple=$arch-linux-gnu
case $arch in
  aarch64 | riscv64) ;;
  s390x) endian=big ;;
  armhf) family=arm qemu=qemu-arm triple=arm-linux-gnueabihf ;;
  i386) family=x86 qemu='' triple=i686-linux-gnu ;;
  musl) family=x86_64 qemu='' triple=x86_64-linux-musl ;;
  *)
    sed -n '3,16s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
folder=$(realpath -m "${2:-build-$arch}")
root=$folder/root
counts=${counts:-$folder/.counts}

mkdir -p "$root"
if [[ $arch == musl ]]; then
  mkdir -p "$root/bin" "$root/include"
  for tool in gcc g++; do ln -sf "$PWD/tools/musl/compile.sh" "$root/bin/$triple-$tool"; done
  for tool in ar nm strip; do ln -sf "$(command -v $tool)" "$root/bin/$triple-$tool"; done
  for part in linux asm-generic x86_64-linux-gnu/asm hwy nlohmann gtest gmock; do
    ln -sfn "/usr/include/$part" "$root/include/$(basename "$part")"
  done
  PATH=$root/bin:$PATH
fi

for tool in "$triple-gcc" "$triple-g++" $qemu "$meson" ninja; do
  command -v "$tool" >/dev/null || die "$tool is not installed"
done
if [[ -n $qemu ]]; then
  wrapper="exe_wrapper = ['$qemu', '-L', '/usr/$triple']"
elif [[ $arch == musl ]]; then
  [[ -e /lib/ld-musl-x86_64.so.1 && -e /usr/lib/llvm-14/lib/libc++abi.a && -e /usr/lib/llvm-14/lib/libunwind.a ]] ||
    die "musl-tools, libc++-14-dev, libc++abi-14-dev or libunwind-14-dev is not installed"
  wrapper=
else
  # qemu's i386 hangs when threads start, and this machine runs the programs itself.
  [[ -e /lib/ld-linux.so.2 && -e /usr/lib32/libstdc++.so.6 ]] || die "libc6-i386 or lib32stdc++6 is not installed"
  wrapper=
fi

# archive NAME COMPILER FILE...: a static library in $root.
archive() {
  local name=$1 compiler=$2 file objects=()
  shift 2
  for file; do
    objects+=("$root/$name-$(basename "$file").o")
    "$triple-$compiler" -O1 -fPIC -I"$(dirname "$file")" -I"$(dirname "$file")/.." -c "$file" \
      -o "${objects[-1]}" || return
  done
  "$triple-ar" rcs "$root/lib$name.a" "${objects[@]}"
}
# module NAME FLAGS: writes its file for pkg-config.
module() {
  printf 'Name: %s\nDescription: for tests\nVersion: 1.12.1\nLibs: -L%s %s\n' "$1" "$root" "$2" >"$root/$1.pc"
}
libraries() {
  local tests=/usr/src/googletest
  [[ -e $tests/googletest/src/gtest-all.cc ]] || die "googletest is not installed"
  if [[ $arch == musl ]]; then
    "$triple-gcc" -D_GNU_SOURCE -O1 -fPIC -c tools/musl/glibc.c -o "$root/glibc.o" || return
    local name rename=()
    for name in newlocale freelocale strerror_r; do rename+=(--redefine-sym "$name=glibc_$name"); done
    objcopy "${rename[@]}" /usr/lib/llvm-14/lib/libc++.a "$root/libc++.a" || return
  fi
  archive gtest g++ $tests/googletest/src/gtest-all.cc && archive gtest_main g++ $tests/googletest/src/gtest_main.cc &&
    archive gmock g++ $tests/googlemock/src/gmock-all.cc || return
  module gtest '-lgtest -pthread'
  module gtest_main '-lgtest_main -lgtest -pthread'
  module gmock '-lgmock -lgtest -pthread'
  touch "$root/.made"
}
[[ -e $root/.made ]] || libraries >"$folder/.x-libraries" 2>&1 || {
  tail -n 20 "$folder/.x-libraries"
  exit 1
}

# -B lets the compiler find these libraries, also when it is asked for the path of one.
cat >"$folder/cross.ini.new" <<INI
[binaries]
c = ['$(command -v "$triple-gcc")', '-B$root']
cpp = ['$(command -v "$triple-g++")', '-B$root']
$(for tool in ar nm strip; do echo "$tool = '$(command -v "$triple-$tool")'"; done)
pkgconfig = 'pkg-config'
$wrapper

[properties]
pkg_config_libdir = ['$root', '/usr/share/pkgconfig']
needs_exe_wrapper = $([[ -n $qemu ]] && echo true || echo false)

[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$arch'
endian = '$endian'
INI

cross_build "$folder"
printf '%s: unit tests, relayouts, API tests and golden cases, of the backends: scalar%s\n' "$triple" \
  "$([[ -e $folder/src/xlashape/simd.so ]] && echo ' and simd')"
echo 'left out: bound (libffi), the GPU backends, the command, the loader, and the tests that need the tools of the' \
  'host'
rm -f "$folder/meson-logs/x-test"* "$counts"
passed=0 failed=0 status=0
# run_tests LOG [OPTION...]: runs what `meson test` selects with these options, or everything; adds to the counts.
run_tests() {
  local log=$1 good bad
  shift
  "$meson" test -C "$folder" --no-rebuild --logbase "$log" --quiet --timeout-multiplier 10 "$@" \
    >"$folder/.$log" 2>&1 || status=1
  rm -f "$folder/.counts-$log"
  "$python" tests/count.py "$folder/meson-logs" "$log" "$folder/.counts-$log" || {
    [[ -s $folder/.counts-$log ]] || tail -n 60 "$folder/.$log"
    status=1
  }
  if [[ -s $folder/.counts-$log ]]; then
    read -r good bad <"$folder/.counts-$log"
    passed=$((passed + good)) failed=$((failed + bad))
  fi
}
run_tests x-test
if [[ $arch == aarch64 ]]; then
  simd=$folder/src/xlashape
  if "$python" tests/structure/kernels.py "$simd/libsimd_kernels.a" "$simd/simd.so"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1)) status=1
  fi
  # Bytes of a vector; 48 is not a power of two. qemu's default processor, used above, has vectors of 64.
  for cpu in cortex-a72 max,sve-default-vector-length={16,32,48,128,256}; do
    echo "the simd backend and golden cases with QEMU_CPU=$cpu"
    QEMU_CPU=$cpu run_tests "x-test-${cpu##*[-=]}" --suite golden --suite simd --suite differential
  done
fi
echo "$passed $failed" >"$counts"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$status"
