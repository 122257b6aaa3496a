# SPDX-License-Identifier: Apache-2.0
"""XLA's answers about texts, one line in, one line out, in a process of its own: XLA aborts on some texts."""

import json
import sys

from jax._src.lib import xla_client


def answer(text):
    try:
        shape = xla_client.Shape(text)
    except Exception as error:  # noqa: BLE001 whatever XLA throws is a refusal
        return {"error": str(error)[:200]}
    result = {"text": str(shape), "proto": shape.to_serialized_proto().hex()}
    if shape.is_array():
        result["dynamic"] = shape.is_dynamic()
        result["rank"] = shape.rank()
    if shape.is_tuple() or shape.is_array():
        result["leaves"] = shape.leaf_count()
    return result


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if "equal" in request:
            a, b = (xla_client.Shape(text) for text in request["equal"])
            result = {"equal": a == b}
        else:
            result = answer(request["text"])
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


main()
