# SPDX-License-Identifier: Apache-2.0
"""python -m xlashape: what a shape is, where its elements lie, and relayout of .npy files. The `xlashape` command does
much more."""

from __future__ import annotations

import argparse
import signal
import sys
from typing import List, Optional

from . import IndexMap, Shape, XlashapeError, __version__, npy, picture, relayout, report


def _explain(arguments: argparse.Namespace) -> None:
    for name, value in picture.facts(Shape.read(arguments.shape)):
        print(f"{name:<16} {value}")


def _index(arguments: argparse.Namespace) -> None:
    index_map = IndexMap(arguments.shape)
    for text in arguments.at:
        at = tuple(int(part) for part in text.split(",") if part.strip())
        print(f"[{','.join(map(str, at))}] -> {index_map.linear_index(at)}")
    for position in arguments.position:
        index = index_map.multidimensional_index(position)
        print(f"{position} -> " + ("padding" if index is None else f"[{','.join(map(str, index))}]"))


def _relayout(arguments: argparse.Namespace) -> None:
    source = npy.read(arguments.input, None if arguments.of else arguments.element_type)
    if arguments.of:
        result = relayout(source.data, arguments.to, of=arguments.of)
    else:
        result = relayout(source, arguments.to)
    npy.write(arguments.output, result)
    print(f"{arguments.output}: {result.shape}, {result.nbytes:,} bytes")


def _picture(arguments: argparse.Namespace) -> None:
    print(Shape.read(arguments.shape).draw(format="svg"))


def _backends(_: argparse.Namespace) -> None:
    print(report(), end="")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m xlashape", description=__doc__)
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: object, text: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text)
        one.set_defaults(run=run)
        return one

    command("explain", _explain, "what a shape is and takes").add_argument("shape")
    command("picture", _picture, "an array's cells and their places in memory, as SVG").add_argument("shape")
    one = command("index", _index, "index to position, and back")
    one.add_argument("shape")
    one.add_argument("--at", action="append", default=[], metavar="I,J,...", help="an index")
    one.add_argument("--position", action="append", default=[], type=int, metavar="N", help="a position in memory")
    one = command("relayout", _relayout, "an .npy file in another layout; a tiled one is written as its memory")
    one.add_argument("input")
    one.add_argument("output")
    one.add_argument("--to", required=True, metavar="LAYOUT", help="a layout in any words: row, nChw16c, HWC->CHW")
    one.add_argument("--of", metavar="SHAPE", help="the shape whose memory the input holds")
    one.add_argument("--element-type", metavar="TYPE", help='for types that .npy has no name for: "bf16"')
    command("backends", _backends, "every place looked at for backends, and what was there")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    """0 ok, 1 the library said no, 2 usage."""
    given = _parser().parse_args(arguments)
    try:
        given.run(given)
    except (XlashapeError, OSError, ValueError, OverflowError) as error:
        print(f"xlashape: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as any other command: `... | head` is no error
    sys.exit(main())
