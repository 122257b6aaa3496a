#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the package for JavaScript: FOLDER/js, FOLDER (default: build-wasm) being for all that is made.
#
#   bindings/js/build.sh [FOLDER]
#
# Needs emscripten, meson, and the headers of fmt and nlohmann-json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-build-wasm}
meson=/usr/bin/meson
[[ -x $meson ]] || meson=meson

if [[ ! -f $folder/build.ninja ]]; then "$meson" setup "$folder" --cross-file bindings/js/native/wasm32.ini; fi
ninja -C "$folder"
made=$folder/bindings/js/native
mkdir -p "$folder/js"
cp bindings/js/src/*.mjs bindings/js/index.d.mts bindings/js/package.json bindings/js/README.md \
  bindings/js/THIRD_PARTY.txt LICENSE "$made/abi.mjs" "$made/xlashape.wasm" "$folder/js"
chmod a-x "$folder/js/xlashape.wasm"
