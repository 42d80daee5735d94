"""A week in an hour: everything together in a machine of its own, and the faults of machines, dealt by a seed. In the first
half all is killed, too; then the same processes go on to the end, and hold and do no more than at first. A van drives to
and fro meanwhile, and an app sees each crossing and visit once. SOAK_SECONDS and SOAK_SEED say how long, and which
deck. The report is soak.md beside the machine's folder."""
import datetime, platform, random, statistics

from clients import *

SECONDS = int(os.environ.get("SOAK_SECONDS") or 240)
SEED = int(os.environ.get("SOAK_SEED") or random.SystemRandom().randrange(1_000_000))
deal = random.Random(SEED)
load = os.getloadavg()[0]

# Seconds that the van stays at each end, which is a visit, and drives from one to the other.
STAY, DRIVE = 270, 81
ENDS = {"south": 48.1374 - 600 / 111_200, "north": 48.1374 + 600 / 111_200}
REGIONS = [f"{end}-{radius},{latitude:.6f},11.5755,{radius}" for end, latitude in ENDS.items() for radius in (150, 200, 250, 300)]
BROKER = "mosquitto_sub -h 127.0.0.1 -i ear -c -q 1 -t owntracks/soak/van -F %p"
PORT_OF_NMEA = 10110
STATES = ["/var/lib/locationd", "/var/lib/locationd-tracker"]
FOLDERS = STATES + ["/var/lib/locationd-places", "/var/cache/locationd-places"]

# Bars: so much more may a program hold and do at the end than in the middle, and so much may a folder grow.
KILOBYTES, DESCRIPTORS, WAKE_UPS, DISK = 512, 2, 3.0, 256
# SQLite writes so many kilobytes into a log before it begins anew.
LOG = 4200


# --- the machine ---

step(f"seed {SEED}: a machine without a network, with everything in it")
run("apt-get -qq update")
ALL = ["locationd", "locationd-geoclue", "locationd-map", "locationd-places", "locationd-places-data", "locationd-share",
       "locationd-tracker"]
OTHERS = "gpsd python3-dbus python3-gi curl mosquitto mosquitto-clients"
run(f"{QUIET} install -y --download-only {OTHERS} {package(*ALL)}")
enter(another("soak", "--private-network"))
start()
run("loginctl enable-linger alice")
run(f"{QUIET} install -y {OTHERS}")
run("head -c 8 /dev/zero >/usr/lib/soak-clock && cp /packages/clock.so /usr/lib && echo /usr/lib/clock.so >/etc/ld.so.preload")
for folder in STATES:
    run(f"mkdir -p {folder} && mount -t tmpfs -o size=32M,mode=700 soak {folder}")
# The van has just come to the south.
began = time.monotonic() + STAY // 2
for unit, link in (("line", "/dev/ttyAMA0"), ("datagrams", PORT)):
    command = f"/usr/bin/python3 /packages/programs/van-receiver.py {link} {STAY} {began}"
    run(f"printf '[Service]\\nEnvironment=TRUE_CLOCK=1\\nExecStart={command}\\n' >/etc/systemd/system/{unit}.service")
run("systemctl daemon-reload; systemctl start line datagrams")
run(f"sed -i 's|^DEVICES=.*|DEVICES=\"udp://127.0.0.1:{PORT}\"|' /etc/default/gpsd; systemctl restart gpsd.socket")
run("mkdir -p /etc/systemd/system/locationd.service.d /etc/locationd/locationd.conf.d /etc/locationd/tracker.conf.d")
run("printf '[Service]\\nDeviceAllow=char-pts rw\\n' >/etc/systemd/system/locationd.service.d/played.conf")
run("printf '[Sources]\\nSource=nmea:///dev/ttyAMA0\\nSource=gpsd://127.0.0.1\\n' >/etc/locationd/locationd.conf.d/van.conf")
run("printf '[Record]\\nInterval=10\\nDistance=50\\n[Uplink van]\\nURL=mqtt://127.0.0.1/owntracks/soak/van\\n'"
    " >/etc/locationd/tracker.conf.d/van.conf")
apt(f"install -y {package(*ALL)}")
run("systemctl enable --now mosquitto locationd-share-nmea.socket")
run("locationctl places import /packages/monaco.osm.pbf")
run("locationctl grant unit:locationd-tracker.service always --uid locationd-tracker")
run("locationctl grant user:alice always --uid alice")
grant()
WAYS["the Swift app"] += " " + " ".join(REGIONS)
WAYS["NMEA of the share"] = f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{PORT_OF_NMEA} && exec cat <&3'"
# The app is away for a while: events wait for it.
programs = [Program(name, f"while sleep {5 if 'app' in name else 0.5}; do {command}; done", "alice")
            for name, command in WAYS.items()]
app = programs[0]
ear = Program("the ear", f"while sleep 0.5; do {BROKER}; done", "alice")


# --- measures ---

def processes():
    """The folders in /proc of our programs, by their names."""
    proc = f"/proc/{inside[2]}/root/proc"
    found = {}
    for pid in filter(str.isdigit, os.listdir(proc)):
        try:
            name = os.path.basename(os.readlink(f"{proc}/{pid}/exe"))
        except OSError:
            continue
        if name.startswith("locationd") or name == "try-app":
            found[name] = f"{proc}/{pid}"
    return found


def private(folder):
    return sum(int(line.split()[1]) for line in open(f"{folder}/smaps_rollup") if line.startswith("Private_Dirty"))


def switches(folder):
    """How often its threads have woken up."""
    return sum(int(line.split()[1]) for task in os.listdir(f"{folder}/task")
               for line in open(f"{folder}/task/{task}/status") if line.startswith("voluntary"))


def figures(seconds=30):
    """Each program's process, private kilobytes, descriptors, and times that it wakes up in a second."""
    there = processes()
    before = {name: switches(folder) for name, folder in there.items()}
    kilobytes = {name: [] for name in there}
    since = time.monotonic()
    while time.monotonic() - since < seconds:
        time.sleep(2)
        ask()
        for name, folder in there.items():
            kilobytes[name].append(private(folder))
    passed = time.monotonic() - since
    return {name: (os.path.basename(folder), statistics.median(kilobytes[name]), len(os.listdir(f"{folder}/fd")),
                   (switches(folder) - before[name]) / passed) for name, folder in there.items()}


def disk():
    """Kilobytes that each folder takes, without and with the logs of its databases, which are put into them by and by."""
    found = {}
    for words, option in (("", "--exclude=*-wal"), (", with logs", "")):
        lines = run(f"du -sk {option} {' '.join(FOLDERS)}").split()
        found.update({lines[i + 1] + words: int(lines[i]) for i in range(0, len(lines), 2)})
    return found


def ask():
    """The street that places answer with."""
    street = run("locationctl geocode 'Rue Grimaldi, Monaco'", "alice", exit=None)
    return "Rue Grimaldi" in street and street


def backlog():
    found = json.loads(run("locationctl track status --json", exit=None) or "{}").get("uplinks", [])
    return found[0]["backlog"] if found else None


def unheard():
    """Entries of the track that the subscriber at the broker has not heard."""
    heard = {json.loads(line)["tst"] for _, line in list(ear.lines) if '"_type":"location"' in line}
    lines = [json.loads(line) for line in run("locationctl track export --format ndjson").splitlines() if '"place"' in line]
    kept = {int(datetime.datetime.fromisoformat(line["timestamp"].replace("Z", "+00:00")).timestamp()) for line in lines}
    expect(kept, "no entry is kept")
    return sorted(kept - heard)


# --- faults ---

def kill(unit, more=None):
    return f"systemctl kill --kill-whom=main -s KILL {unit}", more


def clock(seconds):
    return ("/usr/bin/python3 -c \"open('/usr/lib/soak-clock', 'r+b').write((%d).to_bytes(8, 'little', signed=True))\"" % seconds)


def sleep(signal):
    """Stops, or wakes, all but systemd and what is outside of the machine: its receivers and its administrator."""
    return f"pkill -{signal} -x 'locationd.*|locationctl|try-app|gpsd|mosquitto|dbus-daemon|systemd-logind'; pkill -{signal} -u alice -x python3"


def filling(command):
    return "; ".join(command.format(f"{folder}/filling") for folder in STATES)


# Meanwhile nobody can be told a place.
SILENT = {"both receivers go", "the machine sleeps"}
# systemd does not always know which process it has become.
GPSD_GOES = "systemctl stop gpsd.socket; systemctl stop gpsd; pkill -KILL -x gpsd || true"
BROKER_COMES = "systemctl reset-failed mosquitto; systemctl start mosquitto"
# The command that begins each, and the one that ends it.
FAULTS = {
    "the receiver on the line goes": ("systemctl stop line", "systemctl start line"),
    "the receiver of gpsd goes": ("systemctl stop datagrams", "systemctl start datagrams"),
    "both receivers go": ("systemctl stop line datagrams", "systemctl start line datagrams"),
    "gpsd is stopped": (GPSD_GOES, f"{GPSD_GOES}; systemctl start gpsd.socket"),
    "gpsd is killed": ("pgrep -x gpsd || systemctl start gpsd; pkill -KILL -x gpsd", None),
    "the broker goes": ("systemctl stop mosquitto", BROKER_COMES),
    "the broker is killed": kill("mosquitto", BROKER_COMES),
    "logind is killed": kill("systemd-logind"),
    "the clock goes forwards": (clock(deal.choice([90, 3600, 30 * 86400])), clock(0)),
    "the clock goes back": (clock(-deal.choice([90, 3600, 30 * 86400])), clock(0)),
    "the disks are full": (filling("head -c 64M /dev/zero >{} 2>/dev/null || true"), filling("rm -f {}")),
    "the machine sleeps": (sleep("STOP"), sleep("CONT")),
    "twenty programs come and go": ("for i in $(seq 20); do su - alice -c 'timeout 5 locationctl get' & done; wait", None),
    "an extract is imported": ("locationctl places import /packages/monaco.osm.pbf", None),
    "the configuration is read again": ("systemctl reload locationd locationd-tracker locationd-share", None),
}
KILLS = {
    "locationd is killed": kill("locationd"),
    "the tracker is killed": kill("locationd-tracker"),
    "places are killed": kill("locationd-places"),
    "the share is killed": kill("locationd-share"),
    "the agent is killed": ("pkill -KILL -x locationd-agent", None),
    "the app is killed": ("pkill -KILL -x try-app", None),
    "the map is killed": ("pkill -KILL -x locationd-map", None),
    "the bus is killed": kill("dbus"),
}
# Seconds until each program went on, by the fault's name.
took = {}


def happen(name, begin, end):
    pause = deal.uniform(1, 12)
    run(begin)
    if end:
        if name not in SILENT:
            told(programs, time.monotonic() + 0.5)
        time.sleep(pause)
        run(end)
    # Words that were on their way do not count.
    last = told(programs, time.monotonic() + 0.5) + 0.5
    wait(ask, f"after '{name}' places do not answer")
    took.setdefault(name, []).append(last)
    print(f"  {name}: {last:.1f} s", flush=True)
    if not end:
        time.sleep(pause)


def go_through(faults, until):
    """Deals all of them, again and again until a time, but once at least."""
    dealt = set()
    while True:
        names = sorted(faults)
        deal.shuffle(names)
        for name in names:
            if time.monotonic() > until and len(dealt) == len(faults):
                return
            happen(name, *faults[name])
            dealt.add(name)


# --- the events of the app ---

def rest():
    """How often the van has come to an end, and since when it is there; negative while it drives."""
    whole, since = divmod(time.monotonic() - began + STAY / 2, STAY + DRIVE)
    return whole, since if since < STAY else since - STAY - DRIVE


def seen(*words):
    return [line for _, line in list(app.lines) if line.split(" ")[0] in words]


def settled():
    """The van is at an end, and what it has crossed is found by all means."""
    return 30 < rest()[1] < STAY - 30


def events():
    """The lines of a report that say how the app's events differ from the drives."""
    drives = int(rest()[0] - first)
    crossings, wrong = seen("enter", "exit"), []
    for region in (region.split(",")[0] for region in REGIONS):
        words = [line.split(" ")[0] for line in crossings if line.split(" ")[1] == region]
        was_inside = region.startswith("south") == at_south
        expected = ["exit" if (turn % 2 == 0) == was_inside else "enter" for turn in range(drives)]
        if words != expected:
            wrong.append(f"{region}: {' '.join(words)}, not {' '.join(expected)}")
    arrivals, departures = ([line.split(" ")[1] for line in seen(word)] for word in ("arrival", "departure"))
    # A daemon that is killed begins to look for a stay anew.
    fewest = drives + 1 - len(took.get("locationd is killed", []))
    if len(set(arrivals)) != len(arrivals) or not fewest <= len(arrivals) <= drives + 1:
        wrong.append(f"arrivals: {arrivals}, by {drives} drives")
    if departures not in (arrivals, arrivals[:-1]) or len(departures) > drives:
        wrong.append(f"departures: {departures}, of {arrivals}")
    return wrong


# --- the story ---

step("each program is told a place")
told(programs)
wait(ask, "places do not answer")
wait(lambda: backlog() == 0, "the broker hears nothing")
wait(settled, "the van does not rest", STAY + DRIVE)
first, at_south = rest()[0], rest()[0] % 2 == 0
expect(not seen("enter", "exit"), f"events come before the van drives: {seen('enter', 'exit')}")
begun, date = time.monotonic(), datetime.datetime.now()
wrong = []
middle = end = {}
space = [disk()]
try:
    step("all of it is killed, and goes on")
    go_through({**FAULTS, **KILLS}, begun + SECONDS / 2)
    step("the same processes go on to the end")
    time.sleep(10)
    middle = figures()
    space.append(disk())
    go_through(FAULTS, begun + SECONDS)
    time.sleep(10)
    end = figures()
    space.append(disk())
    step("each event was seen once, and each entry sent")
    wait(settled, "the van does not rest", STAY + DRIVE)
    while events() and rest()[1] < STAY - 15:
        time.sleep(1)
    wrong += events()
    # The D-Bus client acknowledges nothing.
    waiting = [monitor for monitor in status()["monitors"] if "try-app" in monitor["app"] and monitor.get("waiting")]
    if waiting:
        wrong.append(f"not acknowledged: {waiting}")
    deadline = time.monotonic() + 60
    while (backlog() != 0 or unheard()) and time.monotonic() < deadline:
        time.sleep(1)
    if backlog() != 0 or unheard():
        wrong.append(f"not sent: {backlog()} entries; not heard at the broker: {unheard()}")
    off = [source["name"] for source in status()["sources"] if source["name"][:4] in ("nmea", "gpsd") and source["state"] != "running"]
    if off:
        wrong.append(f"lost: {off}")
    if told_of := run("journalctl --no-pager -b -u 'locationd*' | grep -E '48[.]1[34]|11[.]57' || true").strip():
        wrong.append(f"the journal has a place: {told_of}")
except (SystemExit, OSError, ValueError) as failure:
    wrong.append(f"{type(failure).__name__}: {failure}")

# --- the report ---

rows = []
for name, (process, kilobytes, descriptors, wakes) in sorted(middle.items()):
    then = end.get(name)
    if not then:
        continue
    rows.append(f"| {name} | {kilobytes:.0f} | {then[1]:.0f} | {descriptors} | {then[2]} | {wakes:.1f} | {then[3]:.1f} |")
    if then[0] != process:
        wrong.append(f"{name} was started anew")
    for words, more, bar in (("kB", then[1] - kilobytes, KILOBYTES), ("descriptors", then[2] - descriptors, DESCRIPTORS),
                             ("times a second awake", then[3] - wakes, WAKE_UPS)):
        if more > bar:
            wrong.append(f"{name}: {more:.1f} {words} more than in the middle")
if middle and end:
    expected = {"locationd", "locationd-agent", "locationd-map", "locationd-places", "locationd-share", "locationd-tracker",
                "try-app"}
    wrong += [f"{name} does not run" for name in sorted(expected - set(end))]
for folder in space[-1] if len(space) == 3 else []:
    more = space[2][folder] - space[1][folder]
    if more > (DISK + LOG if "logs" in folder else DISK):
        wrong.append(f"{folder}: {more} kB more than in the middle")
drives = int(rest()[0] - first)
faults = [f"| {name} | {len(times)} | {statistics.median(times):.1f} | {max(times):.1f} |" for name, times in sorted(took.items())]
report = f"""# A soak of locationd {run("locationd --version").split()[1]}

{date:%Y-%m-%d %H:%M}, {(time.monotonic() - begun) / 60:.0f} minutes of everything in one machine, `SOAK_SEED={SEED}`; {os.cpu_count()} cores,
Linux {platform.release()}, load {load:.1f} before and {os.getloadavg()[0]:.1f} after.

**{"All of it holds." if not wrong else "It does not hold:"}**
{"".join(f"{chr(10)}* {line}" for line in wrong)}

| what happened, for 1 to 12 s | times | until each program went on, s: median | longest |
| --- | --- | --- | --- |
{chr(10).join(faults)}

Programs: {", ".join(WAYS)}.

| program | private kB in the middle | at the end | descriptors | at the end | awake a second | at the end |
| --- | --- | --- | --- | --- | --- | --- |
{chr(10).join(rows)}

Bars: {KILOBYTES} kB, {DESCRIPTORS} descriptors and {WAKE_UPS:.0f} times a second more at the end than in the middle, by the same processes.

| folder | kB at first | in the middle | at the end |
| --- | --- | --- | --- |
{chr(10).join(f"| {folder} | {' | '.join(str(kilobytes.get(folder, '')) for kilobytes in space)} |" for folder in space[0])}

The bar is {DISK} kB more at the end than in the middle, and a log of {LOG} kB. Drives of the van: {drives}. The app
saw {len(seen("enter", "exit"))} crossings of {len(REGIONS)} regions, of which {8 * drives} are wanted, each once, {len(seen("arrival"))} arrivals and
{len(seen("departure"))} departures; the broker heard {len(ear.lines)} messages.
"""
place = os.path.join(sys.argv[2], "..", "soak.md")
open(place, "w", encoding="utf-8").write(report)
print(report)
if wrong:
    sys.exit(1)
