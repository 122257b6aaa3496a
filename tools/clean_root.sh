#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README's commands on a new machine, several times: each in a Debian of its own where nothing is installed, in the
# orders in which people give them. What results must have every backend, or say loudly what it lacks.
#
#     tools/clean_root.sh FOLDER [CASE...]       the cases: demo_test, test_demo, by_hand
#
# Needs root, debootstrap and a network. FOLDER keeps the empty Debian for the next time, and a log of each case. Leaves
# "PASSED FAILED" in the file $counts.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
# shellcheck source=tools/sources.sh
. tools/sources.sh
mkdir -p "${1:?usage: tools/clean_root.sh FOLDER [CASE...]}" && folder=$(cd "$1" && pwd) || exit
shift
cases=("$@")
((${#cases[@]})) || cases=(demo_test test_demo by_hand)
passed=0 failed=0
ok() { passed=$((passed + 1)) && echo "ok: $case: $1"; }
fail() { failed=$((failed + 1)) && echo "FAILED: $case: $1"; }

# An empty Debian, from where this machine's packages come.
new_base() {
  local mirror
  [[ $(id -u) -eq 0 ]] || { echo "NOT RUN: only root makes and enters roots" && return 1; }
  command -v debootstrap >/dev/null || { echo "NOT RUN: debootstrap is not installed" && return 1; }
  # shellcheck disable=SC2016 # apt's own variables
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
    grep ' bookworm$' | head -n 1)
  [[ -n $mirror ]] || { echo "NOT RUN: apt has no sources for bookworm" && return 1; }
  rm -rf "$folder/base"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$folder/new" "${mirror% *}" \
    >"$folder/debootstrap.log" 2>&1 || { tail -n 5 "$folder/debootstrap.log" && return 1; }
  mv "$folder/new" "$folder/base"
}

# A copy of it with the sources as they are here.
new_root() {
  rm -rf --one-file-system "${folder:?}/$case" && cp -a --reflink=auto "$folder/base" "$folder/$case" &&
    mkdir -p "$folder/$case/xlashape" || return
  source_files | xargs -0 ls -d 2>/dev/null | tar -cf - -T - | tar -xf - -C "$folder/$case/xlashape"
  cp -L /etc/resolv.conf /etc/hosts "$folder/$case/etc/"
}

# inside COMMAND: in the root of the case, with its own processes; all output goes to the log of the case and to $said.
# shellcheck disable=SC2016 # for the inner shell
inside() {
  local status=0
  printf '\n$ %s\n' "$1" >>"$folder/$case.log"
  said=$(unshare --mount --pid --fork env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
    bash -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
      exec chroot "$1" bash -c "cd /xlashape && $2"' _ "$folder/$case" "$1" 2>&1 </dev/null) || status=$?
  printf '%s\n(status %d)\n' "$said" "$status" >>"$folder/$case.log"
  return "$status"
}
# step WHAT COMMAND [PATTERN...]: it succeeds, and each pattern is in what it prints.
step() {
  local what=$1 begin=$SECONDS pattern
  inside "$2" || { fail "$what: $(tail -n 3 <<<"$said")" && return; }
  shift 2
  for pattern; do
    grep -qE -- "$pattern" <<<"$said" || { fail "$what: it does not print: $pattern" && return; }
  done
  ok "$what ($((SECONDS - begin)) s)"
}

demo() {
  step './x demo' './x demo' 'the same [0-9]+ bytes, compared' '^ *plan +simd' "They are in /xlashape/build/demo"
}
backends_tested() {
  step './x test' './x test --only "the backends that this machine can have"' \
    '^backends: bound cuda opencl scalar simd$' '^1 passed, 0 failed$'
}
demo_test() { demo && backends_tested; }
test_demo() { backends_tested && demo; }
by_hand() {
  local without install='DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends'
  without=$(sed -n '/^| for | what | on Debian |/,/^$/s/.*| `\(.*\)` |$/\1/p' README.md | tr '\n' ' ')
  without="g++ meson ninja-build pkg-config $without"
  [[ $without == *libhwy-dev*libcli11-dev* ]] || fail "README.md does not name the packages"
  without=${without/libhwy-dev/}
  step 'installing what README names, but not Highway' "apt-get -qq update && $install $without"
  step 'meson setup without Highway' 'meson setup build --buildtype=release' \
    'WARNING: backend simd is not built: hwy/highway.h was not found'
  step 'meson compile' 'meson compile -C build'
  step 'xlashape --version' 'build/xlashape --version' \
    '^not in use: simd: this library was built without it: hwy/highway.h'
  step 'xlashape backends' 'build/xlashape backends' '^simd +failed'
  if inside 'meson setup refused -Dsimd=enabled'; then
    fail 'simd=enabled without Highway'
  else
    ok 'simd=enabled without Highway is refused'
  fi
  step 'installing Highway' "$install libhwy-dev"
  step 'meson setup --reconfigure' 'meson setup --reconfigure build' 'simd *: yes'
}

[[ -d $folder/base ]] || new_base || exit
for case in "${cases[@]}"; do
  : >"$folder/$case.log"
  if ! declare -F "$case" >/dev/null; then
    fail "there is no such case"
  elif new_root; then
    "$case"
  else
    fail "no root could be made"
  fi
  rm -rf --one-file-system "${folder:?}/$case"
done
echo "$passed passed, $failed failed; logs: $folder/*.log"
if [[ -n ${counts:-} ]]; then echo "$passed $failed" >"$counts"; fi
((failed == 0))
