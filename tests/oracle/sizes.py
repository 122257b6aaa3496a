# SPDX-License-Identifier: Apache-2.0
"""Sizes: ShapeUtil::ByteSizeOf, as XLA's cost analysis shows it for the result of a copy, against ours.

    sizes.py LIBRARY COUNT SEED

ByteSizeOf knows E(n) and neither tiles nor L(n): it is our logical_bytes, and our bytes where the layout has neither.
"""

import os
import re
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402
import shim  # noqa: E402
import texts  # noqa: E402
from jaxlib import _hlo, _jax  # noqa: E402


def main():
    library, count, generator = shim.Library(sys.argv[1]), int(sys.argv[2]), texts.Texts(int(sys.argv[3]))
    client = jax.devices("cpu")[0].client
    checked = plain = 0
    while checked < count:
        text = generator.array()
        # Dynamic arrays have a table of sizes beside them; a split one may not be copied.
        if re.search(r"\?|<=|T\(\)|\(\)|SC", text):
            continue
        module = _hlo.hlo_module_from_text(
            f"HloModule m\nENTRY e {{\n  p = {text} parameter(0)\n  ROOT c = {text} copy(p)\n}}")
        xla = _jax.hlo_module_cost_analysis(client, module).get("bytes accessedout{}", 0)
        sizes = library.shape(text).sizes()
        # XLA counts in floats: exact up to 2^24.
        exact = xla < 1 << 24
        if (sizes.logical_bytes != xla) if exact else abs(sizes.logical_bytes / xla - 1) > 1e-6:
            print(f"UNEXPLAINED: {text}: {sizes.logical_bytes} bytes, XLA says {xla}")
            return 1
        if not re.search(r"[TL]\(", text):
            plain += 1
            if sizes.bytes != sizes.logical_bytes:
                print(f"UNEXPLAINED: {text}: {sizes.bytes} bytes of storage without tiles, not {sizes.logical_bytes}")
                return 1
        checked += 1
    print(f"{checked} sizes as XLA has them, {plain} of them of arrays without tiles")
    return 0


sys.exit(main())
