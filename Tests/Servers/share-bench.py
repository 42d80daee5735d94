#!/usr/bin/python3
"""What fifty programs that watch cost: locationd and locationd-share beside a gpsd, on the same feed at 10 Hz.
usage: share-bench.py PROGRAMS [ROUNDS [SECONDS]]
Pairs of rounds, in turn: the median of the pairs' ratios of processor time, and of the times from the epoch's last byte
to a client. The bench fails where they need more than gpsd, or their median comes 0.3 ms later."""
import os, re, selectors, shutil, socket, statistics, subprocess, sys, tempfile, threading, time

import figures
from receiver import fix, free_port, sentence

words = sys.argv[1:]
usual = ["1", "5"] if figures.quick else ["7", "10"]
programs, rounds, seconds = words[0], *[int(word) for word in words[1:] + usual[len(words) - 1 :]]
CLIENTS, RATE = 50, 10
folder = tempfile.mkdtemp(prefix="share-bench-")
children = []


def epoch(tick):
    now = tick / RATE
    clock = time.strftime("%H%M%S", time.gmtime(now)) + f".{tick % RATE}0"
    date = time.strftime("%d%m%y", time.gmtime(now))
    place = f"48{12.3456 + (now % 10000) / 1852:09.6f},N,01134.500000,E"
    return (
        fix(clock, date, place, 8)
        + sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.6,0.9,1.3")
        + sentence("GPGSV,2,1,08,01,40,083,46,02,17,308,41,03,07,344,39,04,22,228,45")
        + sentence("GPGSV,2,2,08,05,40,083,46,06,17,308,41,07,07,344,39,08,22,228,45")
    ).encode()


class Receiver:
    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connections = {}

    def accept(self, name):
        self.connections[name] = self.listener.accept()[0]
        self.connections[name].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def start(*command):
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    children.append(child)
    return child


def connect(port):
    end = time.time() + 30
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            if time.time() > end:
                raise
            time.sleep(0.05)


def processor(pids):
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def watch(port):
    clients = []
    for _ in range(CLIENTS):
        one = connect(port)
        one.sendall(b'?WATCH={"enable":true,"json":true};\n')
        one.setblocking(False)
        clients.append(one)
    return clients


def measure(receiver, name, clients, pids):
    """The processor time of a second in milliseconds, and the delays of all epochs at all clients in milliseconds."""
    selector = selectors.DefaultSelector()
    pending = {}
    for one in clients:
        pending[one] = b""
        selector.register(one, selectors.EVENT_READ)
    sent, delays = {}, []
    begun = time.time()
    tick = int(begun * RATE) + 2
    before = processor(pids)
    while time.time() - begun < seconds:
        due = tick / RATE
        wait = due - time.time()
        if wait <= 0:
            moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(due)) + f".{tick % RATE}00Z"
            bytes = epoch(tick)
            sent[moment] = time.perf_counter()
            receiver.connections[name].sendall(bytes)
            tick += 1
            continue
        for key, _ in selector.select(wait):
            text = key.fileobj.recv(65536)
            now = time.perf_counter()
            lines = (pending[key.fileobj] + text).split(b"\n")
            pending[key.fileobj] = lines.pop()
            for line in lines:
                if line.startswith(b'{"class":"TPV"'):
                    found = re.search(rb'"time":"([^"]+)"', line)
                    if found and found[1].decode() in sent:
                        delays.append((now - sent[found[1].decode()]) * 1000)
    spent = processor(pids) - before
    return spent * 1000 / seconds, delays


def main():
    receiver = Receiver()
    gpsd_port, share_port = free_port(), free_port()
    gpsd = start("/usr/sbin/gpsd", "-N", "-n", "-S", str(gpsd_port), f"tcp://127.0.0.1:{receiver.port}")
    receiver.accept("gpsd")
    door = f"{folder}/s"
    daemon = start(
        f"{programs}/locationd", "--config", "/dev/null", "--source", f"nmea+tcp://127.0.0.1:{receiver.port}",
        "--socket", door, "--bus", "none", "--state", "none", "--in-use", "connected",
    )  # fmt: skip
    while not os.path.exists(door):
        time.sleep(0.05)
    share = start(
        f"{programs}/locationd-share", "--config", "/dev/null", "--daemon", door, "--gpsd", f"127.0.0.1:{share_port}"
    )
    ours = watch(share_port)
    name = "gpsd:" + subprocess.getoutput("id -un")
    environment = dict(os.environ, LOCATIOND_SOCKET=door)
    # The name is known once the daemon has seen one of the programs.
    grant = [f"{programs}/locationctl", "grant", name, "always"]
    end = time.time() + 30
    while subprocess.run(grant, env=environment, stdout=log, stderr=log).returncode:
        if time.time() > end:
            sys.exit(f"{name} cannot be allowed")
        time.sleep(0.05)
    receiver.accept("locationd")
    theirs = watch(gpsd_port)
    measure(receiver, "gpsd", theirs, [gpsd.pid])
    measure(receiver, "locationd", ours, [daemon.pid, share.pid])
    spent, p50, p99 = ([], []), ([], []), ([], [])
    for _ in range(rounds):
        for mine, name, clients, pids in ((0, "locationd", ours, [daemon.pid, share.pid]), (1, "gpsd", theirs, [gpsd.pid])):
            cost, delays = measure(receiver, name, clients, pids)
            if len(delays) < CLIENTS * RATE * seconds * 0.9:
                sys.exit(f"epochs are missing at {name}: {len(delays)} of {CLIENTS * RATE * seconds}")
            spent[mine].append(cost)
            p50[mine].append(figures.at(0.5, delays))
            p99[mine].append(figures.at(0.99, delays))
    of = f"{CLIENTS} programs at {RATE} Hz"
    figures.say_pairs(f"processor time of a second, {of}", *spent, "ms", "gpsd", mostOfPeer=1)
    figures.say_pairs(f"fix to {of}, p50", *p50, "ms", "gpsd")
    figures.say_pairs(f"fix to {of}, p99", *p99, "ms", "gpsd")
    figures.say(
        f"fix to {of}, later than by gpsd", statistics.median(a - b for a, b in zip(*p50)), "ms", most=0.3)
    private = sum(figures.private(child.pid) for child in (daemon, share))
    figures.say(f"private memory of both, {of}", private, "kB", peer="gpsd", beside=figures.private(gpsd.pid))


log = open(f"{folder}/log", "w")
try:
    main()
finally:
    for child in children:
        child.kill()
        child.wait()
    shutil.rmtree(folder)
figures.end()
