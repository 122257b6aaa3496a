# SPDX-License-Identifier: Apache-2.0
"""A WebSocket (RFC 6455) to a program of this machine, as its client: texts there and back."""

import base64
import os
import select
import socket
import struct
import time

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class WebSocket:
    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=60)
        self.buffer = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"no WebSocket: {head.decode(errors='replace')}")

    def _more(self):
        part = self.socket.recv(1 << 20)
        if not part:
            raise RuntimeError("the other side has ended")
        self.buffer += part

    def _bytes(self, count):
        while len(self.buffer) < count:
            self._more()
        found, self.buffer = self.buffer[:count], self.buffer[count:]
        return found

    def send(self, text, kind=TEXT):
        data = text.encode() if isinstance(text, str) else text
        size = len(data)
        head = bytes([0x80 | kind])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        mask = os.urandom(4)  # Firefox closes where it is zero
        whole = (mask * (size // 4 + 1))[:size]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(whole, "big")).to_bytes(size, "big")
        self.socket.sendall(head + mask + masked)

    def receive(self, seconds):
        """The next text; None if none begins in time."""
        text, end = b"", time.monotonic() + seconds
        while True:
            if not self.buffer and not text:
                ready, _, _ = select.select([self.socket], [], [], max(0, end - time.monotonic()))
                if not ready:
                    return None
            first, size = self._bytes(2)
            if size >= 126:
                form = ">H" if size == 126 else ">Q"
                size, = struct.unpack(form, self._bytes(struct.calcsize(form)))
            data, kind = self._bytes(size), first & 15
            if kind == PING:
                self.send(data, PONG)
            elif kind == CLOSE:
                raise RuntimeError("the other side has closed the WebSocket")
            elif kind != PONG:
                text += data
                if first & 0x80:
                    return text.decode()

    def close(self):
        self.socket.close()
