"""One user's programs on the bus that call and never read what they are answered.

Usage: deaf.py BUS DESTINATION PATH INTERFACE MEMBER CONNECTIONS CALLS [TEXT]

CALLS are those of each connection; with TEXT each call has one argument, a dictionary with that text. It says
"calling" once it is on the bus, "done" when all is sent or the bus takes no more for some seconds, and stays until it
is killed.
"""

import os
import select
import socket
import struct
import sys
import time


class Body(bytearray):
    def align(self, size):
        self.extend(bytes(-len(self) % size))

    def number(self, value):
        self.align(4)
        self.extend(struct.pack("<I", value))

    def text(self, value):
        self.number(len(value.encode()))
        self.extend(value.encode() + b"\0")

    def signature(self, value):
        self.extend(bytes([len(value)]) + value.encode() + b"\0")


def call(serial, destination, path, interface, member, text=None):
    body, types = Body(), ""
    if text is not None:
        types = "a{sv}"
        entry = Body()
        entry.text("text")
        entry.signature("s")
        entry.text(text)
        body.number(len(entry))
        body.align(8)
        body.extend(entry)
    fields = Body()
    for code, kind, value in [(1, "o", path), (2, "s", interface), (3, "s", member),
                              (6, "s", destination), (8, "g", types)]:
        if not value:
            continue
        fields.align(8)
        fields.append(code)
        fields.signature(kind)
        fields.signature(value) if kind == "g" else fields.text(value)
    whole = Body(struct.pack("<cBBBIII", b"l", 1, 0, 1, len(body), serial, len(fields)))
    whole.extend(fields)
    whole.align(8)
    return bytes(whole + body)


def connect(address):
    bus = socket.socket(socket.AF_UNIX)
    bus.connect(address.removeprefix("unix:path="))
    bus.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
    assert bus.recv(200).startswith(b"OK")
    bus.sendall(b"BEGIN\r\n")
    name = "org.freedesktop.DBus"
    bus.sendall(call(1, name, "/org/freedesktop/DBus", name, "Hello"))
    assert bus.recv(4096)
    bus.setblocking(False)
    return bus


def main():
    address, *target = sys.argv[1:6]
    connections, calls = int(sys.argv[6]), int(sys.argv[7])
    text = sys.argv[8] if len(sys.argv) > 8 else None
    left = {connect(address): [2, b""] for _ in range(connections)}
    kept = list(left)
    print("calling", flush=True)
    last = time.monotonic()
    while left and time.monotonic() - last < 3:
        for bus in select.select([], list(left), [], 0.1)[1]:
            serial, rest = left[bus]
            if not rest:
                if serial > calls + 1:
                    del left[bus]
                    continue
                rest = b"".join(
                    call(serial + i, *target, text) for i in range(min(16, calls + 2 - serial)))
                left[bus][0] = serial = serial + 16
            try:
                left[bus][1] = rest[bus.send(rest):]
                last = time.monotonic()
            except BlockingIOError:
                left[bus][1] = rest
            except OSError:
                del left[bus]
    print("done", flush=True)
    while kept:
        time.sleep(1)


main()
