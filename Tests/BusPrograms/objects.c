// The same with systemd's own library, which busctl uses.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define GEOCLUE "org.freedesktop.GeoClue2"

static sd_bus *bus;

static int check(int result, const char *what) {
  if (result < 0) {
    fprintf(stderr, "%s: %s\n", what, strerror(-result));
    exit(1);
  }
  return result;
}

static void read_properties(const char *service, const char *path, const char *interface) {
  sd_bus_message *reply, *introspection;
  const char *name, *type;
  check(sd_bus_call_method(bus, service, path, "org.freedesktop.DBus.Introspectable", "Introspect",
                           NULL, &introspection, NULL), "Introspect");
  check(sd_bus_call_method(bus, service, path, "org.freedesktop.DBus.Properties", "GetAll", NULL,
                           &reply, "s", interface), interface);
  check(sd_bus_message_enter_container(reply, 'a', "{sv}"), "array");
  while (check(sd_bus_message_enter_container(reply, 'e', "sv"), "entry") > 0) {
    check(sd_bus_message_read(reply, "s", &name), "name");
    check(sd_bus_message_peek_type(reply, NULL, &type), "type");
    printf("%s.%s %s\n", interface, name, type);
    check(sd_bus_message_skip(reply, "v"), "value");
    check(sd_bus_message_exit_container(reply), "entry");
  }
}

static char *make(const char *service, const char *path, const char *interface, const char *member,
                  const char *types) {
  sd_bus_message *reply;
  const char *made;
  check(types ? sd_bus_call_method(bus, service, path, interface, member, NULL, &reply, types, 0)
              : sd_bus_call_method(bus, service, path, interface, member, NULL, &reply, NULL),
        member);
  check(sd_bus_message_read(reply, "o", &made), "path");
  return strdup(made);
}

static int updated(sd_bus_message *signal, void *context, sd_bus_error *error) {
  const char *old, *new;
  check(sd_bus_message_read(signal, "oo", &old, &new), "LocationUpdated");
  *(char **)context = strdup(new);
  return 0;
}

int main(void) {
  char *client, *location = NULL;
  check(sd_bus_open_system(&bus), "bus");
  read_properties("org.locationd", "/org/locationd", "org.locationd.Manager1");
  read_properties("org.locationd", "/org/locationd", "org.locationd.Permissions1");
  read_properties("org.locationd", "/org/locationd", "org.locationd.Agents1");
  client = make("org.locationd", "/org/locationd", "org.locationd.Manager1", "CreateClient", "a{sv}");
  read_properties("org.locationd", client, "org.locationd.Client1");
  read_properties(GEOCLUE, "/org/freedesktop/GeoClue2/Manager", GEOCLUE ".Manager");
  client = make(GEOCLUE, "/org/freedesktop/GeoClue2/Manager", GEOCLUE ".Manager", "GetClient", NULL);
  read_properties(GEOCLUE, client, GEOCLUE ".Client");
  check(sd_bus_match_signal(bus, NULL, GEOCLUE, client, GEOCLUE ".Client", "LocationUpdated", updated,
                            &location), "match");
  check(sd_bus_call_method(bus, GEOCLUE, client, GEOCLUE ".Client", "Start", NULL, NULL, NULL), "Start");
  while (!location)
    if (check(sd_bus_process(bus, NULL), "process") == 0) sd_bus_wait(bus, UINT64_MAX);
  read_properties(GEOCLUE, location, GEOCLUE ".Location");
  return 0;
}
