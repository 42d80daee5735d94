#!/usr/bin/env python3
"""A track of 30 million entries: its start, and a day's list. By processor time, since the machine may do more.

track-bench.py BIN [--rows N] [--strict]
"""
import os
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

BIN = sys.argv[1]
ROWS = int(sys.argv[sys.argv.index("--rows") + 1]) if "--rows" in sys.argv else 30_000_000
# A place each second, from 2025-01-01.
FIRST = 1_735_689_600


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

    def private(self):
        for line in open(f"/proc/{self.program.pid}/smaps_rollup"):
            if line.startswith("Private_Dirty"):
                return int(line.split()[1]) / 1024

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
        print(f"private {tracker.private():.1f} MB")
        tracker.end()
        if "--strict" in sys.argv and (start >= 2 or mine + other >= 0.1):
            sys.exit("too slow: a start has 2 s, a day 100 ms")


main()
