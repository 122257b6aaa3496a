#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A virtual environment with packages from PyPI, for the tests that need other people's programs.
#
#     venv.sh FOLDER REQUIREMENT...
#
# Makes FOLDER, unless it was made with these requirements; a REQUIREMENT is what pip takes: jax==0.10.2, or -r FILE.
# Prints nothing on success. Where it cannot be made (no Python of 3.11 or later, no network) it says NOT RUN and why,
# and exits with 77.
set -euo pipefail
folder=$1
shift
wanted=$*
for word in "$@"; do
  if [[ -f $word ]]; then wanted+=$'\n'$(<"$word"); fi
done

not_run() {
  printf 'NOT RUN: %s\n' "$*"
  exit 77
}

if [[ -x $folder/bin/python && $(cat "$folder/.requirements" 2>/dev/null) == "$wanted" ]]; then exit 0; fi
base=
for candidate in python3 /usr/bin/python3 python3.11 python3.12 python3.13; do
  if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    base=$candidate
    break
  fi
done
[[ -n $base ]] || not_run "there is no python3 of 3.11 or later with venv and pip"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
"$base" -m venv "$folder" || not_run "no virtual environment can be made in $folder"
log=$folder/pip.log
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-cache-dir "$@" >"$log" 2>&1 ||
  not_run "these packages cannot be installed: $* ($(tail -n 1 "$log"))"
printf '%s' "$wanted" >"$folder/.requirements"
