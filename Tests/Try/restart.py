"""Programs keep their permission over a restart, a crash and an upgrade of the daemon: they go on by themselves."""
from machine import *

# Within so many seconds of the agent's return each program is told a place again.
SECONDS = 2

start()
step("five programs of a person whose agent tells them apart are told where the machine is")
run("loginctl enable-linger alice")
apt("install -y gpsd python3-dbus python3-gi curl")
Receiver()
apt(f"install -y {package('locationd', 'locationd-geoclue', 'locationd-map')}")
wait(lambda: run("systemctl --user --machine=alice@ is-active locationd-agent || true").strip() == "active",
     "alice has no agent")
for app in ("exe:/packages/try-app", "exe:/usr/bin/locationctl",
            "script:/usr/bin/python3.11:/packages/programs/bus-client.py",
            "script:/usr/bin/python3.11:/packages/programs/geoclue-client.py"):
    run(f"locationctl grant '{app}' always --uid alice")
programs = [
    Program("the Swift app", "exec /packages/try-app", "alice"),
    Program("watch --json", "exec locationctl watch --json", "alice"),
    Program("the D-Bus client", "exec python3 /packages/programs/bus-client.py", "alice"),
    Program("the GeoClue client", "exec python3 /packages/programs/geoclue-client.py", "alice"),
]
page = Program("the map's program", "exec locationctl map --no-browser", "alice")
_, address = page.wait("http://") or fail(f"the map does not start:\n{page.text()}")
# The page, as a browser reads it.
programs.append(Program("the map", f"exec curl -sN {re.search('http://[^ ]*', address)[0]}events", "alice"))
PLACE = r"place 48\.117|\"latitude\":48\.117|^data:.*48\.117"
DENIED = r"refused|[Dd]enied|notDetermined|has no permission|user:alice"


def names():
    """How the daemon names the clients of alice's programs."""
    return sorted(client["app"] for client in status()["clients"] if client["uid"] != 0
                  and client.get("name") not in ("locationd-agent", "locationd-tracker"))


for program in programs:
    program.wait(PLACE, seconds=30) or fail(f"{program.name} is told nothing at first:\n{program.text()}\n{names()}")
before = names()
expect(not any(name.startswith("user:") for name in before), f"they are not told apart: {before}")
monitors = sorted((monitor["app"], monitor["uid"]) for monitor in status().get("monitors", []))


def newer(name):
    """A package of the same files and a newer version."""
    run(f"cd /packages && rm -rf new && dpkg-deb -R {name}.deb new && sed -i 's/^Version: .*/&+1/' new/DEBIAN/control"
        f" && dpkg-deb -b new {name}-new.deb")
    return f"/packages/{name}-new.deb"


def go_on(what, command):
    step(f"after {what}, each goes on within {SECONDS} s of the agent's return")
    old = run("systemctl show --value -p MainPID locationd").strip()
    began = time.monotonic()
    run(command)
    wait(lambda: run("systemctl show --value -p MainPID locationd").strip() not in (old, "0"), "no daemon comes")
    runs = time.monotonic()
    agent = Program("the agent", "while ! locationctl status --json | grep -qE '\"agent\":\"(identifies|asks)\"';"
                    " do sleep 0.05; done; echo back", "alice")
    returned, _ = agent.wait("back", seconds=30) or fail(f"the agent does not come back:\n{agent.text()}")
    late = []
    for program in programs:
        told = program.wait(PLACE, since=runs, seconds=max(0, returned + SECONDS - time.monotonic()))
        if not told:
            late.append(f"{program.name} is told nothing:\n{program.text(since=began)}")
        elif denial := program.wait(DENIED, since=began, seconds=0):
            late.append(f"{program.name} is denied meanwhile: {denial[1]}")
    expect(not late, f"{returned - runs:.1f} s after the daemon the agent is back, but {SECONDS} s later\n"
           + "\n".join(late) + f"\nThe daemon knows {names()}")
    # Those that looked at the daemon are gone.
    wait(lambda: names() == before, lambda: f"the programs were {before}, and are {names()}", seconds=10)
    after = sorted((monitor["app"], monitor["uid"]) for monitor in status().get("monitors", []))
    expect(after == monitors, f"the registrations were {monitors}, and are {after}")


go_on("a restart", "systemctl restart locationd")
go_on("another", "systemctl restart locationd")
go_on("a crash", "systemctl kill -s KILL locationd")
packages = " ".join(newer(name) for name in ("locationd", "locationd-geoclue"))
go_on("an upgrade", f"{QUIET} install -y {packages}")
expect("+1" in run("dpkg-query -W locationd"), "nothing was upgraded")
