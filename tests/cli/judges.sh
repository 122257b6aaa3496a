#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# NumPy, safetensors and gguf, from PyPI, as judges of the files that the command reads and writes.
#
#     judges.sh COMMAND [FOLDER]
#
# FOLDER: where the packages are put (default: $VENVS/files). Ends with `N passed, M failed`, or with 77 where they
# cannot be had.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
environment=${2:-${VENVS:?the folder of virtual environments}/files}
"$here/../../tools/venv.sh" "$environment" numpy==2.4.6 safetensors==0.8.0 gguf==0.19.0 || exit
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"$environment/bin/python" -B "$here/judges_test.py" "$1" 2>&1 | tee "$log" || status=$?
if grep -q '^NOT RUN' "$log"; then status=1; fi # all packages are there
read -r passed _ failed _ < <(tail -n 1 "$log")
[[ -z ${counts:-} ]] || echo "$passed $failed" >"$counts"
exit "$status"
