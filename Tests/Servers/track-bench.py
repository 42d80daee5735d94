#!/usr/bin/env python3
"""A track of 30 million entries: its start, also after an upgrade, and a day's list, beside raw SQLite; then what an hour
of a drive with a broker costs, beside a bare publisher. The bench fails where more is taken than may be: starts and answers by the
clock, the list of a day by both, the drive by processor time.

track-bench.py BIN BENCHES [--rows N] [--drive]: BENCHES has bare-publisher; --drive has a drive only
track-bench.py BIN --hour [--json]: sixteen minutes at the pace of the world, in a car, on a bicycle and at rest,
counted for an hour; by format=json, a message for each entry
"""
import glob
import gzip
import json
import os
import pathlib
import resource
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import figures
from publisher import Publisher, start
from receiver import free_port

BIN = sys.argv[1]
ROWS = int(sys.argv[sys.argv.index("--rows") + 1]) if "--rows" in sys.argv else (
    300_000 if figures.quick else 30_000_000)
FORMAT = "?format=json" if "--json" in sys.argv else ""
# A place each second, from 2025-01-01.
FIRST = 1_735_689_600


def private(process):
    return figures.private(process.pid) / 1024


class Tracker:
    def __init__(self, folder):
        conf = folder + "/conf"
        # All of it stays, however old and large it is.
        pathlib.Path(conf).write_text("[Record]\nKeep=36500d\nBudget=100G\n")
        self.socket = folder + "/t"
        self.begin = time.monotonic()
        self.program = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", BIN + "/locationd-tracker", "--config", conf, "--bus", "none",
             "--state", folder, "--socket", self.socket, "--daemon", folder + "/none"],
            stderr=subprocess.PIPE, text=True)
        for line in self.program.stderr:
            if "listens" in line:
                break
        self.wall = time.monotonic() - self.begin

    def cpu(self):
        return busy(self.program)

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
    if "--hour" in sys.argv:
        return hours()
    if "--drive" not in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            track(folder)
    drive(sys.argv[2])
    figures.end()


def raw(folder, sql):
    """Seconds of SQLite alone, in this process: the file is opened and asked."""
    begin, used = time.monotonic(), time.process_time()
    with sqlite3.connect(folder + "/track.db") as track:
        track.execute(sql).fetchall()
    track.close()
    return time.monotonic() - begin, time.process_time() - used


def track(folder):
    begin = time.monotonic()
    fill(folder)
    size = os.path.getsize(folder + "/track.db") / 1e9
    print(f"{ROWS} entries, {size:.2f} GB, made in {time.monotonic() - begin:.0f} s")
    ours, theirs, used = [], [], []
    for _ in range(3):
        theirs.append(raw(folder, "SELECT (SELECT min(number) FROM entries), (SELECT max(number) FROM entries)")[0])
        tracker = Tracker(folder)
        ours.append(tracker.wall)
        used.append(tracker.cpu())
        tracker.end()
    figures.say_pairs("start, by the clock", ours, theirs, "s", "raw SQLite", most=2)
    figures.say("start, processor time", statistics.median(used), "s")
    sparse = sqlite3.connect(folder + "/track.db")
    # A day as the tracker keeps it has some hundred entries, not one each second.
    last = ROWS // 86_400 - 1
    sparse.execute(
        "DELETE FROM entries WHERE number > ? AND number <= ? AND number % 60",
        ((last - 1) * 86_400, last * 86_400))
    sparse.commit()
    rows = sparse.execute("SELECT count(*) FROM entries").fetchone()[0]
    sparse.close()
    of_day = f"SELECT * FROM entries WHERE number > {(last - 1) * 86_400} AND number <= {last * 86_400}"
    theirs = statistics.median(raw(folder, of_day)[1] for _ in range(7))
    tracker = Tracker(folder)
    days = sorted((mine + other, mine, clock) for mine, other, clock in (day(tracker, last - 1) for _ in range(7)))
    both, mine, _ = days[len(days) // 2]
    clock = statistics.median(clock for _, _, clock in days)
    figures.say("list of a day of 1,440 entries, processor time", both * 1000, "ms", peer="raw SQLite",
                beside=theirs * 1000, most=100)
    print(f"tracker {mine * 1000:.0f} ms of it")
    figures.say("list of a day of 1,440 entries, by the clock", clock * 1000, "ms", most=100)
    figures.say("private memory then", private(tracker.program), "MB")
    tracker.end()
    upgraded(folder, rows)


def status(socket):
    answer = subprocess.run(
        [BIN + "/locationctl", "track", "status", "--json", "--socket", socket], capture_output=True, text=True)
    assert answer.returncode == 0, answer
    return json.loads(answer.stdout)


def upgraded(folder, rows):
    """The first start with an older tracker's track: the time until its socket has answered. Entries are counted and
    their index is made meanwhile, in steps: how long its socket keeps a question waiting, and that both are whole."""
    track = sqlite3.connect(folder + "/track.db")
    track.execute("DELETE FROM numbers WHERE name IN ('blocks', 'count', 'counted')")
    track.execute("DROP TABLE blocks")
    track.execute("PRAGMA user_version = 4")
    track.commit()
    track.close()
    tracker = Tracker(folder)
    known = status(tracker.socket)["entries"]
    used, wall = tracker.cpu(), time.monotonic() - tracker.begin
    figures.say("start after an upgrade until the socket answers, by the clock", wall, "s", most=2)
    figures.say("start after an upgrade until the socket answers, processor time", used, "s")
    print(f"{known} entries are counted by then")
    waits, counted = [], 0
    # The file is the tracker's alone; each step of the index is written as it is made, into the log beside it.
    def written():
        return max(os.path.getmtime(folder + name) for name in ("/track.db", "/track.db-wal"))

    while counted < rows or time.time() - written() < 2:
        assert time.monotonic() - tracker.begin < 600, counted
        begin = time.monotonic()
        counted = status(tracker.socket)["entries"]
        waits.append(time.monotonic() - begin)
        time.sleep(0.1)
    figures.say("counted, and the index made", time.monotonic() - tracker.begin, "s")
    figures.say(f"answer meanwhile, p50 of {len(waits)}", statistics.median(waits) * 1000, "ms")
    figures.say("answer meanwhile, the slowest", max(waits) * 1000, "ms", most=1000)
    tracker.end()
    track = sqlite3.connect(folder + "/track.db")
    blocks = track.execute("SELECT value FROM numbers WHERE name = 'blocks'").fetchone()[0]
    track.close()
    assert counted == rows and blocks << 10 > ROWS, (counted, rows, blocks)


def busy(process):
    tasks = glob.glob(f"/proc/{process.pid}/task/*/schedstat")
    return sum(int(open(task).read().split()[0]) for task in tasks) / 1e9


def written(process):
    return next(int(line.split()[1]) for line in open(f"/proc/{process.pid}/io") if line.startswith("write_bytes"))


def wait(what, condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited 60 s for {what}")
        time.sleep(0.05)


def is_open(port):
    with socket.socket() as it:
        return it.connect_ex(("127.0.0.1", port)) == 0


def fixes(*ways):
    folder = pathlib.Path(__file__).resolve().parents[1] / "Recordings/Tracks"
    for way in ways:
        path = folder / way
        yield from (gzip.open(path, "rt") if path.suffix == ".gz" else open(path)).read().splitlines()


class Broker:
    def __init__(self, folder):
        self.port = free_port()
        pathlib.Path(folder, "broker.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nlog_type none\nuser root\n")
        self.program = start("/usr/sbin/mosquitto", "-c", folder + "/broker.conf")
        wait("the broker", lambda: is_open(self.port))


class Drive:
    """A daemon that replays fixes, and a tracker that sends what it keeps of them to a broker."""

    def __init__(self, folder, lines, rate, broker, more=""):
        self.rate, self.socket = rate, folder + "/t"
        pathlib.Path(folder, "way.jsonl").write_text("\n".join(lines) + "\n")
        pathlib.Path(folder, "daemon.conf").write_text("")
        pathlib.Path(folder, "conf").write_text(
            f"[Uplink van]\nURL=mqtt://127.0.0.1:{broker.port}/owntracks/ann/{os.path.basename(folder)}{FORMAT}\n{more}")
        self.daemon = start(
            BIN + "/locationd", "--config", folder + "/daemon.conf", "--socket", folder + "/s", "--bus", "none",
            "--state", folder + "/daemon", "--source", f"replay://{folder}/way.jsonl?rate={rate}&loop=1")
        wait("the daemon", lambda: os.path.exists(folder + "/s"))
        self.tracker = start(
            BIN + "/locationd-tracker", "--config", folder + "/conf", "--bus", "none", "--state", folder + "/track",
            "--socket", self.socket, "--daemon", folder + "/s")
        wait("the tracker", lambda: os.path.exists(self.socket))
        wait("an entry", lambda: self.counts()[0] > 0)

    def counts(self):
        known = status(self.socket)
        return known["entries"], known["syncs"]

    def begin(self):
        self.before = (*self.counts(), written(self.tracker))
        self.used, self.date = busy(self.tracker), time.monotonic()

    def hour(self):
        """Entries, syncs, bytes written, processor time, counted for an hour at a fix a second; private megabytes."""
        seconds, used = time.monotonic() - self.date, busy(self.tracker) - self.used
        memory = private(self.tracker)
        entries, syncs, size = (now - old for now, old in zip((*self.counts(), written(self.tracker)), self.before))
        # A tracker that keeps no entry would be cheap, too.
        assert entries > 0
        wait("the broker to have all", lambda: status(self.socket)["uplinks"][0]["backlog"] <= 8)
        share = 3600 / (seconds * self.rate)
        return entries * share, syncs * share, size * share, used * share, memory

    def end(self):
        for child in [self.tracker, self.daemon]:
            child.send_signal(signal.SIGTERM)
            child.wait()


def moving(*ways, slowest=3, fastest=100):
    return [line for line in fixes(*ways) if slowest < (json.loads(line).get("speed") or 0) < fastest]


def drive(benches, rate=40):
    """Fixes of real drives, so many a second, to a broker, beside a publisher of each fix: the processor time of an hour
    at one a second, by windows of the same seconds, and private memory."""
    windows, seconds = (1, 10) if figures.quick else (5, 15)
    ours, theirs, kept = [], [], []
    # A program that was just built counts as private until it is on the disk.
    os.sync()
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(folder)
        way = Drive(
            folder, moving(*(f"car-and-bicycle-{i}.jsonl.gz" for i in [1, 2, 3]))[:3000], rate, broker)
        bare = Publisher(benches + "/bare-publisher", folder, broker.port)
        wait("a publication", lambda: bare.confirmed() > 0)
        time.sleep(2 if figures.quick else 10)
        for _ in range(windows):
            way.begin()
            used, count = busy(bare), bare.confirmed()
            time.sleep(seconds)
            entries, _, _, hour, memory = way.hour()
            ours.append(hour)
            kept.append(entries)
            theirs.append((busy(bare) - used) / (bare.confirmed() - count) * 3600)
        peer = "a publisher of each fix"
        figures.say_pairs("an hour of a drive at a fix a second, processor time", ours, theirs, "s", peer, most=0.6)
        figures.say("an hour of a drive, what is sent", statistics.median(kept), "entries", peer=peer, beside=3600)
        print(f"{memory:.2f} MB")
        # 2.4 in tenths.
        figures.say("private memory on a drive", memory, "MB", peer=peer, beside=private(bare), most=2.45)
        way.end()
        bare.end()
        broker.program.terminate()
        broker.program.wait()


def hours(seconds=960):
    ways = {
        "on a bicycle": moving("car-and-bicycle-1.jsonl.gz", slowest=1, fastest=8),
        "in a car": moving("car-and-bus-1.jsonl.gz", slowest=5),
        "at rest": list(fixes("on-a-table.jsonl")),
    }
    with tempfile.TemporaryDirectory() as folder:
        broker, drives = Broker(folder), {}
        for name, lines in ways.items():
            os.mkdir(own := folder + "/" + name.split()[-1])
            keys = "Budget=1G/month\n" + ("Batch=1\n" if FORMAT else "")
            drives[name] = Drive(own, lines, 1, broker, keys)
        for way in drives.values():
            way.begin()
        time.sleep(seconds)
        for name, way in drives.items():
            entries, syncs, size, used, memory = way.hour()
            uplink = status(way.socket)["uplinks"][0]
            print(f"{name}, an hour: {entries:.0f} entries of {uplink['budget']['used'] / uplink['confirmed']:.0f} bytes"
                  f" with their headers, {size / 1e6:.1f} MB written, {syncs:.0f} syncs, {used:.1f} s of processor time;"
                  f" {memory:.2f} MB private", flush=True)
            way.end()
        broker.program.terminate()
        broker.program.wait()


main()
