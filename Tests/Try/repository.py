"""From a signed repository: packages are added, installed, upgraded, downgraded and removed, with what they keep."""
from machine import *

KEY = "ann@example.org"
# The machine has the network of its host.
URL = "http://127.0.0.1:29997"
WANTED = "locationd locationd-places locationd-places-data locationd-tracker"


def publish(folder):
    """Adds a folder's packages, and says what a machine has to do to use them."""
    files = " ".join(f"{folder}/{name}.deb" for name in WANTED.split() + ["locationctl"])
    there = " ".join(run(f"ls -d {files} 2>/dev/null || true").split())
    return run(f"/packages/make /srv/apt {KEY} {URL} {there}")


def version(name="locationd"):
    return run(f"dpkg-query -W -f '${{Version}}' {name}")


def entries():
    return int(run("locationctl track status").split()[0])


def check(what):
    apps = run("locationctl apps")
    for name in ("user:alice", "exe:/usr/bin/nobody", "unit:locationd-tracker.service"):
        expect(name in apps, f"{what} forgets {name}:\n{apps}")
    expect("Rue Grimaldi" in run("locationctl geocode 'Rue Grimaldi, Monaco'", "alice"), f"{what} loses the import")


start()
step("a repository of an earlier commit's packages is made and added")
apt("install -y --no-install-recommends apt-utils gnupg python3 wget gpsd")
run(f"gpg --batch --quiet --passphrase '' --quick-generate-key {KEY} default default never")
words = publish("/packages/before")
run(f"systemd-run --quiet python3 -m http.server --bind 127.0.0.1 --directory /srv/apt 29997")
wait(lambda: "200" in run(f"wget -S -O /dev/null {URL}/locationd.asc 2>&1", exit=None), "the repository is not served")
Receiver()
typed = [line.strip().replace("sudo ", "").replace("apt ", f"{QUIET} ").replace(" install ", " install -y ")
         for line in words.splitlines() if line.startswith("  sudo ")]
expect(len(typed) == 3, f"the words are others:\n{words}")
for line in typed:
    run(f"bash -c '{line}'")
apt(f"install -y --no-install-recommends {WANTED}")
before = version()

step("decisions and the track stay over an upgrade")
run("locationctl grant user:alice always --uid alice")
run("locationctl revoke exe:/usr/bin/nobody --uid alice")
run("locationctl grant unit:locationd-tracker.service always --uid locationd-tracker")
run("locationctl places import /packages/monaco.osm.pbf")
wait(lambda: entries() > 0, "nothing is kept before the upgrade")
publish("/packages")
run(f"{QUIET} update")
kept = entries()
apt("full-upgrade -y")
now = version()
expect(now != before and status()["version"] == now, f"{before} is not upgraded, but {status()['version']}")
check("the upgrade")
wait(lambda: entries() > kept, "the track does not go on")

step("an older release refuses what a newer one wrote, and says so; nothing is lost")
kept = entries()
older = " ".join(f"{name}={before}" for name in WANTED.split() if version(name) != before)
run(f"{QUIET} install -y --allow-downgrades {older}")
expect(version() == before, f"{version()} is not {before}")
said = wait(lambda: [line for line in run("journalctl --no-pager -b -u 'locationd*'").splitlines()
                     if "a newer locationd wrote it" in line],
            lambda: "no older program refuses:\n" + run("journalctl --no-pager -b -u 'locationd*' -n 40"))
print(f"  {said[-1]}")
apt("full-upgrade -y")
check("the way back")
expect(entries() >= kept, f"{kept} entries are {entries()}")

step("removed, nothing of it runs; purged, nothing of it is left")
apt("remove -y 'locationd*' locationctl")
running = run("pgrep -af '^/usr/bin/locationd' || true").strip()
expect(not running, f"removed, there runs:\n{running}")
apt(f"purge -y 'locationd*' locationctl")
run("rm /etc/apt/sources.list.d/locationd.sources /etc/apt/keyrings/locationd.asc")
left = traces()
expect(not left, f"left: {left}")
