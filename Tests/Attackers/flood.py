"""One user's programs that ask the service of places without a pause, each connection as fast as it is answered.

Usage: flood.py SOCKET CONNECTIONS QUESTIONS SECONDS TEXT

QUESTIONS are those of each connection. It says "asking" once it is connected and "done" at the end.
"""

import json
import select
import socket
import sys
import time


def main():
    path, connections, questions, seconds, text = sys.argv[1:6]
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "geocode", "params": {"text": text}}) + "\n"
    rest = {}
    for _ in range(int(connections)):
        one = socket.socket(socket.AF_UNIX)
        one.connect(path)
        one.setblocking(False)
        rest[one] = line.encode() * int(questions)
    print("asking", flush=True)
    end = time.monotonic() + float(seconds)
    while rest and time.monotonic() < end:
        readable, writable, _ = select.select(list(rest), [one for one in rest if rest[one]], [], 0.1)
        for one in writable:
            try:
                rest[one] = rest[one][one.send(rest[one]):]
            except OSError:
                rest[one] = b""
        for one in readable:
            try:
                if not one.recv(65536):
                    del rest[one]
            except OSError:
                del rest[one]
    print("done", flush=True)


main()
