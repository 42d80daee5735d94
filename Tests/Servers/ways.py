"""The service of places and OSRM, asked for ways: each answer with the milliseconds until it was there."""
import http.client
import json
import os
import socket
import subprocess
import sys
import time


class Osrm:
    """FOLDER has osrm/, and the roads of the engine NAME."""

    def __init__(self, folder, name):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "engine.py")
        self.process = subprocess.Popen([sys.executable, script, folder, name], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)

    def route(self, start, end, more=""):
        """With moves and the whole line, as the service answers."""
        path = "/route/v1/driving/%f,%f;%f,%f?overview=full&steps=true" % (start[1], start[0], end[1], end[0])
        for attempt in range(3):
            try:
                begin = time.perf_counter()
                self.connection.request("GET", path + more)
                answer = self.connection.getresponse().read()
                spent = 1000 * (time.perf_counter() - begin)
                return json.loads(answer), spent
            except (http.client.HTTPException, OSError):
                # OSRM closes connections as it likes.
                self.connection.close()
        raise SystemExit("OSRM does not answer")


class Service:
    """PROGRAM is locationd-places; its socket and configuration lie in FOLDER."""

    def __init__(self, program, data, folder):
        configuration = folder + "/places.conf"
        open(configuration, "w").close()
        arguments = ["--config", configuration, "--socket", folder + "/s", "--data", data, "--bus", "none"]
        self.process = subprocess.Popen([program] + arguments, stderr=subprocess.PIPE, text=True)
        while "listens" not in self.process.stderr.readline():
            if self.process.poll() is not None:
                raise SystemExit("the service does not start")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(folder + "/s")
        self.lines = self.socket.makefile("rb")

    def route(self, start, end, **params):
        params |= {"from": start, "to": end, "offline": True}
        question = {"jsonrpc": "2.0", "id": 1, "method": "directions", "params": params}
        begin = time.perf_counter()
        self.socket.sendall(json.dumps(question).encode() + b"\n")
        answer = self.lines.readline()
        spent = 1000 * (time.perf_counter() - begin)
        return json.loads(answer), spent
