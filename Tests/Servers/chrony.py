#!/usr/bin/python3
"""A real chronyd, which must not touch the clock, on locationd-share's samples of a receiver that speaks 120 ms late.
usage: chrony.py PROGRAMS [late|past|recording]
late: chronyd selects us within 30 s, |mean offset| < 5 ms with `offset 0.12`, and again after a restart of either. The
receiver says how late it really spoke: a busy machine wakes it later, and we make no error by that.
past: a receiver of the year 2006 gives nothing. recording: a recording of a receiver gives nothing. Another line of the
share is told 24 epochs of either. As root."""
import os, re, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time

from receiver import fix

programs, mode = sys.argv[1], (sys.argv + ["late"])[2]
folder = tempfile.mkdtemp(prefix="chrony-")
children = []
LATE = 0.12
# The moments at which the receiver spoke, and how late that was.
spoken = []


def epoch(second):
    moment = time.gmtime(second)
    clock, date = time.strftime("%H%M%S.00", moment), time.strftime("%d%m%y", moment)
    if mode == "past":
        date = date[:4] + "06"
    place = "4800.0000,N,01100.0000,E"
    return fix(clock, date, place, 8, speed="0.0,").encode()


def speak(listener):
    connections = []
    threading.Thread(target=lambda: [connections.append(listener.accept()[0]) for _ in range(99)], daemon=True).start()
    second = int(time.time()) + 1
    while True:
        second += 1
        time.sleep(max(0, second + LATE - time.time()))
        now = time.time()
        spoken.append((now, now - second))
        for one in list(connections):
            try:
                one.sendall(epoch(second))
            except OSError:
                connections.remove(one)


def start(*command):
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    children.append(child)
    return child


def end(child, number=signal.SIGTERM):
    child.send_signal(number)
    child.wait()


def chronyc(*words):
    return subprocess.run(
        ["chronyc", "-h", f"{folder}/command.sock", "-c", *words], capture_output=True, text=True
    ).stdout


def source():
    """The state, the polls that were answered, the moment of the newest sample, and the offset that it measured; None
    where chronyd does not answer."""
    for line in chronyc("sources").splitlines():
        words = line.split(",")
        if words[2] == "GNSS":
            return words[1], int(words[5], 8), time.time() - int(words[6]), float(words[8])
    return None


def selected(seconds):
    """The time until it is selected by a sample of now."""
    begun = time.time()
    while time.time() - begun < seconds:
        found = source()
        if found and found[0] == "*" and found[2] > begun + 1:
            return time.time() - begun
        time.sleep(0.2)
    return None


def mean(polls=5):
    """The mean of what so many polls measured, each of the samples since the one before, less what the receiver was
    later than LATE at the same time; None where they do not come."""
    offsets, last, begun = [], None, time.time()
    while len(offsets) < polls and time.time() - begun < 8 * polls:
        found = source()
        # The moment is rounded to a second, and a poll comes each four.
        if found and (last is None or found[2] > last + 2):
            if last is not None:
                late = [late for moment, late in spoken if last - 1 < moment < found[2] + 1]
                # chronyd says what its clock is ahead.
                offsets.append(found[3] - (statistics.mean(late) - LATE))
            last = found[2]
        time.sleep(0.2)
    return sum(offsets) / polls if len(offsets) == polls else None


def told(listener, epochs):
    """So many epochs with a place were told at the line for datagrams."""
    listener.settimeout(60)
    while epochs:
        epochs -= re.match(rb"\$G.RMC,[^,]*,A,", listener.recv(4096)) is not None


def chronyd():
    for name in ("chronyd.pid", "refclock.sock", "command.sock"):
        if os.path.exists(f"{folder}/{name}"):
            os.unlink(f"{folder}/{name}")
    return start("/usr/sbin/chronyd", "-x", "-d", "-U", "-u", "root", "-f", f"{folder}/chrony.conf")


def daemon(url):
    return start(
        f"{programs}/locationd", "--config", "/dev/null", "--source", url, "--socket", f"{folder}/s",
        "--bus", "none", "--state", "none", "--in-use", "connected",
    )  # fmt: skip


def share():
    return start(f"{programs}/locationd-share", "--config", f"{folder}/share.conf", "--daemon", f"{folder}/s")


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=speak, args=(listener,), daemon=True).start()
    with open(f"{folder}/chrony.conf", "w") as file:
        file.write(
            f"refclock SOCK {folder}/refclock.sock refid GNSS offset {LATE} delay 0.2 precision 1e-2 poll 2\n"
            f"bindcmdaddress {folder}/command.sock\npidfile {folder}/chronyd.pid\ncmdport 0\n"
        )
    with open(f"{folder}/share.conf", "w") as file:
        heard = socket.socket(type=socket.SOCK_DGRAM)
        heard.bind(("127.0.0.1", 0))
        line = f"udp:127.0.0.1:{heard.getsockname()[1]}"
        file.write(f"[Share]\nChrony={folder}/refclock.sock\nNMEA={line}\n")
    url = f"nmea+tcp://127.0.0.1:{listener.getsockname()[1]}"
    if mode == "recording":
        with open(f"{folder}/drive.nmea", "wb") as file:
            now = int(time.time())
            file.write(b"".join(epoch(now + i) for i in range(600)))
        url = f"replay://{folder}/drive.nmea?rate=1"
    locationd = daemon(url)
    clock = chronyd()
    # A share that is there before chronyd listens would warn, and try each second.
    end_of_wait = time.time() + 30
    while not os.path.exists(f"{folder}/refclock.sock"):
        if time.time() > end_of_wait:
            sys.exit("chronyd makes no socket")
        time.sleep(0.05)
    teller = share()
    if mode != "late":
        told(heard, 24)
        state, reached, *_ = source()
        print(f"{mode}: 24 epochs were told, {reached} polls were answered, state {state!r}")
        return state == "*" or reached != 0
    for what in ("at first", "after chronyd was killed", "after the share was", "after locationd was"):
        if "chronyd" in what:
            end(clock, signal.SIGKILL)
            clock = chronyd()
        elif "share" in what:
            end(teller, signal.SIGKILL)
            teller = share()
        elif "locationd" in what:
            end(locationd, signal.SIGKILL)
            locationd = daemon(url)
        seconds = selected(30)
        if seconds is None:
            print(f"{what}: not selected")
            return True
        offset = mean()
        if offset is None:
            print(f"{what}: no more samples come")
            return True
        print(f"{what}: selected after {seconds:.1f} s, mean offset {offset * 1000:+.2f} ms", flush=True)
        if abs(offset) > 0.005:
            return True
    return False


log = open(f"{folder}/log", "w")
failed = True
try:
    failed = main()
finally:
    for child in children:
        if child.poll() is None:
            child.kill()
            child.wait()
    if failed:
        sys.stderr.write(open(f"{folder}/log").read()[-3000:])
    shutil.rmtree(folder)
sys.exit(1 if failed else 0)
