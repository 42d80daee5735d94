// Sends each fix of a gpsd to a broker, as ocli of OwnTracks' does, and keeps nothing: bare-publisher GPSD-PORT BROKER-PORT
// The count that the broker has confirmed is printed at each ten.
#include <gps.h>
#include <math.h>
#include <mosquitto.h>
#include <stdio.h>
#include <stdlib.h>

static long confirmed;

static void on_publish(struct mosquitto *broker, void *none, int number) {
  if (++confirmed % 10 == 0) printf("%ld\n", confirmed);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  struct gps_data_t gps;
  if (gps_open("127.0.0.1", arguments[1], &gps)) return 1;
  gps_stream(&gps, WATCH_ENABLE | WATCH_JSON, NULL);
  mosquitto_lib_init();
  struct mosquitto *broker = mosquitto_new("bare-publisher", false, NULL);
  mosquitto_publish_callback_set(broker, on_publish);
  if (mosquitto_connect(broker, "127.0.0.1", atoi(arguments[2]), 60)) return 1;
  double last = 0;
  for (;;) {
    if (gps_waiting(&gps, 500000)) {
      if (gps_read(&gps, NULL, 0) < 0) return 1;
      double time = (double)gps.fix.time.tv_sec + (double)gps.fix.time.tv_nsec / 1e9;
      if (gps.fix.mode >= MODE_2D && isfinite(gps.fix.latitude) && time > last) {
        char text[256];
        int length = snprintf(
            text, sizeof text,
            "{\"_type\":\"location\",\"tid\":\"bp\",\"lat\":%.6f,\"lon\":%.6f,\"tst\":%.0f,\"vel\":%.0f}",
            gps.fix.latitude, gps.fix.longitude, time, gps.fix.speed * 3.6);
        mosquitto_publish(broker, NULL, "owntracks/ann/bare", length, text, 1, true);
        last = time;
      }
    }
    if (mosquitto_loop(broker, 0, 1)) return 1;
  }
}
