"""Writes an extract of a country that nobody has mapped: country.py FILE.osm.pbf [--junctions COUNT] [--seed NUMBER]

Towns and villages of crooked streets, roads between neighbours, motorways between big towns of which half are missing, a
lake with ferries. 1,000,000 junctions are 350 km wide; fewer are as dense."""
import argparse
import array
import math
import random
import sys

sys.dont_write_bytecode = True
import pbf

parser = argparse.ArgumentParser()
parser.add_argument("file")
for key, value in (("--junctions", 1_000_000), ("--seed", 1)):
    parser.add_argument(key, type=int, default=value)
options = parser.parse_args()
dice = random.Random(options.seed)
chance, pick = dice.random, dice.choice
SIDE = 350 * options.junctions ** 0.5
extract, latitudes, longitudes, tagged = pbf.Extract(), array.array("i"), array.array("i"), {}
NAMES = [a + b for a in "Ash Bell Cold Elm Fal Glen Hol Ing Kel Lind Mar Nor Oak Pen Rav Sel Ul Wen".split()
         for b in "berg den field ford ham ley mouth stead ton wick".split()]
STREETS = ["residential"] * 12 + ["tertiary", "unclassified"] * 3
STREETS += "living_street service footway path pedestrian cycleway".split()
LINK = {"highway": "motorway_link", "oneway": "yes"}


def node(x, y):
    latitudes.append(int(480_000_000 + y * 89.83))
    longitudes.append(int(100_000_000 + x * 138.5))
    return len(latitudes)


def at(one):
    return (longitudes[one - 1] - 100_000_000) / 138.5, (latitudes[one - 1] - 480_000_000) / 89.83


def bend(a, b, step, swing):
    """A crooked line of nodes some `step` metres apart, up to `swing` of its length beside the straight one."""
    (x, y), (u, v) = at(a), at(b)
    count = int(math.hypot(u - x, v - y) / step + chance())
    s, t, p, q = (chance() - 0.5) * 8 * swing, (chance() - 0.5) * 4 * swing, 2 + 6 * chance(), 5 + 20 * chance()
    line = [a]
    for k in (i / count for i in range(1, count)):
        side = (s * math.sin(p * k) + t * math.sin(q * k)) * k * (1 - k)
        line.append(node(x + (u - x) * k - (v - y) * side, y + (v - y) * k + (u - x) * side))
    return line + [b]


class Town:
    def __init__(self, rank, x, y, size):
        self.rank, self.x, self.y, self.reach, self.ends = rank, x, y, 60 * size ** 0.5 + 1000, {}
        wide = max(3, round((size * (0.6 + chance())) ** 0.5))
        high, step, turn = max(3, round(size / wide)), 65 + 60 * chance(), chance() * math.pi
        c, s = math.cos(turn) * step, math.sin(turn) * step
        spots = [[(i - wide / 2 + chance() / 2, j - high / 2 + chance() / 2) for j in range(high)] for i in range(wide)]
        lines = [[node(x + c * i - s * j, y + s * i + c * j) for i, j in column] for column in spots]
        lines += [list(row) for row in zip(*lines)]
        self.main = lines[wide // 2], lines[-high // 2]
        for line in lines:
            self.street(line, line in self.main)
        for via in (one for one, ways in self.ends.items() if len(ways) > 1 and chance() < 0.03):
            (a, _), (b, far) = dice.sample(self.ends[via], 2)
            word = pick(("no_left_turn", "no_left_turn", "no_right_turn", "only_straight_on", "no_u_turn"))
            middle, to = ("via", 0, via), a if word == "no_u_turn" else b
            if word == "no_u_turn" and len(self.ends[far]) > 1 and chance() < 0.5:
                middle, to = ("via", 1, b), pick(self.ends[far])[0]
            extract.relation([("from", 1, a), middle, ("to", 1, to)], {"type": "restriction", "restriction": word})
        tagged[node(x, y)] = {"place": "town" if size > 500 else "village", "name": pick(NAMES) + " %d" % (rank + 1)}

    def street(self, line, is_main):
        tags = {"highway": pick(STREETS)}
        if is_main:
            tags["highway"] = ("primary", "secondary", "tertiary")[min(2, self.rank * 40_000 // options.junctions)]
        elif chance() < 0.15:
            line, tags["oneway"] = line[::pick((1, -1))], "yes"
        tags |= {"maxspeed": pick(("30", "50", "60"))} if is_main or chance() < 0.3 else {}
        tags |= {"name": pick(NAMES) + pick((" Street", " Road", " Lane", ""))} if chance() < 0.45 else {}
        refs = line[:1]
        for a, b in zip(line, line[1:]):
            is_missing = not is_main and chance() < 0.14
            refs += [] if is_missing else bend(a, b, 29, 0.12)[1:]
            if is_missing or chance() < 0.3 or b == line[-1]:
                if len(refs) > 1:
                    rare = pick((("surface", "gravel"), ("bridge", "yes"), ("access", "destination"), ("lanes", "1")))
                    number = extract.way(refs, tags | dict([rare]) if chance() < 0.02 else tags)
                    self.ends.setdefault(refs[0], []).append((number, refs[-1]))
                    self.ends.setdefault(refs[-1], []).append((number, refs[0]))
                refs = [b]
            if chance() < 0.06:
                (x, y), east, north = at(b), chance() - 0.5, chance() - 0.5
                extract.way(bend(b, node(x + 80 * east, y + 80 * north), 15, 0.1), {"highway": "service"})
            if is_main and chance() < 0.15:
                tagged[b] = {"highway": "traffic_signals"}

    def gate(self, place):
        return min((line[i] for line in self.main for i in (0, -1)), key=lambda one: math.dist(at(one), place))


def neighbours(towns):
    """Pairs without another town in the circle between them."""
    cell, cells = 2 * SIDE / len(towns) ** 0.5, {}
    for one in towns:
        cells.setdefault((one.x // cell, one.y // cell), []).append(one)
    for a in towns:
        near = [b for i in (-1, 0, 1) for j in (-1, 0, 1) for b in cells.get((a.x // cell + i, a.y // cell + j), ())]
        for b in near:
            x, y, reach = (a.x + b.x) / 2, (a.y + b.y) / 2, math.dist((a.x, a.y), (b.x, b.y)) / 2
            if a.rank < b.rank and all(math.dist((c.x, c.y), (x, y)) >= reach for c in near if c not in (a, b)):
                yield a, b


def road(a, b, kind):
    """Between two gates, with tracks and farms beside it, or over the lake."""
    tags = {"highway": kind, "ref": "R%d" % dice.randrange(3000), "maxspeed": str(dice.randrange(65, 111, 5))}
    tags |= {"name": pick(NAMES) + " Road"} if chance() < 0.33 else {}
    line, refs, last = bend(a, b, 65, 0.25), [], 0
    if any(math.hypot((x / SIDE - 0.45) / 2, y / SIDE - 0.5) < 0.05 for x, y in map(at, line[::8])):
        return extract.way(line[::20] + [b], {"route": "ferry", "duration": "00:%d" % dice.randrange(10, 60)})
    for one in line:
        refs.append(one)
        if chance() < 0.15:
            (x, y), east, north = at(one), chance() - 0.5, chance() - 0.5
            inner = bend(one, last if last and chance() < 0.25 else node(x + 900 * east, y + 900 * north), 60, 0.4)
            last = one
            if chance() < 0.1 and len(inner) > 2:
                tagged[inner[1]] = {"barrier": pick(("gate", "lift_gate", "bollard", "cattle_grid"))}
            more = pick(({}, {"tracktype": "grade1"}, {"tracktype": "grade3"}, {"access": "private"}))
            extract.way(inner, {"highway": "service" if "access" in more else "track"} | more)
        if len(refs) > 60 * chance() + 30 or one == b and len(refs) > 1:
            extract.way(refs, tags | {"bridge": "yes", "layer": "1"} if chance() < 0.05 else tags)
            refs = [one]


def motorway(a, b):
    """Two roads beside each other, with slip roads from and to a roundabout at towns near them."""
    tags = {"highway": "motorway", "oneway": "yes", "lanes": "2", "maxspeed": str(dice.randrange(65, 111, 5))}
    tags |= {"ref": "M%d" % dice.randrange(200)} | ({"toll": "yes"} if chance() < 0.25 else {})
    line = [at(one) for one in bend(node(a.x, a.y), node(b.x, b.y), 120, 0.1)]
    sides = [node(x + 12, y - 12) for x, y in line], [node(x - 12, y + 12) for x, y in line]
    cuts = [0]
    for i in [0, *range(60, len(line) - 60, 10), len(line) - 4]:
        x, y = line[i]
        town = min(towns, key=lambda one: math.dist((x, y), (one.x, one.y)))
        if i in (0, len(line) - 4) or i - cuts[-1] > 60 and math.dist((x, y), (town.x, town.y)) < 5000:
            ring = [node(x + 300 + 30 * math.cos(k * 0.785), y + 300 + 30 * math.sin(k * 0.785)) for k in range(8)]
            extract.way(ring + ring[:1], {"highway": "secondary", "junction": "roundabout"})
            for off, on, k in ((sides[0][i], sides[0][i + 3], 0), (sides[1][i + 3], sides[1][i], 3)):
                extract.way(bend(off, ring[k], 60, 0.2), LINK)
                extract.way(bend(ring[k + 1], on, 60, 0.2), LINK)
            road(ring[6], town.gate((x, y)), "secondary")
            cuts += [i, i + 3]
    for i, j in zip(cuts[1:], cuts[2:]):
        extract.way(sides[0][i:j + 1], tags)
        extract.way(sides[1][i:j + 1][::-1], tags)


towns, count = [], max(9, options.junctions // 333)
shares = [(k + 3) ** -0.8 for k in range(count)]
while len(towns) < count:
    x, y, size = chance() * SIDE, chance() * SIDE, max(12, 0.72 * options.junctions * shares[len(towns)] / sum(shares))
    if all(abs(x - one.x) + abs(y - one.y) > 60 * size ** 0.5 + one.reach for one in towns):
        towns.append(Town(len(towns), x, y, size))
for part, kinds in ((1, ("tertiary", "tertiary", "unclassified")), (8, ("secondary",)), (25, ("primary",))):
    for a, b in neighbours(towns[:max(3, count // part)]):
        road(a.gate((b.x, b.y)), b.gate((a.x, a.y)), pick(kinds))
for a, b in list(neighbours(towns[:max(4, count // 75)]))[::2]:
    motorway(a, b)
extract.write(options.file, latitudes, longitudes, tagged)
