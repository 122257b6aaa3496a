# SPDX-License-Identifier: Apache-2.0
"""What the packages have of others inside: compiled from Debian's sources for a toolchain's target, or headers."""

import pathlib
import shutil

from release import Failed

# Headers that suffice: for pkg-config, the folder, Debian's package, flags.
HEADERS = {
    "libhwy": ("hwy", "libhwy-dev", ""),
    "CLI11": ("CLI", "libcli11-dev", ""),
    "fmt": ("fmt", "libfmt-dev", "-DFMT_HEADER_ONLY=1"),
    "nlohmann_json": ("nlohmann", "nlohmann-json3-dev", ""),
    "OpenCL-Headers": ("CL", "opencl-c-headers", ""),
}
PC = """prefix={prefix}
includedir=${{prefix}}/include
Name: {name}
Description: of Debian's {package}
Version: {version}
Libs: {libs}
Cflags: -isystem ${{includedir}} {flags}
"""


class Parts:
    def __init__(self, toolchain):
        self.toolchain, self.release, self.prefix = toolchain, toolchain.release, toolchain.prefix

    def make(self):
        done = self.prefix / "done"
        if done.exists():
            return
        shutil.rmtree(self.prefix, ignore_errors=True)
        for folder in ("include", "lib/pkgconfig"):
            (self.prefix / folder).mkdir(parents=True)
        for name, (folder, package, flags) in HEADERS.items():
            self._headers(name, folder, package, flags)
        # These are plain C that needs no configuring, but for where it would use its own assembly.
        self._archive("zlib", "zlib", "z", ("zlib.h", "zconf.h"), "-DHAVE_UNISTD_H -DHAVE_HIDDEN")
        self._archive("libpng", "libpng1.6", "png", ("png.h", "pngconf.h", "pnglibconf.h"),
                      "-DPNG_ARM_NEON_OPT=0 -DPNG_INTEL_SSE_OPT=0")
        if not self.toolchain.is_musl:
            self._libffi()
        done.touch()

    def _headers(self, name, folder, package, flags):
        found = pathlib.Path("/usr/include") / folder
        if not found.is_dir():
            raise Failed(f"{found} is not there: apt-get install {package}")
        (self.prefix / "include" / folder).symlink_to(found)
        version = self.release.run("dpkg-query", "--show", "--showformat=${source:Upstream-Version}", package)
        self._pc(name, package, version, "", flags)

    def _pc(self, name, package, version, libs, flags=""):
        text = PC.format(prefix=self.prefix, name=name, package=package, version=version.split("+")[0], libs=libs,
                         flags=flags)
        (self.prefix / f"lib/pkgconfig/{name}.pc").write_text(text, encoding="utf-8")

    def _archive(self, name, source, library, headers, flags):
        build, version = self._copied(source)
        prebuilt = build / "scripts/pnglibconf.h.prebuilt"
        if prebuilt.exists():
            shutil.copy(prebuilt, build / "pnglibconf.h")
        files = [path.name for path in sorted(build.glob("*.c")) if path.stem not in ("example", "pngtest")]
        self._run("cc", "-c", *self._flags(), *flags.split(), f"-I{self.prefix}/include", *files, cwd=build, log=name)
        objects = [path.name for path in sorted(build.glob("*.o"))]
        self._run("ar", "rcs", self.prefix / f"lib/lib{library}.a", *objects, cwd=build, log=f"{name}-archive")
        for header in headers:
            shutil.copy(build / header, self.prefix / "include")
        self._pc(name, source, version, f"-L{self.prefix}/lib -l{library}")

    def _libffi(self):
        build, version = self._copied("libffi")
        tools = {"CC": self.toolchain.bin / "cc", "AR": self.toolchain.bin / "ar", "RANLIB": "true"}
        environment = {name: str(tool) for name, tool in tools.items()}
        host = self.toolchain.target.split(".")[0]
        options = [f"--host={host}", f"--prefix={self.prefix}", "--disable-shared", "--disable-docs",
                   "--disable-multi-os-directory", "--disable-exec-static-tramp", f"CFLAGS={' '.join(self._flags())}"]
        self.toolchain.run("./configure", *options, cwd=build, environment=environment, log="libffi-configure")
        self.toolchain.run("make", "-j2", "install", cwd=build, environment=environment, log="libffi")
        # Its own file does not say where it lies, so that the linker would take this machine's.
        self._pc("libffi", "libffi", version, f"-L{self.prefix}/lib -lffi")

    def _flags(self):
        return ["-O2", "-fPIC", "-fvisibility=hidden", *self.toolchain.maps]

    def _run(self, tool, *words, **more):
        self.toolchain.run(self.toolchain.bin / tool, *words, **more)

    def _copied(self, name):
        """(A copy of Debian's source to build in, its version)."""
        source = self._source(name)
        build = self.toolchain.folder / f"{name}.build"
        shutil.rmtree(build, ignore_errors=True)
        shutil.copytree(source, build, symlinks=True)
        return build, source.name[len(name) + 1 :].split("-")[0].split(".dfsg")[0]

    def _source(self, name):
        """Debian's source of this name, unpacked. apt checks who signed it."""
        folder = self.release.work / "sources"
        found = list(folder.glob(f"{name}-[0-9]*/"))
        if found:
            return found[0]
        lists, sources = folder / "lists", folder / "sources.list"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        suites = ("bookworm", "bookworm-updates")
        lines = [f"deb-src {self.release.mirror()} {suite} main\n" for suite in suites]
        sources.write_text("".join(lines), encoding="utf-8")
        apt = ["apt-get", "-qq", "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=/dev/null", "-o",
               f"Dir::State::Lists={lists}", "-o", "APT::Sandbox::User=root"]
        if not any(lists.glob("*Sources*")):
            self.release.run(*apt, "update", log="sources-update")
        self.release.run(*apt, "source", "--download-only", name, cwd=folder, log=f"{name}-source")
        description = next(folder.glob(f"{name}_*.dsc"))
        target = folder / f"{name}-{description.stem.split('_')[1]}"
        self.release.run("dpkg-source", "--extract", description, target, cwd=folder)
        return target
