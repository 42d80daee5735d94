"""The share's sockets wait and its unit starts with the first program, sealed off; services have their units' names, and a
port that root forwards leads to nothing."""
from machine import *

GPSD, NMEA, SSH, TUNNEL = 2947, 10110, 29922, 29947
UNITS = "locationd-share.socket locationd-share-nmea.socket"
READER = r"""#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/$1 || exit
[ $1 = 10110 ] || printf '?WATCH={"enable":true,"json":true};' >&3
timeout ${2:-5} cat <&3
exit 0
"""
TOLD = '"class":"TPV"'


def reads(port=GPSD, unit=None, user="alice", seconds=5):
    """What a program hears at the port, in a unit or a person's session."""
    command = f"/usr/local/bin/reader {port} {seconds}"
    if unit is None:
        return run(command, user)
    as_user = f"-p User={user}" if user else ""
    return run(f"systemd-run --quiet --pipe --wait --collect --unit={unit} {as_user} {command}")


def active(unit):
    return run(f"systemctl is-active {unit}", exit=None).strip()


def clients():
    return [client["app"] for client in status()["clients"]]


start()
step("installed, it listens nowhere")
run(f"cat >/usr/local/bin/reader <<'END'\n{READER}END\nchmod 755 /usr/local/bin/reader")
run(f"mkdir -p /etc/locationd/locationd.conf.d && printf '[Sources]\\nSource=nmea+udp://127.0.0.1:{PORT}\\n'"
    " >/etc/locationd/locationd.conf.d/receiver.conf")
apt(f"install -y gpsd {package('locationd', 'locationd-share')}")
Receiver(gpsd=False)
expect(active(UNITS).split() == ["inactive"] * 2, "it listens before anybody says so")

step("gpsd, which comes with locationd, has the port: doctor says what to choose, and that is done")
expect("already active" not in run(f"systemctl enable --now {UNITS}", exit=None), "a socket refuses")
said = " ".join(run("locationctl doctor", exit=None).split())
expect("disable --now gpsd.socket gpsd" in said, f"doctor says {said}")
run("systemctl disable --now gpsd.socket gpsd")
run(f"systemctl enable --now {UNITS}")

step("its sockets wait without it, and the first program starts it")
expect(active("locationd-share") == "inactive", "it runs before a program comes")
said = reads()
expect('"class":"VERSION"' in said and '"class":"WATCH"' in said, f"a program hears {said}")
expect(TOLD not in said, f"undecided, a program hears {said}")
expect(active("locationd-share") == "active", "it does not run")
journal = run("journalctl -u locationd --no-pager")
expect(journal.count("locationctl grant gpsd:alice") == 1, f"the journal has of the refusal:\n{journal}")

step("a program that may know is told, at both ports")
run("locationctl grant gpsd:alice always --uid alice")
wait(lambda: TOLD in reads(), "it is told nothing")
wait(lambda: "$GPRMC," in reads(NMEA), "it hears no NMEA")

step("a service has its unit's name, and is told no more once that is revoked")
expect(TOLD not in reads(unit="weather"), "undecided, a service hears a place")
run("locationctl grant unit:weather.service always --uid alice")
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
apt("purge -y locationd-share")
expect(active(UNITS).split() == ["inactive"] * 2, "its sockets are there")
left = [name for name in traces() if "share" in name and "/usr/share/" not in name]
expect(not left, f"there is left: {left}")
expect("locationd-share" not in run("locationctl apps"), "its permission is left")
