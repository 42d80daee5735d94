"""The share's sockets wait and its unit starts with the first program, sealed off; services have their units' names, a
port that root forwards leads to nothing, and chrony takes samples. What the manual, the journal and doctor say is typed
word for word."""
from machine import *

GPSD, NMEA, SSH, TUNNEL = 2947, 10110, 29922, 29947
UNITS = "locationd-share.socket locationd-share-nmea.socket"
SAMPLES = "refclock SOCK /run/chrony/locationd.sock refid GNSS offset 0.1 delay 0.2 precision 1e-2"
READER = r"""#!/bin/bash
exec 3<>/dev/tcp/${3:-127.0.0.1}/$1 || exit
[ $1 = 10110 ] || printf '?WATCH={"enable":true,"json":true};' >&3
timeout ${2:-5} cat <&3
exit 0
"""
TOLD = '"lat":'


def reads(port=GPSD, unit=None, user="alice", seconds=5):
    """The words that a program hears at the port, in a unit or a person's session."""
    command = f"/usr/local/bin/reader {port} {seconds}"
    if unit is None:
        return run(command, user)
    as_user = f"-p User={user}" if user else ""
    return run(f"systemd-run --quiet --pipe --wait --collect --unit={unit} {as_user} {command}")


def active(unit):
    return run(f"systemctl is-active {unit}", exit=None).strip()


def clients():
    return [client["app"] for client in status()["clients"]]


def types(command, text=None):
    """A person types what is said: by the manual, unless somebody else says it."""
    text = manual if text is None else text
    expect(command in text, f"nobody says '{command}', but:\n{text}")
    return run(command)


def granting(app):
    """The command that the journal has of the app's first refusal, and of that alone."""
    commands = re.findall(rf"sudo locationctl grant {app} \S+ --uid \d+", journal)
    expect(len(commands) == 1, f"the journal has of {app}:\n{journal}")
    return commands[0]


def doctor():
    return " ".join(run("locationctl doctor", exit=None).split())


start()
step("installed, it listens nowhere")
run(f"cat >/usr/local/bin/reader <<'END'\n{READER}END\nchmod 755 /usr/local/bin/reader")
run(f"mkdir -p /etc/locationd/locationd.conf.d && printf '[Sources]\\nSource=nmea+udp://127.0.0.1:{PORT}\\n'"
    " >/etc/locationd/locationd.conf.d/receiver.conf")
apt(f"install -y gpsd sudo {package('locationd', 'locationd-share')}")
manual = run("zcat /usr/share/man/man8/locationd-share.8.gz").replace("\\-", "-").replace("\r", "")
Receiver(gpsd=False)
expect(active(UNITS).split() == ["inactive"] * 2, "it listens before anybody says so")

step("gpsd has the port: doctor says what to choose, and that is done")
expect("disable --now gpsd.socket gpsd" in doctor(), f"doctor says {doctor()}")
expect("already active" not in run(f"systemctl enable --now {UNITS}", exit=None), "a socket refuses")
expect("both want port 2947" in doctor(), f"doctor says {doctor()}")
run(f"systemctl disable --now {UNITS}")
types("sudo systemctl disable --now gpsd.socket gpsd", doctor())
types("sudo systemctl enable --now locationd-share.socket        # gpsd's port, 2947")
expect("port 2947" not in doctor(), f"doctor says {doctor()}")

step("its socket waits without it, and the first program starts it")
expect(active("locationd-share") == "inactive", "it runs before a program comes")
said = reads()
expect('"class":"VERSION"' in said and '"class":"WATCH"' in said, f"a program hears {said}")
expect(TOLD not in said, f"undecided, a program hears {said}")
expect(active("locationd-share") == "active", "it does not run")
journal = run("journalctl -u locationd --no-pager")

step("the second socket is enabled later")
types("sudo systemctl stop locationd-share")
types("sudo systemctl enable --now locationd-share-nmea.socket   # NMEA, port 10110")

step("a program that may know is told, at both ports")
types(granting("gpsd:alice"), journal)
wait(lambda: TOLD in reads(), "it is told nothing")
wait(lambda: "$GPRMC," in reads(NMEA), "it hears no NMEA")
for port, words in ((GPSD, TOLD), (NMEA, "$GPRMC,")):
    wait(lambda: words in run(f"/usr/local/bin/reader {port} 5 ::1", "alice"), f"by IPv6 it hears nothing at {port}")

step("a service has its unit's name, and is told no more once that is revoked")
expect(TOLD not in reads(unit="weather"), "undecided, a service hears a place")
journal = run("journalctl -u locationd --no-pager")
types(granting("unit:weather.service"), journal)
service = Program("the service", "systemd-run --quiet --pipe --wait --collect --unit=weather -p User=alice"
                  " /usr/local/bin/reader 2947 600", "root")
service.wait(TOLD) or fail(f"it is told nothing:\n{service.text()}")
run("locationctl revoke unit:weather.service --uid alice")
wait(lambda: service.process.poll() is not None, "revoked, it is still there")
expect(TOLD not in reads(unit="weather"), "revoked, it comes again and hears a place")

step("root's own unit knows, and a port that root's sshd forwards leads to nothing")
wait(lambda: TOLD in reads(unit="own", user=None), "root's unit is told nothing")
run(f"mkdir -p /etc/ssh/sshd_config.d && printf 'Port {SSH}\\nListenAddress 127.0.0.1\\n' >/etc/ssh/sshd_config.d/port.conf")
run(f"{QUIET} install -y --no-install-recommends openssh-server")
run("mkdir -p /root/.ssh && ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519"
    " && cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys")
run("systemd-run --quiet --unit=tunnel ssh -N -o StrictHostKeyChecking=no -o ExitOnForwardFailure=yes"
    f" -L {TUNNEL}:127.0.0.1:{GPSD} -p {SSH} root@127.0.0.1")
said = wait(lambda: (text := run(f"/usr/local/bin/reader {TUNNEL} 5", "alice", exit=None)) and "VERSION" in text and text,
            lambda: "no tunnel:\n" + run("journalctl -u tunnel -u ssh --no-pager"))
expect(TOLD not in said, f"through root's tunnel a program hears {said}")
stays = Program("a program at the tunnel", f"/usr/local/bin/reader {TUNNEL} 60", "alice")
wait(lambda: "gpsd:root" in clients(), lambda: f"through the tunnel come {clients()}")
stays.process.terminate()
run("systemctl stop tunnel")

step("chrony takes samples, by the lines of the manual")
# The clock is the host's: this chronyd must not touch it.
run("mkdir -p /etc/systemd/system/chrony.service.d && printf '[Unit]\\nConditionCapability=\\n'"
    " >/etc/systemd/system/chrony.service.d/here.conf")
apt("install -y chrony")
run("echo 'DAEMON_OPTS=\"-x\"' >/etc/default/chrony && systemctl restart chrony")
line = "Chrony=/run/chrony/locationd.sock"
expect(line in manual and SAMPLES in manual, f"the manual has other lines:\n{manual}")
run(f"mkdir -p /etc/locationd/share.conf.d && printf '[Share]\\n{line}\\n' >/etc/locationd/share.conf.d/50-mine.conf")
said = re.search(r"add '(refclock .*?)' to /etc/chrony/chrony.conf", doctor())
expect(said and said[1] == SAMPLES, f"doctor says {doctor()}")
run(f"echo '{said[1]}' >>/etc/chrony/chrony.conf")
types("sudo systemctl restart chrony", doctor())
expect("may give chronyd samples" not in doctor(), f"doctor says {doctor()}")
types("sudo systemctl stop locationd-share")
expect("sudo systemctl enable --now locationd-share.service" in manual, f"the manual says\n{manual}")
types("sudo systemctl enable --now locationd-share.service", doctor())
expect("may give chronyd samples at /run/chrony/locationd.sock" in doctor(), f"doctor says {doctor()}")


def polls():
    """The polls that samples answered, as a mask."""
    lines = [line.split(",") for line in run("chronyc -c sources", exit=None).splitlines()]
    return next((int(words[5], 8) for words in lines if words[2:3] == ["GNSS"]), 0)


wait(polls, lambda: run("chronyc sources; journalctl -b --no-pager -u chrony -u locationd-share | tail -n 20", exit=None))
run("systemctl restart chrony")
wait(polls, "after a restart of chrony, no sample is taken")

step("its unit is sealed off")
exposure = run("systemd-analyze security --no-pager locationd-share.service | tail -1")
level = float(re.search(r"(\d+\.\d+)", exposure)[1])
expect(level <= 1.2, exposure)
print(f"  exposure {level}")

step("a restart of it, or of the daemon, takes nothing")
stays = Program("a program", "while sleep 0.2; do /usr/local/bin/reader 2947 600; done", "alice")
stays.wait(TOLD) or fail(stays.text())
for what in ("locationd", "locationd-share"):
    began = time.monotonic()
    run(f"systemctl restart {what}")
    stays.wait(TOLD, since=began + 1, seconds=60) or fail(f"after a restart of {what}:\n{stays.text(began)}")
stays.process.terminate()

step("purged, it leaves nothing")
run("rm -r /etc/locationd/share.conf.d")
apt("purge -y locationd-share")
expect(active(UNITS).split() == ["inactive"] * 2, "its sockets are there")
left = [name for name in traces() if "share" in name and "/usr/share/" not in name]
expect(not left, f"there is left: {left}")
expect("locationd-share" not in run("locationctl apps"), "its permission is left")
