"""How soon places are told over HTTP: web-bench.py PLACES DATA QUESTIONS [--strict]
PLACES is locationd-places, DATA the world's folder, QUESTIONS a file of everyday questions. Each is asked twenty times in
turn, in Nominatim's words, on one connection. It prints milliseconds; --strict: it fails where 1 of 100 takes 10 or more."""
import http.client
import json
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

places, data, questions = sys.argv[1:4]
ROUNDS, MOST = 20, 10

paths = []
with open(questions) as file:
    for line in file:
        if line.startswith("#"):
            continue
        _, locale, text, *_ = line.split("|")
        if text.startswith("@"):
            latitude, longitude = text[1:].split(",")
            words = {"lat": latitude, "lon": longitude}
        else:
            words = {"q": text}
        words |= {"format": "jsonv2", "addressdetails": 1, "accept-language": locale}
        paths.append(("/reverse?" if "lat" in words else "/search?") + urllib.parse.urlencode(words))

with tempfile.TemporaryDirectory(prefix="web-bench-") as folder:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
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
    times = []
    for turn in range(ROUNDS + 1):
        for path in paths:
            start = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            # The first round reads the files from the disk.
            if turn:
                times.append(1000 * (time.perf_counter() - start))
            assert answer.status == 200, path
    service.terminate()
    service.wait()
times.sort()
p50, p99 = times[len(times) // 2], times[len(times) * 99 // 100]
print(json.dumps({"questions": len(paths), "p50": round(p50, 2), "p99": round(p99, 2), "most": round(times[-1], 2)}))
sys.exit(1 if "--strict" in sys.argv and p99 >= MOST else 0)
