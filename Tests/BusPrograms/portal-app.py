"""A program in a sandbox, which wants to know where it is."""

import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
portal = bus.get_object("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
location = dbus.Interface(portal, "org.freedesktop.portal.Location")
loop = GLib.MainLoop()


def updated(session, place):
    print(f"{place['Latitude']:.3f} {place['Longitude']:.3f} {place['Accuracy']:.0f}", flush=True)
    loop.quit()


def answered(response, results):
    if response != 0:
        print("refused", flush=True)
        loop.quit()


location.connect_to_signal("LocationUpdated", updated)
bus.add_signal_receiver(answered, "Response", "org.freedesktop.portal.Request")
session = location.CreateSession({"session_handle_token": "one", "accuracy": dbus.UInt32(5)})
location.Start(session, "", {"handle_token": "two"})
loop.run()
