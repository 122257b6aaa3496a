# SPDX-License-Identifier: Apache-2.0
"""The PJRT plugin for jax: devices whose memory is laid out like a TPU's.

jax finds this module by itself and calls `initialize`. The plugin is the file beside this one, or the one that
$XLASHAPE_PJRT_PLUGIN names. Its options come from the environment: XLASHAPE_PJRT_DEVICES="tpu:v5e,cpu" and so on.
XLASHAPE_PJRT_PLATFORMS="tiled=tpu:v5e;rows=cpu" makes more than one platform, each with devices of its own.
"""

import os
import pathlib

from jax._src import xla_bridge


def library() -> pathlib.Path:
    """The plugin's shared object."""
    named = os.environ.get("XLASHAPE_PJRT_PLUGIN")
    return pathlib.Path(named) if named else pathlib.Path(__file__).with_name("xlashape_pjrt_plugin.so")


def initialize() -> None:
    """Registers the platform "xlashape", or those that are named, behind all others: programs get them only by name.
    One that $PJRT_NAMES_AND_LIBRARY_PATHS names is left to jax,
    which registers it afterwards and refuses to do so twice."""
    path = library()
    if not path.exists():
        return
    given = os.environ.get("PJRT_NAMES_AND_LIBRARY_PATHS", "").split(",")
    taken = {entry.partition(":")[0] for entry in given}
    named = os.environ.get("XLASHAPE_PJRT_PLATFORMS", "xlashape")
    for platform in named.split(";"):
        name, has_devices, devices = platform.partition("=")
        if name in taken:
            continue
        options = {"devices": devices} if has_devices else None
        xla_bridge.register_plugin(name, priority=-100, library_path=str(path), options=options)
