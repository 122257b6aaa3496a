#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A compiler for musl, made of Debian's parts: clang, musl's headers and libraries, and libc++. tools/cross.sh calls it
# by the names of a cross compiler, from FOLDER/bin: FOLDER/include has what else is included, FOLDER/glibc.o and
# FOLDER/libc++.a are glibc.c and libc++ that calls it.
#
# Debian has no C++ library for musl. Its libc++ is compiled for glibc: with its headers told of musl, and glibc.c for
# the functions that it knows by glibc's names, it does for tests. Nothing that is shipped is made so.
set -euo pipefail
folder=$(dirname "$(dirname "$(realpath -s "$0")")")
llvm=/usr/lib/llvm-14 musl=/usr/lib/x86_64-linux-musl
flags=(--target=x86_64-linux-musl -nostdlibinc -isystem /usr/include/x86_64-linux-musl -idirafter "$folder/include"
  -Wno-unused-command-line-argument)
compiler=clang
if [[ $0 == *g++ ]]; then
  compiler=clang++
  flags=(-nostdinc++ -isystem "$llvm/include/c++/v1" -D_LIBCPP_HAS_MUSL_LIBC "${flags[@]}")
fi
links=true shared=false
for word; do
  case $word in
    -c | -E | -S | -r | -fsyntax-only | -print-* | --version) links=false ;;
    -shared) shared=true ;;
  esac
done
if ! $links; then exec "$llvm/bin/$compiler" "${flags[@]}" "$@"; fi
gcc=$(dirname "$(gcc -print-libgcc-file-name)")
if $shared; then
  start=("$musl/crti.o" "$gcc/crtbeginS.o") end=("$gcc/crtendS.o" "$musl/crtn.o")
else
  # Threads get as much stack as the program asks for: 128 KiB, which is too little for a relayout, where it does not.
  start=(-no-pie -Wl,-z,stack-size=1048576 "$musl/crt1.o" "$musl/crti.o" "$gcc/crtbegin.o")
  end=("$gcc/crtend.o" "$musl/crtn.o")
fi
exec "$llvm/bin/$compiler" "${flags[@]}" -nostdlib "${start[@]}" "$@" "$folder/glibc.o" -L"$musl" \
  -Wl,--start-group "$folder/libc++.a" "$llvm"/lib/lib{c++abi,unwind}.a -lc -Wl,--end-group "$gcc/libgcc.a" "${end[@]}"
