"""A program that asks locationd for everything, by every door, and keeps each byte that it is sent.

Usage: curious.py DOOR BUS CONTROL

Told "mark" at CONTROL, it forgets what was sent to it up to now. Told "ask", it asks for everything,
says "listening", and when it is told "end", what it was sent since the mark, as one line of base 64.
"""

import base64
import json
import queue
import socket
import sys
import threading
import time

import dbus
import dbus.bus

# Seconds: a busy machine is slow.
PATIENCE = 300
HOME, CLIENT = "org.locationd", "org.locationd.Client1"
GEOCLUE = "org.freedesktop.GeoClue2"
PROPERTIES = "org.freedesktop.DBus.Properties"
# Its edge crosses the track; neither its middle nor its radius says where.
REGION = {"identifier": "edge", "latitude": 68.7381, "longitude": 117.3, "radius": 33209.0}

heard = bytearray()
lock = threading.Lock()


def hear(data):
    with lock:
        heard.extend(data)


class Door:
    """The Unix socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.last = 0
        self.answered = threading.Condition()
        self.answers = set()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        rest = b""
        while data := self.socket.recv(65536):
            hear(data)
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                with self.answered:
                    self.answers.add(json.loads(line).get("id"))
                    self.answered.notify()

    def send(self, method, **parameters):
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": parameters}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        return self.last

    def wait(self, number):
        with self.answered:
            if not self.answered.wait_for(lambda: number in self.answers, PATIENCE):
                sys.exit("the daemon does not answer")

    def ask(self):
        self.send("hello", name="curious", purpose="everything")
        self.send("status")
        self.send("location")
        self.send("requestLocation", timeout=0.2)
        self.send("requestLocation", timeout=1, desiredAccuracy=0.001)
        self.send("startUpdatingLocation")
        self.send("startUpdatingLocation", manager=1, desiredAccuracy=3000, distanceFilter=20)
        self.send("startUpdatingLocation", manager=2, pausesAutomatically=True, activityType="fitness")
        self.send("startUpdatingHeading", headingFilter=-1)
        self.send("startMonitoringSignificantLocationChanges")
        self.send("startMonitoringVisits")
        self.send("startMonitoring", region={"type": "circle", **REGION})
        self.send("startMonitoring", region={"type": "circle", **REGION, "radius": "wide"})
        self.send("monitoredRegions")
        self.send("requestState", identifier="edge")
        self.send("requestState", identifier="nowhere")
        self.send("requestTemporaryFullAccuracy", purpose="everything")
        self.send("beginUse")
        self.send("endUse")
        self.send("setActivation", unit="curious.service")
        self.send("acknowledge", event=0)
        self.send("location", manager="one")
        self.socket.sendall(b'{"jsonrpc":"2.0","id":"x","method":"location","params":[1]}\nnonsense\n')
        self.wait(self.send("status"))

    def look(self):
        self.send("location")
        self.send("requestState", identifier="edge")
        self.send("monitoredRegions")
        self.send("status")
        # The order holds: this answer comes after all that was told before.
        self.wait(self.send("requestLocation", timeout=0.2))
        self.wait(self.send("status"))


class Bus:
    """Both names on the bus, by a connection that passes by here."""

    def __init__(self, address):
        self.bus = dbus.bus.BusConnection(self.tap(address.removeprefix("unix:path=")))
        self.clients = [
            self.call(HOME, "/org/locationd", HOME + ".Manager1", "CreateClient", "a{sv}",
                      {"name": "curious"}),
        ]
        self.geoclue = [self.call(GEOCLUE, "/org/freedesktop/GeoClue2/Manager",
                                  GEOCLUE + ".Manager", "CreateClient")]
        self.newest = 0

    def tap(self, path):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("")
        listener.listen()
        bus = socket.socket(socket.AF_UNIX)
        bus.connect(path)

        def up(ours):
            while data := ours.recv(65536):
                bus.sendall(data)

        def down():
            ours, _ = listener.accept()
            threading.Thread(target=up, args=[ours], daemon=True).start()
            while data := bus.recv(65536):
                hear(data)
                ours.sendall(data)

        threading.Thread(target=down, daemon=True).start()
        return "unix:abstract=" + listener.getsockname()[1:].decode()

    def call(self, service, path, interface, member, signature="", *arguments):
        if path is None:
            return None
        try:
            return self.bus.call_blocking(
                service, path, interface, member, signature, arguments, timeout=PATIENCE)
        except dbus.DBusException:
            return None

    def properties(self, service, path, interface):
        return self.call(service, path, PROPERTIES, "GetAll", "s", interface)

    def ask(self):
        for path in self.clients:
            def ask(member, signature="", *arguments):
                self.call(HOME, path, CLIENT, member, signature, *arguments)

            self.call(HOME, path, PROPERTIES, "Set", "ssv", CLIENT, "HeadingFilter", -1.0)
            for member in ["StartUpdatingLocation", "StartUpdatingHeading", "RequestLocation",
                           "StartMonitoringSignificantLocationChanges", "StartMonitoringVisits",
                           "BeginUse", "EndUse"]:
                ask(member)
            ask("StartMonitoring", "aa{sv}", dbus.Array([REGION], signature="a{sv}"))
            ask("RequestState", "s", "edge")
            ask("RequestTemporaryFullAccuracy", "s", "everything")
            ask("SetActivation", "a{sv}", dbus.Dictionary({"unit": "x.service"}, signature="sv"))
        for path in self.geoclue:
            for name, value in [("DesktopId", "curious"), ("RequestedAccuracyLevel", dbus.UInt32(8))]:
                self.call(GEOCLUE, path, PROPERTIES, "Set", "ssv", GEOCLUE + ".Client", name, value)
            self.call(GEOCLUE, path, GEOCLUE + ".Client", "Start")
        self.look()

    def look(self):
        manager = "/org/freedesktop/GeoClue2/Manager"
        self.properties(HOME, "/org/locationd", HOME + ".Manager1")
        self.call(HOME, "/org/locationd", HOME + ".Manager1", "Status")
        self.call(HOME, "/org/locationd", HOME + ".Permissions1", "List")
        self.properties(GEOCLUE, manager, GEOCLUE + ".Manager")
        for path in self.clients:
            self.properties(HOME, path, CLIENT)
            self.call(HOME, path, CLIENT, "RequestLocation")
        for path in self.geoclue:
            client = self.properties(GEOCLUE, path, GEOCLUE + ".Client")
            place = str((client or {}).get("Location", "/"))
            self.properties(GEOCLUE, place, GEOCLUE + ".Location")
            self.newest = max(self.newest, int("0" + place.rpartition("/")[2]))
        # A client may still read what it was told, and not what others were.
        for number in range(max(1, self.newest - 100), self.newest + 5):
            path = f"/org/freedesktop/GeoClue2/Location/{number}"
            self.properties(GEOCLUE, path, GEOCLUE + ".Location")
        for number in range(1, 12):
            self.properties(HOME, f"/org/locationd/client/{number}", CLIENT)
            self.properties(
                GEOCLUE, f"/org/freedesktop/GeoClue2/Client/{number}", GEOCLUE + ".Client")

    def wait(self):
        self.call(HOME, "/org/locationd", HOME + ".Manager1", "Status")
        self.properties(GEOCLUE, "/org/freedesktop/GeoClue2/Manager", GEOCLUE + ".Manager")


def main():
    control = socket.socket(socket.AF_UNIX)
    control.connect(sys.argv[3])
    orders = queue.Queue()

    def take_orders():
        for line in control.makefile("r"):
            orders.put(line.strip())
        orders.put(None)

    threading.Thread(target=take_orders, daemon=True).start()
    door, bus = Door(sys.argv[1]), Bus(sys.argv[2])
    control.sendall(b"ready\n")
    while word := orders.get():
        if word == "ask":
            door.ask()
            bus.ask()
            door.wait(door.send("status"))
            control.sendall(b"listening\n")
            while orders.empty():
                bus.wait()
                time.sleep(0.05)
            orders.get()
            door.look()
            bus.look()
        door.wait(door.send("status"))
        bus.wait()
        with lock:
            answer = base64.b64encode(bytes(heard)) if word == "ask" else b"marked"
            heard.clear()
        control.sendall(answer + b"\n")


main()
