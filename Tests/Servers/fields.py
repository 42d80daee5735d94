"""Answers in Nominatim's, Photon's and OSRM's words, field by field beside those of the servers that the words are of."""
import math
import sys
import unicodedata

# In per cent of the answers of Nominatim that have the field: a field that is right more seldom fails the run.
LEAST_OF_PLACES = {
    "found": 99, "place": 97, "name": 97, "class": 97, "type": 97, "addresstype": 97, "road": 96, "city": 98,
    "suburb": 97, "postcode": 92, "country": 98, "country_code": 98, "osm_id": 95, "house_number": 98, "extratags": 90,
    "namedetails": 98, "boundingbox": 98,
}
LEAST_OF_PHOTON = {
    "found": 97, "place": 95, "name": 95, "osm_key": 95, "osm_value": 95, "street": 95, "city": 98, "countrycode": 98,
    "osm_id": 93, "housenumber": 98, "postcode": 92, "district": 97,
}
# In per cent of what OSRM says of the same ways.
LEAST_OF_WAYS = {
    "distance": 90, "duration": 97, "waypoints": 98, "their names": 90, "names of steps": 90, "side of turns": 98,
    "depart, arrive": 99, "mode": 95, "driving_side": 99,
}
# Differences with a cause: counted by its name, and not among the wrong ones of that field.
CAUSES = {
    "border": "the place is in the other country: that is counted as wrong, its town, suburb and postcode follow from it",
    "addr:city": "a mapper wrote another town's name into addr:city, which is kept here; Nominatim goes by borders alone",
    "bend": "OSRM says a side where the road bends by less than 30 degrees, or the other side than its own bearings say",
    "building": "the tags of a building that has nothing but a number: no extract keeps those",
}
MOST_OF_CAUSES = {"border": 3, "addr:city": 5, "bend": 100, "building": 12}
# The next word is near enough.
SIDES = {"sharp left": -3, "left": -2, "slight left": -1, "straight": 0, "slight right": 1, "right": 2, "sharp right": 3}
# In metres: an engine snaps to the road that its profile knows.
BESIDE = 20
# In degrees.
LEAST_BEND = 30


class Table:
    """How many of each field are right, and how many differ for a cause."""

    def __init__(self, peer):
        self.peer, self.fields, self.causes = peer, {}, {}

    def count(self, field, is_right, *said):
        right, all = self.fields.get(field, (0, 0))
        self.fields[field] = (right + bool(is_right), all + 1)
        if not is_right:
            print("  differs:", self.peer, field, *said, sep=" | ", file=sys.stderr)

    def excuse(self, cause):
        self.causes[cause] = self.causes.get(cause, 0) + 1

    def tell(self, least):
        """Says them all, and gives those that are right too seldom, or that nothing was compared of."""
        missed = [f"beside {self.peer}: {field} never" for field in least if field not in self.fields]
        for field, (right, all) in self.fields.items():
            share = 100 * right / all
            print(f"beside {self.peer}, {field}: {right} of {all} ({share:.1f} %)")
            if share < least.get(field, 0):
                missed.append(f"beside {self.peer}: {field}")
        for cause, count in self.causes.items():
            print(f"beside {self.peer}, {count} times: {CAUSES[cause]}")
            if count > MOST_OF_CAUSES[cause]:
                missed.append(f"beside {self.peer}: {cause}")
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


def place(answer):
    return float(answer["lat"]), float(answer["lon"])


class Places:
    """One question's answers: those of Nominatim, and the one that is like them here."""

    def __init__(self, table, question, several, number):
        self.table, self.question = table, question
        self.same = [one for one in several if (one.get("osm_type"), one.get("osm_id")) == number]
        self.right = (self.same + several)[0]
        self.is_road = self.right["addresstype"] == "road"

    def compare(self, field, theirs, ours):
        if theirs is not None and ours is not None:
            self.table.count(field, plain(str(theirs)) == plain(str(ours)), self.question, theirs, ours)

    def compare_place(self, at):
        # A street is many ways there, and one here.
        far = metres(place(self.right), at)
        self.table.count("place", far <= (500 if self.is_road else 60), self.question, self.right["display_name"], far)


def compare_nominatim(table, kind, question, several, got):
    places = Places(table, question, several, (got.get("osm_type"), got.get("osm_id")))
    right, same = places.right, places.same
    theirs, ours = right["address"], got["address"]
    places.compare_place(place(got))
    if kind == "search":
        if "house_number" in theirs:
            places.compare("house_number", theirs["house_number"], ours.get("house_number", ""))
        else:
            places.compare("name", right["name"], got["name"])
        if not places.is_road:
            table.count("osm_id", same, question, right["osm_id"], got.get("osm_id"))
    if same:
        for field in ("class", "type", "addresstype"):
            places.compare(field, right[field], got[field])
        for key in (right.get("namedetails") or {}).keys() & (got.get("namedetails") or {}).keys():
            places.compare("namedetails", right["namedetails"][key], got["namedetails"][key])
        # The size of what is more than a point stands in no extract's file.
        if right["osm_type"] == "node":
            sides = [[float(side) for side in one["boundingbox"]] for one in (right, got)]
            table.count("boundingbox", all(abs(a - b) < 2e-6 for a, b in zip(*sides)), question, *sides)
        if kind == "search" and not places.is_road and got["type"] != "house":
            those, these = right["extratags"] or {}, got["extratags"]
            for key in those.keys() | these.keys():
                if those.get(key) != these.get(key) and got["class"] == "building":
                    table.excuse("building")
                else:
                    table.count("extratags", those.get(key) == these.get(key), question, (key, those), these)
    for field in ("road", "country", "country_code"):
        places.compare(field, theirs.get(field), ours.get(field))
    compare_towns(places, "city", theirs, town(ours), ours)


def compare_towns(places, field, theirs, city, ours, suburb="suburb"):
    """The parts of an address that follow from where borders are drawn."""
    code = ours.get("country_code") or ours.get("countrycode")
    if theirs.get("country_code") != (code or "").lower():
        return places.table.excuse("border")
    # Monte-Carlo, beside Monaco.
    is_written = theirs.get("city") and city and city in (theirs.get("suburb"), theirs.get("quarter"))
    if is_written and plain(city) != plain(town(theirs)):
        places.table.excuse("addr:city")
    else:
        places.compare(field, town(theirs), city)
    places.compare(suburb, theirs.get("suburb"), ours.get(suburb))
    places.compare("postcode", theirs.get("postcode"), ours.get("postcode"))


def compare_photon(table, kind, question, several, got):
    """A feature of Photon's, whose data come out of Nominatim's database, beside Nominatim's answer."""
    ours = got["properties"]
    kinds = {"N": "node", "W": "way", "R": "relation"}
    places = Places(table, question, several, (kinds.get(ours.get("osm_type")), ours.get("osm_id")))
    right, theirs = places.right, places.right["address"]
    places.compare_place(got["geometry"]["coordinates"][::-1])
    if kind == "search":
        if "house_number" in theirs:
            places.compare("housenumber", theirs["house_number"], ours.get("housenumber", ""))
        else:
            places.compare("name", right["name"], ours.get("name", ""))
        if not places.is_road:
            table.count("osm_id", places.same, question, right["osm_id"], ours.get("osm_id"))
    if places.same:
        places.compare("osm_key", right["class"], ours["osm_key"])
        places.compare("osm_value", right["type"], ours["osm_value"])
    if not places.is_road:
        places.compare("street", theirs.get("road"), ours.get("street"))
    places.compare("countrycode", theirs.get("country_code"), ours.get("countrycode"))
    compare_towns(places, "city", theirs, ours.get("city"), ours, "district")


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
        at = step["maneuver"]["location"][::-1]
        same = [one for one in steps[0] if metres(one["maneuver"]["location"][::-1], at) < 0.5]
        if not same:
            continue
        compare_turns(table, ends, same[0]["maneuver"], step["maneuver"])
        for field in ("mode", "driving_side"):
            table.count(field, same[0][field] == step[field], ends, step[field], same[0][field])


def bend(maneuver):
    return (maneuver["bearing_after"] - maneuver["bearing_before"] + 180) % 360 - 180


def compare_turns(table, ends, ours, theirs):
    if theirs["type"] in ("depart", "arrive"):
        table.count("depart, arrive", ours["type"] == theirs["type"], ends, theirs, ours)
    elif theirs["type"] in ("turn", "end of road"):
        # Where the road is bent otherwise beside the place, a side is a matter of taste.
        is_alike = all(abs((ours[side] - theirs[side] + 180) % 360 - 180) < 20
                       for side in ("bearing_before", "bearing_after"))
        if not is_alike or "uturn" in (ours.get("modifier"), theirs.get("modifier")):
            return
        sides = [SIDES.get(one.get("modifier"), 0) for one in (ours, theirs)]
        is_right = abs(sides[0] - sides[1]) <= 1
        if not is_right and (abs(bend(theirs)) < LEAST_BEND or bend(theirs) * sides[1] < 0):
            table.excuse("bend")
        else:
            table.count("side of turns", is_right, ends, theirs, ours)
