#!/usr/bin/python3
"""Programs that speak Nominatim's, Photon's and OSRM's words, at locationd-places: do they understand it, and do they get
what they get from the servers that they were written for?
usage: web-clients.py PLACES ENGINES DATA [--all NOMINATIM]
PLACES is locationd-places, ENGINES what fetch-engines made, DATA the folder of the world and monaco.osm.pbf. PYTHONPATH has
geopy and routingpy. With --all the answers to 200 questions, asked by geopy's classes, are compared field by field with those
of a real Nominatim, which the virtual environment NOMINATIM has and a PostgreSQL of this run's own; each name that it has is
looked for; and QGIS finds a place. Exits 1 where something is wrong, or where a field is right more seldom than fields.py
wants."""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from geopy.geocoders import Nominatim, Photon
from routingpy import OSRM
from routingpy.exceptions import RouterApiError

from fields import (
    LEAST_OF_PHOTON, LEAST_OF_PLACES, LEAST_OF_WAYS, Table, compare_nominatim, compare_photon, compare_ways, metres)

places, engines, data = sys.argv[1:4]
nominatim = sys.argv[5] if sys.argv[4:5] == ["--all"] else None
house = pathlib.Path(__file__).resolve().parents[2]
work = pathlib.Path(tempfile.mkdtemp(prefix="web-clients-"))
extract = os.path.join(data, "monaco.osm.pbf")
children, wrong = [], []
LONGEST = 180
SEED, QUESTIONS = 20261127, 200


def start(command, **more):
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *map(str, command)], start_new_session=True,
        stdout=open(work / "said", "a"), stderr=subprocess.STDOUT, **more)
    children.append(child)
    return child


def wait(what, condition):
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        try:
            if condition():
                return
        except OSError:
            pass
        time.sleep(0.05)
    print((work / "said").read_text()[-3000:])
    raise SystemExit(f"waited {LONGEST} s for {what}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def answers(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)


def check(what, is_right, *more):
    if not is_right:
        wrong.append(what)
        print("WRONG", what, *more)


# --- ours
def service():
    imported = work / "imported"
    imported.mkdir()
    subprocess.run([places, "--import", extract, "--data", imported], check=True, capture_output=True)
    (work / "places.conf").write_text("")
    port = free_port()
    start([places, "--config", work / "places.conf", "--socket", work / "socket", "--bus", "none", "--data", data,
           "--data", imported, "--http", f"127.0.0.1:{port}"])
    wait("locationd-places", lambda: socket.create_connection(("127.0.0.1", port), 1).close() is None)
    return port


def geocoders(port):
    ours = Nominatim(domain=f"127.0.0.1:{port}", scheme="http", user_agent="web-clients", timeout=30)
    found = ours.geocode("Rue Grimaldi, Monaco", addressdetails=True, namedetails=True, extratags=True, language="fr")
    check("geopy: a street", found.raw["address"]["road"] == "Rue Grimaldi" and "Monaco" in found.address, found.raw)
    check("geopy: a number", found.raw.get("osm_type") == "way" and found.raw["osm_id"] > 0, found.raw)
    several = ours.geocode("Casino", exactly_one=False, limit=5, country_codes=["mc"],
                           viewbox=[(43.72, 7.40), (43.76, 7.45)], bounded=True)
    check("geopy: several", several and len(several) <= 5)
    parts = ours.geocode({"street": "Rue Grimaldi", "city": "Monaco", "country": "Monaco"})
    check("geopy: parts", parts and metres((43.7365, 7.4208), parts.point[:2]) < 500, parts)
    here = ours.reverse((43.7394, 7.4277), language="de", zoom=17)
    check("geopy: reverse", here.raw["address"]["road"] == "Place du Casino", here.raw)
    check("geopy: nothing", ours.geocode("zzqqxx zzqqyy") is None)
    korean = ours.geocode("München", language="ko")
    check("geopy: a language", "독일" in korean.address and "Germany" not in korean.address, korean.address)

    photon = Photon(domain=f"127.0.0.1:{port}/photon", scheme="http", timeout=30)
    found = photon.geocode("Rue Grimaldi, Monaco", location_bias=(43.73, 7.42), language="fr")
    check("geopy's Photon: a street", found and metres((43.7365, 7.4208), found.point[:2]) < 500, found)
    check("geopy's Photon: its properties", found.raw["properties"]["countrycode"] == "MC", found.raw)
    several = photon.geocode("casino", exactly_one=False, limit=3, bbox=[(43.72, 7.40), (43.76, 7.45)])
    check("geopy's Photon: several", several and len(several) <= 3)
    tagged = photon.geocode("casino", exactly_one=False, osm_tag=["highway"], location_bias=(43.739, 7.427))
    check("geopy's Photon: a tag", tagged and all(
        one.raw["properties"]["osm_key"] == "highway" for one in tagged), tagged)
    here = photon.reverse((43.7394, 7.4277), exactly_one=False, limit=4)
    check("geopy's Photon: reverse", here and len(here) == 4, here)
    check("geopy's Photon: nothing", photon.geocode("zzqqxx zzqqyy") is None)


# --- OSRM itself
def engine(name):
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", sys.executable, house / "Tests/Servers/engine.py", engines, name],
        stdout=subprocess.PIPE, text=True, start_new_session=True)
    children.append(child)
    return int(child.stdout.readline())


def routes(port, count):
    dice = random.Random(SEED)
    for name, profile in [("osrm", "driving"), ("osrm-foot", "foot"), ("osrm-bicycle", "bike")]:
        theirs = engine(name)
        ours_at, theirs_at = (OSRM(base_url=f"http://127.0.0.1:{one}") for one in (port, theirs))
        table, asked, wayless = Table(f"OSRM, {profile}"), 0, 0
        for _ in range(count):
            ends = [[dice.uniform(7.411, 7.438), dice.uniform(43.7285, 43.7495)] for _ in range(2)]
            try:
                right = theirs_at.directions(ends, profile=profile, geometries="geojson", overview="full", steps=True)
            except RouterApiError as error:
                check(f"OSRM: {profile} {ends}", "NoRoute" in str(error) or "NoSegment" in str(error), error)
                wayless += 1
                continue
            # Places in the sea have roads far away.
            if any(one["distance"] > 100 for one in right.raw["waypoints"]) or right.distance < 200:
                continue
            asked += 1
            try:
                got = ours_at.directions(ends, profile=profile, geometries="geojson", overview="full", steps=True)
            except Exception as error:
                check(f"routingpy: {profile} {ends}", False, error)
                continue
            steps = got.raw["routes"][0]["legs"][0]["steps"]
            check("routingpy: its steps", [steps[0]["maneuver"]["type"], steps[-1]["maneuver"]["type"]] == ["depart", "arrive"])
            compare_ways(table, ends, got.raw, right.raw)
        # A third of the box is sea.
        check(f"routingpy: {profile}, asked", asked >= count / 3 and wayless <= count / 5, asked, wayless)
        wrong.extend(table.tell(LEAST_OF_WAYS))
        several = ours_at.directions([[7.4197, 43.7311], [7.4277, 43.7394]], profile=profile, alternatives=2)
        check("routingpy: alternatives", 1 <= len(several) <= 3)
        for path in ("7.42,43.73", "7.42,43.73;x,1", "7.42,43.73;7.43,43.74?steps=perhaps"):
            codes = []
            for one in (theirs, port):
                try:
                    answers(f"http://127.0.0.1:{one}/route/v1/{profile}/{path}")
                except urllib.error.HTTPError as error:
                    codes.append((error.code, json.load(error)["code"]))
            check(f"OSRM's error for {path}", len(codes) == 2 and codes[0][0] == codes[1][0], codes)


# --- Nominatim itself
def real_nominatim():
    bin = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    base = work / "nominatim"
    base.mkdir()
    shutil.copy(extract, base / "monaco.osm.pbf")
    user = []
    if os.geteuid() == 0:
        for one in (base, base / "monaco.osm.pbf"):
            shutil.chown(one, "postgres")
        os.chmod(work, 0o711)
        user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    environment = {
        **os.environ, "PGHOST": str(base), "PGUSER": "nominatim", "HOME": str(base),
        "NOMINATIM_DATABASE_DSN": f"pgsql:dbname=nominatim;host={base};user=nominatim",
    }
    environment.pop("PYTHONPATH", None)

    def run(*command):
        done = subprocess.run([*user, *map(str, command)], cwd=base, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout

    run(bin / "initdb", "-D", base / "pg", "-A", "trust", "-U", "nominatim")
    start([*user, bin / "postgres", "-D", base / "pg", "-k", base, "-h", "", "-c", "fsync=off"], cwd=base, env=environment)
    wait("PostgreSQL", lambda: subprocess.run(
        ["psql", "-d", "postgres", "-c", "SELECT 1"], env=environment, capture_output=True).returncode == 0)
    run(bin / "createuser", "www-data")
    program = [os.path.abspath(os.path.join(nominatim, "bin", name)) for name in ("python", "nominatim")]
    run(*program, "import", "--osm-file", base / "monaco.osm.pbf", "--project-dir", base / "project", "--offline",
        "--no-updates", "--threads", "2", "--osm2pgsql-cache", "200")
    rows = run("psql", "-d", "nominatim", "-At", "-F", "\t", "-c", """
        SELECT class, name->'name', coalesce(housenumber, ''), coalesce(address->'street', ''),
          ST_Y(centroid), ST_X(centroid)
        FROM placex WHERE osm_type IN ('N', 'W') AND linked_place_id IS NULL AND country_code = 'mc'
          AND (name ? 'name' OR housenumber IS NOT NULL AND address ? 'street')
        ORDER BY osm_type, osm_id, class""")
    # Everything that has a name but borders, routes and whatever lies abroad.
    names = run("psql", "-d", "nominatim", "-At", "-F", "\t", "-c", """
        SELECT osm_type || osm_id, name->'name', ST_Y(centroid), ST_X(centroid), class = 'highway' AND osm_type = 'W'
        FROM placex WHERE name ? 'name' AND NOT (class = 'boundary' AND type = 'administrative') AND osm_id > 0
          AND linked_place_id IS NULL ORDER BY osm_type, osm_id""")
    port = free_port()
    start([*user, *program, "serve", "--project-dir", base / "project", "--server", f"127.0.0.1:{port}"],
          cwd=base, env=environment)
    wait("Nominatim", lambda: urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=10).status == 200)
    return port, *([row.split("\t") for row in some.splitlines()] for some in (rows, names))


def questions(rows):
    dice = random.Random(SEED)
    named = [row for row in rows if row[1] and row[0] not in ("highway", "boundary")]
    streets = sorted({row[1] for row in rows if row[1] and row[0] == "highway"})
    numbered = [row for row in rows if row[2] and row[3]]
    texts = [f"{row[1]}, Monaco" for row in dice.sample(named, 60)]
    texts += [f"{name}, Monaco" for name in dice.sample(streets, 40)]
    texts += [f"{row[2]} {row[3]}, Monaco" for row in dice.sample(numbered, min(50, len(numbered)))]
    asked = [("search", text) for text in texts]
    asked += [("reverse", (float(row[4]), float(row[5]))) for row in dice.sample(rows, QUESTIONS - len(texts))]
    return asked


def each_name(port, names):
    """Whatever Nominatim has of this extract under a name is found here by it."""
    missed = 0
    for number, name, y, x, is_street in names:
        place = float(y), float(x)
        got = answers(f"http://127.0.0.1:{port}/search?" + urllib.parse.urlencode({
            "q": name, "limit": 10, "viewbox": f"{place[1] - 0.002},{place[0] - 0.002},{place[1] + 0.002},{place[0] + 0.002}"}))
        is_there = any(
            one.get("osm_type", "?")[0].upper() + str(one.get("osm_id")) == number
            or one["name"] == name and metres(place, (float(one["lat"]), float(one["lon"]))) < (6000 if is_street == "t" else 300)
            for one in got)
        missed += not is_there
        if not is_there:
            print("  not found:", number, name, place, [one["display_name"] for one in got], sep=" | ", file=sys.stderr)
    print(f"{len(names) - missed} of {len(names)} names that Nominatim has are found here")
    check("each name", len(names) > 1000 and not missed, missed)


def compare(port, real, rows):
    theirs, ours = (Nominatim(domain=f"127.0.0.1:{one}", scheme="http", user_agent="web-clients", timeout=30)
                    for one in (real, port))
    photon = Photon(domain=f"127.0.0.1:{port}/photon", scheme="http", timeout=30)
    details = {"language": "fr", "addressdetails": True, "namedetails": True}

    def asked(coder, kind, question, limit):
        if kind == "search":
            found = coder.geocode(question, exactly_one=False, limit=limit, extratags=True, **details)
        else:
            found = coder.reverse(question, exactly_one=False, **details)
        return [one.raw for one in found or []]

    nominatims, photons, unknown = Table("Nominatim"), Table("Nominatim, by Photon's words"), 0
    for kind, question in questions(rows):
        # Each of several that have the name is right.
        right = asked(theirs, kind, question, 20)
        if not right:
            unknown += 1
            print("  unknown to Nominatim:", kind, question, file=sys.stderr)
            continue
        got = asked(ours, kind, question, 1)
        nominatims.count("found", got, question, right[0]["display_name"])
        if got:
            compare_nominatim(nominatims, kind, question, right, got[0])
        ask = photon.geocode if kind == "search" else photon.reverse
        found = ask(question, language="fr")
        photons.count("found", found, question, right[0]["display_name"])
        if found:
            compare_photon(photons, kind, question, right, found.raw)
    print(f"Nominatim itself answers {QUESTIONS - unknown} of {QUESTIONS}")
    check("Nominatim's own answers", unknown <= QUESTIONS / 20, unknown)
    wrong.extend(nominatims.tell(LEAST_OF_PLACES) + photons.tell(LEAST_OF_PHOTON))


# --- QGIS
def qgis(port):
    script = f"""
import os
os.environ['QT_QPA_PLATFORM'] = 'offscreen'
from qgis.core import QgsApplication, QgsFeedback, QgsGeocoderContext, QgsCoordinateTransformContext, QgsNominatimGeocoder
app = QgsApplication([], False)
app.initQgis()
coder = QgsNominatimGeocoder('', 'http://127.0.0.1:{port}/search')
found = coder.geocodeString('Rue Grimaldi, Monaco', QgsGeocoderContext(QgsCoordinateTransformContext()), QgsFeedback())
print(found[0].geometry().asPoint().y(), found[0].geometry().asPoint().x(), found[0].identifier())
app.exitQgis()
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(work), "HOME": str(work)}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(["/usr/bin/python3", "-c", script], env=environment, capture_output=True, text=True, timeout=LONGEST)
    words = done.stdout.split()
    check("QGIS", len(words) > 2 and metres((43.7365, 7.4208), (float(words[0]), float(words[1]))) < 500, done.stdout, done.stderr)
    print("QGIS:", done.stdout.strip())


try:
    port = service()
    geocoders(port)
    routes(port, 300 if nominatim else 60)
    if nominatim:
        qgis(port)
        real, rows, names = real_nominatim()
        each_name(port, names)
        compare(port, real, rows)
finally:
    for child in reversed(children):
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGTERM)
    for child in children:
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
    shutil.rmtree(work, ignore_errors=True)
sys.exit(1 if wrong else 0)
