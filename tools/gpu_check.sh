#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and checks the cuda backend on this machine's GPU, in at most ten minutes, and prints a table of bandwidths
# against copies of the same bytes. Needs nvcc, g++, meson, ninja, python3 and an NVIDIA GPU; uses GoogleTest,
# compute-sanitizer, torch and CuPy where they are. BENCH_PYTHON: the Python that has them.
#
#   tools/gpu_check.sh [--out FOLDER]          results: FOLDER/*.log (default: build-gpu)
#   tools/gpu_check.sh --dry-run BUILD_FOLDER  the same steps on the tests' own driver: tiny shapes, nothing measured
#
# Exit code: the number of failed steps. Steps that cannot run report NOT RUN.
# shellcheck disable=SC2317 # steps are called through step
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
limit=580 # seconds, of the ten minutes
dry=0
out=$root/build-gpu
python=${BENCH_PYTHON:-python3}
case ${1:-} in
  --dry-run)
    dry=1
    out=${2:?the build folder is missing}
    # Debian's Python has Debian's NumPy.
    [[ -n ${BENCH_PYTHON:-} || ! -x /usr/bin/python3 ]] || python=/usr/bin/python3
    ;;
  --out) out=$(realpath -m "${2:?the folder is missing}") ;;
  "") ;;
  *)
    sed -n '3,10p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
failed=0
started=$SECONDS
export PYTHONDONTWRITEBYTECODE=1

has() { command -v "$1" >/dev/null; }
elapsed() { echo $((SECONDS - started)); }
# The seconds that a step may take, at most $1, so that a minute remains for what is measured.
room() { local left=$((limit - 60 - $(elapsed))); echo $((left < 1 ? 1 : left < $1 ? left : $1)); }
say() { printf 'gpu_check: [%3d s] %s\n' "$(elapsed)" "$*"; }

# step NAME COMMAND...: runs it and reports its result; a failure does not end the script. Code 77: it could not run,
# and has said why.
step() {
  local name=$1 code=0
  shift
  say "$name ..."
  "$@" || code=$?
  case $code in
    0) say "$name: ok" ;;
    77) say "$name: NOT RUN" ;;
    *)
      failed=$((failed + 1))
      say "$name: FAILED with $code"
      ;;
  esac
}

machine() {
  nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv,noheader || true
  "$nvcc" --version | tail -n 2
  meson --version
  local library
  for library in libcuda.so.1 libOpenCL.so.1 libnvidia-opencl.so.1; do
    "$python" -c "import ctypes; ctypes.CDLL('$library')" 2>/dev/null && echo "$library is here" ||
      echo "$library is not here"
  done
}

build() {
  local arch
  arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
  local options=(-Dbuildtype=release -Dcuda=enabled "-Dnvcc_archs=${arch:-90}" -Dcli=disabled -Dtests=auto)
  mkdir -p "$out"
  meson setup --reconfigure "$out" "$root" "${options[@]}" >"$out.setup.log" 2>&1 ||
    meson setup "$out" "$root" "${options[@]}" >"$out.setup.log" 2>&1 || {
    tail -n 20 "$out.setup.log"
    return 1
  }
  local targets=(src/libxlashape.so.0.1.0 src/xlashape/scalar.so src/xlashape/cuda.so tests/gpu/gpu_check)
  if ninja -C "$out" -t query tests/gpu/gpu_cuda >/dev/null 2>&1; then targets+=(tests/gpu/gpu_cuda); fi
  timeout "$(room 400)" ninja -C "$out" "${targets[@]}" >"$out/build.log" 2>&1 || {
    tail -n 30 "$out/build.log"
    return 1
  }
  "$python" tests/gpu/usage.py src/backends/gpu/kernels/list.h "$out/src/xlashape/cuda_kernels.usage"
}

# with KERNELS COMMAND...: with the option cuda.kernels=KERNELS; chosen: without it, as the backend chooses.
with() {
  local kernels=$1
  shift
  if [[ $kernels == chosen ]]; then
    env -u XLASHAPE_BACKEND_OPTIONS "$@"
  else
    env "XLASHAPE_BACKEND_OPTIONS=cuda.kernels=$kernels" "$@"
  fi
}

# The tests of the plugin, which need GoogleTest.
case_table() {
  timeout "$(room 120)" "$out/tests/gpu/gpu_cuda" "$out/src/xlashape/cuda.so" --gpu --gtest_brief=1
}

# The case table, which gpu_cuda has too, and random plans through the public interface, compared bit for bit with the
# scalar backend.
verify() { # KERNELS RANDOM
  sed -nE 's/^ *\{"([^"]+)", +"([^"]+)", +"xs_.*/\1 \2/p' tests/gpu/cases.h >"$logs/cases.txt"
  [[ -s $logs/cases.txt ]] || return 1
  local code=0
  with "$1" timeout "$(room 90)" "$out/tests/gpu/gpu_check" verify 1 "$2" <"$logs/cases.txt" >"$logs/verify_$1.log" ||
    code=$?
  head -n 20 "$logs/verify_$1.log"
  if ((code == 124)); then echo "it did not end in time"; fi
  return "$code"
}

# If all three are right they agree. Checks whether they ran different kernels.
variants() {
  local kernels
  for kernels in portable nvidia; do
    [[ $(cat "$logs/verify_chosen.log" "$logs/verify_$kernels.log" | grep -c ': 0 wrong') -eq 2 ]] || return 1
    if cmp -s "$logs/verify_chosen.log" "$logs/verify_$kernels.log"; then
      echo "cuda.kernels=$kernels: the kernels that are chosen anyway"
    else
      echo "cuda.kernels=$kernels: other kernels, the same bytes"
    fi
  done
}

# Every fifth case under a tool of compute-sanitizer. A tool that finds nothing may also not work at all.
sanitizer() { # TOOL
  local code=0
  awk 'NR % 5 == 1' "$logs/cases.txt" >"$logs/few.txt"
  timeout "$(room 50)" "${sanitize[@]}" --tool "$1" --error-exitcode 9 "$out/tests/gpu/gpu_check" verify 1 5 \
    <"$logs/few.txt" >"$logs/$1.log" 2>&1 || code=$?
  tail -n 2 "$logs/$1.log"
  ((code)) || return 0
  ! grep -Eq 'ERROR SUMMARY: [1-9]|RACECHECK SUMMARY: [1-9]|: [1-9][0-9]* wrong' "$logs/$1.log" || return 1
  echo "$1 did not work here ($code)"
  return 77
}

# Tensors and streams of other libraries, through the Python binding.
interop() {
  PYTHONPATH=bindings/python XLASHAPE_LIBRARY=$out/src/libxlashape.so.0.1 \
    timeout "$(room 60)" "$python" tests/gpu/interop.py
}

# Bandwidths, beside those of a copy of as many bytes.
measure() {
  if ((dry)); then
    "$out/tests/gpu/gpu_check" measure 2 <"$logs/cases.txt" >"$logs/measured.log"
  else
    timeout $((limit - $(elapsed) + 10)) "$out/tests/gpu/gpu_check" measure 25 <tests/gpu/measured.txt |
      tee "$logs/measured.log"
  fi
}

if ((dry)); then
  export LD_LIBRARY_PATH=$out/tests/gpu/fake
  export XLASHAPE_BACKEND_PATH=
  logs=$out/tests/gpu/dry
  mkdir -p "$logs"
  count=5
  # Runs in place of the tool what that would run.
  # shellcheck disable=SC2016
  sanitize=(bash -c 'shift 4; exec "$@"' compute-sanitizer)
else
  nvcc=$(PATH=$PATH:/usr/local/cuda/bin:/opt/cuda/bin command -v nvcc) || {
    say "there is no nvcc"
    exit 2
  }
  logs=$out
  count=200
  sanitize=(compute-sanitizer)
  step machine machine
  step build build
  if [[ -x $out/tests/gpu/gpu_cuda ]]; then
    step "plugin's tests: case table, random plans, index batches" case_table
  else
    say "plugin's tests: NOT RUN, GoogleTest is not installed; the next step has their relayouts"
  fi
fi
for kernels in chosen portable nvidia; do
  step "case table and $count random plans, $kernels kernels" verify "$kernels" "$count"
done
step "forced variants" variants
for tool in memcheck racecheck; do
  if has "${sanitize[0]}"; then
    step "compute-sanitizer $tool" sanitizer "$tool"
  else
    say "compute-sanitizer $tool: NOT RUN, it is not here"
  fi
done
step interop interop
step measure measure
say "$failed failed, results in $logs"
exit $((failed < 100 ? failed : 100))
