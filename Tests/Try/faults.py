"""The faults of a soak: by its name, the command that begins each, and the one that ends it, if it is not over by itself."""


def kill(unit, more=None):
    return f"systemctl kill --kill-whom=main -s KILL {unit}", more


def clock(seconds):
    return ("/usr/bin/python3 -c \"open('/usr/lib/soak-clock', 'r+b').write((%d).to_bytes(8, 'little', signed=True))\"" % seconds)


def sleep(signal):
    """Stops, or wakes, all but systemd and what is outside of the machine: its receivers and its administrator."""
    return f"pkill -{signal} -x 'locationd.*|locationctl|try-app|gpsd|mosquitto|dbus-daemon|systemd-logind'; pkill -{signal} -u alice -x python3"


def filling(folders, command):
    return "; ".join(command.format(f"{folder}/filling") for folder in folders)


# No program can be told a place meanwhile.
SILENT = {"both receivers go", "the machine sleeps"}
# systemd does not always know which process gpsd has become, nor that it has gone: its socket is nobody's then.
GPSD_GOES = "systemctl stop gpsd.socket; systemctl stop gpsd; pkill -KILL -x gpsd || true"
GPSD_IS_KILLED = "pgrep -x gpsd || systemctl start gpsd; pkill -KILL -x gpsd; systemctl stop gpsd 2>/dev/null"
BROKER_COMES = "systemctl reset-failed mosquitto; systemctl start mosquitto"


def deck(deal, folders):
    """Faults that all processes survive. The folders fill up."""
    return {
        "the receiver on the line goes": ("systemctl stop line", "systemctl start line"),
        "the receiver of gpsd goes": ("systemctl stop datagrams", "systemctl start datagrams"),
        "both receivers go": ("systemctl stop line datagrams", "systemctl start line datagrams"),
        "gpsd is stopped": (GPSD_GOES, f"{GPSD_GOES}; systemctl start gpsd.socket"),
        "gpsd is killed": (GPSD_IS_KILLED, None),
        "the broker goes": ("systemctl stop mosquitto", BROKER_COMES),
        "the broker is killed": kill("mosquitto", BROKER_COMES),
        "logind is killed": kill("systemd-logind"),
        "the clock goes forwards": (clock(deal.choice([90, 3600, 30 * 86400])), clock(0)),
        "the clock goes back": (clock(-deal.choice([90, 3600, 30 * 86400])), clock(0)),
        "the disks are full": (filling(folders, "head -c 64M /dev/zero >{} 2>/dev/null || true"), filling(folders, "rm -f {}")),
        "the machine sleeps": (sleep("STOP"), sleep("CONT")),
        "twenty programs come and go": ("for i in $(seq 20); do su - alice -c 'timeout 5 locationctl get' & done; wait", None),
        "an extract is imported": ("locationctl places import /packages/monaco.osm.pbf", None),
        "the configuration is read again": ("systemctl reload locationd locationd-tracker locationd-share", None),
    }


# Each of these ends a process.
KILLS = {
    "locationd is killed": kill("locationd"),
    "the tracker is killed": kill("locationd-tracker"),
    "places are killed": kill("locationd-places"),
    "the share is killed": kill("locationd-share"),
    "the agent is killed": ("pkill -KILL -x locationd-agent", None),
    "the app is killed": ("pkill -KILL -x try-app", None),
    "the map is killed": ("pkill -KILL -x locationd-map", None),
    "the bus is killed": kill("dbus"),
}
