#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel from an installed xlashape (meson install, DESTDIR and all), into the folder OUT.

    bindings/python/wheel.py [--without-simd] PREFIX OUT
        xlashape: the package, the library, its backends and the command
    integrations/jax/wheel.py PREFIX OUT [HEADERS]
        xlashape-jax: the package xlashape_jax with the custom call
    integrations/torch/wheel.py PREFIX OUT
        xlashape-torch: the package xlashape_torch with the operators

All three are this file, which looks at the folder that it is called in. Python's standard library suffices for the
first; the others need a C++20 compiler ($CXX, else g++ or c++) and the headers of XLA's FFI (HEADERS, else those of the
jaxlib that this Python has) or of PyTorch 2.9 or later (that of this Python). libxlashape is in the first only, which
they require in the same version.

A prefix without the backend simd is refused: what is made from it is many times slower, and nothing else says so.
--without-simd allows it (pip: -C without-simd=).

Each wheel is py3-none-<platform>: one for all versions of Python. The platform is the oldest manylinux whose systems
have all that the objects need; where they need libraries that not every Linux has, as those that Debian's libraries are
linked with do, the wheel is for this machine only. Objects are taken as they are installed, in the folders where the
library looks for them: the library itself and libxlashape_draw in xlashape/lib, backends beside them in
xlashape/lib/xlashape, the command, where the prefix has it, in xlashape/bin. THIRD_PARTY.txt has the licenses of what
is compiled into them. The same input gives the same bytes.

It is the build backend (PEP 517) of xlashape-jax and xlashape-torch, too: `XLASHAPE_PREFIX=... pip wheel
--no-build-isolation integrations/torch`. That of xlashape is python/backend.py.
"""

import base64
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from fnmatch import fnmatch
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Tuple

HERE = Path(__file__).absolute().parent  # the package's: links lead from there to this file
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bindings"), str(ROOT / "packaging")]
import about  # noqa: E402
import elf  # noqa: E402

WITHOUT_SIMD = "--without-simd"


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
        about.SUMMARY,
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
        "python/xlashape_jax",
        "xlashape_jax",
        "Relayouts of xlashape inside JAX's programs",
        "xla,jax,layout,tiling,relayout,ffi",
        ">=3.11",
        ["xlashape=={}", "jax>=0.8.1"],  # the oldest that was tested
        ["Typing :: Typed"],
    ),
    "torch": Package(
        "xlashape-torch",
        "python/xlashape_torch",
        "xlashape_torch",
        "XLA's layouts for PyTorch: relayouts as operators",
        "xla,layout,tiling,relayout,pytorch,int4",
        ">=3.10",
        ["xlashape=={}", "torch>=2.9"],
        ["Typing :: Typed"],
    ),
}[HERE.name]


def fail(text: str) -> SystemExit:
    return SystemExit(f"wheel.py: {text}")


def third_party(files: Dict[str, bytes]) -> Tuple[str, str]:
    """What is compiled into these files, and the license expression for all of them."""
    head, *sections = re.split(r"^(?=== )", (ROOT / "bindings/THIRD_PARTY.txt").read_text(encoding="utf-8"), flags=re.M)
    licenses, inside = {"Apache-2.0"}, []
    for section in sections:
        fields = dict(re.findall(r"^(License|In): (.*)$", section, re.M))
        if any(fnmatch(file, pattern) for pattern in fields["In"].split() for file in files):
            licenses.add(fields["License"])
            inside.append(section)
    return head + "".join(inside), " AND ".join(sorted(licenses))


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
    """xlashape and what it runs."""
    paths = [prefix / "bin" / name for name in ("xlashape", "xlashape-scan")]
    return [path for path in paths if path.exists() and sys.platform == "linux"]


def installed(prefix: Path, without_simd: bool) -> Dict[str, bytes]:
    """The library, its backends and the command, by their names in the wheel. Says which backends these are: without
    simd everything works, many times slower."""
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
    for command in commands:
        files[f"xlashape/bin/{command.name}"] = command.read_bytes()
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
    command += ["-Wl,-rpath,$ORIGIN/../xlashape/lib", "-Wl,--version-script=exports.map", "-Wl,-z,now", "-s"]
    if subprocess.run(command, cwd=HERE / "src", check=False).returncode:
        raise fail("the operators were not built")
    return target


# == The wheel ==


def metadata(version: str, licenses: str, third_party_in: str = "") -> str:
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
        f"Author-email: {about.MAINTAINER}",
        f"Project-URL: Repository, {about.URL}",
        f"License-Expression: {licenses}",
        "License-File: LICENSE",
        f"License-File: {third_party_in}THIRD_PARTY.txt",
        f"Requires-Python: {PACKAGE.python}",
        *(f"Requires-Dist: {wanted.format(version)}" for wanted in PACKAGE.requires),
        *(f"Classifier: {classifier}" for classifier in sorted([*classifiers, *PACKAGE.classifiers])),
        "Description-Content-Type: text/markdown",
    ]
    # Its links lead to other files of the repository.
    folder = f"{'bindings' if HERE.name == 'python' else 'integrations'}/{HERE.name}"
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return "\n".join(fields) + "\n\n" + absolute_links(readme, f"{about.URL}/blob/main/{folder}/")


def absolute_links(text: str, folder: str) -> str:
    return re.sub(r"\]\((?!\w+:|#)", lambda found: found.group() + folder, text)


def platform_tag(files: Dict[str, bytes]) -> str:
    try:
        platform = elf.platform_tag(files)
    except ValueError as error:
        raise fail(str(error)) from None
    if platform.startswith("linux_"):
        beyond = ", ".join(elf.beyond_system(files)) or "newer symbols than manylinux has"
        print(f"wheel.py: for machines like this one, which have what it needs: {beyond}", file=sys.stderr)
    return platform


def make(prefix: Path, out: Path, without_simd: bool = False, headers: Optional[str] = None) -> Path:
    """Writes the wheel."""
    version, name = version_of(prefix), PACKAGE.name.replace("-", "_")
    modules = (path for path in sorted((HERE / PACKAGE.sources).glob("*")) if path.suffix in (".py", ".typed"))
    files = {f"{PACKAGE.target}/{path.name}": path.read_bytes() for path in modules}
    texts = {"licenses/LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    if HERE.name == "python":
        files.update(installed(prefix, without_simd))
        if commands_of(prefix):
            texts["entry_points.txt"] = "[console_scripts]\nxlashape = xlashape.command:main\n"
    else:
        with tempfile.TemporaryDirectory() as folder:
            is_jax = HERE.name == "jax"
            made = custom_call(prefix, headers, Path(folder)) if is_jax else operators(prefix, Path(folder))
            files[f"{PACKAGE.target}/{made.name}"] = made.read_bytes()
    texts["licenses/THIRD_PARTY.txt"], licenses = third_party(files)
    texts["METADATA"] = metadata(version, licenses)
    return write(out, name, version, platform_tag(files), files, texts)


def write(out: Path, name: str, version: str, platform: str, files: Dict[str, bytes], texts: Dict[str, str]) -> Path:
    """`texts`: what is in the folder with the metadata; WHEEL and RECORD are added."""
    info = f"{name}-{version}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    texts["WHEEL"] = f"Wheel-Version: 1.0\nGenerator: xlashape\nRoot-Is-Purelib: false\n{tags}"
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


def build_wheel(
    wheel_directory: str, config_settings: Optional[Dict[str, str]] = None, metadata_directory: Optional[str] = None
) -> str:
    prefix = os.environ.get("XLASHAPE_PREFIX")
    if not prefix:
        raise fail("set XLASHAPE_PREFIX to where xlashape is installed")
    return make(Path(prefix).resolve(), Path(wheel_directory)).name


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != WITHOUT_SIMD]
    if not 2 <= len(arguments) <= 2 + (HERE.name == "jax") or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    print(make(Path(arguments[0]).resolve(), Path(arguments[1]), WITHOUT_SIMD in sys.argv, *arguments[2:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
