"""From packages of an earlier commit, with permissions, a track and an import, by README's own line."""
from machine import *

ALL = ["locationd", "locationd-map", "locationd-places", "locationd-places-data", "locationd-tracker", "locationd-geoclue"]


def version(name):
    return run(f"dpkg-query -W -f '${{Version}}' {name}")


def entries():
    return int(run("locationctl track status").split()[0])


start()
step("the packages of an earlier commit are used")
apt("install -y gpsd")
Receiver()
apt(f"install -y {' '.join(f'/packages/before/{name}.deb' for name in ALL)}")
before = version("locationd")
run("mkdir -p /etc/locationd/policy.d /etc/locationd/locationd.conf.d")
run("printf '[Power]\\nLongestPauseSec=60\\n' >/etc/locationd/locationd.conf.d/own.conf; systemctl reload locationd")
run("mkdir /etc/locationd/tracker.conf.d; printf '[Record]\\nInterval=1\\n' >/etc/locationd/tracker.conf.d/own.conf;"
    " systemctl reload locationd-tracker")
run("locationctl grant user:alice always --uid alice")
run("locationctl revoke exe:/usr/bin/nobody --uid alice")
run("locationctl grant unit:locationd-tracker.service always --uid locationd-tracker")
run("locationctl places import /packages/monaco.osm.pbf")
wait(lambda: entries() > 0, "nothing is kept before the upgrade")
kept = entries()

step("README's line upgrades it")
shown = run("grep -o 'apt install ./.build/locationd.deb .*' /packages/README.md").strip()
line = shown.replace("./.build/", "/packages/").replace("apt install", f"{QUIET} install -y")
text = run(f"bash -c '{line}'")
now = version("locationd")
expect(now != before, f"'{shown}' upgrades nothing:\n{text}")
run(f"dpkg --compare-versions {now} gt {before}")
# The world has a version of its own.
DATA = "locationd-places-data"
run(f"dpkg --compare-versions {version(DATA)} gt {before}")
for name in ["locationd", "locationd-map", "locationd-places", "locationctl"]:
    expect(version(name) == now, f"{name} is {version(name)}, not {now}")
for program in ("locationd", "locationctl", "locationd-agent", "locationd-places", "locationd-map"):
    expect(run(f"{program} --version").split() == [program, now], f"{program} says another version")
expect(status()["version"] == now, f"the daemon that runs is of {status()['version']}")
expect(f"locationd {now}" in run("locationctl status"), "status says another version")

step("a tracker of the earlier commit goes on, and what was decided is kept")
granted = wait(lambda: entries() > kept and entries(), "the old tracker keeps nothing with the new daemon")
apps = run("locationctl apps")
for name in ("user:alice", "exe:/usr/bin/nobody", "unit:locationd-tracker.service"):
    expect(name in apps, f"the upgrade forgets {name}:\n{apps}")
expect("Rue Grimaldi" in run("locationctl geocode 'Rue Grimaldi, Monaco'", "alice"), "the import is lost")
expect("LongestPauseSec=60" in run("cat /etc/locationd/locationd.conf.d/own.conf"), "the configuration is lost")

step("the others follow, and the track goes on")
apt(f"install -y {package(*ALL[4:])}")
for name in ALL:
    expect(name == DATA or version(name) == now, f"{name} is {version(name)}, not {now}")
expect(entries() >= granted, "the track is shorter than before")
longer = entries()
wait(lambda: entries() > longer, "the new tracker keeps nothing")
expect(run("locationd-tracker --version").split()[1] == now, "the tracker says another version")

step("an upgrade keeps a unit off that was off")
run("systemctl disable --now locationd-tracker.service locationd-tracker.socket")
apt(f"install --reinstall -y {package('locationd-tracker')}")
expect(run("systemctl is-active locationd-tracker.service || true").strip() == "inactive", "the upgrade starts it")
apt(f"install -y {package(*ALL)}")
expect(version("locationd") == now, "a second time is another version")

step("without GeoClue's name, nothing of it is left; programs that want it keep locationd-geoclue")
wanted = run("apt-get install -s redshift gnome-maps gnome-weather gnome-clocks 2>&1")
expect("Inst redshift" in wanted and "Remv locationd-geoclue" not in wanted and "Inst geoclue-2.0" not in wanted,
       f"GeoClue is wanted instead:\n{wanted}")
apt("remove -y locationd-geoclue")
journal = run("journalctl --no-pager -b _PID=$(systemctl show --value -p MainPID locationd)")
expect("GeoClue" not in journal, f"removed, locationd-geoclue leaves a complaint:\n{journal}")
expect("no" in run("busctl --list --no-pager | grep -c org.freedesktop.GeoClue2 || echo no"), "GeoClue's name stays")
