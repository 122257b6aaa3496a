#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh PREFIX WORK: JSON lines {"language", "name", "ns"} of the call through ctypes with its arguments ready
# ("ctypes") and the package's ("python"). PYTHON: the interpreter.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$(cd "$1" && pwd)
library=$(find "$prefix" -name libxlashape.so.0.1 | head -n 1)
python=${PYTHON:-}
[[ -n $python ]] || { [[ -x /usr/bin/python3 ]] && python=/usr/bin/python3 || python=python3; }
XLASHAPE_LIBRARY=$library PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here "$python" "$here/bench.py"
