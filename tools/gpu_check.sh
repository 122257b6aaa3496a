#!/usr/bin/env bash
# Builds and checks the cuda backend on this machine's GPU, in at most ten minutes, and prints a table of bandwidths against
# copies of the same bytes. Needs nvcc, g++, meson, ninja, python3 and an NVIDIA GPU; uses GoogleTest, compute-sanitizer,
# torch, cupy and jax where they are.
#
#   tools/gpu_check.sh [--out FOLDER]          results: FOLDER/bench.json, peers.json, *.log (default: build-gpu)
#   tools/gpu_check.sh --dry-run BUILD_FOLDER  the same steps on the tests' own driver: tiny shapes, nothing measured
#
# Exit code: 0, or the number of steps that failed. What could not be run is said as NOT RUN.
# shellcheck disable=SC2317 # steps are called through step
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
dry=0
out=$root/build-gpu
case ${1:-} in
  --dry-run)
    dry=1
    out=${2:?the build folder is missing}
    ;;
  --out) out=$(realpath -m "${2:?the folder is missing}") ;;
  "") ;;
  *)
    sed -n '2,10p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
failed=0
started=$SECONDS

has() { command -v "$1" >/dev/null; }
say() { printf '%s\n' "gpu_check: $*"; }

# step NAME COMMAND...: runs it, says how it went, and goes on.
step() {
  local name=$1 code=0 from=$SECONDS
  shift
  "$@" || code=$?
  if ((code)); then failed=$((failed + 1)); fi
  say "$name: $([[ $code -eq 0 ]] && echo ok || echo "FAILED with $code") ($((SECONDS - from)) s)"
}

machine() {
  nvidia-smi --query-gpu=name,driver_version,compute_cap,memory.total --format=csv,noheader || true
  "$nvcc" --version | tail -n 2
  meson --version
  local library
  for library in libcuda.so.1 libOpenCL.so.1 libnvidia-opencl.so.1; do
    python3 -c "import ctypes; ctypes.CDLL('$library')" 2>/dev/null && echo "$library is here" || echo "$library is not here"
  done
}

build() {
  local arch
  arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
  meson setup --reconfigure "$out" "$root" -Dbuildtype=release -Dcuda=enabled -Dnvcc_archs="${arch:-90}" -Dcli=disabled -Dtests=auto \
    >"$out.setup.log" 2>&1 ||
    meson setup "$out" "$root" -Dbuildtype=release -Dcuda=enabled -Dnvcc_archs="${arch:-90}" -Dcli=disabled -Dtests=auto \
      >"$out.setup.log" 2>&1 || { tail -n 20 "$out.setup.log"; return 1; }
  local targets=(src/libxlashape.so.0.1.0 src/xlashape/scalar.so src/xlashape/cuda.so tests/gpu/gpu_bench)
  if ninja -C "$out" -t query tests/gpu/gpu_cuda >/dev/null 2>&1; then targets+=(tests/gpu/gpu_cuda); fi
  ninja -C "$out" "${targets[@]}" >"$out/build.log" 2>&1 || { tail -n 30 "$out/build.log"; return 1; }
  python3 tests/gpu/usage.py src/backends/gpu/kernels/list.h "$out/src/xlashape/cuda_kernels.usage"
}

case_table() { "$out/tests/gpu/gpu_cuda" "$out/src/xlashape/cuda.so" --gpu --gtest_brief=1; }

sanitizer() {
  local tool
  for tool in memcheck racecheck; do
    compute-sanitizer --tool "$tool" --error-exitcode 9 "$out/tests/gpu/gpu_bench" verify 1 5 >"$out/$tool.log" 2>&1 || {
      tail -n 5 "$out/$tool.log"
      return 1
    }
  done
}

# Tensors and streams of other libraries, through the Python binding.
interop() {
  PYTHONPATH=bindings/python XLASHAPE_LIBRARY=$out/src/libxlashape.so.0 PYTHONDONTWRITEBYTECODE=1 python3 tests/gpu/interop.py
}

peers() { python3 tools/gpu_peers.py "$out/peers.json"; }

if ((dry)); then
  export LD_LIBRARY_PATH=$out/tests/gpu/fake
  export XLASHAPE_BACKEND_PATH=
  step "200 random plans in device memory, and the case table" "$out/tests/gpu/gpu_bench" verify 1 20
  step "benchmark" "$out/tests/gpu/gpu_bench" measure "$out/tests/gpu/dry.json" --small
  step interop interop
  say "dry run: $failed failed"
  exit "$failed"
fi

nvcc=$(PATH=$PATH:/usr/local/cuda/bin:/opt/cuda/bin command -v nvcc) || {
  say "there is no nvcc"
  exit 2
}
step machine machine
step build build
if [[ -x $out/tests/gpu/gpu_cuda ]]; then
  step "case table, random plans, index batches" case_table
else
  say "case table with GoogleTest: NOT RUN, it is not installed; the next step has the cases of the benchmark"
fi
step "200 random plans in device memory" "$out/tests/gpu/gpu_bench" verify 1 200
step interop interop
if has compute-sanitizer; then step compute-sanitizer sanitizer; else say "compute-sanitizer: NOT RUN, it is not here"; fi
step benchmark "$out/tests/gpu/gpu_bench" measure "$out/bench.json"
if ((SECONDS - started < 420)); then step peers peers; else say "peers: NOT RUN, seven minutes are over"; fi
say "$failed failed, $((SECONDS - started)) s, results in $out"
exit "$failed"
