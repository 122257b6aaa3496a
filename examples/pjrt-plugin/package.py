#!/usr/bin/env python3
"""Makes the wheel that jax finds by itself: `package.py [--without-simd] PREFIX PLUGIN OUT`.

PREFIX: an installed xlashape; PLUGIN: xlashape_pjrt_plugin.so. In the wheel the plugin, the library and its backends lie
side by side, so that nothing else need be installed. The plugin is announced by the entry point `jax_plugins`.
A prefix without the backend simd is refused, unless --without-simd says that relayouts may be many times slower.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "bindings"))

from wheels import LICENSE_FIELDS, THIRD_PARTY, WITHOUT_SIMD, library_files, platform_tag, write  # noqa: E402

NAME, VERSION = "xlashape_pjrt_plugin", "0.1.0"
FOLDER = "jax_plugins/xlashape"


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != WITHOUT_SIMD]
    if len(arguments) != 3:
        sys.exit(__doc__)
    prefix, plugin, out = map(Path, arguments)
    files = {
        f"{FOLDER}/__init__.py": (HERE / "python" / FOLDER / "__init__.py").read_bytes(),
        f"{FOLDER}/{plugin.name}": plugin.read_bytes(),
        **library_files(prefix, FOLDER, WITHOUT_SIMD in sys.argv),
    }
    fields = ["Metadata-Version: 2.4", f"Name: {NAME}", f"Version: {VERSION}", "Requires-Dist: jax>=0.8"]
    fields += LICENSE_FIELDS
    more = {
        "entry_points.txt": "[jax_plugins]\nxlashape = jax_plugins.xlashape\n",
        "licenses/THIRD_PARTY.txt": THIRD_PARTY,
    }
    print(write(out, NAME, VERSION, files, "\n".join(fields) + "\n", platform_tag(), more))


if __name__ == "__main__":
    main()
