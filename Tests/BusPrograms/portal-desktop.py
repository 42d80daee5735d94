"""What a desktop has for xdg-desktop-portal: a dialog, which is answered with the code in a file."""

import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName("org.freedesktop.impl.portal.desktop.test", bus)


class Desktop(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, property):
        return False

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {"disable-location": False, "version": dbus.UInt32(1)}

    @dbus.service.method("org.freedesktop.impl.portal.Access", in_signature="osssssa{sv}",
                         out_signature="ua{sv}")
    def AccessDialog(self, handle, app, parent, title, subtitle, body, options):
        print("asked about", app, flush=True)
        return dbus.UInt32(int(open(sys.argv[1]).read())), {}


desktop = Desktop(bus, "/org/freedesktop/portal/desktop")
GLib.MainLoop().run()
