#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel that jax finds by itself: `package.py [--without-simd] PREFIX PLUGIN OUT`.

PREFIX: an installed xlashape; PLUGIN: xlashape_pjrt_plugin.so. In the wheel the plugin, the library and its backends
lie side by side, so that nothing else need be installed. The plugin is announced by the entry point `jax_plugins`.
A prefix without the backend simd is refused, unless --without-simd says that relayouts may be many times slower.
"""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
# By its path: there is another package of that name.
spec = importlib.util.spec_from_file_location("xlashape_wheel", ROOT / "bindings/python/wheel.py")
wheel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(wheel)

NAME, VERSION = "xlashape_pjrt_plugin", "0.1.0"
FOLDER = "jax_plugins/xlashape"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != wheel.WITHOUT_SIMD]
    if len(arguments) != 3:
        sys.exit(__doc__)
    prefix, plugin, out = map(Path, arguments)
    files = {
        f"{FOLDER}/__init__.py": (HERE / "python" / FOLDER / "__init__.py").read_bytes(),
        f"{FOLDER}/{plugin.name}": plugin.read_bytes(),
    }
    # The library and its backends, without the command and what that needs.
    for name, data in wheel.installed(prefix, wheel.WITHOUT_SIMD in sys.argv).items():
        if name.startswith(("xlashape/lib/libxlashape.", "xlashape/lib/xlashape/")):
            files[FOLDER + name[len("xlashape/lib") :]] = data
    third_party, licenses = wheel.third_party(files)
    fields = [
        "Metadata-Version: 2.4",
        f"Name: {NAME}",
        f"Version: {VERSION}",
        "Requires-Dist: jax>=0.8",
        f"License-Expression: {licenses}",
        "License-File: LICENSE",
        "License-File: THIRD_PARTY.txt",
    ]
    texts = {
        "METADATA": "\n".join(fields) + "\n",
        "entry_points.txt": "[jax_plugins]\nxlashape = jax_plugins.xlashape\n",
        "licenses/LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        "licenses/THIRD_PARTY.txt": third_party,
    }
    print(wheel.write(out, NAME, VERSION, wheel.platform_tag(files), files, texts))


if __name__ == "__main__":
    main()
