// A C face for libgps, which unpacks gpsd's reports. Its gps_data_t has some 24 kB, of a layout that changes
// with each version of libgps.
#ifndef CGPS_H
#define CGPS_H

#include <stdint.h>

/// The newest report. Numbers that it does not have are NaN; times are microseconds since 1970, 0 for none.
typedef struct cgps cgps;

struct cgps_position {
  int64_t time;
  int mode, status;
  double latitude, longitude, altitude, altitude_msl, altitude_hae;
  double eph, epx, epy, epv, speed, track;
};

struct cgps_sky {
  double hdop, vdop, pdop;
  int used, visible;
};

/// Unknown numbers are out of range: angles below -90, a signal of 0 or less.
struct cgps_satellite {
  int number, gnss;
  double elevation, azimuth, signal;
  int used;
};

struct cgps_noise {
  int64_t time;
  double ranges, major, minor, orientation, latitude, longitude, altitude;
};

struct cgps_attitude {
  int64_t time;
  double heading;
};

cgps *_Nonnull cgps_new(void);
void cgps_free(cgps *_Nonnull self);

/// Forgets the report before, and unpacks this one: a line with a NUL at its end.
void cgps_unpack(cgps *_Nonnull self, const char *_Nonnull line);

struct cgps_position cgps_position(const cgps *_Nonnull self);
struct cgps_sky cgps_sky(const cgps *_Nonnull self);
/// One of those that are visible.
struct cgps_satellite cgps_satellite(const cgps *_Nonnull self, int index);
struct cgps_noise cgps_noise(const cgps *_Nonnull self);
struct cgps_attitude cgps_attitude(const cgps *_Nonnull self);

/// So many satellites has libgps room for.
int cgps_most_satellites(void);

#endif
