"""Each pair of packages, and all of them, come and go: nothing of another package, and nothing of the machine's owner, is touched."""
import itertools

from machine import *

LOCATIOND = "locationd"
ALL = [LOCATIOND, "locationd-geoclue", "locationd-tracker", "locationd-places", "locationd-places-data", "locationd-map",
       "locationd-timezone", "locationd-share"]
# The needs of each beside itself.
NEEDS = {"locationd-geoclue": {LOCATIOND}, "locationd-tracker": {LOCATIOND}, "locationd-share": {LOCATIOND},
         "locationd-timezone": {LOCATIOND, "locationd-places", "locationd-places-data"}}
# What a package keeps until it is purged, and the sockets that it listens on while it is installed.
KEPT = {LOCATIOND: ["/var/lib/locationd/kept", "/etc/locationd/locationd.conf"],
        "locationd-tracker": ["/var/lib/locationd-tracker/kept", "/etc/locationd/tracker.conf"],
        "locationd-places": ["/var/lib/locationd-places/kept", "/etc/locationd/places.conf"],
        "locationd-share": ["/etc/locationd/share.conf"]}
SOCKETS = {LOCATIOND: "/run/locationd/locationd.sock", "locationd-tracker": "/run/locationd/tracker.sock",
           "locationd-places": "/run/locationd/places.sock"}
OWNERS = ["/etc/locationd/tracker.password", "/etc/locationd/policy.d/20-own.conf",
          "/etc/locationd/locationd.conf.d/own.conf"]


def states():
    """Each package, and whether it is installed, only its configuration is there, or nothing."""
    text = run("dpkg-query -W -f '${Package} ${db:Status-Status}\\n' 'locationd*' 2>/dev/null || true")
    found = dict(line.split() for line in text.splitlines() if line.startswith("locationd"))
    return {name: state for name, state in found.items() if state != "not-installed"}


def install(names):
    apt(f"install -y --no-install-recommends {package(*names)}")
    for file in missing(sum((KEPT.get(name, []) for name in states()), [])):
        run(f"mkdir -p $(dirname {file}) && touch {file}")


def missing(files):
    text = run("; ".join(f"[ -e {file} ] || echo {file}" for file in files) or "true", exit=None)
    return [file for file in files if file in text.split()]


def check(what, owners):
    """Each package is as it was left, and works."""
    now = states()
    gone = missing(owners + sum(KEPT.values(), []))
    expect(not set(owners) & set(gone), f"after {what} there is missing of the owner's: {gone}")
    installed = [name for name in ALL if now.get(name) == "installed"]
    for name, files in KEPT.items():
        left = set(files) - set(gone)
        expect(left == (set(files) if name in now else set()), f"after {what} {name} has {left} of {files}")
    for name, socket in SOCKETS.items():
        # A daemon that is started anew listens a moment later.
        wait(lambda: (name in installed) == (not missing([socket])), f"after {what} {socket} errs", 30)
    if not installed:
        return
    changed = run(f"dpkg --verify {' '.join(installed)}")
    expect(not changed.strip(), f"after {what} there is damaged:\n{changed}")
    units = " ".join(f"{name}.socket" for name in SOCKETS if name in installed)
    if units:
        run(f"systemctl is-active {units}")
    if LOCATIOND in installed:
        run("locationctl status")
        if {"locationd-places", "locationd-places-data"} <= set(installed):
            expect("Paris" in run("locationctl geocode Paris --locale en"), f"after {what} places answer nothing")


def goes(verb, name, owners):
    # Of one without configuration and scripts nothing is left once it is removed.
    if name in states():
        apt(f"{verb} -y {name}")
    check(f"{verb} {name}", owners)


start()
step("what packages need is installed first")
run(f"{QUIET} install -y {package(*ALL)}")
run(f"{QUIET} purge -y 'locationd*' locationctl")

step("places are asked by the command line, without the daemon")
apt(f"install -y --no-install-recommends {package('locationctl', 'locationd-places', 'locationd-places-data')}")
expect("not-found" in run("systemctl show -p LoadState locationd.service"), "the daemon is there")
run("locationctl places import /packages/monaco.osm.pbf")
for words in ("geocode 'Rue Grimaldi, Monaco'", "reverse 43.73685,7.42130", "search 'Rue Grimaldi' --near 43.73,7.42"):
    expect("Rue Grimaldi" in run(f"locationctl {words}"), f"'{words}' is not answered")
expect("on foot" in run("locationctl route 43.7392,7.4277 43.7347,7.4206 --walking"), "there is no way")

step("places serve says what switches HTTP on and off, and that is so")
apt("install -y curl")
for state in ("on", "off"):
    # The indented lines with sudo are what a person types.
    typed = [line.strip().removeprefix("sudo ") for line in run("locationctl places serve").splitlines() if "sudo " in line]
    expect(typed, "nothing is said to be typed")
    for line in typed:
        run(line)
    said = run("locationctl places serve")
    expect(f"Places over HTTP are {state}" in said, f"it is not {state}: {said}")
    if state == "on":
        heard = run("curl --silent --show-error 'http://127.0.0.1:2322/search?q=Rue+Grimaldi,+Monaco'")
        expect('"osm_type":"way"' in heard and "Rue Grimaldi" in heard, f"HTTP says {heard}")
        expect("Grimaldi" not in run("journalctl --no-pager -u locationd-places.service"), "a question is in the journal")
run(f"{QUIET} purge -y 'locationd*' locationctl")
expect(traces() == [], f"there is left: {traces()}")
# The same files, found faster.
run("cd /packages && dpkg-deb -R locationd-places-data.deb data && dpkg-deb -Znone -b data locationd-places-data.deb")

step("all of them go, in two orders, and leave nothing but the locked users")
for order in (ALL, ALL[::-1]):
    install(ALL)
    check("an installation", [])
    for verb in ("remove", "purge"):
        for name in order:
            goes(verb, name, [])
    expect(traces() == [], f"after {order} there is left: {traces()}")
install(ALL)
apt(f"purge -y {' '.join(ALL)}")
expect(traces() == [], f"after one purge of all there is left: {traces()}")

step("each pair of packages is installed, removed and purged, and leaves each other and the owner's files alone")
for first, second in itertools.permutations(ALL, 2):
    run("mkdir -p /etc/locationd/policy.d /etc/locationd/locationd.conf.d")
    run("; ".join(f"touch {file}" for file in OWNERS))
    needs = NEEDS.get(first, set()) | NEEDS.get(second, set())
    pair = sorted(needs | {first, second}, key=ALL.index)
    install(pair)
    check(f"installing {first} and {second}", OWNERS)
    goes("remove", first, OWNERS)
    install(pair)
    check(f"installing {first} again", OWNERS)
    goes("purge", first, OWNERS)
    install(pair)
    check(f"installing {first} anew", OWNERS)
    apt(f"purge -y {' '.join(pair)}")
    check(f"purging {first} and {second}", OWNERS)
    run("rm -r /etc/locationd")
    expect(traces() == [], f"after {first} and {second} there is left: {traces()}")
