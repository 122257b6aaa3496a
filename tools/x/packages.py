# SPDX-License-Identifier: Apache-2.0
"""Installs what a command needs, on Debian; elsewhere what is installed is used."""

import os
import pathlib
import shutil
import subprocess

LISTS = pathlib.Path(__file__).with_name("packages.txt")


def of(name):
    """The packages of a set, in order, each once."""
    found = {}
    for line in LISTS.read_text(encoding="utf-8").splitlines():
        if line.startswith(name + ":"):
            for word in line.split()[1:]:
                found.update(dict.fromkeys(of(word[1:]) if word.startswith("+") else [word]))
    return list(found)


def has_apt():
    return shutil.which("dpkg-query") is not None and shutil.which("apt-get") is not None


def installed(names):
    """The versions of those of the packages that are installed: {package: version}."""
    result = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\n", *names],
                            capture_output=True, text=True)
    rows = (line.split() for line in result.stdout.splitlines())
    return {row[0]: row[1] for row in rows if len(row) == 3 and row[2] == "installed"}


def state():
    """The versions of all packages that any command uses, as a text: what configuring finds depends on them."""
    if not has_apt():
        return ""
    return "".join(f"{name} {version}\n" for name, version in sorted(installed(of("all") + of("peers")).items()))


def apt(*words):
    """(whether it worked, its output); as root, by sudo if need be."""
    command = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", *words]
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            return False, f"not root, and there is no sudo: as root, run: {' '.join(command)}"
        command = ["sudo", *command]
    result = subprocess.run(command, capture_output=True, text=True,
                            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    return result.returncode == 0, (result.stdout + result.stderr).strip()


def install(names):
    return apt("-o", "Dpkg::Use-Pty=0", "install", "-y", "--no-install-recommends", *names)


def need(*sets):
    """Installs missing packages of these sets. One that cannot be installed is named once; steps that need it say NOT
    RUN."""
    if not has_apt():
        return
    wanted = list(dict.fromkeys(name for name_of_set in sets for name in of(name_of_set)))
    there = installed(wanted)
    missing = [name for name in wanted if name not in there]
    if not missing:
        return
    print("x: installing with apt-get:", *missing, flush=True)
    # The lists first: without them, or with old ones, packages are not found.
    worked, output = apt("update")
    if not worked:
        print("x: apt-get update failed:", last_line(output), flush=True)
    if not install(missing)[0]:
        for name in missing:
            worked, output = install([name])
            if not worked:
                print(f"x: could not install {name}: {last_line(output)}", flush=True)


def last_line(output):
    lines = output.splitlines() or ["no output"]
    return next((line for line in lines if line.startswith("E:")), lines[-1])
