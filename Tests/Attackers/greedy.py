"""One user's programs that want locationd to keep as much as it will: connections, names, managers,
regions, questions and answers that they do not read, by each door.

Usage: greedy.py SOCKET BUS

It says how often it was refused, by limit, as one line of JSON; what it got it holds until it is killed.
"""

import collections
import json
import re
import select
import signal
import socket
import sys
import time

import dbus
import dbus.bus

HOME, MANAGER, CLIENT = "org.locationd", "org.locationd.Manager1", "org.locationd.Client1"
LONG = "x" * 1024

refused = collections.Counter()


def count(message):
    for key in re.findall(r"(\w+)= ", message):
        refused[key] += 1


def polygon(number, corners):
    """Of short numbers, so that many go into a request."""
    side = corners // 4
    ring = [(number % 9 + i / side, 7) for i in range(side)]
    ring += [(number % 9 + 1, 7 + i / side) for i in range(side)]
    ring += [(number % 9 + 1 - i / side, 8) for i in range(side)]
    ring += [(number % 9, 8 - i / side) for i in range(side)]
    return [[round(a, 3), round(b, 3)] for a, b in ring]


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.settimeout(60)
        self.file = self.socket.makefile("rb")
        self.last = 0

    def send(self, method, padding="", **parameters):
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters,
                   "padding": padding}
        self.socket.sendall(json.dumps(request, separators=(",", ":")).encode() + b"\n")

    def listen(self):
        """Until the last request is answered. Whether that was done."""
        try:
            while line := self.file.readline():
                answer = json.loads(line)
                if "error" in answer:
                    count(answer["error"]["message"])
                if answer.get("id") == self.last:
                    return "result" in answer
        except OSError:
            pass
        return False

    def ask(self, method, **parameters):
        try:
            self.send(method, **parameters)
        except OSError:
            return False
        return self.listen()


def take_socket(path):
    connections = [Connection(path) for _ in range(620)]
    for number, connection in enumerate(connections):
        # Some as long as a request may be.
        padding = "p" * 60000 if number < 300 else ""
        try:
            connection.send("hello", name=LONG, purpose=LONG, padding=padding)
        except OSError:
            pass
    connections = [one for one in connections if one.listen()]
    first = connections[0]
    for number in range(25):
        points = polygon(number, 4000)
        first.ask(
            "startMonitoring",
            region={"identifier": f"{number} " + "i" * 250, "points": points})
    first.ask("requestAuthorization", level="always")
    # Its answers are read before the socket is full of them: the daemon reads no more from a client that
    # has much to read, and both would wait.
    for start in range(0, 1100, 10):
        for manager in range(start, start + 10):
            first.send("startUpdatingLocation", manager=manager)
            first.send("startUpdatingHeading", manager=manager)
        first.listen()
    for connection in connections[1:100]:
        for manager in range(12):
            connection.send("monitoredRegions", manager=manager, limit=1)
        connection.listen()
    # Answers that nobody reads, as long as they come; then halves of requests.
    for connection in connections[100:130]:
        connection.socket.settimeout(0.2)
        try:
            for _ in range(50):
                connection.send("monitoredRegions", limit=1000)
        except OSError:
            pass
    for connection in connections[130:200]:
        try:
            connection.socket.sendall(b"y" * 65000)
        except OSError:
            pass
    # Some of these are told so and disconnected, once the daemon has read that far.
    halves = [connection.socket for connection in connections[130:200]]
    deadline = time.monotonic() + 60
    while not refused["BytesPerUser"] and time.monotonic() < deadline:
        for one in select.select(halves, [], [], 1)[0]:
            try:
                text = one.recv(1 << 20, socket.MSG_PEEK).decode(errors="replace")
            except OSError:
                text = ""
            count(text)
            halves.remove(one)
    return connections


def take_bus(address):
    buses = []
    for _ in range(6):
        bus = dbus.bus.BusConnection(address)
        buses.append(bus)
        for number in range(110):
            try:
                path = bus.call_blocking(
                    HOME, "/org/locationd", MANAGER, "CreateClient", "a{sv}",
                    [{"name": LONG, "purpose": LONG}])
                if number == 0:
                    regions = dbus.Array([
                        {"identifier": f"bus {i} " + "i" * 240, "type": "circle",
                         "latitude": 45.0, "longitude": 7.0, "radius": 100.0 + i}
                        for i in range(21)], signature="a{sv}")
                    bus.call_blocking(HOME, path, CLIENT, "StartMonitoring", "aa{sv}", [regions])
                bus.call_blocking(HOME, path, CLIENT, "StartUpdatingLocation", "", [])
            except dbus.DBusException as error:
                count(error.get_dbus_message())
    return buses


if __name__ == "__main__":
    held = take_socket(sys.argv[1]), take_bus(sys.argv[2])
    print(json.dumps(refused), flush=True)
    signal.pause()
