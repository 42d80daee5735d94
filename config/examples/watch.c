// Prints where this machine is, again and again: org.locationd over D-Bus, in C.
// cc watch.c -o watch $(pkg-config --cflags --libs libsystemd)
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

// Reads the numbers of one location that are printed. Unknown ones are not there.
static int read_location(sd_bus_message *message, double *latitude, double *longitude) {
  int result = sd_bus_message_enter_container(message, 'a', "{sv}");
  while (result >= 0 && sd_bus_message_enter_container(message, 'e', "sv") > 0) {
    const char *key;
    result = sd_bus_message_read(message, "s", &key);
    if (result < 0) return result;
    if (!strcmp(key, "latitude"))
      result = sd_bus_message_read(message, "v", "d", latitude);
    else if (!strcmp(key, "longitude"))
      result = sd_bus_message_read(message, "v", "d", longitude);
    else
      result = sd_bus_message_skip(message, "v");
    if (result >= 0) result = sd_bus_message_exit_container(message);
  }
  return result < 0 ? result : sd_bus_message_exit_container(message);
}

static int updated(sd_bus_message *message, void *context, sd_bus_error *error) {
  double latitude, longitude;
  int result = sd_bus_message_enter_container(message, 'a', "a{sv}");
  while (result >= 0 && !sd_bus_message_at_end(message, 0)) {
    result = read_location(message, &latitude, &longitude);
    if (result >= 0) printf("%.6f %.6f\n", latitude, longitude);
  }
  fflush(stdout);
  return result;
}

static int fail(const char *what, int result, const sd_bus_error *error) {
  fprintf(stderr, "%s: %s\n", what, error->message ? error->message : strerror(-result));
  return 1;
}

int main(void) {
  static const char *const service = "org.locationd", *const client1 = "org.locationd.Client1";
  sd_bus *bus = NULL;
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_message *reply = NULL;
  const char *client;
  int result = sd_bus_open_system(&bus);
  if (result < 0) return fail("no bus", result, &error);
  result = sd_bus_call_method(bus, service, "/org/locationd", "org.locationd.Manager1",
                              "CreateClient", &error, &reply, "a{sv}", 1, "name", "s", "watch.c");
  if (result >= 0) result = sd_bus_message_read(reply, "o", &client);
  if (result < 0) return fail("no client", result, &error);
  result = sd_bus_match_signal(bus, NULL, service, client, client1, "DidUpdateLocations", updated,
                               NULL);
  // Asks the person, if nobody has decided yet.
  if (result >= 0)
    result = sd_bus_call_method(bus, service, client, client1, "RequestWhenInUseAuthorization",
                                &error, NULL, NULL);
  if (result >= 0)
    result = sd_bus_call_method(bus, service, client, client1, "StartUpdatingLocation", &error,
                                NULL, NULL);
  if (result < 0) return fail("not started", result, &error);
  while ((result = sd_bus_process(bus, NULL)) >= 0)
    if (result == 0) sd_bus_wait(bus, UINT64_MAX);
  return fail("the bus is gone", result, &error);
}
