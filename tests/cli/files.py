# SPDX-License-Identifier: Apache-2.0
"""Makes the files that the command reads, and takes apart those it writes: .npy, .npz, PNG, .safetensors. Standard
library only."""

import ast
import io
import json
import struct
import zipfile
import zlib


def npy(dtype, shape, data, fortran=False, version=1, header=None):
    """A .npy file; `header` replaces its dictionary."""
    text = header if header is not None else f"{{'descr': '{dtype}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    text = text.encode("utf-8" if version == 3 else "latin1")
    fixed = 10 if version == 1 else 12
    text += b" " * (-(len(text) + 1 + fixed) % 64) + b"\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def parse_npy(data):
    """(dtype, fortran, shape, bytes) of a version 1 file."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0
    header = ast.literal_eval(data[10 : 10 + length].decode("latin1"))
    return header["descr"], header["fortran_order"], header["shape"], data[10 + length :]


def npz(members, compression=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, data in members.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as member:  # as NumPy does
                member.write(data)
    return out.getvalue()


def safetensors(tensors, metadata=None, header=None, length=None):
    """A .safetensors file of {name: (dtype, shape, bytes)}; `header` and `length` replace what it begins with."""
    told, data = {} if metadata is None else {"__metadata__": metadata}, b""
    for name, (dtype, shape, content) in tensors.items():
        told[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(told).encode() if header is None else header
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def parse_safetensors(data):
    """({name: (dtype, shape, bytes)}, metadata), as the format's description says."""
    (length,) = struct.unpack("<Q", data[:8])
    assert (8 + length) % 8 == 0 and data[8:9] == b"{"
    header = json.loads(data[8 : 8 + length])
    metadata, found, at = header.pop("__metadata__", {}), {}, 8 + length
    for name, told in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = (8 + length + offset for offset in told["data_offsets"])
        assert begin == at and set(told) == {"dtype", "shape", "data_offsets"}, told
        found[name], at = (told["dtype"], told["shape"], data[begin:end]), end
    assert at == len(data)
    return found, metadata


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


COLORS = {1: 0, 2: 4, 3: 2, 4: 6}


def png(height, width, channels, data, bits=8, color=None, palette=None, image=None):
    """A PNG; 16-bit data is big-endian. `image` replaces the packed pixels."""
    row = width * channels * bits // 8
    raw = b"".join(b"\0" + data[y * row : (y + 1) * row] for y in range(height)) if image is None else b""
    head = struct.pack(">IIBBBBB", width, height, bits, COLORS[channels] if color is None else color, 0, 0, 0)
    out = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head)
    if palette:
        out += _chunk(b"PLTE", palette)
    return out + _chunk(b"IDAT", zlib.compress(raw) if image is None else image) + _chunk(b"IEND", b"")


def parse_png(data):
    """(height, width, channels, bits, pixels) of a PNG without interlacing."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", None
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, bits, color = head[:4]
    channels = {0: 1, 4: 2, 2: 3, 6: 4}[color]
    raw, step = zlib.decompress(packed), channels * bits // 8
    row = width * step
    rows, before = [], bytearray(row)
    for y in range(height):
        kind, line = raw[y * (row + 1)], bytearray(raw[y * (row + 1) + 1 : (y + 1) * (row + 1)])
        for x in range(row):
            left = line[x - step] if x >= step else 0
            up = before[x]
            corner = before[x - step] if x >= step else 0
            if kind == 1:
                line[x] = (line[x] + left) & 255
            elif kind == 2:
                line[x] = (line[x] + up) & 255
            elif kind == 3:
                line[x] = (line[x] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                line[x] = (line[x] + min((left, up, corner), key=lambda v: abs(guess - v))) & 255
        rows.append(bytes(line))
        before = line
    return height, width, channels, bits, b"".join(rows)
