#!/usr/bin/env python3
"""Makes the wheel xlashape-jax: the module xlashape.jax with the custom call, for an installed package xlashape.

    wheel.py PREFIX OUT [HEADERS]    from an installed xlashape (meson install), into the folder OUT

Needs a C++20 compiler, and the headers of XLA's FFI in HEADERS; without HEADERS they are those of the jaxlib that the
Python which runs this has. One wheel is good for all versions of Python and for each jaxlib whose FFI is 0.2 or later,
older or newer than the headers.

It is a wheel of its own, since the wheel of xlashape needs neither a compiler nor another package, and shall not. It
adds the folder `jax` to the folder of the package xlashape, so both must be installed into the same site-packages, and
with the same version. pip does that, and takes each away without the other. """

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from wheels import platform_tag, version_of, write  # noqa: E402  pylint: disable=wrong-import-position

OLDEST_JAX = "0.8.1"  # that was tested


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
    version = version_of(prefix)
    files: Dict[str, bytes] = {}
    for path in sorted((HERE / "xlashape_jax").glob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[f"xlashape/jax/{path.name}"] = path.read_bytes()
    files["xlashape/jax/libxlashape_jax.so"] = shared_object(prefix, headers)
    return write(out, "xlashape_jax", version, files, metadata(version), platform_tag(), {})


def main() -> int:
    if len(sys.argv) not in (3, 4) or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    headers = sys.argv[3] if len(sys.argv) == 4 else default_headers()
    print(make(Path(sys.argv[1]).resolve(), Path(sys.argv[2]), headers))
    return 0


if __name__ == "__main__":
    sys.exit(main())
