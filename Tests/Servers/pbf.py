"""Writes OpenStreetMap's binary format."""
import struct
import zlib


def number(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def numbers(values):
    return b"".join(map(number, values))


def field(key, value):
    if isinstance(value, int):
        return number(key << 3) + number(value)
    return number(key << 3 | 2) + number(len(value)) + value


def deltas(values):
    """What each adds to the one before it, as zigzag numbers."""
    out, last = bytearray(), 0
    for value in values:
        step, last = value - last, value
        step = step << 1 ^ step >> 63
        while step > 0x7F:
            out.append(step & 0x7F | 0x80)
            step >>= 7
        out.append(step)
    return bytes(out)


def blob(kind, block):
    body = field(2, len(block)) + field(3, zlib.compress(block, 4))
    head = field(1, kind) + field(3, len(body))
    return struct.pack(">I", len(head)) + head + body


class Group:
    """Blocks of things with the words that they share."""

    def __init__(self):
        self.blocks, self.things, self.strings, self.count = [], [], {}, 0

    def tagged(self, tags):
        self.count += 1
        keys, values = self.words(tags), self.words(tags.values())
        return field(1, self.count) + field(2, keys) + field(3, values)

    def words(self, texts):
        return numbers(self.strings.setdefault(text.encode(), len(self.strings) + 1) for text in texts)

    def add(self, thing, most=8000):
        self.things.append(thing)
        if len(self.things) >= most:
            self.flush()

    def flush(self):
        if self.things:
            table = field(1, field(1, b"") + b"".join(field(1, text) for text in self.strings))
            self.blocks.append(blob(b"OSMData", table + field(2, b"".join(self.things))))
            self.things, self.strings = [], {}


class Extract:
    def __init__(self):
        self.ways, self.relations = Group(), Group()

    def way(self, refs, tags):
        self.ways.add(field(3, self.ways.tagged(tags) + field(8, deltas(refs))))
        return self.ways.count

    def relation(self, members, tags):
        """Members: role, kind (0 node, 1 way), number."""
        body, (roles, kinds, refs) = self.relations.tagged(tags), zip(*members)
        body += field(8, self.relations.words(roles)) + field(9, deltas(refs)) + field(10, numbers(kinds))
        self.relations.add(field(4, body))

    def write(self, path, latitudes, longitudes, tags={}):
        """Places in degrees times ten million, and tags by the numbers of nodes, which count from 1."""
        nodes = Group()
        for start in range(0, len(latitudes), 8000):
            end = min(start + 8000, len(latitudes))
            dense = field(1, deltas(range(start + 1, end + 1)))
            dense += field(8, deltas(latitudes[start:end])) + field(9, deltas(longitudes[start:end]))
            said = [tags.get(i, {}) for i in range(start + 1, end + 1)]
            if any(said):
                pairs = (nodes.words(word for tag in own.items() for word in tag) + b"\0" for own in said)
                dense += field(10, b"".join(pairs))
            nodes.add(field(2, dense), most=1)
        with open(path, "wb") as file:
            file.write(blob(b"OSMHeader", field(4, b"OsmSchema-V0.6") + field(4, b"DenseNodes")))
            for group in (nodes, self.ways, self.relations):
                group.flush()
                file.writelines(group.blocks)
