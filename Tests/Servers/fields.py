"""Answers in Nominatim's and OSRM's words, field by field beside those of the servers that the words are of."""
import math
import sys
import unicodedata

# In per cent of the answers of Nominatim that have the field.
LEAST_OF_PLACES = {
    "found": 97, "place": 95, "name": 95, "category": 97, "type": 97, "addresstype": 94, "road": 94, "city": 94, "state": 94,
    "postcode": 94, "country": 94, "country_code": 94, "osm_id": 92, "house_number": 94, "extratags": 92,
    "namedetails": 94, "boundingbox": 97,
}
# In per cent of what OSRM says of the same ways.
LEAST_OF_WAYS = {"distance": 90, "duration": 90, "waypoints": 90, "mode": 99, "driving_side": 99}
# The next word is near enough.
SIDES = {"sharp left": -3, "left": -2, "slight left": -1, "straight": 0, "slight right": 1, "right": 2, "sharp right": 3}
# In metres: an engine snaps to the road that its profile knows.
BESIDE = 20


class Table:
    """How many of each field are right."""

    def __init__(self, peer):
        self.peer, self.fields = peer, {}

    def count(self, field, is_right, *said):
        right, all = self.fields.get(field, (0, 0))
        self.fields[field] = (right + bool(is_right), all + 1)
        if not is_right:
            print("  differs:", field, *said, sep=" | ", file=sys.stderr)

    def tell(self, least):
        """Says them all, and gives those that are right too seldom."""
        missed = []
        for field, (right, all) in self.fields.items():
            share = 100 * right / all
            print(f"beside {self.peer}, {field}: {right} of {all} ({share:.1f} %)")
            if share < least.get(field, 0):
                missed.append(f"beside {self.peer}: {field}")
        return missed


def metres(a, b):
    x = math.radians(b[1] - a[1]) * math.cos(math.radians(a[0]))
    return 6371000 * math.hypot(x, math.radians(b[0] - a[0]))


def plain(text):
    letters = unicodedata.normalize("NFD", text.casefold())
    return "".join(one for one in letters if one.isalnum())


# --- Places
TOWNS = ("city", "town", "village", "hamlet", "municipality")


def town(address):
    return next((address[word] for word in TOWNS if word in address), None)


def compare_places(table, kind, question, several, got):
    same = [one for one in several if (one.get("osm_type"), one.get("osm_id")) == (got.get("osm_type"), got.get("osm_id"))]
    right = (same + several)[0]
    is_road = right["addresstype"] == "road"
    theirs, ours = right["address"], got["address"]
    places = [(float(one["lat"]), float(one["lon"])) for one in (right, got)]
    # A street is many ways there, and one here.
    table.count("place", metres(*places) <= (500 if is_road else 60), question, right["display_name"], got["display_name"])

    def count(field, one, other):
        if one is not None and other is not None:
            table.count(field, plain(one) == plain(other), question, one, other)

    if kind == "search":
        if "house_number" in theirs:
            count("house_number", theirs["house_number"], ours.get("house_number", ""))
        else:
            count("name", right["name"], got["name"])
        if not is_road:
            table.count("osm_id", same, question, right["osm_id"], got.get("osm_id"))
    if same:
        for field in ("category", "type", "addresstype"):
            count(field, right[field], got[field])
        for key in (right["namedetails"] or {}).keys() & (got["namedetails"] or {}).keys():
            count("namedetails", right["namedetails"][key], got["namedetails"][key])
        # The size of what is more than a point stands in no extract's file.
        if right["osm_type"] == "node":
            sides = [[float(side) for side in one["boundingbox"]] for one in (right, got)]
            table.count("boundingbox", all(abs(a - b) < 2e-6 for a, b in zip(*sides)), question, *sides)
        if kind == "search" and not is_road and got["type"] != "house":
            those, these = right["extratags"] or {}, got["extratags"]
            for key in those.keys() | these.keys():
                table.count("extratags", those.get(key) == these.get(key), question, (key, those), these)
    for field in ("road", "suburb", "county", "state", "postcode", "country", "country_code"):
        count(field, theirs.get(field), ours.get(field))
    count("city", town(theirs), town(ours))


# --- Ways
def compare_ways(table, ends, got, right):
    """Answers in OSRM's words: how long and how far, and, where the way is the same, its parts."""
    ours, theirs = got["routes"][0], right["routes"][0]
    far = theirs["distance"]
    is_near = abs(ours["distance"] - far) <= max(0.1 * far, 100)
    table.count("distance", is_near, ends, far, ours["distance"])
    if not is_near:
        return
    table.count("duration", abs(ours["duration"] - theirs["duration"]) <= max(0.2 * theirs["duration"], 30),
                ends, theirs["duration"], ours["duration"])
    for one, other in zip(got["waypoints"], right["waypoints"]):
        is_there = metres(*(way["location"][::-1] for way in (one, other))) < BESIDE
        table.count("waypoints", is_there, ends, other, one)
        if is_there:
            table.count("their names", one["name"] == other["name"], ends, other["name"], one["name"])
    if abs(ours["distance"] - far) > max(0.01 * far, 10):
        return
    steps = [[step for leg in way["legs"] for step in leg["steps"]] for way in (ours, theirs)]
    names = [[step["name"] for step in some if step["name"]] for some in steps]
    names = [[name for i, name in enumerate(some) if some[i - 1:i] != [name]] for some in names]
    # Short bits between have their names here.
    rest = iter(names[0])
    table.count("names of steps", all(name in rest for name in names[1]), ends, *names[::-1])
    for step in steps[1]:
        place = step["maneuver"]["location"][::-1]
        same = [one for one in steps[0] if metres(one["maneuver"]["location"][::-1], place) < 0.5]
        if same and step["maneuver"]["type"] in ("turn", "end of road", "depart", "arrive"):
            kinds = [one["maneuver"] for one in (same[0], step)]
            if kinds[1]["type"] in ("turn", "end of road"):
                # Where the road is bent otherwise beside the place, a side is a matter of taste.
                is_alike = all(abs((kinds[0][side] - kinds[1][side] + 180) % 360 - 180) < 20
                               for side in ("bearing_before", "bearing_after"))
                if is_alike and "uturn" not in [kind.get("modifier") for kind in kinds]:
                    sides = [SIDES.get(kind.get("modifier"), 0) for kind in kinds]
                    table.count("side of turns", abs(sides[0] - sides[1]) <= 1, ends, *kinds[::-1])
            else:
                table.count("depart, arrive", kinds[0]["type"] == kinds[1]["type"], ends, *kinds[::-1])
        for field in ("mode", "driving_side"):
            if same:
                table.count(field, same[0][field] == step[field], ends, step[field], same[0][field])
