"""ModemManager 1.20, as far as the location of one modem goes: modemmanager.py [--refuse] [--enabled MASK] [--port DEVICE]

With a port of its receiver's own, that can be left to others. It is on the system's bus. Setup replaces the whole mask; the location is empty unless it is shown or asked for; of the
receiver's sentences it keeps the newest of each kind. Each call is printed as a line of JSON."""
import json
import sys
import time

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.ModemManager1"
ROOT = "/org/freedesktop/ModemManager1"
MODEM = NAME + ".Modem"
LOCATION = MODEM + ".Location"
CELL, RAW, NMEA, UNMANAGED, MSB = 1, 2, 4, 16, 64

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
refuses = "--refuse" in sys.argv
port = sys.argv[sys.argv.index("--port") + 1] if "--port" in sys.argv else None
enabled = int(sys.argv[sys.argv.index("--enabled") + 1]) if "--enabled" in sys.argv else 0


def say(**call):
    print(json.dumps(call), flush=True)


def check():
    if refuses:
        text = "PolicyKit authorization failed: not authorized for '%s.Device.Control'" % NAME
        raise dbus.DBusException(text, name=NAME + ".Error.Core.Unauthorized")


def sentence(body):
    total = 0
    for letter in body.encode():
        total ^= letter
    return "$%s*%02X" % (body, total)


class Modem(dbus.service.Object):
    def __init__(self):
        super().__init__(bus, ROOT + "/Modem/0")
        self.enabled, self.shows, self.rate = enabled, False, 30

    def location(self):
        found = dbus.Dictionary(signature="uv")
        if self.enabled & CELL:
            found[dbus.UInt32(CELL)] = dbus.String("262,02,FFFE,1CEAD8,6FFE", variant_level=1)
        if self.enabled & NMEA:
            # The sentences of a second come one after the other.
            now = time.time()
            last = now - 1 if now % 1 < 0.1 else now
            clock = lambda moment: time.strftime("%H%M%S.00", time.gmtime(moment))
            date = time.strftime("%d%m%y", time.gmtime(last))
            lines = [
                sentence("GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.6,0.9,1.3"),
                sentence("GPRMC,%s,A,4500.0000,N,00700.0000,E,0.0,,%s,,,A" % (clock(last), date)),
                sentence("GPGGA,%s,4500.0000,N,00700.0000,E,1,08,0.9,520.0,M,47.0,M,," % clock(now)),
            ]
            found[dbus.UInt32(NMEA)] = dbus.String("\r\n".join(lines), variant_level=1)
        return found

    def about(self):
        ports = [("cdc-wdm7", dbus.UInt32(6)), ("ttyUSB77", dbus.UInt32(3))]
        if port:
            ports.append((port.removeprefix("/dev/"), dbus.UInt32(5)))
        ports = dbus.Array(ports, signature="(su)")
        return {
            MODEM: dbus.Dictionary({
                "State": dbus.Int32(8), "Model": "EM05", "PrimaryPort": "cdc-wdm7", "Ports": ports,
                "DeviceIdentifier": "d0c0ffee", "AccessTechnologies": dbus.UInt32(1 << 14),
            }, signature="sv"),
            LOCATION: dbus.Dictionary({
                "Capabilities": dbus.UInt32(CELL | RAW | NMEA | MSB | (UNMANAGED if port else 0)), "Enabled": dbus.UInt32(self.enabled),
                "SignalsLocation": self.shows, "GpsRefreshRate": dbus.UInt32(self.rate), "SuplServer": "",
                "Location": self.location() if self.shows else dbus.Dictionary(signature="uv"),
            }, signature="sv"),
        }

    @dbus.service.method(LOCATION, in_signature="ub", out_signature="", sender_keyword="sender")
    def Setup(self, sources, shows, sender=None):
        say(call="Setup", sources=int(sources), signal=bool(shows))
        check()
        self.enabled, self.shows = int(sources), bool(shows)
        self.PropertiesChanged(
            LOCATION, {"Enabled": dbus.UInt32(self.enabled), "SignalsLocation": self.shows}, [])

    @dbus.service.method(LOCATION, in_signature="", out_signature="a{uv}")
    def GetLocation(self):
        say(call="GetLocation")
        check()
        return self.location()

    @dbus.service.method(LOCATION, in_signature="u", out_signature="")
    def SetGpsRefreshRate(self, rate):
        say(call="SetGpsRefreshRate", rate=int(rate))
        check()
        self.rate = int(rate)
        self.PropertiesChanged(LOCATION, {"GpsRefreshRate": dbus.UInt32(rate)}, [])

    @dbus.service.method(LOCATION, in_signature="s", out_signature="")
    def SetSuplServer(self, server):
        say(call="SetSuplServer")

    @dbus.service.signal(dbus.PROPERTIES_IFACE, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass


class Manager(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.ObjectManager", in_signature="", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        return {dbus.ObjectPath(ROOT + "/Modem/0"): modem.about()}


modem = Modem()
manager = Manager(bus, ROOT)
name = dbus.service.BusName(NAME, bus)
say(call="ready")
GLib.MainLoop().run()
