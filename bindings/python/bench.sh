#!/usr/bin/env bash
# bench.sh PREFIX WORK: JSON lines {"language", "name", "ns"} of the bare C call ("c"), the call through ctypes with its
# arguments ready ("ctypes") and the package's ("python"). PYTHON: the interpreter.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
prefix=$(cd "$1" && pwd)
work=$(cd "$2" && pwd)
library=$(find "$prefix" -name libxlashape.so.0.1 | head -n 1)
python=${PYTHON:-}
[[ -n $python ]] || { [[ -x /usr/bin/python3 ]] && python=/usr/bin/python3 || python=python3; }

if command -v cc >/dev/null; then
  cc -O2 -o "$work/bench" "$here/bench.c" -I "$prefix/include" "$library" -Wl,-rpath,"$(dirname "$library")"
  "$work/bench"
fi
XLASHAPE_LIBRARY=$library PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here "$python" "$here/bench.py"
