"""Programs of alice's that stay and are told where the machine is, each by another way in."""
from machine import *

PLACE = r"place 48\.1|\"latitude\":48\.1|^data:.*48\.1|\$G.RMC,[^,]*,A,480[78]\."
WAYS = {
    "the Swift app": "/packages/try-app",
    "watch --json": "locationctl watch --json",
    "the D-Bus client": "python3 /packages/programs/bus-client.py",
    "the GeoClue client": "python3 /packages/programs/geoclue-client.py",
    "the map": "bash /packages/programs/map-page.sh",
}


def grant():
    """Alice's agent tells them apart, and each of them may always know."""
    wait(lambda: run("systemctl --user --machine=alice@ is-active locationd-agent || true").strip() == "active",
         "alice has no agent")
    for app in ("exe:/packages/try-app", "exe:/usr/bin/locationctl",
                "script:/usr/bin/python3.11:/packages/programs/bus-client.py",
                "script:/usr/bin/python3.11:/packages/programs/geoclue-client.py"):
        run(f"locationctl grant '{app}' always --uid alice")


def names():
    """How the daemon names the clients of alice's programs."""
    return sorted(client["app"] for client in status()["clients"] if client["uid"] != 0
                  and client.get("name") not in ("locationd-agent", "locationd-tracker"))


def told(programs, since=0, seconds=PATIENCE):
    """Each of the programs is told a place since a time, by then; gives how long the last one took."""
    last = since
    for program in programs:
        line = program.wait(PLACE, since=since, seconds=max(0, seconds + (since or time.monotonic()) - time.monotonic()))
        if not line:
            fail(f"{program.name} is told nothing:\n{program.text(since)[-2000:]}\nThe daemon knows {names()}\n"
                 + run("locationctl sources; systemctl status --no-pager gpsd gpsd.socket | grep -E 'Active|Listen'", exit=None))
        last = max(last, line[0])
    return last - since
