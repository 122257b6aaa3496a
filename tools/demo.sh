#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A photograph through its layouts: the demo explains it, moves it to planes, to tiles and back, compares byte for byte,
# and draws its memory after each step. `./x demo` builds and calls this.
#
#     tools/demo.sh BUILD_DIR [PHOTO.png]
#
# Without a photo it takes chelsea.png (a cat, 300 x 451 pixels, CC0) out of Debian's python3-skimage, which is
# downloaded and unpacked into BUILD_DIR/demo, not installed.
set -euo pipefail

build=${1:?usage: tools/demo.sh BUILD_DIR [PHOTO.png]}
build=$(cd "$build" && pwd)
photo=${2:-}
command=$build/xlashape
work=$build/demo

bold='' faint='' plain=''
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then bold=$'\033[1m' faint=$'\033[2m' plain=$'\033[0m'; fi

step() { printf '\n%s== %s%s\n' "$bold" "$*" "$plain"; }
message() { printf '%s\n' "$*"; }
# Shows a command as a user would type it, then runs it.
run() {
  local word line='$ xlashape'
  for word in "$@"; do
    if [[ $word == *[!A-Za-z0-9_./=-]* ]]; then line+=" '$word'"; else line+=" $word"; fi
  done
  printf '%s%s%s\n' "$faint" "$line" "$plain"
  "$command" "$@"
}
die() {
  printf 'demo: %s\n' "$*" >&2
  exit 1
}

[[ -x $command ]] || die "$command is not built: ./x build"

# Runs apt-get as root, with sudo if needed.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

fetch() {
  command -v apt-get >/dev/null || die 'no apt-get here: give a photo, tools/demo.sh BUILD_DIR PHOTO.png'
  message "Downloading Debian's python3-skimage (20 MB) for its picture of a cat; it is unpacked, not installed."
  # apt's sandbox user could not write to this folder.
  local download=(apt-get -qq -o APT::Sandbox::User=root download python3-skimage)
  mkdir -p download
  if ! (cd download && "${download[@]}") 2>/dev/null; then
    message 'The package lists are old or missing: apt-get update.'
    as_root apt-get -qq -o DPkg::Lock::Timeout=300 update || die 'apt-get update failed'
    (cd download && "${download[@]}") || die 'apt-get download failed'
  fi
  dpkg-deb -x download/python3-skimage_*.deb unpacked
  cp unpacked/usr/lib/python3/dist-packages/skimage/data/chelsea.png chelsea.png
  rm -rf download unpacked
}

if [[ -n $photo ]]; then photo=$(realpath "$photo"); fi
mkdir -p "$work"
cd "$work"
if [[ -z $photo ]]; then
  [[ -s chelsea.png ]] || fetch
  photo=chelsea.png
fi

step 'A photograph'
run relayout "$photo" photo.bin --to row >/dev/null
shape=$(sed -n 's/.*"shape": "\([^"{]*\).*/\1/p' photo.bin.json)
message "$shape is rows x columns x channels: each pixel's red, green and blue lie side by side."
run explain "$shape"
run picture photo.bin interleaved.png

step 'Plane after plane'
message 'minor_to_major {1,0,2}: along a row first (1), then from row to row (0), then from channel to channel (2).'
run explain "$shape{1,0,2}"
run relayout photo.bin planar.bin --to '{1,0,2}' --verify --explain
run picture planar.bin planar.png --columns 3

step 'Tiles, as a TPU has them'
message 'Blocks of 8 rows by 128 columns, each in one piece; ragged edges are padded (hatched in the picture).'
run relayout planar.bin tiles.bin --to '{1,0,2:T(8,128)}' --verify --explain
run picture tiles.bin tiles.png --columns 3

step 'Tiles in tiles'
message 'Bytes also get (4,1): inside a tile, 4 rows of one column lie together, a 32-bit word.'
run explain "$shape{1,0,2:T(8,128)(4,1)}"
run relayout photo.bin nested.bin --to '{1,0,2:T(8,128)(4,1)}' --verify --explain
run picture nested.bin nested.png --columns 3
message 'And what a program sees that takes the same bytes for planes:'
columns=$(cut -d, -f2 <<<"$shape")
run picture nested.bin misread.png --width "$columns" --columns 3

step 'And back'
run relayout nested.bin back.bin --to row
run relayout planar.bin back-from-planes.bin --to row >/dev/null
run relayout tiles.bin back-from-tiles.bin --to row >/dev/null
run relayout nested.bin back.png --to row >/dev/null
run relayout back.png back-from-png.bin --to row >/dev/null
for back in back.bin back-from-planes.bin back-from-tiles.bin back-from-png.bin; do cmp photo.bin "$back"; done
message "From planes, tiles, tiles in tiles and back.png: the same $(wc -c <photo.bin) bytes, compared with cmp."

step 'Seen'
message 'The memory, byte after byte, is drawn in:'
printf '  %-18s %s\n' interleaved.png 'red, green and blue of each pixel side by side' \
  planar.png 'three planes' \
  tiles.png 'three planes of 8 x 128 tiles; seams between the tiles, padding hatched' \
  nested.png 'the same with (4,1) inside: four bytes in a row are neighbours in a column' \
  misread.png 'the bytes of nested.png, taken for planes'
message "They are in $work"
