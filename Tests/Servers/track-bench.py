#!/usr/bin/env python3
"""A track of 30 million entries: its start, also after an upgrade, and a day's list; then what an hour of a drive with a
broker costs. By processor time, since the machine may do more.

track-bench.py BIN [--rows N] [--strict]
"""
import glob
import gzip
import json
import os
import pathlib
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

BIN = sys.argv[1]
ROWS = int(sys.argv[sys.argv.index("--rows") + 1]) if "--rows" in sys.argv else 30_000_000
# A place each second, from 2025-01-01.
FIRST = 1_735_689_600


def private(process):
    for line in open(f"/proc/{process.pid}/smaps_rollup"):
        if line.startswith("Private_Dirty"):
            return int(line.split()[1]) / 1024


class Tracker:
    def __init__(self, folder):
        conf = folder + "/conf"
        open(conf, "w").close()
        self.socket = folder + "/t"
        self.begin = time.monotonic()
        self.program = subprocess.Popen(
            [BIN + "/locationd-tracker", "--config", conf, "--bus", "none", "--state", folder,
             "--socket", self.socket, "--daemon", folder + "/none"], stderr=subprocess.PIPE, text=True)
        for line in self.program.stderr:
            if "listens" in line:
                break
        self.wall = time.monotonic() - self.begin

    def cpu(self):
        fields = open(f"/proc/{self.program.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        self.program.terminate()
        self.program.communicate()


def fill(folder):
    """As a tracker leaves it that has kept them one by one."""
    Tracker(folder).end()
    track = sqlite3.connect(folder + "/track.db")
    track.execute("PRAGMA synchronous=OFF")
    track.execute(
        """WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO entries (number, kind, time, latitude, longitude, accuracy, speed, course)
        SELECT i, 0, (? + i) * 1000000, 450000000 + i % 100000 * 1800, 70000000, 500, 2000, 0 FROM n""",
        (ROWS, FIRST))
    track.execute(
        """INSERT OR REPLACE INTO blocks SELECT number >> 10, min(time), max(time) FROM entries
        GROUP BY number >> 10""")
    track.executemany(
        "INSERT OR REPLACE INTO numbers VALUES (?, ?)",
        [("newest", ROWS), ("count", ROWS), ("counted", ROWS), ("blocks", (ROWS >> 10) + 1)])
    track.commit()
    track.close()


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def day(tracker, number):
    """The list of a day: the tracker's time and the program's, and the whole by the clock."""
    date = time.strftime("%Y-%m-%d", time.gmtime(FIRST + number * 86_400))
    before, own, begin = tracker.cpu(), children(), time.monotonic()
    text = subprocess.run(
        [BIN + "/locationctl", "track", "list", "--from", date, "--to", date, "--socket", tracker.socket],
        capture_output=True, text=True, env=dict(os.environ, TZ="UTC"))
    assert "trip" in text.stdout, text
    return tracker.cpu() - before, children() - own, time.monotonic() - begin


def main():
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        fill(folder)
        size = os.path.getsize(folder + "/track.db") / 1e9
        print(f"{ROWS} entries, {size:.2f} GB, made in {time.monotonic() - begin:.0f} s")
        tracker = Tracker(folder)
        start = tracker.cpu()
        print(f"start: {start:.2f} s of processor time, {tracker.wall:.2f} s by the clock")
        sparse = sqlite3.connect(folder + "/track.db")
        # A day as the tracker keeps it has some hundred entries, not one each second.
        last = ROWS // 86_400 - 1
        sparse.execute(
            "DELETE FROM entries WHERE number > ? AND number <= ? AND number % 60",
            ((last - 1) * 86_400, last * 86_400))
        sparse.commit()
        sparse.close()
        days = sorted(day(tracker, last - 1) for _ in range(7))
        mine, other, clock = days[len(days) // 2]
        print(f"a day of 1,440 entries: tracker {mine * 1000:.0f} ms, locationctl {other * 1000:.0f} ms,"
              f" by the clock {clock * 1000:.0f} ms")
        print(f"private {private(tracker.program):.1f} MB")
        tracker.end()
        old = upgraded(folder)
    used, memory = drive()
    if "--strict" in sys.argv:
        if max(start, old) >= 2 or mine + other >= 0.1:
            sys.exit("too slow: a start has 2 s, a day 100 ms")
        if used > 0.6 or round(memory, 1) > 2.4:
            sys.exit("too much: an hour has 0.6 s of processor time, and 2.4 MB of private memory")


def upgraded(folder):
    """The first start with an older tracker's track: the time until its socket has answered, as entries are counted
    and their index is made later."""
    track = sqlite3.connect(folder + "/track.db")
    track.execute("DELETE FROM numbers WHERE name IN ('blocks', 'count', 'counted')")
    track.execute("DELETE FROM blocks")
    track.commit()
    track.close()
    tracker = Tracker(folder)
    status = subprocess.run(
        [BIN + "/locationctl", "track", "status", "--json", "--socket", tracker.socket],
        capture_output=True, text=True)
    used = tracker.cpu()
    known = json.loads(status.stdout)["entries"]
    print(f"start after an upgrade: {used:.2f} s until the socket answers; {known} entries are counted by then")
    tracker.end()
    return used


def busy(process):
    tasks = glob.glob(f"/proc/{process.pid}/task/*/schedstat")
    return sum(int(open(task).read().split()[0]) for task in tasks) / 1e9


def drive(rate=40, seconds=60):
    """Fixes of real drives, so many a second, to a broker: the processor time of an hour at one a second, and the
    private memory."""
    ways = pathlib.Path(__file__).resolve().parents[1] / "Recordings/Tracks"
    lines = [line for way in sorted(ways.glob("*.jsonl.gz")) for line in gzip.open(way, "rt").read().splitlines()]
    moving = [line for line in lines if (json.loads(line).get("speed") or 0) > 3][:3000]
    children = []
    with tempfile.TemporaryDirectory() as folder:
        def start(*command):
            children.append(subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *command], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
            return children[-1]

        def wait(path):
            end = time.monotonic() + 60
            while not os.path.exists(path) and time.monotonic() < end:
                time.sleep(0.05)

        pathlib.Path(folder, "way.jsonl").write_text("\n".join(moving) + "\n")
        pathlib.Path(folder, "broker.conf").write_text(
            "listener 21893 127.0.0.1\nallow_anonymous true\nlog_type none\nuser root\n")
        pathlib.Path(folder, "daemon.conf").write_text("")
        pathlib.Path(folder, "conf").write_text("[Uplink van]\nURL=mqtt://127.0.0.1:21893/owntracks/ann/van\n")
        start("/usr/sbin/mosquitto", "-c", folder + "/broker.conf")
        start(BIN + "/locationd", "--config", folder + "/daemon.conf", "--socket", folder + "/s", "--bus", "none",
              "--state", folder + "/daemon", "--source", f"replay://{folder}/way.jsonl?rate={rate}&loop=1")
        wait(folder + "/s")
        tracker = start(
            BIN + "/locationd-tracker", "--config", folder + "/conf", "--bus", "none", "--state", folder + "/track",
            "--socket", folder + "/t", "--daemon", folder + "/s")
        wait(folder + "/t")
        time.sleep(10)
        before = busy(tracker)
        time.sleep(seconds)
        hour = (busy(tracker) - before) / (rate * seconds) * 3600
        memory = private(tracker)
        for child in children:
            child.terminate()
        for child in children:
            child.wait()
    print(f"an hour of a drive at a fix a second: {hour:.2f} s of processor time, {memory:.2f} MB private")
    return hour, memory


main()
