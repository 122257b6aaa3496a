# SPDX-License-Identifier: Apache-2.0
"""The Python package xlashape: wheels for x86-64 and aarch64, and the source distribution, in the release's python/."""

import os
import pathlib
import platform
import re
import shutil
import sys
import zipfile

from photo import photo
from release import REPOSITORY, Failed
from toolchain import SOURCE_DATE_EPOCH, Toolchain, tools

GLIBC = "2.17"  # the oldest that the wheels run on
PROCESSORS = ("x86_64", "aarch64")
EVERYTHING = ("-Dsimd=enabled", "-Dcli=enabled", "-Dcuda=enabled", "-Dopencl=enabled")
PARTS = ("lib/libxlashape.so.0.1", "lib/libxlashape_draw.so.0.1", "bin/xlashape", "bin/xlashape-scan",
         *(f"lib/xlashape/{name}.so" for name in ("simd", "cuda", "opencl", "bound/bound")))
# What a bare Debian needs to build the source distribution.
BUILD_PACKAGES = ("g++", "pkg-config", "python3", "python3-venv", "libhwy-dev", "libcli11-dev", "libfmt-dev",
                  "nlohmann-json3-dev", "libpng-dev", "zlib1g-dev", "libffi-dev", "opencl-c-headers", "clang-14")
# What a user does first, and what she gets.
FIRST = """\
import re, xlashape
readme = open("README.md", encoding="utf-8").read()
program, wanted = re.search(r"<!-- program -->\\n```python\\n(.*?)```.*?```text\\n(.*?)```", readme, re.S).groups()
import subprocess, sys
got = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
assert got.stdout == wanted, got
plan = xlashape.Plan("f32[1024,1024]", "f32[1024,1024]{0,1:T(8,128)}")
assert plan.backend == "simd", plan.backend
ready = {backend.name: backend.state.name for backend in xlashape.Runtime().backends}
print(sys.version.split()[0], sys.platform, plan.backend, ready)
"""


def out(release):
    return release.out / "python"


def wheel_of(release, processor):
    found = sorted(out(release).glob(f"xlashape-*_{processor}.whl"))
    if len(found) != 1:
        raise Failed(f"{out(release)} has {len(found)} wheels of xlashape for {processor}")
    return found[0]


def built(release, processor):
    """(The toolchain, the prefix with what it built)."""
    chain = Toolchain(release, f"{processor}-linux-gnu.{GLIBC}")
    prefix = chain.folder / "build.stage/usr/local"
    return chain, prefix if (prefix / "bin/xlashape").exists() else chain.build("build", *EVERYTHING)


def make(release):
    shutil.rmtree(out(release), ignore_errors=True)
    sources = release.sources()
    for processor in PROCESSORS:
        _, prefix = built(release, processor)
        release.run(sys.executable, sources / "bindings/python/wheel.py", prefix, out(release))
        release.ok(f"made {wheel_of(release, processor).name}")
    code = f"import backend; backend.build_sdist({str(out(release))!r})"
    release.run(sys.executable, "-c", code, environment={"PYTHONPATH": str(sources / "bindings/python")})
    release.ok("made the source distribution")


def check(release):
    for one in (check_files, check_tags, check_older, check_versions, check_types, check_aarch64, check_clean,
                check_sdist, check_sdist_lacking, check_same_bytes):
        one(release)


def check_files(release):
    files = sorted(out(release).iterdir())
    release.run(tools(release) / "twine", "check", "--strict", *files)
    release.ok(f"twine check: {', '.join(file.name for file in files)}")
    for processor in PROCESSORS:
        path = wheel_of(release, processor)
        release.run(sys.executable, release.sources() / "bindings/python/tests/check_wheel.py", path)
        with zipfile.ZipFile(path) as archive:
            lacking = {f"xlashape/{part}" for part in PARTS} - set(archive.namelist())
            data = b"".join(archive.read(name) for name in archive.namelist())
        release.expect(not lacking, f"{path.name} has all backends and the command {lacking or ''}")
        release.expect(str(release.work).encode() not in data, f"{path.name} has no path of this machine")


def tags_of(path):
    """The platforms that a wheel's name has, the newest name first."""
    return path.stem.split("-")[-1].split(".")


def check_tags(release):
    """auditwheel shows wheels of every processor, and repairs those of this machine's."""
    for processor in PROCESSORS:
        path = wheel_of(release, processor)
        tag = tags_of(path)[0]
        shown = release.run(tools(release) / "auditwheel", "show", path, log=f"auditwheel-{processor}")
        found = re.search(r'platform tag:\s+"(\w+)"', shown.replace("\n", " "))
        release.expect(found and found.group(1) == tag, f"auditwheel show: {path.name} is {tag}")
        if processor != platform.machine():
            continue
        with zipfile.ZipFile(repaired(release, path, tag)) as new, zipfile.ZipFile(path) as old:
            same = [new.read(name) == old.read(name) for name in old.namelist() if ".dist-info/" not in name]
            files = {name for name in new.namelist() if not name.endswith("/")}
            release.expect(all(same) and files == set(old.namelist()),
                           f"auditwheel repair --plat {tag}: nothing to repair")


def repaired(release, path, tag, *excluded):
    """What auditwheel makes of a wheel, which calls patchelf."""
    folder = release.work / "repaired"
    shutil.rmtree(folder, ignore_errors=True)
    found = {"PATH": f"{tools(release)}:{os.environ['PATH']}"}
    words = [word for name in excluded for word in ("--exclude", name)]
    release.run(tools(release) / "auditwheel", "repair", "--plat", tag, *words, "-w", folder, path, environment=found)
    return next(folder.glob("*.whl"))


def material(release):
    """What is copied into a root beside a package."""
    return [release.sources() / "bindings/python/README.md", release.sources() / "tools/demo.sh", photo(release)]


def first_result(release, root, install):
    """Installs, and does what a user does first; gives the seconds that this took."""
    (root.path / "release/first.py").write_text(FIRST, encoding="utf-8")
    said = root.run(f"cd /release; begin=$(date +%s%N); python3 -m venv /v; /v/bin/{install}; /v/bin/python first.py;"
                    " echo seconds $((($(date +%s%N) - begin) / 1000000))", network=False)
    lines = said.splitlines()
    return int(lines[-1].split()[1]) / 1000, lines[-2]


def first_folder(release):
    """Where FIRST runs outside of a root: what it reads is there, and no package of the sources."""
    work = release.work / "first"
    work.mkdir(exist_ok=True)
    shutil.copy(release.sources() / "bindings/python/README.md", work)
    return work


def check_clean(release):
    with release.root("python-bookworm", packages=("python3", "python3-venv")) as root:
        root.put(wheel_of(release, "x86_64"), *material(release))
        seconds, said = first_result(release, root, "pip install -q --no-index /release/*.whl")
        release.ok(f"bookworm: from venv and pip install to README's result in {seconds:.1f} s: {said}")
        said = root.run("mkdir /b; ln -s /v/bin/xlashape /b/; bash /release/demo.sh /b /release/chelsea.png; "
                        "/v/bin/xlashape --version; /v/bin/xlashape scan --help", network=False)
        release.expect("verified" in said.lower() and "simd" in said, "bookworm: the demo's photograph, with simd")


def check_older(release):
    with release.root("python-bullseye", suite="bullseye", packages=("python3", "python3-venv")) as root:
        root.put(wheel_of(release, "x86_64"), *material(release))
        # Its pip is of 2020.
        seconds, said = first_result(release, root, "pip install -q --no-index /release/*.whl")
        release.ok(f"bullseye (glibc 2.31): {seconds:.1f} s: {said}")


def venv_with(release, python, name):
    """A virtual environment that has the wheel and nothing else."""
    venv = release.work / "venvs" / f"xlashape-{name}"
    shutil.rmtree(venv, ignore_errors=True)
    release.run(python, "-m", "venv", venv)
    release.run(venv / "bin/pip", "install", "-q", "--no-index", wheel_of(release, "x86_64"))
    return venv / "bin/python"


def check_versions(release):
    """Each CPython of pyenv's."""
    found = sorted((pathlib.Path.home() / ".pyenv/versions").glob("3.*/bin/python3"))
    found = [path for path in found if tuple(map(int, re.findall(r"\d+", path.parts[-3])[:2])) >= (3, 9)]
    if not found:
        print("NOT RUN: other versions of CPython: pyenv has none")
    for path in found:
        name = path.parts[-3]
        said = release.run(venv_with(release, path, name), "-c", FIRST, cwd=first_folder(release))
        release.ok(f"CPython {name}: {said.strip()}")
        if name.startswith("3.9."):
            check_old_pip(release, path)
    print("NOT RUN: a free-threaded CPython: neither Debian nor PyPI has one")


def check_old_pip(release, python):
    """Red Hat's Python 3.9 has a pip that does not know the newer name of the platform."""
    pip = venv_with(release, python, "old-pip").parent / "pip"
    release.run(pip, "install", "-q", "pip==20.2.4")
    release.run(pip, "uninstall", "-q", "-y", "xlashape")
    release.run(pip, "install", "-q", "--no-index", wheel_of(release, "x86_64"))
    release.ok("pip 20.2.4 installs it")


def check_types(release):
    """A user's program under mypy --strict, with the types that the wheel brings."""
    python, program = venv_with(release, sys.executable, "types"), release.work / "typed.py"
    right = ("from xlashape import Plan, Shape\n\n\ndef waste(text: str) -> float:\n    shape = Shape(text)\n"
             "    Plan(shape, 'u8[3,4]').execute(b'abcdefghijkl', bytearray(16))\n    return shape.waste or 0.0\n")
    mypy = [tools(release) / "mypy", "--strict", "--no-incremental", "--cache-dir", release.work / "mypy",
            "--python-executable", python, program]
    program.write_text(right, encoding="utf-8")
    release.run(*mypy, cwd=release.work)
    program.write_text(f"{right}\n\nwaste(3)\n", encoding="utf-8")
    try:
        release.run(*mypy, cwd=release.work)
    except Failed as error:
        release.expect("arg-type" in str(error), "mypy --strict takes a right program and refuses a wrong one")
    else:
        raise Failed("mypy took a wrong program: the package has no types")


def build_tools(release):
    """What pip fetches to build, fetched before: a root need not reach PyPI, nor know who signs for it here."""
    folder = release.work / "build-tools"
    release.run(tools(release) / "pip", "download", "-q", "--no-deps", "--dest", folder, "meson", "ninja")
    return folder


INSTALL = ("python3 -m venv /v; {} /v/bin/pip install --no-index --find-links /release/build-tools"
           " /release/*.tar.gz 2>&1")


def check_sdist(release):
    with release.root("python-sdist", packages=BUILD_PACKAGES) as root:
        root.put(*out(release).glob("xlashape-*.tar.gz"), *material(release), build_tools(release))
        (root.path / "release/first.py").write_text(FIRST, encoding="utf-8")
        build = INSTALL.format("")
        said = root.run(f"{build}; cd /release; /v/bin/python first.py; /v/bin/xlashape --version")
        release.ok(f"the source distribution, by pip in a bare Debian: {' / '.join(said.splitlines()[-3:])}")


def check_sdist_lacking(release):
    with release.root("python-lacking", packages=set(BUILD_PACKAGES) - {"libhwy-dev"}) as root:
        root.put(*out(release).glob("xlashape-*.tar.gz"), build_tools(release))
        said = root.run(INSTALL.format("!"))
        release.expect("simd needs libhwy (Debian: apt-get install libhwy-dev)" in said,
                       "the source distribution without Highway: refused, and libhwy-dev is named")


def check_aarch64(release):
    """Under qemu, with Debian's Python for arm64."""
    if not shutil.which("qemu-aarch64"):
        print("NOT RUN: aarch64: qemu-aarch64 is not installed (Debian: qemu-user)")
        return
    root = foreign_python(release)
    site = release.work / "aarch64-site"
    shutil.rmtree(site, ignore_errors=True)
    tag = tags_of(wheel_of(release, "aarch64"))[0]
    release.run(tools(release) / "pip", "install", "-q", "--no-index", "--platform", tag, "--only-binary=:all:",
                "--target", site, wheel_of(release, "aarch64"))
    qemu = ["qemu-aarch64", "-L", root]
    python = [*qemu, "-E", f"PYTHONHOME={root}/usr", "-E", f"PYTHONPATH={site}", next(root.glob("usr/bin/python3.*"))]
    said = release.run(*python, "-c", FIRST.replace("[sys.executable", f"[*{[str(word) for word in python]!r}"),
                       cwd=first_folder(release))
    release.ok(f"aarch64 under qemu: {said.strip()}")
    said = release.run(*qemu, site / "xlashape/bin/xlashape", "self-test", "--count", "100")
    release.ok(f"aarch64 under qemu: self-test: {said.strip().splitlines()[-1]}")


def foreign_python(release):
    """Debian's Python for arm64, unpacked; apt checks who signed it."""
    root = release.work / "aarch64-root"
    if (root / "done").exists():
        return root
    lists, sources = root / "lists", root / "sources.list"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    sources.write_text(f"deb [arch=arm64] {release.mirror()} bookworm main\n", encoding="utf-8")
    apt = ["apt-get", "-qq", "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=/dev/null", "-o",
           f"Dir::State::Lists={lists}", "-o", "Dir::State::status=/dev/null", "-o", "APT::Sandbox::User=root", "-o",
           "APT::Architecture=arm64", "-o", "APT::Architectures=arm64", "-o", "Dir::Cache::pkgcache=", "-o",
           "Dir::Cache::srcpkgcache="]
    release.run(*apt, "update", log="aarch64-update")
    packages = ("libc6", "libgcc-s1", "python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib", "zlib1g",
                "libexpat1", "libffi8")
    release.run(*apt, "download", *packages, cwd=root, log="aarch64-download")
    for package in root.glob("*.deb"):
        release.run("dpkg-deb", "-x", package, root)
    (root / "done").touch()
    return root


def check_same_bytes(release):
    """Everything again, in another folder: the same wheel."""
    again = type(release)(release.version, release.work / "again")
    shutil.copy(release.archive, again.archive)
    _, prefix = built(again, "x86_64")
    path = out(again)
    release.run(sys.executable, again.sources() / "bindings/python/wheel.py", prefix, path)
    first, second = wheel_of(release, "x86_64"), next(path.glob("*.whl"))
    release.expect(first.read_bytes() == second.read_bytes(), f"built in two folders: the same bytes, {first.name}")
