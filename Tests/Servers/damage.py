"""Writes damaged copies of an OpenStreetMap file: damage.py FILE FOLDER FIRST COUNT. What is damaged is the text within the
file's compressed blocks, which a checksum keeps from mere accidents, and now and then the frame of a block."""
import random, struct, sys, zlib


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def number(value):
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def blocks(data):
    """The kind and the text of each."""
    at = 0
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        header = data[at + 4:at + 4 + size]
        at += 4 + size
        kind = header[2:2 + header[1]]
        place, size = 2 + header[1], 0
        while place < len(header):
            key, place = varint(header, place)
            if key & 7 == 2:
                size, place = varint(header, place)
                place += size
            else:
                size, place = varint(header, place)
        blob, at, place = data[at:at + size], at + size, 0
        while place < len(blob):
            key, place = varint(blob, place)
            size, place = varint(blob, place)
            if key == 3 << 3 | 2:
                yield kind, zlib.decompress(blob[place:place + size])
            if key & 7 == 2:
                place += size


def block(kind, text):
    blob = number(1 << 3 | 2) + number(len(text)) + text
    header = number(1 << 3 | 2) + number(len(kind)) + kind + number(3 << 3) + number(len(blob))
    return struct.pack(">I", len(header)) + header + blob


def damaged(text, luck):
    text = bytearray(text)
    for _ in range(luck.choice([1, 2, 8, 50])):
        at = luck.randrange(len(text))
        how = luck.randrange(4)
        if how == 0:
            text[at] = luck.randrange(256)
        elif how == 1:
            text[at] = luck.choice([0, 127, 128, 255])
        elif how == 2:
            text[at:at + luck.randrange(1, 20)] = b""
        else:
            text[at:at] = bytes([255]) * luck.randrange(1, 11)
        if not text:
            break
    return bytes(text)


def changed(text, luck):
    """Other numbers in whole messages: a byte that ends a number becomes another that does."""
    text = bytearray(text)
    for _ in range(luck.choice([1, 10, 100])):
        at = luck.randrange(len(text) // 3, len(text))
        if text[at] < 128:
            text[at] ^= 1 << luck.randrange(7)
    return bytes(text)


file, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
whole = list(blocks(open(file, "rb").read()))
for i in range(first, first + count):
    luck = random.Random(i)
    how = damaged if i % 4 == 0 else changed
    chosen = {luck.randrange(len(whole)) for _ in range(luck.choice([1, 3]))}
    out = b"".join(block(k, how(t, luck) if n in chosen else t) for n, (k, t) in enumerate(whole))
    if i % 20 == 0:
        out = damaged(out, luck)
    if i % 30 == 0:
        out = out[:luck.randrange(len(out))]
    with open(f"{folder}/{i}.osm.pbf", "wb") as to:
        to.write(out)
