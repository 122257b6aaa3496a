#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# After a change of a header: the ABI file, and what the bindings have from it. --check: says what is not up to date.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
status=0
for script in extract.py members.py ../python/generate.py ../rust/generate.py; do
  python3 "$script" "$@" || status=1
done
if [[ $# -eq 0 ]] && command -v gofmt >/dev/null; then gofmt -w ../go/*.go; fi
exit $status
