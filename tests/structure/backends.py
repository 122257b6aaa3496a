# SPDX-License-Identifier: Apache-2.0
"""What was built is all that this machine can have: every backend, and simd for all processors.

Arguments: the build folder; 1 where simd can be had. Prints the backends.
"""

import json
import os
import subprocess
import sys

build, has_simd = sys.argv[1], sys.argv[2] != "0"
with open(os.path.join(build, "meson-info/intro-buildoptions.json"), encoding="utf-8") as text:
    options = {option["name"]: option["value"] for option in json.load(text)}
command = [os.path.join(build, "xlashape"), "backends", "--json", "--report"]
# What the environment says about backends is not the build's.
environment = {name: value for name, value in os.environ.items() if not name.startswith("XLASHAPE_")}
answer = json.loads(subprocess.run(command, capture_output=True, check=True, env=environment).stdout)

wrong = []
listed = {backend["name"]: backend for backend in answer["backends"]}
wanted = ["scalar", "opencl", "cuda"] + ["simd"] * has_simd
for name in wanted:
    if name not in listed:
        wrong.append(f"{name} is not there")
    elif listed[name]["state"] == "failed":
        wrong.append(f"{name} is not in use: {listed[name]['detail']}")
has_bound = os.path.exists(os.path.join(build, "src/xlashape/bound/bound.so"))
if not has_bound:
    wrong.append("bound was not built: is libffi installed?")
if has_simd and options["simd_targets"] != "all":
    wrong.append(f"simd has kernels for few processors: simd_targets={options['simd_targets']}")
print("backends:", *sorted([name for name in listed if listed[name]["state"] != "failed"] + ["bound"] * has_bound))
print(*wrong, sep="\n" if wrong else "", end="\n" if wrong else "")
sys.exit(1 if wrong else 0)
