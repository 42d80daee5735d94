"""Asks for a place as programs of the desktop do, call by call, over the libraries that they use.

The calls are those that were seen of firefox-esr 153, WebKitGTK 2.50, Qt 6.12's plugin and redshift
1.12; libgeoclue (Maps, Weather and Clocks of GNOME) is here itself."""

import os
import sys

import dbus
import gi
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import Gio, GLib

SERVICE = "org.freedesktop.GeoClue2"
MANAGER = "/org/freedesktop/GeoClue2/Manager"
loop = GLib.MainLoop()
# All proxies share it while somebody holds it.
bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)


def proxy(path, interface):
    return Gio.DBusProxy.new_for_bus_sync(
        Gio.BusType.SYSTEM, Gio.DBusProxyFlags.NONE, None, SERVICE, path, f"{SERVICE}.{interface}",
        None)


def call(proxy, member, arguments=None):
    return proxy.call_sync(member, arguments, Gio.DBusCallFlags.NONE, -1, None).unpack()


def with_gio(maker, level, threshold):
    """Firefox has GetClient, WebKit CreateClient; redshift and gammastep wish for no level."""
    path, = call(proxy(MANAGER, "Manager"), maker)
    client = proxy(path, "Client")

    def wish(name, type, value):
        arguments = GLib.Variant("(ssv)", (f"{SERVICE}.Client", name, GLib.Variant(type, value)))
        call(client, "org.freedesktop.DBus.Properties.Set", arguments)

    def updated(client, sender, member, paths):
        location = proxy(paths.unpack()[1], "Location")
        names = ("Latitude", "Longitude", "Accuracy")
        print("place", *(location.get_cached_property(name).unpack() for name in names))
        loop.quit()

    def started(client, answer):
        try:
            client.call_finish(answer)
            print("started", flush=True)
        except GLib.Error as error:
            print("refused", Gio.DBusError.get_remote_error(error))
            left = proxy(path, "Client").get_cached_property("Location").unpack()
            print("knows", left)
            loop.quit()

    wish("DesktopId", "s", "test")
    if threshold:
        wish("DistanceThreshold", "u", threshold)
    if level:
        wish("RequestedAccuracyLevel", "u", level)
    client.connect("g-signal", updated)
    client.call("Start", None, Gio.DBusCallFlags.NONE, -1, None, started)
    loop.run()


def with_single_properties():
    """Qt reads each property by itself, and the newest location after it has started."""
    DBusGMainLoop(set_as_default=True)
    bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])

    def call(path, interface, member, *arguments):
        return bus.get_object(SERVICE, path, introspect=False).get_dbus_method(member, interface)(
            *arguments)

    def get(path, interface, name):
        return call(path, "org.freedesktop.DBus.Properties", "Get", f"{SERVICE}.{interface}", name)

    for _ in range(3):
        get(MANAGER, "Manager", "AvailableAccuracyLevel")
    client = call(MANAGER, f"{SERVICE}.Manager", "GetClient")
    for name, value in [("DesktopId", dbus.String("test", variant_level=1)),
                        ("TimeThreshold", dbus.UInt32(1, variant_level=1)),
                        ("RequestedAccuracyLevel", dbus.UInt32(8, variant_level=1))]:
        call(client, "org.freedesktop.DBus.Properties", "Set", f"{SERVICE}.Client", name, value)

    def updated(old, new):
        read = {name: get(new, "Location", name)
                for name in ("Longitude", "Latitude", "Altitude", "Timestamp", "Accuracy", "Speed",
                             "Heading")}
        print("place", *(float(read[name]) for name in ("Latitude", "Longitude", "Accuracy")))
        loop.quit()

    bus.add_signal_receiver(updated, "LocationUpdated", f"{SERVICE}.Client", SERVICE, client)
    try:
        call(client, f"{SERVICE}.Client", "Start")
        get(client, "Client", "Location")
        loop.run()
        call(client, f"{SERVICE}.Client", "Stop")
    except dbus.DBusException as error:
        print("refused", error.get_dbus_name())
        print("knows", get(client, "Client", "Location"))


def with_libgeoclue():
    gi.require_version("Geoclue", "2.0")
    from gi.repository import Geoclue
    try:
        simple = Geoclue.Simple.new_sync("test", Geoclue.AccuracyLevel.EXACT, None)
        location = simple.get_location()
        print("place", *(location.get_property(name) for name in ("latitude", "longitude", "accuracy")))
    except GLib.Error as error:
        print("refused", Gio.DBusError.get_remote_error(error))


{
    "firefox": lambda: with_gio("GetClient", 8, None),
    "webkit": lambda: with_gio("CreateClient", 8, None),
    "redshift": lambda: with_gio("GetClient", None, 50000),
    "qt": with_single_properties,
    "libgeoclue": with_libgeoclue,
}[sys.argv[1]]()
