#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the build folder $2 of the repository $1 into an empty folder, builds the C program of README.md against it,
# once with pkg-config and once with CMake, runs it, and compares what it prints with what README.md says. Then
# configures the repository as a subproject, and without Highway.
set -u
root=$1 build=$2
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ok() { passed=$((passed + 1)) && echo "ok: $1"; }
fail() { failed=$((failed + 1)) && printf 'FAILED: %s\n' "$1"; }

block() { # the first ```$1 block after the line "<!-- $2 -->"
  awk -v open="\`\`\`$1" -v mark="<!-- $2 -->" '
    $0 == mark { armed = 1; next }
    armed && !inside && $0 == open { inside = 1; next }
    inside && $0 == "```" { exit }
    inside { print }' "$root/README.md"
}

run() { # description program: what it prints must be what README.md shows
  local got
  if got=$(LD_LIBRARY_PATH=$libdir "$2" 2>&1) && diff -u "$work/expected.txt" <(printf '%s\n' "$got"); then
    ok "$1"
  else
    fail "$1: it printed
$got"
  fi
}

block c program >"$work/user.c"
block text output >"$work/expected.txt"
lines=$(wc -l <"$work/user.c")
if ((lines >= 10 && lines <= 35)); then ok "README.md has a program"; else fail "README.md: $lines lines of program"; fi

if ! log=$(meson install -C "$build" --destdir "$work/tree" 2>&1); then
  fail "meson install: $log"
fi
pc=$(find "$work/tree" -name xlashape.pc)
libdir=$(dirname "$(dirname "$pc")")
for file in libxlashape.so libxlashape.so.0.1 libxlashape_draw.so libxlashape_draw.so.0.1 pkgconfig/xlashape.pc \
  pkgconfig/xlashape_draw.pc cmake/xlashape/xlashapeConfig.cmake; do
  if [[ -e $libdir/$file ]]; then ok "installed $file"; else fail "not installed: $file"; fi
done
# With the command there is what tells of it.
if [[ -x ${libdir%/lib*}/bin/xlashape ]]; then
  for file in man/man1/xlashape.1 man/man1/xlashape-explain.1 bash-completion/completions/xlashape \
    zsh/site-functions/_xlashape fish/vendor_completions.d/xlashape.fish; do
    if [[ -s ${libdir%/lib*}/share/$file ]]; then ok "installed $file"; else fail "not installed: $file"; fi
  done
fi

export PKG_CONFIG_LIBDIR=$libdir/pkgconfig
warnings="-std=c99 -Wall -Wextra -Wpedantic -Werror -Wno-missing-field-initializers"
# shellcheck disable=SC2046,SC2086
if log=$(cc $warnings "$work/user.c" $(pkg-config --cflags --libs xlashape) -o "$work/user" 2>&1); then
  run "pkg-config" "$work/user"
else
  fail "pkg-config: $log"
fi
version=$(pkg-config --modversion xlashape)
if [[ $version != 0.1.* ]]; then fail "pkg-config says version $version"; fi

if log=$(cmake -S "$root/tests/install" -B "$work/cmake" -DUSER_SOURCE="$work/user.c" \
  -DCMAKE_PREFIX_PATH="${libdir%/lib*}" 2>&1 && cmake --build "$work/cmake" 2>&1); then
  run "CMake" "$work/cmake/user"
else
  fail "CMake: $log"
fi

# Pictures are a library of their own.
draws() { # description program
  if LD_LIBRARY_PATH=$libdir "$2" 2>&1 | grep -qF '1 ┃ 1  3┃ 9 11┃'; then ok "$1"; else fail "$1: no picture"; fi
}
exported=$(nm -D --defined-only "$libdir/libxlashape_draw.so" | awk '$2 == "T" { print $3 }')
if [[ $exported == xlashape_draw@@XLASHAPE_DRAW_0 ]]; then
  ok "it exports one function"
else
  fail "libxlashape_draw exports: $(nm -D --defined-only "$libdir/libxlashape_draw.so")"
fi
# shellcheck disable=SC2046,SC2086
if log=$(cc $warnings "$root/tests/install/draw.c" $(pkg-config --cflags --libs xlashape_draw) \
  -o "$work/draw" 2>&1); then
  draws "a picture, pkg-config" "$work/draw"
else
  fail "a picture, pkg-config: $log"
fi
if log=$(cmake -S "$root/tests/install" -B "$work/cmake_draw" -DUSER_SOURCE="$root/tests/install/draw.c" \
  -DUSER_TARGET=xlashape::draw -DCMAKE_PREFIX_PATH="${libdir%/lib*}" 2>&1 &&
  cmake --build "$work/cmake_draw" 2>&1); then
  draws "a picture, CMake" "$work/cmake_draw/user"
else
  fail "a picture, CMake: $log"
fi
command=$(find "$work/tree" -path '*/bin/xlashape')
if [[ -n $command ]]; then
  if LD_LIBRARY_PATH=$libdir "$command" explain 'f32[2,3]{0,1}' >/dev/null; then
    ok "command"
  else
    fail "the installed command"
  fi
fi

# As a part of another project: nothing but the library, and nothing for meson to complain of.
mkdir -p "$work/super/subprojects" && ln -s "$root" "$work/super/subprojects/xlashape"
echo 'int main() {}' >"$work/super/use.c"
printf '%s\n' "project('super', 'c', meson_version: '>=1.0')" \
  "executable('use', 'use.c', dependencies: dependency('xlashape', fallback: ['xlashape', 'xlashape_dep']))" \
  >"$work/super/meson.build"
options=(-Dxlashape:cuda=disabled -Dxlashape:opencl=disabled)
if log=$(cd "$work/super" && env -u PKG_CONFIG_LIBDIR meson setup build "${options[@]}" 2>&1); then
  if [[ $(meson introspect --tests "$work/super/build") == '[]' ]]; then
    ok "a subproject without tests"
  else
    fail "a subproject has tests"
  fi
  if meson introspect --targets "$work/super/build" |
    grep -q '"name": "xlashape", "id": "[^"]*", "type": "executable"'; then
    fail "a subproject builds the command"
  else
    ok "a subproject without the command"
  fi
  if warnings=$(grep -iE 'warning|deprecated' <<<"$log"); then
    fail "a subproject: $warnings"
  else
    ok "a subproject without warnings"
  fi
else
  fail "a subproject: $log"
fi

# Without Highway a build says so; one that is asked for the simd backend is refused.
cat >"$work/cxx" <<'END'
#!/bin/sh
for word; do
  case $word in *.cpp | *.cc) if grep -qs 'hwy/' "$word"; then exit 1; fi ;; esac
done
exec c++ "$@"
END
chmod +x "$work/cxx"
without() {
  env -u PKG_CONFIG_LIBDIR CXX="$work/cxx" meson setup "$work/without$1" "$root" -Dsimd="$1" -Dtests=disabled \
    -Dcli=disabled -Dcuda=disabled -Dopencl=disabled 2>&1
}
if log=$(without auto); then
  if grep -q 'WARNING: backend simd is not built: hwy/highway.h was not found' <<<"$log" &&
    grep -q 'simd *: no: hwy/highway.h was not found.*libhwy-dev' <<<"$log"; then
    ok "without Highway: a warning"
  else
    fail "without Highway: no warning: $log"
  fi
else
  fail "without Highway: $log"
fi
if log=$(without enabled); then
  fail "simd=enabled without Highway"
elif grep -q 'ERROR: .*-Dsimd=enabled: the simd backend cannot be built here: hwy/highway.h was not found' \
  <<<"$log"; then
  ok "simd=enabled without Highway is refused"
else
  fail "simd=enabled without Highway: $log"
fi

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
