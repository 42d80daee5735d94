"""A person at a machine that was installed a minute ago: types, reads, and expects to be told what to do."""
import os, pty, re, select, signal, socket, subprocess, sys, threading, time

machine = int(sys.argv[1])
PATIENCE = 120


def leader():
    """The first process of the machine, as its host sees it."""
    for _ in range(600):
        children = subprocess.run(["pgrep", "-P", str(machine)], capture_output=True, text=True).stdout.split()
        if children:
            return children[0]
        time.sleep(0.1)
    sys.exit("the machine does not start")


inside = ["nsenter", "-t", leader(), "-a", "--"]


class Terminal:
    """A terminal in which one command runs, 80 columns wide."""

    def __init__(self, command, user=None):
        as_user = ["su", "--pty", "-", user, "-c", command] if user else ["sh", "-c", command]
        self.command = command
        self.text = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", COLUMNS="80", SYSTEMD_COLORS="0", XDG_SESSION_CLASS="user", DEBIAN_FRONTEND="noninteractive",
                              PATH="/usr/sbin:/usr/bin:/sbin:/bin")
            os.execvp(inside[0], inside + as_user)

    def read(self, until=None):
        """Reads until the words are there, or to the end."""
        deadline = time.monotonic() + PATIENCE
        while until is None or not re.search(until, self.text):
            ready, _, _ = select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                os.kill(self.pid, signal.SIGKILL)
                fail(f"'{self.command}' does not say '{until}', but:\n{self.text}")
            try:
                more = os.read(self.terminal, 4096).decode(errors="replace")
            except OSError:
                more = ""
            if not more:
                if until is not None:
                    fail(f"'{self.command}' ends without '{until}':\n{self.text}")
                break
            self.text += more
        return self.text

    def type(self, text):
        os.write(self.terminal, text.encode() + b"\n")

    def end(self):
        text = self.read()
        self.exit = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return text


def fail(message):
    sys.exit(f"FAILED: {message}")


def run(command, user=None, exit=0):
    """Runs a command to its end."""
    terminal = Terminal(command, user)
    text = terminal.end()
    if terminal.exit != exit:
        fail(f"'{command}' exits {terminal.exit}, not {exit}:\n{text}")
    return text


def step(words):
    print(f"* {words}", flush=True)


def expect(condition, words):
    if not condition:
        fail(words)


class Receiver(threading.Thread):
    """A receiver whose sentences gpsd hears over UDP, once a second."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port = port
        self.start()

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
            line.sendto(text.encode(), ("127.0.0.1", self.port))
            time.sleep(1)


PORT = 29998

step("the machine runs")
for _ in range(300):
    state = subprocess.run(inside + ["systemctl", "is-system-running"], capture_output=True, text=True).stdout
    if state.strip() in ("running", "degraded"):
        break
    time.sleep(0.2)
run("useradd --create-home --shell /bin/bash alice")
# Somebody whose manager runs before anything is installed.
run("useradd --create-home --shell /bin/bash bob && loginctl enable-linger bob")

step("the packages install and go in every order, and leave nothing but the locked user")
run("apt-get -qq update")
install = "apt-get -qq -o Dpkg::Use-Pty=0 install -y /packages/locationd.deb"
everything = f"{install} /packages/locationd-geoclue.deb"
run(everything)


def traces():
    found = run("find /etc /usr /var/lib /run /lib -xdev -name '*locationd*' "
                "-not -path '/var/lib/dpkg/*' -not -path '/run/user/*' -not -path '/run/systemd/*' 2>/dev/null || true")
    return [line for line in found.split() if line]


quiet = "apt-get -qq -o Dpkg::Use-Pty=0"
geoclue = f"{quiet} install -y /packages/locationd-geoclue.deb"
for removals, returns in (
    (["purge -y locationd"], [everything]),
    (["purge -y locationd-geoclue locationd"], [install, geoclue]),
    (["remove -y locationd", "purge -y locationd"], [install, geoclue]),
    (["remove -y locationd-geoclue", "purge -y locationd"], [everything]),
    (["purge -y locationd-geoclue", "remove -y locationd", "purge -y locationd"], [everything]),
):
    for command in removals:
        text = run(f"{quiet} {command}")
        expect("rror" not in text, f"{command} complains:\n{text}")
    expect(traces() == [], f"after {removals} there is left: {traces()}")
    for command in returns:
        run(command)

step("an upgrade keeps what was decided, and the daemon runs on")
run("locationctl grant user:alice always")
run("cd /packages && for name in locationd locationd-geoclue; do rm -rf new && dpkg-deb -R $name.deb new"
    " && sed -i 's/^Version: .*/&+1/' new/DEBIAN/control && dpkg-deb -b new $name-new.deb; done")
run(f"{quiet} install -y /packages/locationd-new.deb /packages/locationd-geoclue-new.deb")
expect("+1" in run("dpkg-query -W locationd"), "nothing was upgraded")
expect("user:alice" in run("locationctl apps"), "the upgrade forgets")
run("locationctl reset user:alice")
run(f"{quiet} install -y --allow-downgrades /packages/locationd.deb /packages/locationd-geoclue.deb")
run(f"{quiet} remove -y locationd-geoclue")
journal = run("journalctl --no-pager -b _PID=$(systemctl show --value -p MainPID locationd)")
expect("GeoClue" not in journal,
       f"removed, locationd-geoclue leaves a complaint:\n{journal}")
expect("no" in run("busctl --list --no-pager | grep -c org.freedesktop.GeoClue2 || echo no"), "GeoClue's name stays")
run(f"{quiet} remove -y locationd")
run(install)
expect("active" in run("systemctl is-active locationd.socket"), "installed again, it is off")
run(f"{quiet} install --reinstall -y /packages/locationd.deb")

step("the agent is on in managers that ran before; a reload with a mistake fails")
expect(run("systemctl --user --machine=bob@ is-active locationd-agent").strip() == "active", "bob has no agent")
run("echo nonsense >/etc/locationd/locationd.conf.d.broken; mkdir -p /etc/locationd/locationd.conf.d;"
    " mv /etc/locationd/locationd.conf.d.broken /etc/locationd/locationd.conf.d/broken.conf")
run("systemctl reload locationd", exit=1)
run("rm /etc/locationd/locationd.conf.d/broken.conf; systemctl reload locationd")

step("nothing can give a fix: what to do is said at once")
alice = "alice"
run("locationctl grant user:alice always --uid alice")
terminal = Terminal("locationctl get --timeout 60", alice)
terminal.read("no location yet: .*\r?\n?.*doctor")
terminal.type("\x03")
os.kill(terminal.pid, signal.SIGKILL)
os.waitpid(terminal.pid, 0)
run("locationctl reset user:alice --uid alice")

step("a played receiver is found, by the gpsd of this machine")
run(f"sed -i 's|^DEVICES=.*|DEVICES=\"udp://127.0.0.1:{PORT}\"|' /etc/default/gpsd")
run("systemctl restart gpsd.socket")
Receiver(PORT)

step("the terminal asks at the first request, and the first fix comes")
terminal = Terminal("locationctl get --timeout 60", alice)
terminal.read("wants to know where this machine is")
terminal.read("> $")
terminal.type("w")
text = terminal.end()
expect(terminal.exit == 0 and "48.117300 11.516667" in text, f"there is no fix:\n{text}")
expect("48.1173" in run("locationctl get", alice), "the second request is not answered")

step("what was allowed is listed, revoked, granted and reset")
app = "exe:/usr/bin/locationctl"
expect(app in run("locationctl apps"), "apps does not show it")
run(f"locationctl revoke {app} --uid alice")
text = " ".join(run("locationctl get", alice, exit=3).split())
grant = re.search(r"sudo (locationctl grant \S+ \S+ --uid \d+)", text)
expect(grant, f"what helps is not said:\n{text}")
run(grant[1])
expect("48.1173" in run("locationctl get", alice), "granted, there is no location")
run(f"locationctl reset {app} --uid alice")
terminal = Terminal("locationctl get", alice)
terminal.read("> $")
terminal.type("d")
terminal.end()
expect(terminal.exit == 3, "refused, it is told")

step("the journal has each of it, with fields, and no place")
given = run("journalctl -b -o json --no-pager MESSAGE_ID=6b1ff2b0c9a04f37a7d3ac4b7f0f1c04")
expect(f'"APP":"{app}"' in given.replace(" ", "") and '"UID":"' in given.replace(" ", ""),
       f"no permission with its fields:\n{given}")
found = run("journalctl -b -o json --no-pager MESSAGE_ID=6b1ff2b0c9a04f37a7d3ac4b7f0f1c01")
expect('"SOURCE":"gpsd:127.0.0.1:2947"' in found.replace(" ", ""), f"no source with its name:\n{found}")
expect("48.1" not in run("journalctl -b --no-pager -u locationd"), "the journal has a place")

step("doctor says what is well, and that no desktop is there to ask")
run(f"locationctl reset {app} --uid alice")
run("locationctl grant user:alice when-in-use")
doctor = " ".join(run("locationctl doctor || true", alice).split())
expect("ok locationd" in doctor and "ok exe:/usr/bin/locationctl may know" in doctor, f"it is not well:\n{doctor}")
expect("the sources give fixes" in doctor and "'locationctl agent' asks" in doctor, f"the doctor errs:\n{doctor}")

step("the tracker says what it needs, keeps the track once it may, and goes")
text = run("apt-get -o Dpkg::Use-Pty=0 install -y /packages/locationd-tracker.deb 2>&1")
grant = re.search(r"sudo (locationctl grant unit:\S+ always --uid \S+)", text)
expect(grant, f"how to let it know is not said:\n{text}")
for _ in range(100):
    text = run("locationctl track status")
    if "locationctl grant" in text:
        break
    time.sleep(0.1)
expect("locationctl grant" in text, f"the tracker does not say what it lacks:\n{text}")
run(grant[1])
for _ in range(300):
    text = run("locationctl track status")
    if not text.startswith("0 entries"):
        break
    time.sleep(0.1)
expect("1 entry kept" in text or "entries kept" in text, f"nothing is kept:\n{text}")
expect("48.1173" in run("locationctl track export --format csv"), "the track has no place")
expect("48.1" not in run("journalctl -b --no-pager -u locationd-tracker"), "the journal has a place")
refused = run("locationctl track status", alice, exit=5)
expect("locationd-track" in refused, f"others are not told why not:\n{refused}")
run(f"{quiet} purge -y locationd-tracker")

step("places answer at once, a country's streets too, and nothing that is asked is in the journal")
run(f"{quiet} install -y /packages/locationd-places.deb /packages/locationd-places-data.deb")
seoul = run("locationctl reverse 37.5636,126.9869 --locale ko", alice)
expect("대한민국 서울특별시 중구 명동" in seoul, f"Seoul is not known:\n{seoul}")
expect("Tokyo" in run("locationctl search toky --locale en", alice), "nothing is completed")
bus = run("busctl --system call org.locationd.Places /org/locationd/Places org.locationd.Places1 Status")
expect("GeoNames" in bus, f"the bus does not answer:\n{bus}")
refused = run("locationctl places import /packages/monaco.osm.pbf", alice, exit=3)
expect("sudo" in refused or "root" in refused, f"a person is not told who may import:\n{refused}")
run("locationctl places import /packages/monaco.osm.pbf")
street = run("locationctl geocode 'Rue Grimaldi, Monaco'", alice)
expect("Rue Grimaldi" in street, f"the street is not found:\n{street}")
# The package brings routino, and the unit's walls let it run.
way = run("locationctl route 43.7315,7.4197 43.74,7.429", alice)
expect("Avenue d'Ostende" in way and "min by car" in way, f"there is no way by the roads of this disk:\n{way}")
expect("Ostende" not in run("journalctl -b --no-pager -u locationd-places"), "the journal has a way")
expect("Grimaldi" not in run("journalctl -b --no-pager -u locationd-places"), "the journal has a question")
run(f"{quiet} purge -y locationd-places locationd-places-data")

step("it goes without a trace")
run(f"{quiet} purge -y locationd")
expect(traces() == [], f"there is left: {traces()}")
expect("!" in run("getent shadow locationd"), "the user is not locked")
print("All of it holds.")
