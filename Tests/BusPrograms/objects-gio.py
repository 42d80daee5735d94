"""The same with GLib's own library, which gdbus and GNOME's programs use."""

import sys

from gi.repository import Gio, GLib

flags = Gio.DBusConnectionFlags
bus = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1], flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)


def call(service, path, interface, member, arguments=None):
    return bus.call_sync(service, path, interface, member, arguments, None, 0, 60_000, None).unpack()


def read(service, path):
    text, = call(service, path, "org.freedesktop.DBus.Introspectable", "Introspect")
    for interface in Gio.DBusNodeInfo.new_for_xml(text).interfaces:
        if interface.name.startswith("org.freedesktop.DBus."):
            continue
        proxy = Gio.DBusProxy.new_sync(bus, 0, interface, service, path, interface.name, None)
        for property in interface.properties:
            # A value of another type than described would be none.
            value = proxy.get_cached_property(property.name)
            print(f"{interface.name}.{property.name} {value.get_type_string()}")


read("org.locationd", "/org/locationd")
options = GLib.Variant("(a{sv})", ({"name": GLib.Variant("s", "test")},))
client, = call("org.locationd", "/org/locationd", "org.locationd.Manager1", "CreateClient", options)
read("org.locationd", client)
service = "org.freedesktop.GeoClue2"
read(service, "/org/freedesktop/GeoClue2/Manager")
client, = call(service, "/org/freedesktop/GeoClue2/Manager", service + ".Manager", "GetClient")
read(service, client)
loop = GLib.MainLoop()


def updated(bus, sender, path, interface, member, arguments):
    read(service, arguments.unpack()[1])
    loop.quit()


bus.signal_subscribe(service, service + ".Client", "LocationUpdated", client, None, 0, updated)
call(service, client, service + ".Client", "Start")
loop.run()
