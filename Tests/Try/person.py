"""A person at a machine that was installed a minute ago: types, reads, and expects to be told what to do."""
import os, re, signal

from machine import *

start()
# Somebody whose manager runs before anything is installed.
run("useradd --create-home --shell /bin/bash bob && loginctl enable-linger bob")
alice = "alice"

step("an installation ends with one line that says what to type")
text = apt(f"install -y {package('locationd', 'locationd-map', 'locationd-places', 'locationd-places-data')}")
expect(text.rstrip().splitlines()[-1].startswith("locationd is installed. Type next: locationctl get"),
       f"the last line is another:\n{text}")
expect(text.count("Type next") == 1, f"there are several:\n{text}")
apt("purge -y locationd-map locationd-places locationd-places-data")

step("the agent is on in managers that ran before; a reload with a mistake fails")
expect(run("systemctl --user --machine=bob@ is-active locationd-agent").strip() == "active", "bob has no agent")
run("echo nonsense >/etc/locationd/locationd.conf.d.broken; mkdir -p /etc/locationd/locationd.conf.d;"
    " mv /etc/locationd/locationd.conf.d.broken /etc/locationd/locationd.conf.d/broken.conf")
run("systemctl reload locationd", exit=1)
run("rm /etc/locationd/locationd.conf.d/broken.conf; systemctl reload locationd")

step("nothing can give a fix: what to do is said at once")
run("locationctl grant user:alice always --uid alice")
terminal = Terminal("locationctl get --timeout 60", alice)
terminal.read("no location yet: .*\r?\n?.*doctor")
terminal.type("\x03")
os.kill(terminal.pid, signal.SIGKILL)
os.waitpid(terminal.pid, 0)
run("locationctl reset user:alice --uid alice")

step("a played receiver is found, by the gpsd of this machine")
Receiver()

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
wait(lambda: "locationctl grant" in run("locationctl track status"), "the tracker does not say what it lacks")
run(grant[1])
wait(lambda: re.match("[1-9].* kept", run("locationctl track status")), "nothing is kept")
expect("48.1173" in run("locationctl track export --format csv"), "the track has no place")
expect("48.1" not in run("journalctl -b --no-pager -u locationd-tracker"), "the journal has a place")
refused = run("locationctl track status", alice, exit=5)
expect("locationd-track" in refused, f"others are not told why not:\n{refused}")
apt("purge -y locationd-tracker")

step("places answer at once, a country's streets too, and nothing that is asked is in the journal")
apt(f"install -y {package('locationd-places', 'locationd-places-data')}")
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
# The roads came with the import, and nothing else is installed for them.
way = run("locationctl route 43.7315,7.4197 43.74,7.429", alice)
expect("Avenue d'Ostende" in way and "min by car" in way, f"there is no way by the roads of this disk:\n{way}")
expect("Ostende" not in run("journalctl -b --no-pager -u locationd-places"), "the journal has a way")
expect("Grimaldi" not in run("journalctl -b --no-pager -u locationd-places"), "the journal has a question")
apt("purge -y locationd-places locationd-places-data")

step("it goes without a trace")
apt("purge -y locationd")
expect(traces() == [], f"there is left: {traces()}")
expect("!" in run("getent shadow locationd"), "the user is not locked")
