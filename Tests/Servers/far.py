"""Ways of 270 to 330 km in a made country: far.py PROGRAM FOLDER [--strict]

PROGRAM is locationd-places. The country of country.py lies in FOLDER, where it is made once. A line of JSON is printed for
its import, and one for each kind of question: milliseconds over the socket, kB of private memory beyond those at rest.
--strict: it fails where more is taken than may be."""
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time

BARS = {"automobile": (40, 100), "avoid": (150, 400), "cycling": (40, 100)}
MOST_PRIVATE, COUNT = 8000, 100
# Degrees: south, north, west, east.
BOX = (48.0, 51.14, 10.0, 14.84)


def private(pid):
    with open("/proc/%d/smaps_rollup" % pid) as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Private_Dirty"))


class Service:
    def __init__(self, program, data, folder):
        with open(folder + "/places.conf", "w"):
            pass
        words = ["--config", folder + "/places.conf", "--socket", folder + "/s", "--data", data, "--bus", "none"]
        self.process = subprocess.Popen([program] + words, stderr=subprocess.PIPE, text=True)
        while "listens" not in self.process.stderr.readline():
            if self.process.poll() is not None:
                raise SystemExit("the service does not start")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(folder + "/s")
        self.lines = self.socket.makefile("rb")
        self.idle = private(self.process.pid)

    def ask(self, params):
        begin = time.perf_counter()
        question = {"jsonrpc": "2.0", "id": 1, "method": "directions", "params": params}
        self.socket.sendall(json.dumps(question).encode() + b"\n")
        answer = json.loads(self.lines.readline())
        return answer, (time.perf_counter() - begin) * 1000


def measure(service, kind, params):
    pick, spent, refused, most = random.Random(kind), [], {}, 0
    while len(spent) < COUNT and sum(refused.values()) < 20 * COUNT:
        start, goal = [[pick.uniform(*BOX[:2]), pick.uniform(*BOX[2:])] for _ in range(2)]
        away = ((start[0] - goal[0]) * 111) ** 2 + ((start[1] - goal[1]) * 72) ** 2
        if not 205**2 < away < 265**2:
            continue
        answer, milliseconds = service.ask(dict(params, **{"from": start, "to": goal, "offline": True}))
        most = max(most, private(service.process.pid) - service.idle)
        if "error" in answer:
            code = str(answer["error"]["code"])
            refused[code] = refused.get(code, 0) + 1
        elif 270e3 <= answer["result"]["routes"][0]["distance"] <= 330e3:
            spent.append(milliseconds)
    spent.sort()
    figures = {"kind": kind, "ways": len(spent), "p50": round(spent[len(spent) // 2], 1)}
    figures.update(p99=round(spent[len(spent) * 99 // 100], 1), privatekB=most, refused=refused)
    print(json.dumps(figures), flush=True)
    bar = BARS["avoid" if "avoid" in params else kind]
    # No road is near, as on a lake; or those near lead nowhere, as on its islands.
    return figures["p50"] > bar[0] or figures["p99"] > bar[1] or most > MOST_PRIVATE or set(refused) - {"4", "5"}


program, folder = sys.argv[1:3]
extract = folder + "/country.osm.pbf"
if not os.path.exists(extract):
    os.makedirs(folder, exist_ok=True)
    made = os.path.join(os.path.dirname(os.path.abspath(__file__)), "country.py")
    subprocess.run([sys.executable, made, extract + ".new.osm.pbf"], check=True)
    os.rename(extract + ".new.osm.pbf", extract)
work, missed = tempfile.mkdtemp(prefix="far-"), []
try:
    begin = time.perf_counter()
    subprocess.run([program, "--import", extract, "--data", work], check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    size = os.path.getsize(work + "/country.places")
    print(json.dumps({"kind": "import", "seconds": round(seconds, 1), "MB": round(size / 1e6)}), flush=True)
    # What was just written counts as private until it is on the disk.
    os.sync()
    service = Service(program, work, work)
    try:
        for kind, params in (
            ("automobile", {}), ("motorways", {"avoid": ["motorways"]}), ("tolls", {"avoid": ["tolls", "ferries"]}),
            ("cycling", {"transport": "cycling"}),
        ):
            if measure(service, kind, dict({"transport": "automobile"}, **params)):
                missed.append(kind)
    finally:
        service.process.kill()
        service.process.wait()
finally:
    shutil.rmtree(work)
if missed:
    print("more is taken than may be: " + ", ".join(missed), file=sys.stderr)
    sys.exit("--strict" in sys.argv)
