#!/usr/bin/python3
"""Prints where this machine is, again and again: org.locationd over D-Bus, in Python."""

import os

import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS")
bus = dbus.bus.BusConnection(address) if address else dbus.SystemBus()

manager = dbus.Interface(bus.get_object("org.locationd", "/org/locationd"), "org.locationd.Manager1")
path = manager.CreateClient({"name": "watch.py"})
client = bus.get_object("org.locationd", path)


def updated(locations, service, event):
    newest = locations[-1]
    print(f"{newest['latitude']:.6f} {newest['longitude']:.6f} ± {newest['horizontalAccuracy']:.1f} m",
          flush=True)


def failed(code, message):
    print(message, flush=True)


client.connect_to_signal("DidUpdateLocations", updated, "org.locationd.Client1")
client.connect_to_signal("DidFail", failed, "org.locationd.Client1")
properties = dbus.Interface(client, "org.freedesktop.DBus.Properties")
properties.Set("org.locationd.Client1", "DistanceFilter", 5.0)  # metres
service = dbus.Interface(client, "org.locationd.Client1")
service.RequestWhenInUseAuthorization()  # asks the person, if nobody has decided yet
service.StartUpdatingLocation()
GLib.MainLoop().run()
