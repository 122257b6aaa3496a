# SPDX-License-Identifier: Apache-2.0
"""Configures and compiles the folders that ./x uses. Prints the progress, and what failed."""

import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import threading
import time

import packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Debian's where there are several: tests run with Debian's packages.
MESON = "/usr/bin/meson" if os.access("/usr/bin/meson", os.X_OK) else "meson"

# The fast backend is part of every build where it can be; without it configuring fails and says why.
SIMD = ["-Dsimd=enabled"] if platform.machine() in ("x86_64", "aarch64") else []
RELEASE = ["-Dbuildtype=release", "-Dscan=true", "-Dsimd_targets=all", "-Dcuda=auto", "-Dopencl=auto"]
TESTS = [*RELEASE, "-Dtests=enabled", "-Dcli=enabled"]
# Kernels for all processors take minutes, and scan is the command's largest part: the demo is without both.
DEMO = ["-Dbuildtype=release", "-Dsimd_targets=native", "-Dcuda=disabled", "-Dopencl=disabled", "-Dscan=false"]
BUILD = ROOT / "build"
TREE = BUILD / "tree/usr/local"  # the release build as users have it


class Failed(Exception):
    """A step that did not work; its text, if any, says why."""


def say(*words):
    print("x:", *words, flush=True)


def read(path):
    return path.read_text(encoding="utf-8") if path.is_file() else None


def configure(folder, *options, environment=None):
    """Configures the folder, unless it was with these options and the same packages. Where packages came or went, as a
    new folder: Meson remembers what was missing for as long as it remembers anything."""
    folder = ROOT / folder
    if shutil.which(MESON) is None:
        raise Failed("meson is not installed")
    chosen, there = folder / ".x-options", folder / ".x-packages"
    state, wanted = packages.state(), " ".join(options)
    core = folder / "meson-private/coredata.dat"
    if core.is_file() and read(there) != state:
        core.unlink()
        (folder / "meson-private/cmd_line.txt").unlink(missing_ok=True)
    if core.is_file() and (folder / "build.ninja").is_file() and read(chosen) == wanted:
        return
    again = ["--reconfigure"] if core.is_file() else []
    folder.mkdir(parents=True, exist_ok=True)
    chosen.unlink(missing_ok=True)
    result = subprocess.run([MESON, "setup", *again, folder, *SIMD, *options], cwd=ROOT, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace",
                            env={**os.environ, **(environment or {})})
    if result.returncode != 0:
        raise Failed(result.stdout.rstrip())
    for line in re.findall(r"WARNING: (backend .*)", result.stdout):
        say(line)
    chosen.write_text(wanted, encoding="utf-8")
    there.write_text(state, encoding="utf-8")


def show_progress(log, ended):
    """The progress in a log of ninja: on a terminal in one line that is updated, elsewhere once a minute."""
    begin = shown = time.monotonic()
    while not ended.wait(1):
        steps = re.findall(r"^\[(\d+)/(\d+)\]", log.read_text(errors="replace"), re.MULTILINE)
        now = time.monotonic()
        if not steps:
            continue
        line = f"x: building: {steps[-1][0]} of {steps[-1][1]} steps, {now - begin:.0f} s"
        if sys.stderr.isatty():
            print("\r" + line, end=" ", file=sys.stderr, flush=True)
        elif now - shown >= 60:
            shown = now
            print(line, file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def compile(folder, *targets):
    """Builds as much as possible. Warnings are shown even on success."""
    folder = ROOT / folder
    log, ended = folder / ".x-compile", threading.Event()
    with open(log, "w", encoding="utf-8") as stream:
        teller = threading.Thread(target=show_progress, args=(log, ended), daemon=True)
        teller.start()
        try:
            result = subprocess.run(["ninja", "-k", "0", "-C", folder, *targets], stdout=stream,
                                    stderr=subprocess.STDOUT)
        finally:
            ended.set()
            teller.join()
    lines = log.read_text(errors="replace").splitlines()
    plain = [line for line in lines if not re.match(r"\[\d+/\d+\] ", line)]
    if result.returncode != 0:
        failed = next((i for i, line in enumerate(plain) if line.startswith("FAILED: ")), None)
        raise Failed("\n".join(plain[failed:] if failed is not None else lines[-60:]))
    warned = -1
    for i, line in enumerate(plain):
        if "warning:" in line:
            warned = i
        if 0 <= warned and i <= warned + 4:
            print(line)


def targets_of(folder):
    return json.loads((ROOT / folder / "meson-info/intro-targets.json").read_text(encoding="utf-8"))


def shipped(folder):
    """The files of all targets but tests, which are default targets, too."""
    base = os.path.realpath(ROOT / folder)
    return [os.path.relpath(name, base) for target in targets_of(folder) if target["build_by_default"]
            for name in target["filename"]]


def release(*targets):
    """The release build, with everything else for which packages are installed; without targets all that is shipped.
    Once tests are configured they stay so."""
    has_tests = "-Dtests=enabled" in (read(BUILD / ".x-options") or "")
    configure("build", *(TESTS if has_tests else RELEASE))
    compile("build", *(targets or shipped("build")))


def demo():
    targets = ["xlashape"] + (["src/xlashape/simd.so"] if SIMD else [])
    options = read(BUILD / ".x-options")
    if options is None or "-Dsimd_targets=native" in options:
        configure("build", *DEMO)
    else:
        configure("build", *(TESTS if "-Dtests=enabled" in options else RELEASE))
    compile("build", *targets)


def install_tree():
    result = subprocess.run([MESON, "install", "-C", "build", "--no-rebuild", "--destdir", BUILD / "tree"], cwd=ROOT,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        raise Failed(result.stdout.rstrip())


def site():
    """The documentation as a site, with the Explorer and the library for it; warnings are failures."""
    run_python(["-c", "import furo, myst_parser, sphinx"],
               "sphinx, its parser of Markdown or its theme is not installed")
    for command in (["bindings/js/build.sh", "build-wasm"],
                    ["ninja", "-C", "build-wasm", "bindings/js/native/explorer.wasm"]):
        result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            raise Failed(result.stdout.rstrip())
    BUILD.mkdir(exist_ok=True)
    run_python(["-B", "site/build.py", "build/site", "build-wasm/js"])


def run_python(words, why=""):
    if subprocess.run([sys.executable, *words], cwd=ROOT).returncode != 0:
        raise Failed(f"NOT RUN: {why}" if why else "")


def tell_costs(folder):
    """What took longest in all builds of a folder, and how to omit it."""
    took = {}
    for line in (read(ROOT / folder / ".ninja_log") or "").splitlines()[1:]:
        begin, end, _, name, *_ = line.split("\t")
        took[name] = (int(end) - int(begin)) / 1000
    for name, seconds in sorted(took.items(), key=lambda item: -item[1])[:4]:
        if seconds < 20:
            break
        if "cuda" in name or name.endswith(".fatbin"):
            name += " (without the cuda backend: meson configure build -Dcuda=disabled)"
        elif "simd" in name:
            name += " (for fewer processors: meson configure build -Dsimd_targets=few)"
        say(f"took {seconds:.0f} s: {name}")
