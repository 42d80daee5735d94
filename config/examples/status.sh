#!/bin/sh
# Asks locationd for its status, this program's permission and its interface, over D-Bus. A
# client belongs to a connection, and each busctl is one of its own: to watch the location from a shell,
# use locationctl.
set -e
bus=${DBUS_SYSTEM_BUS_ADDRESS:+--address=$DBUS_SYSTEM_BUS_ADDRESS}
busctl ${bus:---system} get-property org.locationd /org/locationd org.locationd.Manager1 Version
busctl ${bus:---system} --json=pretty call org.locationd /org/locationd org.locationd.Manager1 Status
busctl ${bus:---system} introspect org.locationd /org/locationd org.locationd.Manager1
