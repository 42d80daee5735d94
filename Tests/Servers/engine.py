"""Runs osrm or valhalla with the roads that fetch-engines gave it: engine.py FOLDER ENGINE. It prints the port when
it answers there; the process is the engine itself. ENGINE is osrm, osrm-foot, osrm-bicycle or valhalla."""
import json
import os
import shutil
import socket
import sys
import tempfile
import time

folder, engine = sys.argv[1:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]

own = tempfile.mkdtemp(prefix="engine-")
parent = os.getpid()
if os.fork() == 0:
    while os.getppid() == parent:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            print(port, flush=True)
            break
        except OSError:
            time.sleep(0.02)
    # What the engine wrote goes when it is gone, however that comes.
    silence = os.open("/dev/null", os.O_RDWR)
    for number in (1, 2):
        os.dup2(silence, number)
    while os.getppid() == parent:
        time.sleep(0.1)
    shutil.rmtree(own, ignore_errors=True)
    os._exit(0)

silence = os.open("/dev/null", os.O_RDWR)
os.dup2(silence, 1)
os.dup2(silence, 2)
os.chdir(folder)
if engine.startswith("osrm"):
    roads = "roads%s.osrm" % engine.removeprefix("osrm")
    os.execv("osrm/bin/osrm-routed", ["osrm-routed", "--algorithm", "mld", "-i", "127.0.0.1", "-p", str(port), roads])
with open("valhalla.json") as file:
    configuration = json.load(file)
service = configuration["httpd"]["service"]
service.update(listen="tcp://127.0.0.1:%d" % port, loopback="ipc://%s/loopback" % own, interrupt="ipc://%s/interrupt" % own)
for part in ("loki", "thor", "odin"):
    configuration[part]["service"]["proxy"] = "ipc://%s/%s" % (own, part)
with open(own + "/valhalla.json", "w") as file:
    json.dump(configuration, file)
os.execv("valhalla/bin/valhalla_service", ["valhalla_service", own + "/valhalla.json", "1"])
