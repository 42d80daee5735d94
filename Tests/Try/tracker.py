"""Disabled or purged, the tracker leaves the receiver off; a restart, a shutdown and an upgrade take nothing from it.
Its certificate is renewed in its sandbox."""
from machine import *

UNIT = "unit:locationd-tracker.service"
# Receivers stay open for five seconds after their last use.
SECONDS = 15

start()
step("the tracker lets the receiver run")
apt("install -y gpsd")
Receiver()
apt(f"install -y {package('locationd', 'locationd-tracker')}")
run(f"locationctl grant {UNIT} always --uid locationd-tracker")


def receivers():
    return {source["name"]: source["state"] for source in status()["sources"]}


def off(when):
    wait(lambda: not set(receivers().values()) & {"running", "waiting"},
         lambda: f"{when} the receiver stays on: {receivers()}\n{status().get('need')}", SECONDS)


def on(when):
    wait(lambda: "running" in receivers().values(), lambda: f"{when} the receiver is off: {receivers()}", 60)


def monitors():
    return [monitor["app"] for monitor in status().get("monitors", [])]


on("with the permission")
registered = monitors()
expect(UNIT in registered, f"the tracker registers nothing: {registered}")

step("a restart of the tracker, and of the daemon, takes nothing")
for what in ("locationd-tracker", "locationd"):
    run(f"systemctl restart {what}")
    on(f"after a restart of {what}")
    expect(monitors() == registered, f"after a restart of {what} there is registered {monitors()}")

step("a certificate is enrolled for a token, and renewed by the tracker's user in the sandbox of its unit")
FLEET = "/usr/share/doc/locationd-tracker/fleet"
IDENTITY = "/var/lib/locationd-tracker/enrol/identity.pem"
AGE = r"""
import datetime, json, sys
path = "/var/lib/locationd-tracker/enrol/enrolment.json"
record = json.load(open(path))
for name in ("begins", "ends"):
    date = datetime.datetime.fromisoformat(record[name].replace("Z", "+00:00"))
    date -= datetime.timedelta(days=int(sys.argv[1]))
    record[name] = date.isoformat(timespec="milliseconds").replace("+00:00", "Z")
open(path, "w").write(json.dumps(record))
"""
apt("install -y python3 openssl")
run("install -d /root/fleet/tokens")
run(f"cd {FLEET} && install ca enrol.py /root/fleet")
run(f"cat >/root/fleet/age.py <<'END'{AGE}END")
run("cd /root/fleet && ./ca . init && ./ca . server localhost && touch tokens/0123456789abcdef"
    " && echo 0123456789abcdef >token && install -m 644 ca.crt /etc/locationd/fleet.crt")
run("systemd-run --quiet --unit enrol-server --working-directory /root/fleet"
    " python3 enrol.py . tokens localhost.crt localhost.key 8443")
wait(lambda: "listens" in run("journalctl -u enrol-server --no-pager"), "the server does not listen")


def certificate():
    owner = run(f"stat -c '%U %a' {IDENTITY}").split()
    expect(owner == ["locationd-tracker", "600"], f"the key is {owner}")
    return run(f"sha256sum {IDENTITY}")


def age(days):
    """As if the certificate were older; the tracker looks at it when it starts."""
    run(f"python3 /root/fleet/age.py {days} && systemctl restart locationd-tracker")


run("locationctl track enrol https://localhost:8443/ --ca /etc/locationd/fleet.crt --token /root/fleet/token")
first = certificate()
age(61)
wait(lambda: certificate() != first, lambda: run("journalctl -u locationd-tracker --no-pager | tail -20"))
run("systemctl stop enrol-server")
age(80)
late = "the certificate of this machine ends at"
wait(lambda: late in run("locationctl track status"), lambda: run("locationctl track status"))
wait(lambda: late in run("journalctl -u locationd-tracker --no-pager"), "the journal does not warn")

step("stopped, but not disabled, it keeps its registrations; the receiver is off once nothing may start it")
run("systemctl stop locationd-tracker")
expect(monitors() == registered, f"after a stop there is registered {monitors()}")
run("systemctl start locationd-tracker")
on("after a start")
run("systemctl disable --now locationd-tracker")
off("disabled")
expect(UNIT in run("locationctl apps"), "disabled, the tracker loses its permission")
run("systemctl restart locationd")
run("sleep 2")
off("disabled, after a restart of the daemon,")

step("enabled again, it goes on")
run("systemctl enable --now locationd-tracker")
on("enabled again")

step("removed, it leaves the receiver off and keeps its permission; installed again, it goes on")
apt("remove -y locationd-tracker")
off("removed")
expect(UNIT in run("locationctl apps"), "removed, the tracker loses its permission")
apt(f"install -y {package('locationd-tracker')}")
on("installed again")

step("purged, it leaves no registration and no permission")
apt("purge -y locationd-tracker")
off("purged")
expect(UNIT not in monitors(), f"purged, it leaves registered {monitors()}")
expect(UNIT not in run("locationctl apps"), "purged, it leaves its permission")
apt(f"install -y {package('locationd-tracker')}")
wait(lambda: "locationctl grant" in run("locationctl track status"), "installed anew, it has a permission at once")
