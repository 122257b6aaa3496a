#!/bin/sh
# Makes one object of nanopb's static library and gives its symbols the prefix of nanopb.h, so that those in our static
# and shared libraries cannot clash with another nanopb in the same program.
#
#     nanopb.sh OUTPUT PREFIX NM OBJCOPY COMPILER...
set -eu
output=$1 prefix=$2 nm=$3 objcopy=$4
shift 4
archive=$("$@" -print-file-name=libprotobuf-nanopb.a)
if [ ! -f "$archive" ]; then
  echo "libprotobuf-nanopb.a is not installed for $1 (Debian: libnanopb-dev)" >&2
  exit 1
fi
"$@" -r -nostdlib -o "$output.all" -Wl,--whole-archive "$archive"
"$nm" -g --defined-only "$output.all" | awk -v prefix="$prefix" 'NF == 3 { print $3, prefix $3 }' >"$output.names"
"$objcopy" --redefine-syms="$output.names" "$output.all" "$output"
rm -f "$output.all" "$output.names"
