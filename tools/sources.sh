# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by scripts that copy the sources.

# source_files [PATH...]: the files of this repository, which is the working folder, or those at these paths, each ended
# by a NUL; in an unpacked archive, where nobody lists them, all but what was built.
source_files() {
  if [[ -e .git ]]; then
    git ls-files -z --cached --others --exclude-standard -- "$@"
  else
    find "${@:-.}" \( -path './build*' -o -name __pycache__ \) -prune -o \( -type f -o -type l \) -print0
  fi
}
