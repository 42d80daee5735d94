"""Every object that one program sees, read with dbus-python: INTERFACE.PROPERTY TYPE, a line each."""

import sys
import xml.etree.ElementTree as xml

import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.bus.BusConnection(sys.argv[1])


def read(service, path):
    thing = bus.get_object(service, path)
    text = thing.Introspect(dbus_interface="org.freedesktop.DBus.Introspectable")
    for interface in xml.fromstring(text).findall("interface"):
        name = interface.get("name")
        if name.startswith("org.freedesktop.DBus."):
            continue
        values = thing.GetAll(name, dbus_interface="org.freedesktop.DBus.Properties")
        described = {p.get("name"): p.get("type") for p in interface.findall("property")}
        assert set(values) == set(described), (name, set(values) ^ set(described))
        for property in described:
            print(f"{name}.{property} {described[property]}")
    return thing


manager = read("org.locationd", "/org/locationd")
client = manager.CreateClient({"name": "test"}, dbus_interface="org.locationd.Manager1")
read("org.locationd", client)
service = "org.freedesktop.GeoClue2"
manager = read(service, "/org/freedesktop/GeoClue2/Manager")
client = read(service, manager.GetClient(dbus_interface=service + ".Manager"))
loop = GLib.MainLoop()


def updated(old, new):
    read(service, new)
    loop.quit()


client.connect_to_signal("LocationUpdated", updated, service + ".Client")
client.Start(dbus_interface=service + ".Client")
loop.run()
