#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh PREFIX WORK: what a call costs from Rust and from C, in turns. JSON lines on stdout: language, name, ns.
# Batches: per index. CARGO: another cargo than the one in PATH.
set -euo pipefail
prefix=$(cd "$1" && pwd) work=$(cd "$2" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name xlashape.pc | head -n 1)")
LD_LIBRARY_PATH=$(dirname "$(find "$prefix" -name libxlashape.so | head -n 1)")
CARGO=$(command -v "${CARGO:-cargo}")
RUSTC=$(dirname "$CARGO")/rustc
export PKG_CONFIG_PATH LD_LIBRARY_PATH RUSTC CARGO_TARGET_DIR=$work/target-bench CARGO_HOME=$work/cargo
"$CARGO" bench --frozen --quiet -p xlashape --bench calls
