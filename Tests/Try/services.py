"""What an administrator turns on: the time zone follows the place, gpsd's programs are served. Both are off before, and go without a trace."""
from machine import *

ZONE, SHARE = "locationd-timezone.service", "locationd-share.socket"


def is_on(unit):
    return run(f"systemctl is-active {unit} || true").strip() == "active"


start()
# Bucharest, where the machine has come from Vienna.
run("mkdir -p /etc/locationd/locationd.conf.d")
run("printf '[Sources]\\nSource=static:44.4268,26.1025,80,5\\n' >/etc/locationd/locationd.conf.d/50-place.conf")
apt("install -y --no-install-recommends gpsd-clients polkitd tzdata")
run("timedatectl set-timezone Europe/Vienna")

step("an installation says what to type, and turns nothing on")
text = run(f"{QUIET} install -y --no-install-recommends"
           f" {package(*(f'locationd{name}' for name in ('', '-places', '-places-data', '-timezone', '-share')))}")
expect("sudo locationctl timezone follow on" in text and f"sudo systemctl enable --now {SHARE}" in text,
       f"what to type is not said:\n{text}")
expect(not is_on(ZONE) and not is_on(SHARE), "something is on by itself")
expect("It does not follow the place" in run("locationctl timezone status"), "the status errs")

step("the time zone follows the place, as soon as it may, and says so without a place")
run(f"mkdir -p /etc/systemd/system/{ZONE}.d")
run(f"printf '[Service]\\nExecStart=\\nExecStart=/usr/bin/locationd-timezone --interval 1 --settling 2\\n'"
    f" >/etc/systemd/system/{ZONE}.d/fast.conf; systemctl daemon-reload")
run("locationctl timezone follow on")
expect(is_on(ZONE), "the unit does not run")
# A coarse place changes once in a quarter of an hour; nobody waits for that here.
run("locationctl grant unit:locationd-timezone.service always --uid locationd-timezone")
wait(lambda: "Europe/Bucharest" in run("timedatectl show --property=Timezone"),
     lambda: run(f"journalctl -b --no-pager -u {ZONE} | tail -n 5; timedatectl"))
journal = run(f"journalctl -b --no-pager -u {ZONE}")
expect("the time zone is Europe/Bucharest now, and was Europe/Vienna" in journal, f"the journal errs:\n{journal}")
expect("44.4" not in journal and "26.1" not in journal, f"the journal has a place:\n{journal}")
expect("Europe/Bucharest" in run("locationctl timezone status"), "the status errs")

step("it is off again, and forgotten, by one line")
run("locationctl timezone follow off")
expect(not is_on(ZONE) and "locationd-timezone" not in run("locationctl apps"), "it is still on, or may know")
run("timedatectl set-timezone Europe/Vienna")

step("gpsd's programs are told a place where they may know, and nothing before")
run(f"systemctl enable --now {SHARE}")
text = run("timeout 5 gpspipe -w -n 6 127.0.0.1 || true", "alice")
expect("VERSION" in text and "44.42" not in text, f"a program that nobody has asked about is told:\n{text}")
run("locationctl grant user:alice always --uid alice")
text = run("timeout 20 gpspipe -w -n 12 127.0.0.1", "alice")
expect('"class":"TPV"' in text and "44.42" in text, f"a program that may know is told nothing:\n{text}")
expect("44.4" not in run("journalctl -b --no-pager -u locationd-share -u locationd"), "the journal has a place")

step("removed, they are off; purged, they leave nothing")
for name in ("locationd-timezone", "locationd-share"):
    apt(f"remove -y {name}")
expect(not is_on(ZONE) and not is_on(SHARE), "something runs on")
expect("not connect" in run("gpspipe -w -n 1 127.0.0.1 2>&1 || true", "alice"), "the port is still open")
run(f"rm -r /etc/systemd/system/{ZONE}.d")
apt("purge -y locationd-timezone locationd-share")
run("rm -r /etc/locationd/locationd.conf.d")
apt("purge -y locationd locationd-places locationd-places-data")
expect(traces() == [], f"there is left: {traces()}")
for user in ("locationd-timezone", "locationd-share"):
    expect("!" in run(f"getent shadow {user}"), f"the user {user} is not locked")
