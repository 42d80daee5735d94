"""A week in an hour: everything together in a machine of its own, and the faults of machines, dealt by a seed. In the first
half all is killed, too; then the same processes go on to the end, and hold and do no more than at first. A van drives to
and fro meanwhile, and an app sees each crossing and visit once. SOAK_SECONDS and SOAK_SEED say how long, and which
deck. The report is soak.md beside the machine's folder, whatever broke; soak.journal has the rest of the scene then."""
import datetime, platform, random, statistics, traceback

from clients import *
from faults import KILLS, SILENT, deck

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
FOLDER = os.path.join(sys.argv[2], "..")
ALL = ["locationd", "locationd-geoclue", "locationd-map", "locationd-places", "locationd-places-data", "locationd-share",
       "locationd-tracker"]
OTHERS = "gpsd python3-dbus python3-gi curl mosquitto mosquitto-clients"

# The van has driven since then, and is where it was at first.
began = begun = time.monotonic()
date = datetime.datetime.now()
first = at_south = None
version = "that was not installed"
programs, app, ear = [], None, None
middle, end, space, wrong = {}, {}, [], []


# --- the machine ---

def prepare():
    global began, app, ear, version
    step(f"seed {SEED}: a machine without a network, with everything in it")
    boot()
    run("apt-get -qq update")
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
    version = run("locationd --version").split()[1]
    grant()
    WAYS["the Swift app"] += " " + " ".join(REGIONS)
    WAYS["NMEA of the share"] = f"bash -c 'exec 3<>/dev/tcp/127.0.0.1/{PORT_OF_NMEA} && exec cat <&3'"
    # The app is away for a while: events wait for it.
    programs[:] = [Program(name, f"while sleep {5 if 'app' in name else 0.5}; do {command}; done", "alice")
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
    """Kilobytes of its own, without the pages of its program: the machine's disk is memory, where those count as dirty."""
    return sum(int(line.split()[1]) for line in open(f"{folder}/smaps_rollup") if line.startswith("Pss_Anon"))


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

FAULTS = deck(deal, STATES)
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
    return [line for _, line in list(app.lines if app else []) if line.split(" ")[0] in words]


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

def story():
    global begun, date, first, at_south
    step("each program is told a place")
    told(programs)
    wait(ask, "places do not answer")
    wait(lambda: backlog() == 0, "the broker hears nothing")
    wait(settled, "the van does not rest", STAY + DRIVE)
    first, at_south = rest()[0], rest()[0] % 2 == 0
    expect(not seen("enter", "exit"), f"events come before the van drives: {seen('enter', 'exit')}")
    begun, date = time.monotonic(), datetime.datetime.now()
    space.append(disk())
    step("all of it is killed, and goes on")
    go_through({**FAULTS, **KILLS}, begun + SECONDS / 2)
    step("the same processes go on to the end")
    time.sleep(10)
    middle.update(figures())
    space.append(disk())
    go_through(FAULTS, begun + SECONDS)
    time.sleep(10)
    end.update(figures())
    space.append(disk())
    step("each event was seen once, and each entry sent")
    wait(settled, "the van does not rest", STAY + DRIVE)
    while events() and rest()[1] < STAY - 15:
        time.sleep(1)
    wrong.extend(events())
    # The D-Bus client acknowledges nothing.
    waiting = [monitor for monitor in status()["monitors"] if "try-app" in monitor["app"] and monitor.get("waiting")]
    wrong.extend([f"not acknowledged: {waiting}"] if waiting else [])
    deadline = time.monotonic() + 60
    while (backlog() != 0 or unheard()) and time.monotonic() < deadline:
        time.sleep(1)
    if backlog() != 0 or unheard():
        wrong.append(f"not sent: {backlog()} entries; not heard at the broker: {unheard()}")
    off = [source["name"] for source in status()["sources"] if source["name"][:4] in ("nmea", "gpsd") and source["state"] != "running"]
    wrong.extend([f"lost: {off}"] if off else [])
    if told_of := run("journalctl --no-pager -b -u 'locationd*' | grep -E '48[.]1[34]|11[.]57' || true").strip():
        wrong.append(f"the journal has a place: {told_of}")


def scene():
    """The machine as it is when something breaks, for those who look for the cause: states of processes, and the journal."""
    with open(os.path.join(FOLDER, "soak.journal"), "wb") as file:
        for command in ("locationctl status --json", "ps axo pid,user:20,stat,wchan:20,etime,args",
                        "journalctl --no-pager -b -o short-monotonic -n 40000"):
            subprocess.run(inside + ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=file, stderr=file, timeout=30)


def judge():
    """The rows of the programs in the report; what misses a bar is wrong."""
    rows = []
    for name, (process, kilobytes, descriptors, wakes) in sorted(middle.items()):
        if not (then := end.get(name)):
            continue
        rows.append(f"| {name} | {kilobytes:.0f} | {then[1]:.0f} | {descriptors} | {then[2]} | {wakes:.1f} | {then[3]:.1f} |")
        if then[0] != process:
            wrong.append(f"{name} was started anew")
        for words, more, bar in (("kB", then[1] - kilobytes, KILOBYTES), ("descriptors", then[2] - descriptors, DESCRIPTORS),
                                 ("times a second awake", then[3] - wakes, WAKE_UPS)):
            if more > bar:
                wrong.append(f"{name}: {more:.1f} {words} more than in the middle")
    if middle and end:
        here = "locationd locationd-agent locationd-map locationd-places locationd-share locationd-tracker try-app"
        wrong.extend(f"{name} does not run" for name in here.split() if name not in end)
    for folder in space[-1] if len(space) == 3 else []:
        more = space[2][folder] - space[1][folder]
        if more > (DISK + LOG if "logs" in folder else DISK):
            wrong.append(f"{folder}: {more} kB more than in the middle")
    return rows


def report():
    rows = judge()
    drives = 0 if first is None else int(rest()[0] - first)
    faults = [f"| {name} | {len(times)} | {statistics.median(times):.1f} | {max(times):.1f} |" for name, times in sorted(took.items())]
    folders = [f"| {folder} | {' | '.join(str(kilobytes.get(folder, '')) for kilobytes in space)} |" for folder in (space or [[]])[0]]
    # A list's further lines are indented.
    troubles = "".join("\n* " + line.replace("\n", "\n  ") for line in wrong)
    return f"""# A soak of locationd {version}

{date:%Y-%m-%d %H:%M}, {(time.monotonic() - begun) / 60:.0f} minutes of everything in one machine, `SOAK_SEED={SEED}`; {os.cpu_count()} cores,
Linux {platform.release()}, load {load:.1f} before and {os.getloadavg()[0]:.1f} after.

**{"It does not hold:" if wrong else "All of it holds."}**
{troubles}

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
{chr(10).join(folders)}

The bar is {DISK} kB more at the end than in the middle, and a log of {LOG} kB. Drives of the van: {drives}. The app
saw {len(seen("enter", "exit"))} crossings of {len(REGIONS)} regions, of which {8 * drives} are wanted, each once, {len(seen("arrival"))} arrivals and
{len(seen("departure"))} departures; the broker heard {len(ear.lines) if ear else 0} messages.
"""


try:
    prepare()
    story()
except BaseException as failure:
    # A sentence of the story's own says what broke; another error names its line.
    wrong.append(str(failure) if isinstance(failure, SystemExit) else traceback.format_exc().strip())
if wrong:
    try:
        scene()
    except (Exception, SystemExit) as failure:
        print(f"no scene: {failure}", flush=True)
text = report()
open(os.path.join(FOLDER, "soak.md"), "w", encoding="utf-8").write(text)
print(text, flush=True)
sys.exit(1 if wrong else 0)
