"""How near our ways are to OSRM's, and how soon they come: directions.py PLACES ENGINES EXTRACT COUNT SEED...

PLACES is locationd-places, ENGINES what fetch-engines made, EXTRACT the roads of both. For each seed COUNT pairs of road
places are asked of OSRM itself, with its profiles for cars, feet and bicycles, and of the service, by its own roads: cars
also for places up to 60 m off the road, and for other ways. The figures are those of the worst seed. Pairs that OSRM finds
no way for, takes a road more than 10 m (off the road 100 m) away for, or that are less than 200 m apart, do not count. It
fails where less is reached than is to be."""
import math
import random
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import zlib

import figures
from ways import Osrm, Service

CARS = {"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street"}
CARS |= {kind + "_link" for kind in ("motorway", "trunk", "primary", "secondary", "tertiary")}

# What is to be reached, in per cent of the pairs; milliseconds are those of a question over the socket.
LEAST = {
    "car": {"length10": 97, "length20": 99, "time10": 95, "time20": 98, "found": 100},
    "aside": {"length10": 94, "found": 100},
    "foot": {"length10": 98, "time10": 98, "found": 100},
    "bicycle": {"length10": 96, "time20": 98, "found": 100},
    "others": {"offered": 80, "good": 100},
}
MOST = {"car": {"p50": 2, "p99": 8}}
WORDS = {
    "car": "cars", "aside": "cars, off the road", "foot": "feet", "bicycle": "bicycles", "others": "other ways of cars",
    "length10": "length within 10 %", "length20": "length within 20 %", "time10": "time within 10 %",
    "time20": "time within 20 %", "found": "found", "offered": "offered where OSRM does", "good": "good ones",
}
TRANSPORT = {"car": "automobile", "aside": "automobile", "foot": "walking", "bicycle": "cycling", "others": "automobile"}


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


def metres(a, b):
    east = (b[1] - a[1]) * math.cos(math.radians((a[0] + b[0]) / 2))
    return 111195 * math.hypot(b[0] - a[0], east)


def is_good(best, other):
    """Whether another way is one: of two lines, by the places that they have in common."""
    def along(line):
        sums = [0.0]
        for a, b in zip(line, line[1:]):
            sums.append(sums[-1] + metres(a, b))
        return sums

    mine, theirs = along(other), along(best)
    places = {tuple(place): theirs[i] for i, place in enumerate(best)}
    if mine[-1] >= 1.3 * theirs[-1] or len({tuple(place) for place in other}) < len(other):
        return False
    shared, before, section = 0, False, (0.0, 0.0)
    for i, place in enumerate(map(tuple, other)):
        if place not in places:
            before = False
            continue
        length, replaced = mine[i] - section[0], places[place] - section[1]
        if i and (replaced < 0 or length > 1.5 * replaced + 5):
            return False
        shared += length if before else 0
        before, section = True, (mine[i], places[place])
    return shared < 0.75 * mine[-1]


def share(values, most):
    return 100 * sum(abs(value - 1) <= most for value in values) / len(values)


def measure(places, osrm, service, kind, count, seed):
    pick = random.Random("%d %s" % (seed, kind) if kind != "car" else seed)

    def end():
        place = pick.choice(places)
        if kind != "aside":
            return place
        far, way = 60 * pick.random(), 2 * math.pi * pick.random()
        return (
            place[0] + far * math.cos(way) / 111195,
            place[1] + far * math.sin(way) / 111195 / math.cos(math.radians(place[0])),
        )

    lengths, times, spent, theirs_spent, offered, found, good = [], [], [], [], 0, 0, []
    while len(lengths) < count:
        start, goal = end(), end()
        answer, their_time = osrm.route(start, goal, "&alternatives=2" if kind == "others" else "")
        most = 100 if kind == "aside" else 10
        if answer["code"] != "Ok" or max(place["distance"] for place in answer["waypoints"]) > most:
            continue
        theirs = answer["routes"][0]
        if theirs["distance"] < 200:
            continue
        told, milliseconds = service.route(start, goal, transport=TRANSPORT[kind], alternates=kind == "others")
        ours = told.get("result", {}).get("routes") or []
        spent.append(milliseconds)
        theirs_spent.append(their_time)
        # One that is not found is as wrong as can be.
        lengths.append(ours[0]["distance"] / theirs["distance"] if ours else 0)
        times.append(ours[0]["expectedTravelTime"] / theirs["duration"] if ours else 0)
        if ours and ours[0]["engine"] != "locationd":
            raise SystemExit("another engine answers: " + ours[0]["engine"])
        if len(answer["routes"]) > 1:
            offered += 1
            found += len(ours) > 1
        good += [is_good(ours[0]["polyline"], other["polyline"]) for other in ours[1:]]

    reached = {
        "found": 100 * (1 - lengths.count(0) / count),
        "length10": share(lengths, 0.1),
        "length20": share(lengths, 0.2),
        "time10": share(times, 0.1),
        "time20": share(times, 0.2),
        "offered": 100 * found / max(offered, 1),
        "good": 100 * sum(good) / max(len(good), 1),
    }
    return {key: round(value, 1) for key, value in reached.items()}, spent, theirs_spent


def tell(kind, seeds):
    for key, least in LEAST[kind].items():
        figures.say(f"{WORDS[kind]}: {WORDS[key]}", min(reached[key] for reached, _, _ in seeds), "%", least=least)
    ours, theirs = (sum((seed[i] for seed in seeds), []) for i in (1, 2))
    most = MOST.get(kind, {})
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    for name, part, ratio in (("p50", 0.5, ratio), ("p99", 0.99, None)):
        figures.say(
            f"{WORDS[kind]}: {name}", figures.at(part, ours), "ms", peer="OSRM, by HTTP", beside=figures.at(part, theirs),
            ratio=ratio, most=most.get(name))


program, engines, extract, count, *seeds = sys.argv[1:]
if figures.quick:
    count, seeds = 40, seeds[:1]
folder = tempfile.mkdtemp(prefix="directions-")
running = []
try:
    subprocess.run([program, "--import", extract, "--data", folder], check=True, stdout=subprocess.DEVNULL)
    servers = {}
    for kind, name in (("car", "osrm"), ("foot", "osrm-foot"), ("bicycle", "osrm-bicycle")):
        servers[kind] = Osrm(engines, name)
        running.append(servers[kind].process)
    servers["aside"] = servers["others"] = servers["car"]
    service = Service(program, folder, folder)
    running.append(service.process)
    places = road_places(extract)
    for kind in LEAST:
        tell(kind, [measure(places, servers[kind], service, kind, int(count), seed) for seed in map(int, seeds)])
finally:
    for process in running:
        process.kill()
        process.wait()
    shutil.rmtree(folder, ignore_errors=True)
figures.end()
