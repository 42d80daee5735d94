"""The machine that a part of the try plays in, from outside: terminals, commands, programs that stay, a receiver."""
import atexit, bisect, json, os, pty, re, select, signal, socket, subprocess, sys, threading, time

machine = int(sys.argv[1])
PATIENCE = 120
# Where gpsd is told to listen for the receiver.
PORT = 29998
QUIET = "apt-get -qq -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io"


def ended(number, _):
    """A signal ends the story as a failure does: at its exit the machines that it has made end, too."""
    for each in ENDS:
        signal.signal(each, signal.SIG_IGN)
    sys.exit(f"ended by {signal.Signals(number).name}")


ENDS = signal.SIGHUP, signal.SIGINT, signal.SIGTERM
for number in ENDS:
    signal.signal(number, ended)


def leader(machine):
    """The first process of a machine, as its host sees it."""
    for _ in range(600):
        # Helpers that prepare the machine have other names, and go away again.
        children = subprocess.run(["pgrep", "-P", str(machine), "-x", "systemd"], capture_output=True, text=True).stdout
        if children:
            return children.split()[0]
        time.sleep(0.1)
    sys.exit("the machine does not start")


def way(machine):
    """How a command gets into a machine."""
    return ["nsenter", "-t", leader(machine), "-a", "--"]


# The way into the machine that is meant.
inside = way(machine)


def another(name, *options):
    """Boots a further machine of the same root, on the same network unless options of systemd-nspawn's say another,
    and gives the way into it."""
    boot = os.path.join(os.path.dirname(os.path.abspath(__file__)), "boot")
    process = subprocess.Popen([boot, sys.argv[2], name, *options])

    def end():
        # The second signal ends it at once.
        process.terminate()
        time.sleep(0.1)
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()

    atexit.register(end)
    return way(process.pid)


def enter(other):
    """Commands go to this machine from now on."""
    inside[:] = other


# The host's folder for temporary files is none of the machine's.
environment = dict({name: value for name, value in os.environ.items() if name != "TMPDIR"}, TERM="xterm", COLUMNS="80", no_proxy="127.0.0.1", SYSTEMD_COLORS="0", XDG_SESSION_CLASS="user",
                   DEBIAN_FRONTEND="noninteractive", PATH="/usr/sbin:/usr/bin:/sbin:/bin")


class Terminal:
    """A terminal in which one command runs, 80 columns wide."""

    def __init__(self, command, user=None):
        as_user = ["su", "--pty", "-", user, "-c", command] if user else ["sh", "-c", command]
        self.command = command
        self.text = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvpe(inside[0], inside + as_user, environment)

    def read(self, until=None):
        """Reads until the words are there, or to the end, for which a command has time as long as it says something."""
        deadline = time.monotonic() + PATIENCE
        while until is None or not re.search(until, self.text):
            ready, _, _ = select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                os.kill(self.pid, signal.SIGKILL)
                fail(f"'{self.command}' does not {f'say {until!r}' if until else 'end'}, but says:\n{self.text}")
            try:
                more = os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:
                more = ""
            if not more:
                if until is not None:
                    fail(f"'{self.command}' ends without '{until}':\n{self.text}")
                break
            self.text += more
            if until is None:
                deadline = time.monotonic() + PATIENCE
        return self.text

    def type(self, text):
        os.write(self.terminal, text.encode() + b"\n")

    def end(self):
        text = self.read()
        self.exit = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.terminal)
        return text


class Program(threading.Thread):
    """A program of a user that stays, and the lines that it prints, each with its time."""

    def __init__(self, name, command, user):
        super().__init__(daemon=True)
        self.name, self.lines = name, []
        self.process = subprocess.Popen(
            inside + ["su", "-", user, "-c", command], env=environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.start()

    def run(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.rstrip("\n")))

    def wait(self, pattern, since=0, seconds=PATIENCE):
        """The first line since a time that the pattern is found in."""
        deadline = time.monotonic() + seconds
        while True:
            for at, line in self.lines[bisect.bisect_left(self.lines, (since,)):]:
                if re.search(pattern, line):
                    return at, line
            if time.monotonic() > deadline:
                return None
            time.sleep(0.02)

    def text(self, since=0):
        return "\n".join(f"{at:.1f} {line}" for at, line in list(self.lines) if at >= since)


def fail(message):
    sys.exit(f"FAILED: {message}")


def run(command, user=None, exit=0):
    """Runs a command to its end, which is to be this one."""
    terminal = Terminal(command, user)
    text = terminal.end()
    if exit is not None and terminal.exit != exit:
        fail(f"'{command}' exits {terminal.exit}, not {exit}:\n{text}")
    return text


def apt(words):
    """Installs, removes or purges, without a complaint."""
    text = run(f"{QUIET} {words}")
    if re.search(r"(^|\s)E:|dpkg: error|[Ff]ailed|[Cc]annot|No such file", text):
        fail(f"{words} complains:\n{text}")
    return text


def step(words):
    print(f"* {words}", flush=True)


def expect(condition, words):
    if not condition:
        fail(words)


def wait(condition, words, seconds=PATIENCE):
    """Asks until it is so."""
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > deadline:
            fail(words() if callable(words) else words)
        time.sleep(0.1)
    return result


def status():
    """What an administrator sees of the daemon."""
    return json.loads(run("locationctl status --json"))


def traces():
    """What there is of the project outside of dpkg's and systemd's own books."""
    found = run("find /etc /usr /var/lib /var/cache /run /lib -xdev -name '*locationd*' -not -path '/var/lib/dpkg/*'"
                " -not -path '/var/cache/apt/*' -not -path '/run/user/*' -not -path '/run/systemd/*' 2>/dev/null"
                " || true")
    return [line for line in found.split() if line]


def package(*names):
    """The files of packages, as apt is told of them, with the command line, which the daemon needs."""
    if "locationd" in names:
        names = ("locationctl",) + names
    return " ".join(f"/packages/{name}.deb" for name in names)


def boot():
    """Waits until the machine has come up: before, its /tmp is another."""
    for _ in range(300):
        state = subprocess.run(inside + ["systemctl", "is-system-running"], capture_output=True, text=True).stdout
        if state.strip() in ("running", "degraded"):
            break
        time.sleep(0.2)


def start():
    """The machine runs, and alice has an account."""
    step("the machine runs")
    boot()
    run("useradd --create-home --shell /bin/bash alice")
    run("apt-get -qq update")


class Receiver(threading.Thread):
    """A receiver whose sentences the gpsd of the machine, or the daemon itself, hears over UDP, once a second."""

    def __init__(self, gpsd=True):
        super().__init__(daemon=True)
        if gpsd:
            self.tell_gpsd()
        self.start()

    def tell_gpsd(self):
        run(f"sed -i 's|^DEVICES=.*|DEVICES=\"udp://127.0.0.1:{PORT}\"|' /etc/default/gpsd")
        run("systemctl restart gpsd.socket")

    def run(self):
        line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        while True:
            now = time.gmtime()
            clock, date = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
            text = ""
            for body in (f"GPGGA,{clock},4807.038,N,01131.000,E,1,09,0.9,545.4,M,46.9,M,,",
                         "GPGSA,A,3,04,05,,09,12,,,24,25,,,,1.8,0.9,1.5",
                         f"GPRMC,{clock},A,4807.038,N,01131.000,E,0.1,84.4,{date},,,A"):
                check = 0
                for byte in body.encode():
                    check ^= byte
                text += f"${body}*{check:02X}\r\n"
            line.sendto(text.encode(), ("127.0.0.1", PORT))
            time.sleep(1)
