#!/usr/bin/env bash
# Builds the library, its backends and the tests for another processor with Debian's cross compiler, and runs the unit tests,
# relayouts of real size, the API tests and the golden cases under qemu's user mode; for aarch64 the simd backend's tests,
# those of real size and the golden cases also on a processor without SVE and with SVE vectors of each length. Ends with
# `N passed, M failed`.
#
#   tools/cross.sh ARCH [FOLDER]    ARCH: aarch64, s390x; FOLDER (default: build-ARCH) holds all that is made
#
# Needs gcc-ARCH-linux-gnu, g++-ARCH-linux-gnu, qemu-user, meson and the packages of `./x build`. Debian's packages for ARCH
# are fetched and unpacked into FOLDER/root, with an apt state of its own: what the system has installed, and the
# architectures that its dpkg knows, stay as they are. Headers alone come from the system. If the variable counts names a
# file, "PASSED FAILED" is written to it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
arch=${1:-}
case $arch in
  aarch64) debian=arm64 ;;
  s390x) debian=s390x ;;
  *)
    sed -n '2,12s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
triple=$arch-linux-gnu
folder=$(realpath -m "${2:-build-$arch}")
root=$folder/root
counts=${counts:-$folder/.counts}
packages=(libnanopb-dev libgtest-dev libgmock-dev libtomlplusplus-dev)

# Debian's own, as in ./x.
meson=/usr/bin/meson python=/usr/bin/python3
[[ -x $meson ]] || meson=meson
[[ -x $python ]] || python=python3

die() {
  printf 'NOT RUN: %s\n' "$*"
  exit 1
}

for tool in "$triple-gcc" "$triple-g++" "qemu-$arch" "$meson" ninja apt-get dpkg; do
  command -v "$tool" >/dev/null || die "$tool is not installed"
done
mkdir -p "$folder"

# The packages, once: the list of those unpacked says that it was done.
unpack() {
  local apt=$folder/apt
  rm -rf "$root" "$apt"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/packages" "$root"
  : >"$apt/status"
  local options=(-qq -o APT::Architecture="$debian" -o APT::Architectures="$debian" -o APT::Sandbox::User=""
    -o Dir::State::Lists="$apt/lists" -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache")
  # A source without this architecture is no harm: what matters is whether the packages are found.
  apt-get "${options[@]}" update || true
  (cd "$apt/packages" && apt-get "${options[@]}" download "${packages[@]/%/:$debian}") || return
  local package
  for package in "$apt"/packages/*.deb; do dpkg -x "$package" "$root" || return; done
  rm -rf "$apt"
  echo "${packages[*]}" >"$root/.packages"
}
if [[ $(cat "$root/.packages" 2>/dev/null) != "${packages[*]}" ]]; then
  unpack >"$folder/.x-packages" 2>&1 || {
    tail -n 20 "$folder/.x-packages"
    die "the packages for $debian cannot be fetched"
  }
fi

case $arch in
  s390x) endian=big ;;
  *) endian=little ;;
esac
# -B lets the compiler find the unpacked libraries, also when it is asked where one is.
libraries=$root/usr/lib/$triple
cat >"$folder/cross.ini.new" <<INI
[binaries]
c = ['$triple-gcc', '-B$libraries']
cpp = ['$triple-g++', '-B$libraries']
ar = '$triple-ar'
nm = '$triple-nm'
objcopy = '$triple-objcopy'
strip = '$triple-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-$arch', '-L', '/usr/$triple', '-E', 'LD_LIBRARY_PATH=$libraries']

[properties]
pkg_config_libdir = ['$libraries/pkgconfig', '/usr/share/pkgconfig']

[host_machine]
system = 'linux'
cpu_family = '$arch'
cpu = '$arch'
endian = '$endian'
INI

options=(--cross-file "$folder/cross.ini" -Dbuildtype=release -Dtests=enabled -Dcli=disabled -Dopencl=disabled -Dcuda=disabled)
if ! cmp -s "$folder/cross.ini.new" "$folder/cross.ini" || [[ ! -f $folder/build.ninja ]]; then
  mv "$folder/cross.ini.new" "$folder/cross.ini"
  rm -rf "$folder/meson-private"
  "$meson" setup "$folder" "${options[@]}" >"$folder/.x-configure" 2>&1 || {
    cat "$folder/.x-configure"
    exit 1
  }
fi
rm -f "$folder/cross.ini.new"

if ! ninja -k 0 -j "$(nproc)" -C "$folder" >"$folder/.x-compile" 2>&1; then
  sed -n '/^FAILED: /,$p' "$folder/.x-compile" | grep -v '^\[[0-9]*/[0-9]*\] '
  exit 1
fi
printf '%s: unit tests, relayouts, API tests and golden cases under qemu, of the backends: scalar%s\n' "$triple" \
  "$([[ $endian == little ]] && echo ' and simd')"
echo 'left out: bound (libffi), the GPU backends, the command, the loader, and the tests that need the tools of the host'
rm -f "$folder/meson-logs/x-test"* "$counts"
passed=0 failed=0 status=0
# run_tests LOG [OPTION...]: what `meson test` finds with these options, all of it without; adds to the counts.
run_tests() {
  local log=$1 good bad
  shift
  "$meson" test -C "$folder" --no-rebuild --logbase "$log" --quiet --timeout-multiplier 10 "$@" >"$folder/.$log" 2>&1 || status=1
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
  # Bytes of a vector; 48 is no power of two. What qemu is without being told, above, has vectors of 64.
  for cpu in cortex-a72 max,sve-default-vector-length={16,32,48,128,256}; do
    echo "the simd backend and golden cases with QEMU_CPU=$cpu"
    QEMU_CPU=$cpu run_tests "x-test-${cpu##*[-=]}" --suite golden --suite simd --suite differential
  done
fi
echo "$passed $failed" >"$counts"
printf '%d passed, %d failed\n' "$passed" "$failed"
exit "$status"
