#!/usr/bin/env python3
"""Makes the wheel that jax finds by itself: `package.py PREFIX PLUGIN OUT`.

PREFIX: an installed xlashape; PLUGIN: xlashape_pjrt_plugin.so. In the wheel the plugin, the library and its backends lie
side by side, so that nothing else need be installed. The plugin is announced by the entry point `jax_plugins`.
"""

import base64
import hashlib
import sys
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME, VERSION = "xlashape_pjrt_plugin", "0.1.0"
FOLDER = "jax_plugins/xlashape"


def contents(prefix, plugin):
    libraries = sorted(prefix.glob("lib*/**/libxlashape.so.0.1"))
    if not libraries:
        sys.exit(f"package.py: {prefix} has no libxlashape.so.0.1: is xlashape installed there?")
    library = libraries[0]
    files = {f"{FOLDER}/__init__.py": (HERE / "python" / FOLDER / "__init__.py").read_bytes()}
    files[f"{FOLDER}/{plugin.name}"] = plugin.read_bytes()
    files[f"{FOLDER}/{library.name}"] = library.read_bytes()
    for path in sorted((library.parent / "xlashape").rglob("*")):
        if path.is_file():
            files[f"{FOLDER}/xlashape/{path.relative_to(library.parent / 'xlashape').as_posix()}"] = path.read_bytes()
    return files


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    prefix, plugin, out = map(Path, sys.argv[1:])
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    files = contents(prefix, plugin)
    info = f"{NAME}-{VERSION}.dist-info"
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\nRequires-Dist: jax>=0.8\n".encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: package.py\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n".encode()
    files[f"{info}/entry_points.txt"] = b"[jax_plugins]\nxlashape = jax_plugins.xlashape\n"
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{NAME}-{VERSION}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o755 << 16 if ".so" in name else 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(wheel)


if __name__ == "__main__":
    main()
