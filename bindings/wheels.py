"""What the scripts that make wheels share: the files of an installed xlashape, its version, and how a wheel is written.
Python's standard library suffices."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import Dict, Iterable, List, Optional

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_SIMD = "--without-simd"
# Of a wheel with the library: the licenses of others' code in it, and what its metadata says of them.
THIRD_PARTY = (ROOT / "bindings" / "python" / "THIRD_PARTY.txt").read_text(encoding="utf-8")
LICENSES = sorted({"Apache-2.0", *re.findall(r"^License: (.*)$", THIRD_PARTY, re.M)})
LICENSE_FIELDS = [
    f"License-Expression: {' AND '.join(LICENSES)}",
    "License-File: LICENSE",
    "License-File: THIRD_PARTY.txt",
]

# In every Linux that a wheel can be for. As auditwheel has it, but for zlib.
SYSTEM = re.compile(r"(ld-|ld64\.|linux-|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.)")
# For each manylinux the newest symbols that it has, as auditwheel says: GLIBC_2.N, GLIBCXX_3.4.N, CXXABI_1.3.N.
MANYLINUX = (
    *((17, 19, 7), (24, 22, 10), (27, 24, 11), (28, 24, 11)),
    *((31, 28, 12), (34, 29, 13), (35, 30, 13), (39, 33, 15)),
)
VERSIONS = (rb"GLIBC_2\.(\d+)", rb"GLIBCXX_3\.4\.(\d+)", rb"CXXABI_1\.3\.(\d+)")


def fail(text: str) -> SystemExit:
    return SystemExit(f"{Path(sys.argv[0]).name}: {text}")


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


def library_files(prefix: Path, folder: str, without_simd: bool) -> Dict[str, bytes]:
    """The library, and its backends beside it where it looks for them, by their names in the wheel. Says which backends
    these are: without simd everything works, many times slower."""
    library = library_of(prefix)
    folders = library.parent / "xlashape"
    backends = sorted(path for path in folders.rglob("*") if path.is_file())
    names = [path.stem for path in backends if path.suffix in (".so", ".dylib")]
    print(f"{Path(sys.argv[0]).name}: backends: {', '.join(names) or 'none'}", file=sys.stderr)
    if "simd" not in names and not without_simd:
        raise fail(
            f"{folders} has no simd.so, so relayouts would be many times slower: build the library where meson finds "
            f"hwy/highway.h (Debian: libhwy-dev), or say {WITHOUT_SIMD}"
        )
    if not backends:
        raise fail(f"{folders} has no backends")
    files = {f"{folder}/{library.name}": library.read_bytes()}
    for path in backends:
        files[f"{folder}/xlashape/{path.relative_to(folders).as_posix()}"] = path.read_bytes()
    return files


def libraries_of(objects: Iterable[Path], own: str) -> Dict[str, bytes]:
    """What these objects need besides what every Linux has, and `own`, by the names that they load it by. Where there
    is no ldd nobody says what they need."""
    files: Dict[str, bytes] = {}
    if sys.platform != "linux":
        return files
    for path in objects:
        command, environment = ["ldd", str(path)], {**os.environ, "LC_ALL": "C"}
        ldd = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, check=False)
        if ldd.returncode:
            raise fail(f"{path} is broken, or of another machine: ldd says {(ldd.stdout + ldd.stderr).decode().strip()}")
        for name, found in re.findall(r"^\s*(\S+) => (/.*?)?(?: \(0x\w+\)|not found)$", ldd.stdout.decode(), re.M):
            if SYSTEM.match(name) or name.startswith(own):
                continue
            if not found:
                raise fail(f"{path} needs {name}, which is not found")
            files[name] = Path(found).read_bytes()
    return files


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


def wheel_file(platform: str) -> str:
    return f"Wheel-Version: 1.0\nGenerator: xlashape\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n"


def write(
    out: Path, name: str, version: str, files: Dict[str, bytes], metadata: str, platform: str, more: Dict[str, str]
) -> Path:
    """Writes the wheel; the same input gives the same bytes. `more`: other files of its metadata."""
    info = f"{name}-{version}.dist-info"
    files = dict(files)
    texts = {"METADATA": metadata, "licenses/LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}
    texts.update({"WHEEL": wheel_file(platform), **more})
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
