"""How near our ways are to OSRM's, and how soon they come: directions.py PLACES ENGINES EXTRACT COUNT SEED... [--strict]

PLACES is locationd-places, ENGINES what fetch-engines made, EXTRACT the roads of both. For each seed COUNT pairs of road
places are asked of OSRM itself and of the service, by its own roads and through OSRM; a line of JSON is printed. Pairs
that OSRM finds no way for, takes a road more than 10 m away for, or that are less than 200 m apart, do not count.
--strict: it fails where less is reached than is to be."""
import http.client
import json
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import zlib

CARS = {"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street"}
CARS |= {kind + "_link" for kind in ("motorway", "trunk", "primary", "secondary", "tertiary")}


LEAST = (("length10", 85), ("length20", 92), ("time20", 80), ("time30", 90))
MOST = (("offlineMs", 20), ("osrmMs", 10))


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def fields(data):
    """Of a message: the number of each field and its value."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:
            at += 8 if key & 7 == 1 else 4
            continue
        yield key >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def deltas(data):
    total, values = 0, []
    for value in packed(data):
        total += value >> 1 ^ -(value & 1)
        values.append(total)
    return values


def road_places(path):
    """The places of all roads that cars use."""
    places, used = {}, set()
    with open(path, "rb") as file:
        while head := file.read(4):
            header = dict(fields(file.read(struct.unpack(">I", head)[0])))
            body = dict(fields(file.read(header[3])))
            if header[1] != b"OSMData":
                continue
            block = list(fields(zlib.decompress(body[3]) if 3 in body else body[1]))
            strings = [value for number, value in fields(next(value for number, value in block if number == 1))]
            about = {number: value for number, value in block if number > 2}
            scale = about.get(17, 100) * 1e-9
            for group in (value for number, value in block if number == 2):
                for number, value in fields(group):
                    if number == 2:
                        dense = dict(fields(value))
                        latitudes, longitudes = deltas(dense[8]), deltas(dense[9])
                        for node, latitude, longitude in zip(deltas(dense[1]), latitudes, longitudes):
                            places[node] = (latitude * scale, longitude * scale)
                    elif number == 3:
                        way = dict(fields(value))
                        keys, values = packed(way.get(2, b"")), packed(way.get(3, b""))
                        tags = {strings[key].decode(): strings[value].decode() for key, value in zip(keys, values)}
                        closed = tags.get("access") in ("no", "private") or tags.get("area") == "yes"
                        if tags.get("highway") in CARS and not closed:
                            used.update(deltas(way[8]))
    return [places[node] for node in sorted(used) if node in places]


class Osrm:
    def __init__(self, engines):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine.py")
        self.process = subprocess.Popen([sys.executable, script, engines, "osrm"], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def route(self, start, end):
        path = "/route/v1/driving/%f,%f;%f,%f?overview=false" % (start[1], start[0], end[1], end[0])
        for attempt in range(3):
            try:
                self.connection.request("GET", path)
                return json.loads(self.connection.getresponse().read())
            except (http.client.HTTPException, OSError):
                # It closes connections as it likes.
                self.connection.close()
        raise SystemExit("OSRM does not answer")


class Service:
    def __init__(self, program, folder, port):
        configuration = folder + "/places.conf"
        with open(configuration, "w") as file:
            file.write("[Servers]\nBudget=100000\nRouter=osrm:http://127.0.0.1:%d\n" % port)
        arguments = ["--config", configuration, "--socket", folder + "/s", "--data", folder, "--bus", "none"]
        self.process = subprocess.Popen([program] + arguments, stderr=subprocess.PIPE, text=True)
        while "listens" not in self.process.stderr.readline():
            if self.process.poll() is not None:
                raise SystemExit("the service does not start")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(folder + "/s")
        self.lines = self.socket.makefile("rb")

    def route(self, start, end, offline):
        params = {"from": start, "to": end, "offline": offline}
        begin = time.perf_counter()
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "directions", "params": params}).encode() + b"\n")
        answer = json.loads(self.lines.readline())
        seconds = time.perf_counter() - begin
        routes = answer.get("result", {}).get("routes") or [None]
        if routes[0] and routes[0]["engine"] != ("routino" if offline else "osrm"):
            raise SystemExit("another engine answers: " + routes[0]["engine"])
        return routes[0], seconds


def measure(places, osrm, service, count, seed):
    pick = random.Random(seed)
    lengths, times, offline, online = [], [], [], []
    while len(lengths) < count:
        start, end = pick.choice(places), pick.choice(places)
        answer = osrm.route(start, end)
        if answer["code"] != "Ok" or max(place["distance"] for place in answer["waypoints"]) > 10:
            continue
        theirs = answer["routes"][0]
        if theirs["distance"] < 200:
            continue
        ours, seconds = service.route(start, end, True)
        offline.append(seconds)
        online.append(service.route(start, end, False)[1])
        # One that is not found is as wrong as can be.
        lengths.append(ours["distance"] / theirs["distance"] if ours else 0)
        times.append(ours["expectedTravelTime"] / theirs["duration"] if ours else 0)

    def share(values, most):
        return round(100 * sum(abs(value - 1) <= most for value in values) / len(values), 1)

    def median(values):
        return sorted(values)[len(values) // 2]

    figures = {
        "seed": seed,
        "pairs": count,
        "unfound": lengths.count(0),
        "length10": share(lengths, 0.1),
        "length20": share(lengths, 0.2),
        "time20": share(times, 0.2),
        "time30": share(times, 0.3),
        "timeMedian": round(median(times), 3),
        "offlineMs": round(1000 * median(offline), 2),
        "osrmMs": round(1000 * median(online), 2),
    }
    print(json.dumps(figures), flush=True)
    return all(figures[key] >= least for key, least in LEAST) and all(figures[key] < most for key, most in MOST)


is_strict = "--strict" in sys.argv
program, engines, extract, count, *seeds = [word for word in sys.argv[1:] if word != "--strict"]
folder = tempfile.mkdtemp(prefix="directions-")
running = []
try:
    subprocess.run([program, "--import", extract, "--data", folder], check=True, stdout=subprocess.DEVNULL)
    osrm = Osrm(engines)
    running.append(osrm.process)
    service = Service(program, folder, osrm.port)
    running.append(service.process)
    places = road_places(extract)
    reached = [measure(places, osrm, service, int(count), int(seed)) for seed in seeds]
    if is_strict and not all(reached):
        raise SystemExit("less is reached than is to be: %s, %s ms" % (LEAST, MOST))
finally:
    for process in running:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
