"""Prints each place that org.locationd tells it, and each change of what it may know; goes on when the daemon does."""
import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()


def began(answer):
    client = bus.get_object("org.locationd", answer, introspect=False)

    def listen(member, words):
        client.connect_to_signal(member, words, "org.locationd.Client1")

    listen("DidUpdateLocations", lambda places, *_: print("place", places[-1]["latitude"], flush=True))
    listen("DidChangeAuthorization", lambda level, _: print("authorization", level, flush=True))
    listen("DidFail", lambda code, message: print("failed", code, message, flush=True))
    for member in ("StartMonitoringVisits", "StartUpdatingLocation"):
        client.get_dbus_method(member, "org.locationd.Client1")(
            reply_handler=lambda: None, error_handler=lambda error: print("refused", error, flush=True))


def changed(owner):
    print("daemon", owner or "gone", flush=True)
    if owner:
        manager = bus.get_object("org.locationd", "/org/locationd", introspect=False)
        manager.CreateClient(dbus.Dictionary({"name": "try"}, signature="sv"), dbus_interface="org.locationd.Manager1",
                             reply_handler=began, error_handler=lambda error: print("refused", error, flush=True))


bus.watch_name_owner("org.locationd", changed)
GLib.MainLoop().run()
