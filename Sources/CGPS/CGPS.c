#include "CGPS.h"

#include <gps.h>
#include <stdlib.h>
#include <string.h>

struct cgps {
  struct gps_data_t data;
};

cgps *cgps_new(void) {
  cgps *self = calloc(1, sizeof *self);
  if (self == NULL) abort();
  return self;
}

void cgps_free(cgps *self) { free(self); }

void cgps_unpack(cgps *self, const char *line) {
  // libgps keeps what a report does not say, and its union what another kind of report said.
  memset(&self->data, 0, sizeof self->data);
  // It does not write to the line, though it does not say so.
  gps_unpack((char *)line, &self->data);
}

// libgps cuts a fraction off that may be a nanosecond short.
static int64_t microseconds(timespec_t time) {
  return time.tv_sec <= 0 ? 0 : (int64_t)time.tv_sec * 1000000 + (time.tv_nsec + 500) / 1000;
}

struct cgps_position cgps_position(const cgps *self) {
  const struct gps_fix_t *fix = &self->data.fix;
  return (struct cgps_position){
      .time = microseconds(fix->time),
      .mode = fix->mode,
      .status = fix->status,
      .latitude = fix->latitude,
      .longitude = fix->longitude,
      .altitude = fix->altitude,
      .altitude_msl = fix->altMSL,
      .altitude_hae = fix->altHAE,
      .eph = fix->eph,
      .epx = fix->epx,
      .epy = fix->epy,
      .epv = fix->epv,
      .speed = fix->speed,
      .track = fix->track,
  };
}

struct cgps_sky cgps_sky(const cgps *self) {
  const struct dop_t *dop = &self->data.dop;
  return (struct cgps_sky){
      .hdop = dop->hdop,
      .vdop = dop->vdop,
      .pdop = dop->pdop,
      .used = self->data.satellites_used,
      .visible = self->data.satellites_visible,
  };
}

struct cgps_satellite cgps_satellite(const cgps *self, int index) {
  const struct satellite_t *satellite = &self->data.skyview[index];
  return (struct cgps_satellite){
      .number = satellite->PRN,
      .gnss = satellite->gnssid,
      .elevation = satellite->elevation,
      .azimuth = satellite->azimuth,
      .signal = satellite->ss,
      .used = satellite->used,
  };
}

struct cgps_noise cgps_noise(const cgps *self) {
  const struct gst_t *gst = &self->data.gst;
  return (struct cgps_noise){
      .time = microseconds(gst->utctime),
      .ranges = gst->rms_deviation,
      .major = gst->smajor_deviation,
      .minor = gst->sminor_deviation,
      .orientation = gst->smajor_orientation,
      .latitude = gst->lat_err_deviation,
      .longitude = gst->lon_err_deviation,
      .altitude = gst->alt_err_deviation,
  };
}

struct cgps_attitude cgps_attitude(const cgps *self) {
  const struct attitude_t *attitude = &self->data.attitude;
  return (struct cgps_attitude){.time = microseconds(attitude->mtime), .heading = attitude->heading};
}

int cgps_most_satellites(void) { return MAXCHANNELS; }
