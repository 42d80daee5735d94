"""How soon tables are answered: batch-bench.py BIN DATA AIRPORTS.csv QUESTIONS
BIN has locationctl and locationd-places, DATA the world. `locationctl reverse --batch` has the places of the airports of the
world, `geocode --batch` everyday questions, each many times: from the program's start to its last line. The bench fails where
fewer lines come in a second, or where the service keeps more memory, than the bars below say."""
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

import figures

programs, data, airports, questions = sys.argv[1:]
ROUNDS = 2 if figures.quick else 5
LEAST = {"reverse": 5000, "geocode": 500}
# Kilobytes of the service. A guess: 5,300 were measured, after 1,999 and 180 lines; whole tables are not measured yet.
MOST = 10_000

with open(airports, newline="") as file:
    places = [(row["lat"], row["lon"]) for row in csv.DictReader(file)]
with open(questions) as file:
    texts = [line.split("|")[2] for line in file if not line.startswith("#")]
texts = [text for text in texts if not text.startswith("@")]
tables = {
    "reverse": [("latitude", "longitude"), *places],
    "geocode": [("text",), *((text,) for text in texts * 10)],
}

with tempfile.TemporaryDirectory(prefix="batch-bench-") as folder:
    open(folder + "/places.conf", "w").close()
    service = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", programs + "/locationd-places", "--config", folder + "/places.conf", "--socket",
         folder + "/s", "--bus", "none", "--data", data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not os.path.exists(folder + "/s") and time.monotonic() < end:
        time.sleep(0.02)
    paces = {}
    for verb, rows in tables.items():
        with open(f"{folder}/{verb}.csv", "w", newline="") as file:
            csv.writer(file).writerows(rows)
        # The first round reads the files from the disk.
        for turn in range(ROUNDS + 1):
            start = time.perf_counter()
            done = subprocess.run(
                [programs + "/locationctl", verb, "--batch", f"{folder}/{verb}.csv", "--locale", "en", "--places",
                 folder + "/s"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            if turn:
                paces.setdefault(verb, []).append((len(rows) - 1) / (time.perf_counter() - start))
            assert done.stdout.count(b"\n") == len(rows), verb
    memory = figures.private(service.pid)
    service.terminate()
    service.wait()
for verb, pace in paces.items():
    figures.say(f"{verb} --batch, lines of {len(tables[verb]) - 1}", statistics.median(pace), "lines/s", least=LEAST[verb])
figures.say("private memory of the service, after them", memory, "kB", most=MOST)
figures.end()
