"""How soon places are told over HTTP: web-bench.py PLACES DATA QUESTIONS
PLACES is locationd-places, DATA the world's folder, QUESTIONS a file of everyday questions. Each is asked twenty times in
turn, in Nominatim's words, on one connection, and over the socket. The bench fails where 1 of 100 takes 10 ms or more."""
import http.client
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

import figures
from receiver import free_port

places, data, questions = sys.argv[1:]
ROUNDS, MOST = 3 if figures.quick else 20, 10

asked = []
with open(questions) as file:
    for line in file:
        if line.startswith("#"):
            continue
        _, locale, text, *_ = line.split("|")
        if text.startswith("@"):
            latitude, longitude = text[1:].split(",")
            words = {"lat": latitude, "lon": longitude}
            params = {"latitude": float(latitude), "longitude": float(longitude)}
        else:
            words, params = {"q": text}, {"text": text}
        method = "reverse" if "lat" in words else "geocode"
        call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"locale": locale, "offline": True}}
        words |= {"format": "jsonv2", "addressdetails": 1, "accept-language": locale}
        path = ("/reverse?" if "lat" in words else "/search?") + urllib.parse.urlencode(words)
        asked.append((path, json.dumps(call).encode() + b"\n"))

with tempfile.TemporaryDirectory(prefix="web-bench-") as folder:
    port = free_port()
    open(folder + "/places.conf", "w").close()
    service = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", places, "--config", folder + "/places.conf", "--socket", folder + "/s", "--bus",
         "none", "--data", data, "--http", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.02)
    connection = http.client.HTTPConnection("127.0.0.1", port)
    plain = socket.socket(socket.AF_UNIX)
    plain.connect(folder + "/s")
    lines = plain.makefile("rb")
    times, theirs = [], []
    for turn in range(ROUNDS + 1):
        for path, call in asked:
            start = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            middle = time.perf_counter()
            plain.sendall(call)
            lines.readline()
            # The first round reads the files from the disk.
            if turn:
                times.append(1000 * (middle - start))
                theirs.append(1000 * (time.perf_counter() - middle))
            assert answer.status == 200, path
    service.terminate()
    service.wait()
ratio = statistics.median(a / b for a, b in zip(times, theirs))
for name, part, ratio, most in (("p50", 0.5, ratio, None), ("p99", 0.99, None, MOST)):
    figures.say(
        f"{len(asked)} questions over HTTP, {name}", figures.at(part, times), "ms", peer="the socket",
        beside=figures.at(part, theirs), ratio=ratio, most=most)
figures.end()
