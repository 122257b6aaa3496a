#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles CUDA kernels into one fat binary: nvcc_fatbin.py NVCC INPUT OUTPUT DEPFILE USAGE ARCHS COMPRESS.

ARCHS: architectures as in 75,80,90; those that this nvcc does not know are left out, and PTX of the first one is added
for devices to come. USAGE gets what ptxas says of each kernel: registers, spills, shared memory; tests/gpu/usage.py is
its gate. COMPRESS: `true` where drivers understand compressed fat binaries (CUDA 12.4 and newer).
"""

import re
import subprocess
import sys


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout + done.stderr


def main():
    nvcc, source, target, depfile, usage, archs, compress = sys.argv[1:]
    known = re.findall(r"compute_(\d+)", output_of(nvcc, "--list-gpu-arch"))
    chosen = [arch for arch in archs.split(",") if arch in known]
    if not chosen:
        sys.exit(f"{nvcc} knows none of the architectures {archs}: it knows {','.join(known)}")
    command = [nvcc, "-fatbin", "-std=c++17", "-O3", "-DXS_CUDA", "-Xptxas", "-v", "--threads", "2"]
    # Every kernel has the same parameters, whether it needs all of them or not.
    command += ["-diag-suppress", "177"]
    for arch in chosen:
        command += ["-gencode", f"arch=compute_{arch},code=sm_{arch}"]
    command += ["-gencode", f"arch=compute_{chosen[0]},code=compute_{chosen[0]}"]
    if compress == "true" and "compress-mode" in output_of(nvcc, "--help"):
        command += ["-compress-mode=size"]
    said = output_of(*command, "-MD", "-MF", depfile, source, "-o", target)
    with open(usage, "w", encoding="utf-8") as file:
        file.write(said)
    for line in said.splitlines():
        if "warning" in line:
            print(line)


main()
