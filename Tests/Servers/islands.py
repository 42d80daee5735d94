"""Writes an extract of OpenStreetMap that nobody has mapped: islands.py FILE.osm.pbf

Two islands with roads of 4 km, 10 km of sea between them; a third one 4 km north of the first, with a ferry; a rock with
a path. On the first island a toll road, an unpaved one, and stairs."""
import struct
import sys
import zlib


def number(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(key, value):
    if isinstance(value, int):
        return number(key << 3) + number(value)
    return number(key << 3 | 2) + number(len(value)) + value


def zigzag(value):
    return value << 1 if value >= 0 else (-value << 1) - 1


def deltas(values):
    out, last = b"", 0
    for value in values:
        out, last = out + number(zigzag(value - last)), value
    return out


def blob(kind, block):
    body = field(2, len(block)) + field(3, zlib.compress(block))
    head = field(1, kind) + field(3, len(body))
    return struct.pack(">I", len(head)) + head + body


nodes, ways = [], []


def line(places, **tags):
    refs = []
    for place in places:
        if place not in nodes:
            nodes.append(place)
        refs.append(nodes.index(place) + 1)
    ways.append((refs, tags))


def road(latitude, longitude, steps, north=0.0, east=0.002, **tags):
    line([(round(latitude + i * north, 6), round(longitude + i * east, 6)) for i in range(steps + 1)], **tags)


# The first island: main street, from 10.0 to 10.04, and what leaves it.
road(50.0, 10.0, 20, highway="primary", name="Main Street", maxspeed="50")
road(50.0, 10.0, 10, north=0.001, east=0, highway="residential", name="North Road")
road(50.01, 10.0, 20, highway="primary", name="Toll Road", toll="yes")
road(50.0, 10.04, 10, north=0.001, east=0, highway="residential", name="East Road")
road(50.0, 10.02, 5, north=-0.001, east=0, highway="unclassified", name="Gravel Road", surface="gravel")
road(49.995, 10.02, 10, highway="unclassified", name="South Road", surface="gravel")
road(50.0, 10.03, 2, north=0.0005, east=0, highway="steps", name="Stairs")
road(50.001, 10.03, 5, highway="footway", name="Promenade")
# The second, without a way to it.
road(50.0, 10.18, 20, highway="primary", name="Far Street")
road(50.0, 10.18, 10, north=0.001, east=0, highway="residential", name="Far Road")
# A rock with a path.
road(50.03, 10.09, 10, highway="footway", name="Rock Path")
# The third, with a ferry.
road(50.05, 10.0, 20, highway="primary", name="Harbour Street")
line([(50.01, 10.0), (50.03, 10.005), (50.05, 10.0)], route="ferry", name="Island Ferry")

strings = [b""]


def string(text):
    data = text.encode()
    if data not in strings:
        strings.append(data)
    return strings.index(data)


packed = b""
for i, (refs, tags) in enumerate(ways):
    keys = b"".join(number(string(key)) for key in tags)
    values = b"".join(number(string(value)) for value in tags.values())
    packed += field(3, field(1, i + 1) + field(2, keys) + field(3, values) + field(8, deltas(refs)))
dense = field(1, deltas(range(1, len(nodes) + 1)))
dense += field(8, deltas([round(place[0] * 1e7) for place in nodes]))
dense += field(9, deltas([round(place[1] * 1e7) for place in nodes]))
table = field(1, b"".join(field(1, data) for data in strings))
with open(sys.argv[1], "wb") as file:
    file.write(blob(b"OSMHeader", field(4, b"OsmSchema-V0.6") + field(4, b"DenseNodes")))
    file.write(blob(b"OSMData", table + field(2, field(2, dense))))
    file.write(blob(b"OSMData", table + field(2, packed)))
