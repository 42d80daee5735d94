#!/usr/bin/python3
"""A program of GeoClue's, at a GeoClue of its own that has its receiver at a Unix socket: prints each place.
usage: geoclue.py SOCKET. As root: GeoClue reads its configuration at one path, where this one's is laid."""
import os, signal, subprocess, sys, tempfile, threading, time

from gi.repository import Gio, GLib

SERVICE = "org.freedesktop.GeoClue2"
# GeoClue asks a server about the address even where it knows no networks: here nobody answers.
CONFIGURATION = """
[agent]
whitelist=test-agent
[network-nmea]
enable=true
nmea-socket={socket}
[3g]
enable=false
[cdma]
enable=false
[modem-gps]
enable=false
[compass]
enable=false
[wifi]
enable=false
url=http://127.0.0.1:9/
[test]
allowed=true
system=true
users=
"""
BUS = """
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={bus}</listen>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>
"""
AGENT = """
<node><interface name="org.freedesktop.GeoClue2.Agent">
  <method name="AuthorizeApp">
    <arg type="s" direction="in"/><arg type="u" direction="in"/>
    <arg type="b" direction="out"/><arg type="u" direction="out"/>
  </method>
  <property name="MaxAccuracyLevel" type="u" access="read"/>
</interface></node>
"""
EXACT = 8


def proxy(path, interface):
    return Gio.DBusProxy.new_for_bus_sync(Gio.BusType.SYSTEM, 0, None, SERVICE, path, f"{SERVICE}.{interface}", None)


def call(proxy, member, type="()", *values):
    return proxy.call_sync(member, GLib.Variant(type, values), 0, 3000, None).unpack()


def until(make):
    end = time.time() + 60
    while time.time() < end:
        try:
            return make()
        except GLib.Error:
            time.sleep(0.1)
    raise SystemExit("it does not begin")


def register_agent():
    """GeoClue serves nobody before there is one."""
    # Neither is held by the other.
    global bus, node
    bus, node = Gio.bus_get_sync(Gio.BusType.SYSTEM), Gio.DBusNodeInfo.new_for_xml(AGENT)
    bus.register_object(
        f"/{SERVICE.replace('.', '/')}/Agent",
        node.interfaces[0],
        lambda *call: call[-1].return_value(GLib.Variant("(bu)", (True, EXACT))),
        lambda *property: GLib.Variant("u", EXACT),
        None,
    )
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()


def updated(client, sender, member, paths):
    location = proxy(paths.unpack()[1], "Location")
    print(*(repr(location.get_cached_property(name).unpack()) for name in ("Latitude", "Longitude")), flush=True)


def main(folder):
    register_agent()
    manager = until(lambda: proxy("/org/freedesktop/GeoClue2/Manager", "Manager"))
    until(lambda: call(manager, "AddAgent", "(s)", "test-agent"))
    client = proxy(call(manager, "GetClient")[0], "Client")
    properties = proxy(client.get_object_path(), "Client")
    for name, type, value in (("DesktopId", "s", "test"), ("RequestedAccuracyLevel", "u", EXACT)):
        wish = (f"{SERVICE}.Client", name, GLib.Variant(type, value))
        call(properties, "org.freedesktop.DBus.Properties.Set", "(ssv)", *wish)
    client.connect("g-signal", updated)
    # The test reads what the agent allows after it has answered.
    until(lambda: call(client, "Start"))
    signal.pause()


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
children = []
with tempfile.TemporaryDirectory(prefix="geoclue-") as folder:
    address = os.path.join(folder, "bus")
    for name, text in (("geoclue.conf", CONFIGURATION), ("bus.conf", BUS.strip())):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text.format(socket=sys.argv[1], bus=address))
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={address}"
    lay = f"mount --bind {folder}/geoclue.conf /etc/geoclue/geoclue.conf && exec /usr/libexec/geoclue -t 0"
    try:
        children.append(subprocess.Popen(["dbus-daemon", "--nofork", f"--config-file={folder}/bus.conf"]))
        while not os.path.exists(address):
            time.sleep(0.05)
        children.append(subprocess.Popen(["unshare", "--mount", "sh", "-c", lay]))
        main(folder)
    finally:
        for child in reversed(children):
            child.terminate()
            child.wait()
