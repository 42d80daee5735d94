"""locationd-admin(7), locationd-van(7) and locationd-places-data(7): what they have a person type is typed from them,
in two or three fresh machines each, and what the person wanted is there at the end."""
from typist import *

DRIVE = r"""
import time
start = time.time() - 600
for second in range(600):
    clock = time.strftime("%H%M%S.00", time.gmtime(start + second))
    date = time.strftime("%d%m%y", time.gmtime(start + second))
    north = 15 * min(second, 600 - second) / 111200
    place = f"{48 + int((8.244 + 60 * north) // 60):02d}{(8.244 + 60 * north) % 60:08.5f},N,01134.53000,E"
    for body in (f"GPGGA,{clock},{place},1,09,0.9,545.4,M,46.9,M,,",
                 f"GPRMC,{clock},A,{place},29.2,0.0,{date},,,A"):
        check = 0
        for byte in body.encode():
            check ^= byte
        print(f"${body}*{check:02X}", end="\r\n")
"""


def drive():
    """The machine has a source: a recording of a drive, again and again."""
    run(f"cat >/srv/drive.py <<'END'{DRIVE}END\npython3 /srv/drive.py >/srv/drive.nmea")
    run("mkdir -p /etc/locationd/locationd.conf.d && printf '[Sources]\\nSource=replay:///srv/drive.nmea?rate=10&loop=1\\n'"
        " >/etc/locationd/locationd.conf.d/receiver.conf")


def entries():
    return int(run("locationctl track status").split()[0])


def places():
    """The dates and places of the track."""
    return run("locationctl track export --format csv").splitlines()


# --- locationd-admin(7) ---

old = list(inside)
start()
account()
run(f"{QUIET} install -y --no-install-recommends python3 openssh-client")
key = reach_by_ssh({"board-1": 29922, "board-2": 29923})
run("su - ann -c \"printf 'board-1\\nboard-2\\n' >machines\"")
third = another("third")
enter(third)
start()
account()
listen_for_ssh(29923, key)
new = another("new")
enter(new)
# Numbers that the first machine has given to others.
run("for name in one two three four; do useradd --system $name; done")
account(others=["carol", "bob"])
start()
listen_for_ssh(29922, key)
PACKAGES = ["locationd.deb", "locationctl.deb", "locationd-tracker.deb"]
numbers = {}
for machine in (old, new):
    enter(machine)
    give(machine, PACKAGES)
    apt(f"install -y {package('locationd', 'locationd-tracker')}")
    numbers[machine is new] = run("id -u ann; id -u locationd; id -u locationd-tracker").split()
expect(all(a != b for a, b in zip(*numbers.values())), f"the numbers are the same: {numbers}")
enter(old)
drive()
run("systemctl reload locationd")
run("locationctl grant unit:locationd-tracker.service always --uid locationd-tracker")
run("locationctl grant user:ann always --uid ann && locationctl revoke exe:/usr/bin/nobody --uid ann")
run("locationctl restrict exe:/usr/bin/spy")
wait(lambda: entries() > 5, "nothing is kept")
expect("48.1" in run("locationctl get", "ann"), "ann is told nothing")
run("mkdir -p /etc/locationd/tracker.conf.d; printf '[Record]\\nInterval=20\\n' >/etc/locationd/tracker.conf.d/own.conf")


def asked(said):
    expect("always" in said and "user:ann" in said, f"who may is not said:\n{said}")


def backed_up(said):
    expect(run("stat -c '%U %a' /home/ann/locationd.tar.gz").split() == ["ann", "600"], "others may read the backup")
    expect(run("systemctl is-enabled locationd locationd-tracker").split() == ["enabled"] * 2, "a unit is masked still")
    wait(lambda: "48.1" in run("locationctl get", "ann", exit=None), "after the backup nothing is told")
    kept = entries()
    wait(lambda: entries() > kept, "after the backup nothing is kept")
    carry(old, new, ["locationd.tar.gz"])
    archived.extend(places())
    names.append(track())
    # A decision of the new machine itself is replaced.
    enter(new)
    run("locationctl grant user:bob always --uid bob")
    run(f"{QUIET} install -y --no-install-recommends python3")
    drive()
    run("rm /etc/locationd/locationd.conf.d/receiver.conf")


def track():
    """The name of the track."""
    return run("systemctl stop locationd-tracker.socket locationd-tracker.service; python3 -c \"import sqlite3 as s;"
               " print(s.connect('/var/lib/locationd-tracker/track.db').execute('select value from numbers where name = '"
               " + repr('track')).fetchone()[0])\"; systemctl start locationd-tracker.socket locationd-tracker.service").strip()


archived, names = [], []


def restored(said):
    enter(new)
    text = run("locationctl apps --json")
    apps = {(app["app"], app.get("uid")): app["authorization"] for app in json.loads(text)["permissions"]}
    ann, tracker = (int(run(f"id -u {name}")) for name in ("ann", "locationd-tracker"))
    for app, authorization in {("user:ann", ann): "authorizedAlways", ("exe:/usr/bin/nobody", ann): "denied",
                               ("unit:locationd-tracker.service", tracker): "authorizedAlways",
                               ("exe:/usr/bin/spy", None): "restricted"}.items():
        expect(apps.get(app) == authorization, f"{app} is not {authorization}:\n{text}")
    bob = int(run("id -u bob"))
    expect(not [app for app in apps if app[1] == bob], f"bob has what was ann's:\n{text}")
    expect("48.1" in run("locationctl get", "ann"), "ann is told nothing on the new machine")
    now = places()
    common = [line for line in archived if line in now]
    expect(len(common) > 5, f"the track is not there: {len(common)} of {len(archived)}")
    kept = entries()
    wait(lambda: entries() > kept, "the restored track does not go on")
    name = track()
    expect(name.isdigit() and names[0].isdigit() and name != names[0], f"the track was {names[0]}, and is {name}")
    expect("Interval=20" in run("cat /etc/locationd/tracker.conf.d/own.conf"), "the configuration is not there")
    enter(old)


def twenty(said):
    for machine in (new, third):
        enter(machine)
        expect("installed" in run("dpkg-query -W -f '${Status}' locationd-tracker"), "the packages are not there")
        expect("unit:locationd-tracker.service" in run("cat /etc/locationd/policy.d/10-fleet.conf"), "the rule is not there")
    answer = run("locationctl may unit:locationd-tracker.service --uid locationd-tracker")
    expect("always" in answer and "10-fleet.conf" in answer, f"the rule does not hold:\n{answer}")
    enter(old)
    apps = run("cat /home/ann/apps.json")
    expect('"host":"board-1"' in apps, f"apps.json has no board:\n{apps}")
    expect(re.search(r"board-1\s+unit:locationd-tracker\.service", said), f"who may always know is not said:\n{said}")


def monitored(said):
    wait(lambda: "locationd_enabled 1" in run("cat /var/lib/prometheus/node-exporter/locationd.prom", exit=None),
         "no figure of the daemon")
    wait(lambda: "locationd_track_entries" in run("cat /var/lib/prometheus/node-exporter/locationd-track.prom", exit=None),
         "no figure of the track")
    wait(lambda: "locationd_enabled 1" in run("python3 -c \"import urllib.request as u;"
         " print(u.urlopen('http://127.0.0.1:9100/metrics').read().decode())\"", exit=None), "node_exporter does not tell them")
    expect('"APP":"user:ann"' in said.replace(" ", ""), f"the journal has no permission:\n{said}")


def empty(said):
    expect(traces() == [], f"there is left: {traces()}")
    expect("locationd" not in run("journalctl --no-pager | grep -v ' sudo\\[' || true"), "the journal knows of it")


follow("locationd-admin.7", {"old": old, "new": new}, {
    "WHO MAY WHAT BEFORE ANYTHING IS GRANTED": asked, "BACKUP": backed_up, "RESTORE": restored, "TWENTY MACHINES": twenty,
    "MONITORING": monitored, "EMPTYING": empty})


# --- locationd-van(7) ---

van, home = another("van"), another("home")
enter(van)
start()
account()
run(f"{QUIET} install -y --no-install-recommends python3")
give(van, PACKAGES)
# The board's serial line, and the receiver on it.
run("mkdir -p /etc/systemd/system/locationd.service.d && printf '[Service]\\nDeviceAllow=char-pts rw\\n'"
    " >/etc/systemd/system/locationd.service.d/played.conf")
run("systemd-run --quiet --unit=receiver python3 /packages/programs/van-receiver.py /dev/ttyAMA0")
run("echo '127.0.0.1 home.example' >>/etc/hosts")
enter(home)
start()
account()
subprocess.run(home + ["su", "-", "ann", "-c", "cat >ca"], input=open(f"{PAGES}/../fleet/ca", "rb").read(), check=True)
enter(van)

secrets = []


def received(said):
    expect(re.search(r"48\.1\d+ 11\.57", said), f"no fix:\n{said}")
    expect("/dev/ttyAMA0" in said and "NMEA 0183" in said, f"the receiver is not named:\n{said}")


def brokered(said):
    secrets.append(re.search("password: ([0-9a-f]{32})", said)[1])
    expect(run("systemctl is-active mosquitto").strip() == "active", "the broker does not run")
    stranger = run("mosquitto_pub -h 127.0.0.1 -t x -m x 2>&1", exit=None)
    expect("not authori" in stranger.lower() or "not found" in stranger, f"a stranger may publish:\n{stranger}")


def tracked(said):
    expect("failed" not in said and "confirm" in said, f"the test of the uplink fails:\n{said}")
    wait(lambda: entries() > 0, "nothing is kept")


def heard(said):
    lines = dict(line.split(" ", 1) for line in said.splitlines() if "/" in line.split(" ")[0])
    for topic in ("device_tracker/{}/place", "sensor/{}/battery", "sensor/{}/seen", "binary_sensor/{}/region_yard"):
        topic = "homeassistant/" + topic.format("locationd_owntracks_ann_van") + "/config"
        expect(topic in lines, f"Home Assistant is not told of {topic}:\n{said}")
    place = lines.get("owntracks/ann/van", "")
    expect('"lat":48.1' in place and '"lon":11.57' in place, f"Home Assistant hears no place:\n{said}")
    events = Program("Home Assistant's ear", "exec mosquitto_sub -h 127.0.0.1 -u assistant -P"
                     f" {secrets[0]} -t owntracks/ann/van/event", "ann")
    for word in ("enter", "leave"):
        event = events.wait(f'"event":"{word}"', seconds=300) or fail(f"the van does not {word}:\n{events.text()}")
        expect('"transition"' in event[1] and '"desc":"yard"' in event[1], f"the region is another:\n{event}")
    events.process.terminate()
    # Both machines have one network, in which the broker at home wants this port, too.
    run("systemctl stop mosquitto")


def ready_at_home(said):
    carry(home, van, ["van.password", "home.crt"])


def at_home(said):
    expect("failed" not in said and "confirm" in said, f"the test of the uplink fails:\n{said}")
    # The network goes, and comes back.
    enter(home)
    run("systemctl stop mosquitto")
    enter(van)
    kept = entries()
    wait(lambda: entries() > kept + 1, "nothing is kept without the network", 300)
    last = places()[-1]
    enter(home)
    run("systemctl start mosquitto")
    enter(van)
    run("locationctl track flush")

    def backlog():
        uplinks = json.loads(run("locationctl track status --json"))["uplinks"]
        return next(uplink["backlog"] for uplink in uplinks if uplink["name"] == "home")

    wait(lambda: backlog() == 0, lambda: "what was driven does not come:\n" + run("locationctl track status"), 300)
    expect(last in places(), "the track has lost something")


follow("locationd-van.7", {"van": van, "home": home}, {
    "THE RECEIVER": received, "THE BROKER": brokered, "THE TRACKER": tracked, "HOME ASSISTANT": heard,
    "A BROKER AT HOME": ready_at_home, "On the van": at_home})


# --- locationd-places-data(7) ---

desk, board = another("desk"), another("board")
enter(board)
start()
account()
enter(desk)
start()
account()
run(f"{QUIET} install -y --no-install-recommends openssh-client openssl python3")
key = reach_by_ssh({"board": 29924})
enter(board)
listen_for_ssh(29924, key)
apt(f"install -y {package('locationctl', 'locationd-places', 'locationd-places-data')}")
enter(desk)
PLACES = ["locationctl.deb", "locationd-places.deb", "locationd-places-data.deb"]
give(desk, PLACES)
# The server of the extracts, with a certificate of its own.
subprocess.run(desk + ["sh", "-c", "cat >/root/ca"], input=open(f"{PAGES}/../fleet/ca", "rb").read(), check=True)
run("cd /root && sh ca authority init && sh ca authority server download.geofabrik.de"
    " && cp authority/ca.crt /usr/local/share/ca-certificates/played.crt && update-ca-certificates")
run("echo '127.0.0.9 download.geofabrik.de' >>/etc/hosts; mkdir -p /srv/europe; cd /srv/europe"
    " && cp /packages/monaco.osm.pbf monaco-latest.osm.pbf && md5sum monaco-latest.osm.pbf >monaco-latest.osm.pbf.md5")
SERVER = ("import http.server as h, ssl; s = h.ThreadingHTTPServer(('127.0.0.9', 443), h.SimpleHTTPRequestHandler);"
          " c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); c.load_cert_chain('/root/authority/download.geofabrik.de.crt',"
          " '/root/authority/download.geofabrik.de.key'); s.socket = c.wrap_socket(s.socket, server_side=True); s.serve_forever()")
run(f"systemd-run --quiet --unit=extracts --working-directory=/srv python3 -c \"{SERVER}\"")


def alone(said):
    expect("Paris" in said and "Seoul" in said and "GeoNames" in said, f"the world is not known:\n{said}")
    expect(not run("command -v locationd || true").strip(), "the daemon came along")


def extracted(said):
    expect("monaco-latest.osm.pbf: OK" in said, f"the sum is not looked at:\n{said}")
    expect("Rue Grimaldi" in said and " min " in said, f"the street or the way is not found:\n{said}")


def carried(said):
    expect("Rue Grimaldi" in said, f"the board does not know the street:\n{said}")


def taken(said):
    expect(not run("ls -d /var/lib/locationd-places /usr/share/locationd 2>/dev/null || true").strip(), "something is left")


follow("locationd-places-data.7", {"desk": desk}, {
    "DESCRIPTION": alone, "EXTRACTS": extracted, "A SMALL BOARD": carried, "TAKING IT AWAY": taken})
