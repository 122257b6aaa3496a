#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel from an installed xlashape (meson install, DESTDIR and all), into the folder OUT.

    bindings/python/wheel.py [--without-simd] PREFIX OUT
        xlashape: the package, the library, its backends and the command
    integrations/jax/wheel.py PREFIX OUT [HEADERS]
        xlashape-jax: the module xlashape.jax with the custom call
    integrations/torch/wheel.py PREFIX OUT
        xlashape-torch: the package xlashape.torch with the operators

All three are this file, which looks at the folder that it is called in. Python's standard library suffices for the
first; the others are wheels of their own because they need a C++20 compiler ($CXX, else g++ or c++) and the headers of
XLA's FFI (HEADERS, else those of the jaxlib that this Python has) or of PyTorch 2.9 or later (that of this Python).
They add a folder to the package xlashape, so they must be installed into the same site-packages, with the same version;
pip takes each away without the other. libxlashape is in the first only.

A prefix without the backend simd is refused: what is made from it is many times slower, and nothing else says so.
--without-simd allows it (pip: -C without-simd=).

It is the packages' build backend (PEP 517), too: `pip wheel bindings/python`, `pip wheel --no-build-isolation
integrations/torch`. They take the prefix from XLASHAPE_PREFIX;
the first builds the library with meson where that is unset.

Each wheel is py3-none-<platform>: one for all versions of Python. The platform of xlashape is the oldest manylinux
whose systems have all that its objects need, else this machine's. Objects are taken as they are installed, in the
folders where the library looks for them: the library itself and libxlashape_draw in xlashape/lib, backends beside them
in xlashape/lib/xlashape, the command, where the prefix has it, in xlashape/bin. The libraries that these need besides
those of every Linux are copied from this machine into xlashape/lib; no other program gets to see them there.
python/THIRD_PARTY.txt has the licenses of these libraries, and of what is compiled into the objects. The same input
gives the same bytes.
"""

import base64
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Optional

HERE = Path(__file__).absolute().parent  # the package's: links lead from there to this file
ROOT = Path(__file__).resolve().parent.parent
WITHOUT_SIMD = "--without-simd"
THIRD_PARTY = (ROOT / "bindings" / "python" / "THIRD_PARTY.txt").read_text(encoding="utf-8")
LICENSES = sorted({"Apache-2.0", *re.findall(r"^License: (.*)$", THIRD_PARTY, re.M)})

# In every Linux that a wheel can be for. As auditwheel has it, but for zlib.
SYSTEM = re.compile(r"(ld-|ld64\.|linux-|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.)")
# For each manylinux the newest symbols that it has, as auditwheel says: GLIBC_2.N, GLIBCXX_3.4.N, CXXABI_1.3.N.
MANYLINUX = (
    *((17, 19, 7), (24, 22, 10), (27, 24, 11), (28, 24, 11)),
    *((31, 28, 12), (34, 29, 13), (35, 30, 13), (39, 33, 15)),
)
VERSIONS = (rb"GLIBC_2\.(\d+)", rb"GLIBCXX_3\.4\.(\d+)", rb"CXXABI_1\.3\.(\d+)")


class Package(NamedTuple):
    """What the wheels differ in."""

    name: str
    sources: str  # the folder with its modules
    target: str  # theirs in the wheel
    summary: str
    keywords: str
    python: str
    requires: List[str]  # {} is the version
    classifiers: List[str]


PACKAGE = {
    "python": Package(
        "xlashape",
        "xlashape",
        "xlashape",
        "XLA's shapes and layouts without XLA",
        "xla,shape,layout,tiling,relayout,dlpack",
        ">=3.9",
        [],
        [
            "Programming Language :: Python :: 3 :: Only",
            "Programming Language :: Python :: Implementation :: CPython",
            "Topic :: Software Development :: Libraries",
            "Typing :: Typed",
        ],
    ),
    "jax": Package(
        "xlashape-jax",
        "xlashape_jax",
        "xlashape/jax",
        "Relayouts of xlashape inside JAX's programs",
        "xla,jax,layout,tiling,relayout,ffi",
        ">=3.11",
        ["xlashape=={}", "jax>=0.8.1"],  # the oldest that was tested
        ["Typing :: Typed"],
    ),
    "torch": Package(
        "xlashape-torch",
        "xlashape/torch",
        "xlashape/torch",
        "XLA's layouts for PyTorch: relayouts as operators",
        "xla,layout,tiling,relayout,pytorch,int4",
        ">=3.10",
        ["xlashape =={}", "torch >=2.9"],
        [],
    ),
}[HERE.name]


def fail(text: str) -> SystemExit:
    return SystemExit(f"wheel.py: {text}")


# == The installed xlashape ==


def library_of(prefix: Path) -> Path:
    """The shared library by the name that programs load it by."""
    names = ["libxlashape.so.0.1", "libxlashape.0.1.dylib"]
    found = sorted(path for name in names for path in prefix.glob(f"lib*/**/{name}"))
    if not found:
        raise fail(f"{prefix} has no {names[0]} in a lib folder: is xlashape installed there?")
    return found[0]


def version_of(prefix: Path) -> str:
    header = prefix / "include" / "xlashape.h"
    if not header.exists():
        raise fail(f"{prefix} has no include/xlashape.h")
    text = header.read_text(encoding="utf-8")
    parts = [re.search(rf"XLASHAPE_VERSION_{part} (\d+)", text) for part in ("MAJOR", "MINOR", "PATCH")]
    return ".".join(part.group(1) for part in parts if part)


def commands_of(prefix: Path) -> List[Path]:
    """xlashape and what it runs. Where nobody says which libraries they need they are left out."""
    paths = [prefix / "bin" / name for name in ("xlashape", "xlashape-scan")]
    return [path for path in paths if path.exists() and sys.platform == "linux"]


def installed(prefix: Path, without_simd: bool) -> Dict[str, bytes]:
    """The library, its backends, the command and what they need, by their names in the wheel. Says which backends these
    are: without simd everything works, many times slower."""
    library, commands = library_of(prefix), commands_of(prefix)
    folder = library.parent / "xlashape"
    backends = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.stem for path in backends if path.suffix in (".so", ".dylib")]
    print(f"wheel.py: backends: {', '.join(names) or 'none'}", file=sys.stderr)
    if "simd" not in names and not without_simd:
        raise fail(
            f"{folder} has no simd.so, so relayouts would be many times slower: build the library where meson finds "
            f"hwy/highway.h (Debian: libhwy-dev), or say {WITHOUT_SIMD}"
        )
    if not backends:
        raise fail(f"{folder} has no backends")
    pictures = library.with_name(library.name.replace("xlashape", "xlashape_draw"))
    if not pictures.exists():
        raise fail(f"{library.parent} has no {pictures.name}, which draws pictures")
    files = {f"xlashape/lib/{path.name}": path.read_bytes() for path in (library, pictures)}
    for path in backends:
        files[f"xlashape/lib/xlashape/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    objects = [library, pictures, *(path for path in backends if path.suffix == ".so")]
    for command in commands:
        files[f"xlashape/bin/{command.name}"] = command.read_bytes()
        objects.append(command)
    licensed = [pattern for line in re.findall(r"^In: (.*)$", THIRD_PARTY, re.M) for pattern in line.split()]
    for name, data in libraries_of(objects).items():
        if not any(fnmatch(f"lib/{name}", pattern) for pattern in licensed):
            raise fail(f"{name} would be copied into the wheel, and THIRD_PARTY.txt does not have its license")
        files[f"xlashape/lib/{name}"] = data
    return files


def libraries_of(objects: Iterable[Path]) -> Dict[str, bytes]:
    """What these objects need besides what every Linux has, and ours, by the names that they load it by. Where
    there is no ldd nobody says what they need."""
    files: Dict[str, bytes] = {}
    if sys.platform != "linux":
        return files
    for path in objects:
        command, environment = ["ldd", str(path)], {**os.environ, "LC_ALL": "C"}
        ldd = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, check=False)
        if ldd.returncode:
            said = (ldd.stdout + ldd.stderr).decode().strip()
            raise fail(f"{path} is broken, or of another machine: ldd says {said}")
        for name, found in re.findall(r"^\s*(\S+) => (/.*?)?(?: \(0x\w+\)|not found)$", ldd.stdout.decode(), re.M):
            if SYSTEM.match(name) or name.startswith("libxlashape"):
                continue
            if not found:
                raise fail(f"{path} needs {name}, which is not found")
            files[name] = Path(found).read_bytes()
    return files


# == What is compiled for the others ==


def custom_call(prefix: Path, headers: Optional[str], folder: Path) -> Path:
    if headers is None:
        try:
            import jax.ffi
        except ImportError:
            raise fail("this Python has no jax: name the folder with the headers of XLA's FFI") from None
        headers = str(jax.ffi.include_dir())
    subprocess.run([str(HERE / "build.sh"), str(prefix), headers, str(folder)], check=True)
    return folder / "libxlashape_jax.so"


def torch_folder() -> Path:
    """Where PyTorch is, which need not be imported for that."""
    found = importlib.util.find_spec("torch")
    if found is None or not found.origin:
        raise fail(f"{sys.executable} has no PyTorch")
    folder = Path(found.origin).parent
    if not (folder / "include" / "torch" / "csrc" / "stable" / "library.h").exists():
        raise fail(f"the PyTorch of {sys.executable} has no stable ABI: 2.9 or later is needed")
    return folder


def operators(prefix: Path, folder: Path) -> Path:
    """The object uses PyTorch's stable ABI only, so one is for all versions of PyTorch from 2.9 on."""
    torch, target = torch_folder(), folder / "_operators.so"
    sources = sorted(path.name for path in (HERE / "src").glob("*.cc"))
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-O2", "-DNDEBUG", "-fPIC", "-fvisibility=hidden"]
    command += ["-Wall", "-Wextra", "-Wconversion"]
    command += ["-isystem", str(torch / "include"), "-I", str(prefix / "include"), *sources]
    command += ["-shared", "-o", str(target)]
    # Both libraries are loaded before the object is, so their names suffice; the folder is for programs without Python.
    # The C++ library first: what PyTorch exports of its own is not for others.
    command += [str(library_of(prefix)), "-L", str(torch / "lib"), "-Wl,--as-needed", "-lstdc++", "-ltorch_cpu"]
    command += ["-Wl,-rpath,$ORIGIN/../lib", "-Wl,--version-script=exports.map", "-Wl,-z,now", "-s"]
    if subprocess.run(command, cwd=HERE / "src", check=False).returncode:
        raise fail("the operators were not built")
    return target


# == The wheel ==


def metadata(version: str) -> str:
    is_library = HERE.name == "python"
    classifiers = [
        "Intended Audience :: Developers",
        "Intended Audience :: Science/Research",
        "Programming Language :: C++",
        "Programming Language :: Python :: 3",
        "Topic :: Scientific/Engineering",
    ]
    fields = [
        "Metadata-Version: 2.4",
        f"Name: {PACKAGE.name}",
        f"Version: {version}",
        f"Summary: {PACKAGE.summary}",
        f"Keywords: {PACKAGE.keywords}",
        f"License-Expression: {' AND '.join(LICENSES) if is_library else 'Apache-2.0'}",
        "License-File: LICENSE",
        *(["License-File: THIRD_PARTY.txt"] if is_library else []),
        f"Requires-Python: {PACKAGE.python}",
        *(f"Requires-Dist: {wanted.format(version)}" for wanted in PACKAGE.requires),
        *(f"Classifier: {classifier}" for classifier in sorted([*classifiers, *PACKAGE.classifiers])),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(fields) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def platform_tag(files: Optional[Dict[str, bytes]] = None) -> str:
    """This machine's; with all files of a wheel that needs nothing but these and the system, that of the oldest
    manylinux whose systems all have what they need, which is what auditwheel says."""
    platform = re.sub("[-.]", "_", sysconfig.get_platform())
    kind, _, processor = platform.partition("_")
    if files is None or kind != "linux" or processor not in ("x86_64", "aarch64") or not on_glibc():
        return platform
    found = [[int(n) for data in files.values() for n in re.findall(version, data)] for version in VERSIONS]
    needs = [max(numbers, default=0) for numbers in found]
    for has in MANYLINUX:
        if all(need <= most for need, most in zip(needs, has)):
            return f"manylinux_2_{has[0]}_{processor}"
    return platform


def on_glibc() -> bool:
    try:
        return "glibc" in (os.confstr("CS_GNU_LIBC_VERSION") or "")
    except ValueError:
        return False


def make(prefix: Path, out: Path, without_simd: bool = False, headers: Optional[str] = None) -> Path:
    """Writes the wheel."""
    version, name = version_of(prefix), PACKAGE.name.replace("-", "_")
    modules = (path for path in sorted((HERE / PACKAGE.sources).glob("*")) if path.suffix in (".py", ".typed"))
    files = {f"{PACKAGE.target}/{path.name}": path.read_bytes() for path in modules}
    texts = {"METADATA": metadata(version), "licenses/LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    if HERE.name == "python":
        files.update(installed(prefix, without_simd))
        platform = platform_tag(files)
        texts["licenses/THIRD_PARTY.txt"] = THIRD_PARTY
        if commands_of(prefix):
            texts["entry_points.txt"] = "[console_scripts]\nxlashape = xlashape.command:main\n"
    else:
        platform = platform_tag()
        with tempfile.TemporaryDirectory() as folder:
            is_jax = HERE.name == "jax"
            made = custom_call(prefix, headers, Path(folder)) if is_jax else operators(prefix, Path(folder))
            files[f"{PACKAGE.target}/{made.name}"] = made.read_bytes()
    return write(out, name, version, platform, files, texts)


def write(out: Path, name: str, version: str, platform: str, files: Dict[str, bytes], texts: Dict[str, str]) -> Path:
    """`texts`: what is in the folder with the metadata; WHEEL and RECORD are added."""
    info = f"{name}-{version}.dist-info"
    texts["WHEEL"] = f"Wheel-Version: 1.0\nGenerator: xlashape\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n"
    files.update((f"{info}/{file}", text.encode()) for file, text in texts.items())
    record: List[str] = []
    for file, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{file},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{name}-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, data in files.items():
            entry = zipfile.ZipInfo(file, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            executable = ".so" in file or file.endswith(".dylib") or "/bin/" in file
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            archive.writestr(entry, data)
    return wheel


# == PEP 517. The name and the metadata depend on the objects: front ends take both from the wheel itself ==


def get_requires_for_build_wheel(config_settings: Optional[Dict[str, str]] = None) -> List[str]:
    return []


def build_wheel(
    wheel_directory: str,
    config_settings: Optional[Dict[str, str]] = None,
    metadata_directory: Optional[str] = None,
) -> str:
    settings, out = config_settings or {}, Path(wheel_directory)
    without_simd = WITHOUT_SIMD.strip("-") in settings
    given = settings.get("prefix") or os.environ.get("XLASHAPE_PREFIX")
    if given:
        return make(Path(given).resolve(), out, without_simd).name
    if HERE.name != "python" or not (ROOT / "meson.build").exists():
        raise fail("set XLASHAPE_PREFIX to where xlashape is installed")
    with tempfile.TemporaryDirectory() as folder:
        build, stage = Path(folder) / "build", Path(folder) / "stage"
        # Staged, not installed there: the library looks for backends in its prefix, too, and that must not be a folder
        # that anybody could make later.
        options = ["--buildtype=release", "-Dtests=disabled", "--prefix=/usr/local"]
        options += [] if sys.platform == "linux" else ["-Dcli=disabled"]  # as commands_of has it
        subprocess.run(["meson", "setup", str(build), str(ROOT), *options], check=True)
        subprocess.run(["meson", "install", "-C", str(build)], env={**os.environ, "DESTDIR": str(stage)}, check=True)
        return make(stage / "usr" / "local", out, without_simd).name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, str]] = None) -> str:
    raise fail("there is no source distribution: the library's sources are not below this folder")


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != WITHOUT_SIMD]
    if not 2 <= len(arguments) <= 2 + (HERE.name == "jax") or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    print(make(Path(arguments[0]).resolve(), Path(arguments[1]), WITHOUT_SIMD in sys.argv, *arguments[2:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
