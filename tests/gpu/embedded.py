# SPDX-License-Identifier: Apache-2.0
"""The kernels in the backend's object are those that were built: a stale copy would run old code without a word.

Arguments: the fat binary, the shared object. Needs only Python's standard library.
"""

import hashlib
import sys

built, holder = (open(path, "rb").read() for path in sys.argv[1:])
at = holder.find(built)
embedded = holder[at : at + len(built)] if at >= 0 else b""
print("built   ", hashlib.sha256(built).hexdigest(), len(built), "bytes")
print("embedded", hashlib.sha256(embedded).hexdigest())
sys.exit(0 if built and embedded == built else 1)
