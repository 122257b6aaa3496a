#!/usr/bin/env python3
"""Makes the wheel xlashape-jax: the module xlashape.jax with the custom call, for an installed package xlashape.

    wheel.py PREFIX OUT [HEADERS]    from an installed xlashape (meson install), into the folder OUT

Needs a C++20 compiler, and the headers of XLA's FFI in HEADERS; without HEADERS they are those of the jaxlib that the
Python which runs this has. One wheel is good for all versions of Python and for each jaxlib whose FFI is 0.2 or later,
older or newer than the headers.

It is a wheel of its own, since the wheel of xlashape needs neither a compiler nor another package, and shall not. It
adds the folder `jax` to the folder of the package xlashape, so both must be installed into the same site-packages, and
with the same version. pip does that, and takes each away without the other. """

import base64
import hashlib
import importlib.util
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Dict

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

OLDEST_JAX = "0.8.1"  # that was tested


def package_wheel() -> ModuleType:
    """The script that makes the wheel of the package: the version and the platform are the same for both."""
    spec = importlib.util.spec_from_file_location("package_wheel", ROOT / "bindings" / "python" / "wheel.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def default_headers() -> str:
    try:
        import jax.ffi
    except ImportError:
        raise SystemExit("wheel.py: this Python has no jax: name the folder with the headers of XLA's FFI") from None
    return str(jax.ffi.include_dir())


def shared_object(prefix: Path, headers: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(HERE / "build.sh"), str(prefix), headers, folder], check=True)
        return (Path(folder) / "libxlashape_jax.so").read_bytes()


def metadata(version: str) -> str:
    fields = [
        "Metadata-Version: 2.4",
        "Name: xlashape-jax",
        f"Version: {version}",
        "Summary: Relayouts of xlashape inside JAX's programs",
        "Keywords: xla,jax,layout,tiling,relayout,ffi",
        "License-Expression: Apache-2.0",
        "License-File: LICENSE",
        "Requires-Python: >=3.11",
        f"Requires-Dist: xlashape=={version}",
        f"Requires-Dist: jax>={OLDEST_JAX}",
        "Classifier: Programming Language :: C++",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Typing :: Typed",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(fields) + "\n\n" + (HERE / "README.md").read_text(encoding="utf-8")


def make(prefix: Path, out: Path, headers: str) -> Path:
    """Writes the wheel; the same input gives the same bytes."""
    package = package_wheel()
    version, tag = package.version_of(prefix), package.tag()
    info = f"xlashape_jax-{version}.dist-info"
    files: Dict[str, bytes] = {}
    for path in sorted((HERE / "xlashape_jax").glob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"xlashape/jax/{path.name}"] = path.read_bytes()
    files["xlashape/jax/libxlashape_jax.so"] = shared_object(prefix, headers)
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = package.wheel_file().encode()
    record = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = ("".join(record) + f"{info}/RECORD,,\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"xlashape_jax-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            archive.writestr(entry, data)
    return wheel


def main() -> int:
    if len(sys.argv) not in (3, 4) or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    headers = sys.argv[3] if len(sys.argv) == 4 else default_headers()
    print(make(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), headers))
    return 0


if __name__ == "__main__":
    sys.exit(main())
