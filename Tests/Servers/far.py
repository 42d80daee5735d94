"""Ways of 270 to 330 km in a made country, beside OSRM's: far.py PROGRAM FOLDER ENGINES

PROGRAM is locationd-places, ENGINES what fetch-engines made. The country of country.py lies in FOLDER, where it is made
once, for OSRM too. Milliseconds are those until an answer has come, kB those of private memory beyond those at rest. It
fails where more is taken than may be."""
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import figures
from ways import Osrm, Service

BARS = {"automobile": (40, 100), "avoid": (150, 400), "cycling": (40, 100)}
MOST_PRIVATE, COUNT = 8000, 10 if figures.quick else 100
# Degrees: south, north, west, east.
BOX = (48.0, 51.14, 10.0, 14.84)
# In the words of OSRM's profile for cars; it leaves out one kind at a time.
THEIRS = {"automobile": "", "motorways": "&exclude=motorway"}


def measure(service, idle, osrm, kind, params):
    pick, spent, theirs, refused, most = random.Random(kind), [], [], {}, 0
    while len(spent) < COUNT and sum(refused.values()) < 20 * COUNT:
        start, goal = [[pick.uniform(*BOX[:2]), pick.uniform(*BOX[2:])] for _ in range(2)]
        away = ((start[0] - goal[0]) * 111) ** 2 + ((start[1] - goal[1]) * 72) ** 2
        if not 205**2 < away < 265**2:
            continue
        answer, milliseconds = service.route(start, goal, **params)
        most = max(most, figures.private(service.process.pid) - idle)
        if "error" in answer:
            code = str(answer["error"]["code"])
            refused[code] = refused.get(code, 0) + 1
        elif 270e3 <= answer["result"]["routes"][0]["distance"] <= 330e3:
            spent.append(milliseconds)
            if kind in THEIRS:
                found, milliseconds = osrm.route(start, goal, THEIRS[kind])
                assert found["code"] == "Ok", found
                theirs.append(milliseconds)
    bars = BARS["avoid" if "avoid" in params else kind]
    for name, part, bar in (("p50", 0.5, bars[0]), ("p99", 0.99, bars[1])):
        beside = {}
        if theirs:
            beside = {"peer": "OSRM, by HTTP", "beside": figures.at(part, theirs)}
        if theirs and name == "p50":
            beside["ratio"] = statistics.median(a / b for a, b in zip(spent, theirs))
        figures.say(f"{kind}: {name} of {len(spent)} ways", figures.at(part, spent), "ms", most=bar, **beside)
    figures.say(f"{kind}: private memory beyond that at rest", most, "kB", most=MOST_PRIVATE)
    # No road is near, as on a lake; or those near lead nowhere, as on its islands.
    strange = sum(count for code, count in refused.items() if code not in ("4", "5"))
    figures.say(f"{kind}: questions refused without a reason in the map", strange, "ways", most=0)


def prepare(folder, engines):
    """The country, and its roads as OSRM has them."""
    extract = folder + "/roads.osm.pbf"
    if not os.path.exists(extract):
        os.makedirs(folder, exist_ok=True)
        made = os.path.join(os.path.dirname(os.path.abspath(__file__)), "country.py")
        subprocess.run([sys.executable, made, extract + ".new.osm.pbf"], check=True)
        os.rename(extract + ".new.osm.pbf", extract)
    if not os.path.exists(folder + "/done"):
        shutil.rmtree(folder + "/osrm", ignore_errors=True)
        shutil.copytree(engines + "/osrm", folder + "/osrm", copy_function=os.link)
        begin = time.perf_counter()
        for step in (["extract", "-p", "osrm/share/profiles/car.lua", "roads.osm.pbf"], ["partition", "roads.osrm"],
                     ["customize", "roads.osrm"]):
            with open(folder + "/log", "a") as log:
                subprocess.run(["osrm/bin/osrm-" + step[0], *step[1:]], cwd=folder, check=True, stdout=log, stderr=log)
        with open(folder + "/done", "w") as file:
            file.write(f"{time.perf_counter() - begin:.1f}")
    with open(folder + "/done") as file:
        return extract, float(file.read())


program, folder, engines = sys.argv[1:]
extract, their_import = prepare(folder, engines)
work, running = tempfile.mkdtemp(prefix="far-"), []
try:
    begin = time.perf_counter()
    subprocess.run([program, "--import", extract, "--data", work], check=True, stdout=subprocess.DEVNULL)
    figures.say("import", time.perf_counter() - begin, "s", peer="OSRM, when it was made", beside=their_import)
    figures.say("file of the country", os.path.getsize(work + "/roads.places") / 1e6, "MB")
    # What was just written counts as private until it is on the disk.
    os.sync()
    service = Service(program, work, work)
    running.append(service.process)
    idle = figures.private(service.process.pid)
    osrm = Osrm(folder, "osrm")
    running.append(osrm.process)
    for kind, params in (
        ("automobile", {}), ("motorways", {"avoid": ["motorways"]}), ("tolls", {"avoid": ["tolls", "ferries"]}),
        ("cycling", {"transport": "cycling"}),
    ):
        measure(service, idle, osrm, kind, {"transport": "automobile"} | params)
    figures.say("private memory in the end", figures.private(service.process.pid), "kB", peer="OSRM",
                beside=figures.private(osrm.process.pid))
finally:
    for process in running:
        process.kill()
        process.wait()
    shutil.rmtree(work)
figures.end()
