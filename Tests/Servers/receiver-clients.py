#!/usr/bin/python3
"""Real clients of gpsd, each at a gpsd and at locationd-share that hear the same receiver: do they get the same?
usage: receiver-clients.py PROGRAMS [--all | CLIENT...]
PROGRAMS: the folder of locationd, locationd-share and locationctl. PYTHONPATH may have gpsdclient, gps3 and gpsd-py3.
A client that is not here is passed over. With --all it is missed, and the large ones are tried, too. GeoClue reads a
Unix socket: of the receiver itself, and of the share. Prints a line for each client; exits 1 where one gets something
else."""
import json, os, pty, re, select, shutil, signal, socket, subprocess, sys, tempfile, threading, time

from receiver import fix, free_port, low_port, sentence

programs, wanted = sys.argv[1], sys.argv[2:]
must = wanted == ["--all"]
wanted = [] if must else wanted
folder = tempfile.mkdtemp(prefix="receiver-clients-")
children = []


def epoch(now, points):
    """An epoch of a receiver that moves north by a metre a second, and says which way it points where it is to."""
    clock = time.strftime("%H%M%S", time.gmtime(now)) + f".{int(now * 100) % 100:02d}"
    date = time.strftime("%d%m%y", time.gmtime(now))
    minutes = 12.3456 + (now % 10000) / 1852
    place = f"48{minutes:09.6f},N,01134.500000,E"
    return (
        fix(clock, date, place, 4)
        + sentence("GPGSA,A,3,01,02,03,04,,,,,,,,,1.6,0.9,1.3")
        + sentence("GPGSV,1,1,04,01,40,083,46,02,17,308,41,03,07,344,39,04,22,228,45")
        + sentence(f"GPGST,{clock},11.2,3.5,2.5,7.0,{0.5 + now % 60 / 100:.3f},0.49,1.1")
        + (sentence(f"GPHDT,{now % 3600 / 10:.3f},T") if points else "")
    )


class Receiver:
    """Says the same to all who connect. Programs of Python's end at gpsd's own ATT, see of_headings: it points only for
    the one that is to hear it."""

    points = False

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.path = os.path.join(folder, "receiver")
        local = socket.socket(socket.AF_UNIX)
        local.bind(self.path)
        local.listen()
        self.listeners = []
        for one in (self.listener, local):
            threading.Thread(target=self.accept, args=(one,), daemon=True).start()
        threading.Thread(target=self.speak, daemon=True).start()

    def accept(self, listener):
        while True:
            self.listeners.append(listener.accept()[0])

    def speak(self):
        while True:
            # Times of whole quarters, as receivers have them.
            now = (int(time.time() * 4) + 1) / 4
            time.sleep(max(0, now - time.time()))
            text = epoch(now, self.points).encode()
            for one in list(self.listeners):
                try:
                    one.sendall(text)
                except OSError:
                    self.listeners.remove(one)


def start(command, **options):
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
    children.append(child)
    return child


def until(is_so, seconds=60):
    end = time.time() + seconds
    while not is_so():
        if time.time() > end:
            raise SystemExit("it does not begin")
        time.sleep(0.05)


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


# The places that each client says, as {time: (latitude, longitude)}.


def of_json(text):
    places = {}
    for line in text.splitlines():
        try:
            report = json.loads(line)
        except ValueError:
            continue
        if report.get("class") == "TPV" and "lat" in report and "time" in report:
            places[report["time"]] = (report["lat"], report["lon"])
    return places


def of_pairs(text):
    found = re.findall(r"(\d{4}-\d\d-\d\dT[\d:.]+Z)[ ,]+([\d.-]+)[ ,]+([\d.-]+)", text)
    return {moment: (float(a), float(b)) for moment, a, b in found}


def degrees(text, sign):
    whole, minutes = divmod(float(text), 100)
    return (whole + minutes / 60) * (-1 if sign in "SW" else 1)


def of_nmea(text):
    found = re.findall(r"\$G.RMC,([\d.]+),A,([\d.]+),([NS]),([\d.]+),([EW])", text)
    return {f"{float(t):.2f}": (degrees(a, n), degrees(b, e)) for t, a, n, b, e in found}


def of_errors(text):
    """The errors that the receiver states, in the place of places."""
    places = {}
    names = ("rms", "major", "minor", "orient", "lat", "lon", "alt")
    for line in re.findall(r'^\{"class":"GST".*\}\s*$', text, re.M):
        report = json.loads(line)
        places[report["time"]] = tuple(report[name] for name in names)
    return places


def of_headings(text):
    """The headings of ATT, each another. gpsd 3.22's ATT is no JSON after a GST (a comma too many, one missing), its other
    numbers are the GST's, and its time is the newest fix's; the share tells the time of the heading itself."""
    found = re.findall(r'^\{"class":"ATT".*?"heading":([\d.]+)', text, re.M)
    return {f"{float(heading):07.3f}": (float(heading),) for heading in found}


def of_seconds(text):
    """Several places in a second, which alone is told."""
    found = re.findall(r"GPSD: time=(\d+) fix=3 lat=([\d.-]+) lon=([\d.-]+)", text)
    return {f"{moment} {a}": (float(a), float(b)) for moment, a, b in found}


def of_values(text):
    """Counts and dilutions, without times."""
    return {name: (float(value),) for name, value in re.findall(r"/gps/(\S+) interval=\S+ [\d.]+:([\d.]+)", text)}


def of_places(text):
    """Places without times."""
    found = re.findall(r"^(48\.\d+) (11\.\d+)", text, re.M)
    return {f"{float(a):.7f}": (float(a), float(b)) for a, b in found}


def of_gpx(text):
    found = re.findall(r'<trkpt lat="([\d.-]+)" lon="([\d.-]+)">.*?<time>([^<]+)', text, re.S)
    return {moment: (float(a), float(b)) for a, b, moment in found}


class Screen:
    """The screen of a VT52."""

    MOVES = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}

    def __init__(self):
        self.rows, self.row, self.column = {}, 0, 0

    def text(self, row):
        letters = self.rows.get(row, {})
        return "".join(letters.get(i, " ") for i in range(max(letters, default=-1) + 1)).strip(" |")

    def line(self, name):
        return next((text[len(name) :].split() for row in self.rows if (text := self.text(row)).startswith(name)), [])

    def obey(self, order):
        if order in self.MOVES:
            self.row, self.column = self.row + self.MOVES[order][0], self.column + self.MOVES[order][1]
        elif order == "H":
            self.row = self.column = 0
        elif order in ("J", "K"):
            self.rows[self.row] = {i: one for i, one in self.rows.get(self.row, {}).items() if i < self.column}
            if order == "J":
                self.rows = {row: letters for row, letters in self.rows.items() if row <= self.row}

    def show(self, letter):
        if letter < " ":
            self.row += letter == "\n"
            self.column = {"\r": 0, "\b": self.column - 1, "\t": self.column // 8 * 8 + 8}.get(letter, self.column)
        else:
            self.rows.setdefault(self.row, {})[self.column] = letter
            self.column += 1


def of_screen(text):
    """All that a terminal shows one after the other. The time is drawn first: as it is drawn, the place of the time
    before is whole."""
    screen, places, drawn = Screen(), {}, None
    for row, column, order, letter in re.findall(r"\x1bY(.)(.)|\x1b(.)|([^\x1b])", text, re.S):
        if row:
            screen.row, screen.column = ord(row) - 32, ord(column) - 32
        elif order:
            screen.obey(order)
        else:
            if letter >= " " and screen.row != drawn:
                drawn = screen.row
                moment, a, b = (screen.line(name)[:1] for name in ("Time:", "Latitude:", "Longitude:"))
                if screen.text(drawn).startswith("Time:") and re.fullmatch(r"48\.\d{8}", "".join(a)):
                    places[moment[0]] = (float(a[0]), float(b[0]))
            screen.show(letter)
    return places


PYTHON = {
    "python3-gps": """
import gps
session = gps.gps(host='127.0.0.1', port={port}, mode=gps.WATCH_ENABLE | gps.WATCH_JSON)
while True:
    report = session.next()
    if report and report['class'] == 'TPV' and hasattr(report, 'lat'): print(report.time, report.lat, report.lon, flush=True)
""",
    "gpsdclient": """
from gpsdclient import GPSDClient
with GPSDClient(host='127.0.0.1', port={port}) as client:
    for line in client.json_stream(): print(line, flush=True)
""",
    "gps3": """
from gps3 import gps3
connection, stream = gps3.GPSDSocket(), gps3.DataStream()
connection.connect(host='127.0.0.1', port={port}); connection.watch()
for line in connection:
    if line:
        stream.unpack(line)
        if stream.TPV['lat'] != 'n/a': print(stream.TPV['time'], stream.TPV['lat'], stream.TPV['lon'], flush=True)
""",
    "gpsd-py3": """
import gpsd, time
gpsd.connect(host='127.0.0.1', port={port})
while True:
    try:
        packet = gpsd.get_current()
        print(packet.time, *packet.position(), flush=True)
    except Exception: pass
    time.sleep(0.1)
""",
    "PyQGIS": """
from qgis.core import QgsApplication, QgsGpsdConnection
app = QgsApplication([], False); app.initQgis()
connection = QgsGpsdConnection('127.0.0.1', {port}, '')
connection.stateChanged.connect(lambda place: print(
    place.utcDateTime.toString('yyyy-MM-ddTHH:mm:ss.zzzZ'), repr(place.latitude), repr(place.longitude), flush=True))
connection.connect()
app.exec_()
""",
}

# The files of those that read a configuration.
FILES = {
    "collectd": """
BaseDir "{folder}"
TypesDB "/usr/share/collectd/types.db"
Interval 1
LoadPlugin csv
LoadPlugin gps
<Plugin csv>
  DataDir "stdout"
</Plugin>
<Plugin gps>
  Host "127.0.0.1"
  Port "{port}"
  Timeout 1
  PauseConnect 1
</Plugin>
""",
    "direwolf": """
ADEVICE udp:{free} null
GPSD 127.0.0.1 {port}
KISSPORT 0
AGWPORT 0
""",
}

CLIENTS = {
    "gpspipe -w": (["gpspipe", "-w", "127.0.0.1:{port}"], of_json),
    "gpspipe -r": (["gpspipe", "-r", "127.0.0.1:{port}"], of_nmea),
    "gpspipe -R": (["gpspipe", "-R", "127.0.0.1:{port}"], of_nmea),
    "gpscsv": (["gpscsv", "-c", "TPV", "-f", "time,lat,lon", "127.0.0.1:{port}"], of_pairs),
    "gpxlogger": (["gpxlogger", "-i", "1", "127.0.0.1:{port}"], of_gpx),
    "cgps": (["cgps", "-s", "127.0.0.1:{port}"], of_screen),
    "gpspipe -w, its GST": (["gpspipe", "-w", "127.0.0.1:{port}"], of_errors),
    "gpspipe -w, its ATT": (["gpspipe", "-w", "127.0.0.1:{port}"], of_headings),
    "collectd": (["/usr/sbin/collectd", "-f", "-C", "{file}", "-P", "{file}.pid"], of_values),
    "direwolf": (["direwolf", "-c", "{file}", "-t", "0", "-d", "gg"], of_seconds),
    "GeoClue": (["/usr/bin/python3", os.path.join(os.path.dirname(__file__), "geoclue.py"), "{nmea}"], of_places),
}
for name, text in PYTHON.items():
    CLIENTS[name] = (["/usr/bin/python3", "-c", text], of_pairs if name != "gpsdclient" else of_json)
# On a busy machine it reads late, and drops lines that came together with another.
LOSSY = {"gps3"}
# Programs that look by their own clock, or tell some of what they hear, may pass over an epoch at one side. All others
# say each epoch of the time in which both are there.
CHOOSING = {"collectd", "direwolf", "GeoClue", "gpsd-py3", "PyQGIS"}
LARGE = {"collectd", "direwolf", "GeoClue", "PyQGIS"}


def is_here(name):
    """GeoClue is started by root alone."""
    if name == "GeoClue":
        return os.getuid() == 0 and os.path.exists("/usr/libexec/geoclue")
    return shutil.which(CLIENTS[name][0][0]) is not None


def fill(text, side):
    for name, value in {**side, "folder": folder, "free": free_port()}.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def run(name, sides, i, seconds, begun):
    """A client's words on a terminal, until both sides have had their first place for that time."""
    side = sides[i]
    command, read = CLIENTS[name]
    if name in FILES:
        side = dict(side, file=os.path.join(folder, f"{name}-{side['port']}"))
        with open(side["file"], "w") as file:
            file.write(fill(FILES[name], side))
    command = [fill(part, side) for part in command]
    leader, follower = pty.openpty()
    environment = dict(os.environ, TERM="vt52", LINES="40", COLUMNS="132", PYTHONUNBUFFERED="1")
    environment["QT_QPA_PLATFORM"] = "offscreen"
    child = start(command, stdout=follower, stderr=follower, env=environment, start_new_session=True)
    os.close(follower)
    text, end, last = b"", time.time() + 60, None
    while time.time() < (last or end):
        begun[i] = begun[i] or bool(read(text.decode(errors="replace")))
        if not last and all(begun):
            last = time.time() + seconds
        if not select.select([leader], [], [], 0.1)[0]:
            continue
        try:
            text += os.read(leader, 65536)
        except OSError:
            break
    child.send_signal(signal.SIGTERM)
    child.wait()
    while select.select([leader], [], [], 0.2)[0]:
        try:
            text += os.read(leader, 65536)
        except OSError:
            break
    os.close(leader)
    return text.decode(errors="replace")


def both(name, sides, seconds=5):
    read = CLIENTS[name][1]
    texts, begun = ["", ""], [False, False]

    def hear(i):
        texts[i] = run(name, sides, i, seconds, begun)

    threads = [threading.Thread(target=hear, args=(i,)) for i in (0, 1)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    theirs, ours = read(texts[0]), read(texts[1])
    if not theirs:
        # A client of Python's may be missing; what is here and fails is no client to compare with.
        return not must and "No module named" in texts[0], f"{name}: not here: {texts[0][-300:]!r}"
    common = theirs.keys() & ours.keys()
    worst = max((abs(a - b) for t in common for a, b in zip(theirs[t], ours[t])), default=1)
    # The time in which both are there counts.
    span = max(min(theirs), min(ours, default="")), min(max(theirs), max(ours, default=""))
    alone = [t for t in theirs.keys() ^ ours.keys() if span[0] <= t <= span[1]]
    good = worst < 1e-7 and len(common) >= 3 and (not alone or name in LOSSY or name in CHOOSING and len(alone) <= 4)
    return good, f"{name}: {len(common)} places, {worst:.1e} degrees apart, {len(alone)} at one side alone" + (
        "" if good else f"; {sorted(theirs.items())[:3]} {sorted(ours.items())[:3]} {texts[1][-300:]!r}"
    )


def main():
    receiver = Receiver()
    gpsd, share, second = low_port(), low_port(), low_port()
    log = open(os.path.join(folder, "log"), "w")
    said = {"stdout": log, "stderr": log}
    start(["/usr/sbin/gpsd", "-N", "-n", "-S", str(gpsd), f"tcp://127.0.0.1:{receiver.port}"], **said)
    door = os.path.join(folder, "s")
    start(
        [f"{programs}/locationd", "--config", "/dev/null", "--source", f"nmea+tcp://127.0.0.1:{receiver.port}"]
        + ["--socket", door, "--bus", "none", "--state", "none", "--in-use", "connected"],
        **said,
    )
    until(lambda: os.path.exists(door))
    start(
        [f"{programs}/locationd-share", "--config", "/dev/null", "--daemon", door, "--gpsd", f"127.0.0.1:{share}"]
        + ["--nmea", f"unix:{folder}/nmea"],
        **said,
    )
    until(lambda: listens(gpsd) and listens(share))
    # The name must have been seen; then it may know.
    grant = [f"{programs}/locationctl", "grant", "gpsd:" + subprocess.getoutput("id -un"), "always"]
    allowed = lambda: not subprocess.run(grant, env=dict(os.environ, LOCATIOND_SOCKET=door), **said).returncode
    until(lambda: listens(share) and allowed())
    # A gpsd is a client, too: what it hears from us it tells others.
    start(["/usr/sbin/gpsd", "-N", "-n", "-S", str(second), f"gpsd://127.0.0.1:{share}"], **said)
    until(lambda: listens(second))
    sides = {"port": gpsd, "nmea": receiver.path}, {"port": share, "nmea": os.path.join(folder, "nmea")}
    good = True
    for name in wanted or [name for name in CLIENTS if must or name not in LARGE]:
        receiver.points = name.endswith("ATT")
        if not is_here(name):
            same, text = not must, f"{name}: not here"
        else:
            same, text = both(name, sides)
        print(("" if same else "WRONG ") + text, flush=True)
        good = good and same
    if not wanted:
        CLIENTS["gpsd at gpsd://"] = CLIENTS["gpspipe -w"]
        same, text = both("gpsd at gpsd://", (sides[0], dict(sides[1], port=second)))
        print(("" if same else "WRONG ") + text, flush=True)
        good = good and same
    return 0 if good else 1


result = 1
try:
    result = main()
finally:
    for child in children:
        if child.poll() is None:
            child.terminate()
    for child in children:
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
    if result:
        sys.stderr.write(open(os.path.join(folder, "log")).read()[-3000:])
    shutil.rmtree(folder)
sys.exit(result)
