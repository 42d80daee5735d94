"""Prints each place that GeoClue's interface tells it; goes on when its owner comes back."""
import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

SERVICE = "org.freedesktop.GeoClue2"
DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()


def refused(error):
    print("refused", error, flush=True)


def began(path):
    client = bus.get_object(SERVICE, path, introspect=False)

    def updated(_, place):
        bus.get_object(SERVICE, place, introspect=False).Get(
            f"{SERVICE}.Location", "Latitude", dbus_interface=dbus.PROPERTIES_IFACE,
            reply_handler=lambda latitude: print("place", latitude, flush=True), error_handler=refused)

    client.connect_to_signal("LocationUpdated", updated, f"{SERVICE}.Client")
    for name, value in (("DesktopId", dbus.String("try", variant_level=1)),
                        ("RequestedAccuracyLevel", dbus.UInt32(8, variant_level=1))):
        client.Set(f"{SERVICE}.Client", name, value, dbus_interface=dbus.PROPERTIES_IFACE,
                   reply_handler=lambda: None, error_handler=refused)
    client.Start(dbus_interface=f"{SERVICE}.Client", reply_handler=lambda: None, error_handler=refused)


def changed(owner):
    print("daemon", owner or "gone", flush=True)
    if owner:
        bus.get_object(SERVICE, f"/{SERVICE.replace('.', '/')}/Manager", introspect=False).GetClient(
            dbus_interface=f"{SERVICE}.Manager", reply_handler=began, error_handler=refused)


bus.watch_name_owner(SERVICE, changed)
GLib.MainLoop().run()
