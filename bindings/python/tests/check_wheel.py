# SPDX-License-Identifier: Apache-2.0
"""check_wheel.py WHEEL [SITE_PACKAGES]: that its RECORD, name and metadata are right; where it is installed also that
the command which it brought along, and its backends, find all their libraries, in the wheel or among those of every
Linux."""

import base64
import csv
import hashlib
import re
import subprocess
import sys
import zipfile
from fnmatch import fnmatch
from pathlib import Path

EVERYWHERE = re.compile(r"(ld-|ld64\.|linux-|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.)")


def main(path: str, site_packages: str = "") -> None:
    check_files(path)
    if site_packages:
        check_libraries(Path(site_packages).resolve() / "xlashape")


def check_files(path: str) -> None:
    name, version, python, abi, platform = Path(path).stem.split("-")
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        info = f"{name}-{version}.dist-info"
        names = archive.namelist()
        assert len(names) == len(set(names))
        rows = list(csv.reader(archive.read(f"{info}/RECORD").decode().splitlines()))
        assert sorted(row[0] for row in rows) == sorted(names), "RECORD names other files"
        for file, digest, size in rows:
            data = archive.read(file)
            if file != f"{info}/RECORD":
                wanted = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert digest == f"sha256={wanted}" and int(size) == len(data), file
        wheel = archive.read(f"{info}/WHEEL").decode()
        assert f"Tag: {python}-{abi}-{platform}\n" in wheel and "Root-Is-Purelib: false" in wheel
        assert (python, abi) == ("py3", "none"), path
        metadata = archive.read(f"{info}/METADATA").decode()
        assert f"Version: {version}\n" in metadata and "Name: xlashape\n" in metadata
        # An expression and classifiers of licenses exclude each other; its file lies where that version looks for it.
        licenses = "Apache-2.0 AND BSD-3-Clause AND MIT AND Zlib AND libpng-2.0"
        assert "Metadata-Version: 2.4\n" in metadata and f"License-Expression: {licenses}\n" in metadata
        assert "Classifier: License" not in metadata and "\nLicense:" not in metadata
        for file in ("LICENSE", "THIRD_PARTY.txt"):
            assert f"License-File: {file}\n" in metadata and f"{info}/licenses/{file}" in names, file
        third_party = archive.read(f"{info}/licenses/THIRD_PARTY.txt").decode()
        patterns = [pattern for line in re.findall("^In: (.*)$", third_party, re.M) for pattern in line.split()]
        objects = [file[len("xlashape/") :] for file in names if ".so" in file or "/bin/" in file]
        # Nothing else is compiled into these.
        own = [
            "lib/libxlashape.*",
            "lib/libxlashape_draw.*",
            *(f"lib/xlashape/{name}.so" for name in ("scalar", "cuda", "opencl", "bound/bound")),
        ]
        for file in objects:
            assert any(fnmatch(file, pattern) for pattern in own + patterns), f"{file}: no license"
        assert platform.startswith("manylinux_2_") or not sys.platform == "linux", platform
        for part in ("py.typed", "_raw.py", "lib/libxlashape_draw.so.0.1", "lib/xlashape/simd.so"):
            assert f"xlashape/{part}" in names, part
        # The command and its console script come together; pip gives it the mode that the archive has.
        for command in ("xlashape/bin/xlashape", "xlashape/bin/xlashape-scan"):
            assert (command in names) == (f"{info}/entry_points.txt" in names)
            assert command not in names or archive.getinfo(command).external_attr >> 16 == 0o100755
        assert not [file for file in names if "__pycache__" in file]


def check_libraries(package: Path) -> None:
    objects = [*sorted((package / "bin").iterdir()), *(package / "lib").glob("libxlashape_draw.*"),
               *sorted((package / "lib" / "xlashape").rglob("*.so"))]
    runs = [subprocess.run(["ldd", path], stdout=subprocess.PIPE, check=True, env={}) for path in objects]
    texts = "".join(run.stdout.decode() for run in runs)
    own = 0
    for line in texts.splitlines():
        name, _, path = line.split(" (")[0].strip().partition(" => ")
        if EVERYWHERE.match(Path(name).name):
            continue
        assert path and Path(path).resolve().parent == package / "lib", line
        own += 1
    assert own >= 2, texts  # the library and at least one more: else this looks wrongly


if __name__ == "__main__":
    main(*sys.argv[1:])
