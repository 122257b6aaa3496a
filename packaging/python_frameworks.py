# SPDX-License-Identifier: Apache-2.0
"""The Python packages xlashape-jax and xlashape-torch: wheels for x86-64, in the release's python/."""

import re
import shutil

from python import built, out, repaired, tags_of, wheel_of
from release import Failed
from toolchain import tools

FRAMEWORKS = ("jax", "torch")
EXCLUDED = ("libxlashape.so.0.1", "libtorch_cpu.so")  # what the packages that they require bring


def python_with(release, framework):
    """A Python that has the newest version that is tested, from PyPI."""
    text = (release.sources() / "tools/versions.sh").read_text(encoding="utf-8")
    version = re.search(f"^{framework}_newest=(.*)$", text, re.M).group(1)
    folder = release.work / "venvs" / f"{framework}-{version}"
    wanted = [f"jax=={version}", f"jaxlib=={version}"] if framework == "jax" else [f"torch=={version}", "numpy"]
    release.run(release.sources() / "tools/venv.sh", folder, *wanted, log=f"venv-{framework}")
    return folder / "bin/python"


def wheel_with(release, framework):
    found = sorted(out(release).glob(f"xlashape_{framework}-*.whl"))
    if len(found) != 1:
        raise Failed(f"{out(release)} has {len(found)} wheels of xlashape-{framework}")
    return found[0]


def make(release):
    chain, prefix = built(release, "x86_64")
    for framework in FRAMEWORKS:
        tool = release.sources() / f"integrations/{framework}/wheel.py"
        # What torch's operators throw, torch catches, which is linked with GCC's C++ runtime: another one's exceptions
        # would end the process. So they run on systems as old as this one, and not older.
        environment = {} if framework == "torch" else {"CXX": str(chain.bin / "c++")}
        chain.run(python_with(release, framework), tool, prefix, out(release), environment=environment,
                  log=f"wheel-{framework}")
        release.ok(f"made {wheel_with(release, framework).name}")


def check(release):
    for framework in FRAMEWORKS:
        path = wheel_with(release, framework)
        release.run(tools(release) / "twine", "check", "--strict", path)
        release.run("python3", release.sources() / "bindings/python/tests/check_wheel.py", path)
        tag = tags_of(path)[0]
        release.expect(tag.startswith("manylinux_2_"), f"{path.name}: twine check, {tag}")
        release.ok(f"auditwheel repair --plat {tag}: {repaired(release, path, tag, *EXCLUDED).name}")
        site = release.work / f"site-{framework}"
        shutil.rmtree(site, ignore_errors=True)
        python = python_with(release, framework)
        release.run(python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", site,
                    wheel_of(release, "x86_64"), path)
        work = release.work / f"readme-{framework}"
        work.mkdir(exist_ok=True)
        said = release.run(python, release.sources() / "bindings/python/tests/readme.py",
                           release.sources() / f"integrations/{framework}/README.md", work,
                           environment={"PYTHONPATH": str(site), "JAX_PLATFORMS": "cpu"})
        release.ok(f"xlashape-{framework}: README's programs: {said.strip()}")
