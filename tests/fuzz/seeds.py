# SPDX-License-Identifier: Apache-2.0
"""Makes the folder of seeds of a fuzz target: seeds.py TARGET FOLDER.

Those of most targets are lines of seeds.jsonl, a text or the bytes in hexadecimal. Those of scan_fuzz are the files of
tests/data/fuzz/scan_fuzz. An input of api_fuzz is a list of operations of twelve bytes: any will do, so its seeds are
drawn, the same ones each time.
"""
import json
import pathlib
import random
import shutil
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data/fuzz"
API_SEEDS, API_BYTES = 190, 1200


def seeds(target):
    if target == "api_fuzz":
        draw = random.Random(9)
        return [draw.randbytes(API_BYTES) for _ in range(API_SEEDS)]
    if (DATA / target).is_dir():
        return [path.read_bytes() for path in sorted((DATA / target).iterdir())]
    lines = map(json.loads, (DATA / "seeds.jsonl").read_text(encoding="utf-8").splitlines())
    return [bytes.fromhex(line["hex"]) if "hex" in line else line["text"].encode()
            for line in lines if line["target"] == target]


target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
for number, seed in enumerate(seeds(target)):
    (folder / str(number)).write_bytes(seed)
