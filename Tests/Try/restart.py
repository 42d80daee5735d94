"""Programs keep their permission over a restart, a crash and an upgrade of the daemon: they go on by themselves."""
from clients import *

# Within so many seconds of the agent's return each program is told a place again.
SECONDS = 2

start()
step("five programs of a person whose agent tells them apart are told where the machine is")
run("loginctl enable-linger alice")
apt("install -y gpsd python3-dbus python3-gi curl")
Receiver()
apt(f"install -y {package('locationd', 'locationd-geoclue', 'locationd-map')}")
grant()
programs = [Program(name, f"exec {command}", "alice") for name, command in WAYS.items()]
# A call that is under way as the daemon goes has no reply, and is no denial.
DENIED = r"refused (?!org\.freedesktop\.DBus\.Error\.NoReply)|[Dd]enied|notDetermined|has no permission|user:alice"


told(programs, seconds=30)
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
go_on("a crash", "systemctl kill --kill-whom=main -s KILL locationd")
packages = " ".join(newer(name) for name in ("locationd", "locationd-geoclue"))
go_on("an upgrade", f"{QUIET} install -y {packages}")
expect("+1" in run("dpkg-query -W locationd"), "nothing was upgraded")
