#include "CBusBaseline.h"

#include <dbus/dbus.h>
#include <stddef.h>
#include <stdint.h>

void *cbus_open(void) {
  DBusConnection *bus = dbus_bus_get_private(DBUS_BUS_SESSION, NULL);
  if (bus) dbus_connection_set_exit_on_disconnect(bus, FALSE);
  return bus;
}

void cbus_close(void *bus) {
  dbus_connection_close(bus);
  dbus_connection_unref(bus);
}

static void entry(DBusMessageIter *entries, const char *key, int type, const void *value) {
  const char signature[] = {(char)type, 0};
  DBusMessageIter entry, variant;
  dbus_message_iter_open_container(entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
  dbus_message_iter_append_basic(&variant, type, value);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(entries, &entry);
}

static DBusMessage *moved(double number) {
  static const char *const keys[] = {
      "latitude", "longitude", "altitude", "ellipsoidalAltitude", "horizontalAccuracy",
      "verticalAccuracy", "speed", "speedAccuracy", "course", "courseAccuracy"};
  const double values[] = {55.074673983, 38.899854633, 1240.5, 1254.25, 4.5,
                           7.5, number, 0.5, 271.5, 2.5};
  const int64_t timestamp = 1700000000000000;
  const dbus_bool_t simulated = FALSE;
  const char *source = "nmea", *service = "standard";
  const uint64_t event = 0;
  DBusMessage *message =
      dbus_message_new_signal("/", "org.locationd.Client1", "DidUpdateLocations");
  DBusMessageIter body, locations, location;
  dbus_message_iter_init_append(message, &body);
  dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "a{sv}", &locations);
  dbus_message_iter_open_container(&locations, DBUS_TYPE_ARRAY, "{sv}", &location);
  for (int i = 0; i < 10; i++) entry(&location, keys[i], DBUS_TYPE_DOUBLE, &values[i]);
  entry(&location, "timestamp", DBUS_TYPE_INT64, &timestamp);
  entry(&location, "simulated", DBUS_TYPE_BOOLEAN, &simulated);
  entry(&location, "source", DBUS_TYPE_STRING, &source);
  dbus_message_iter_close_container(&locations, &location);
  dbus_message_iter_close_container(&body, &locations);
  dbus_message_iter_append_basic(&body, DBUS_TYPE_STRING, &service);
  dbus_message_iter_append_basic(&body, DBUS_TYPE_UINT64, &event);
  return message;
}

void cbus_tell(void *bus, const char *const *names, int count, double number) {
  DBusMessage *template = moved(number);
  for (int i = 0; i < count; i++) {
    DBusMessage *message = dbus_message_copy(template);
    dbus_message_set_path(message, "/org/locationd/client/1");
    dbus_message_set_destination(message, names[i]);
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
  }
  dbus_message_unref(template);
  dbus_connection_flush(bus);
}
