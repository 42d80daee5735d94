#include "CGeographic.h"

#include <GeographicLib/Geocentric.hpp>
#include <GeographicLib/MGRS.hpp>
#include <GeographicLib/TransverseMercator.hpp>
#include <GeographicLib/UTMUPS.hpp>
#include <cmath>
#include <exception>
#include <string>

using GeographicLib::Geocentric;
using GeographicLib::MGRS;
using GeographicLib::TransverseMercator;
using GeographicLib::UTMUPS;

int cgeographic_from_utm(int zone, int is_north, double easting, double northing, double *latitude,
                         double *longitude) {
  try {
    UTMUPS::Reverse(zone, is_north != 0, easting, northing, *latitude, *longitude);
    return 1;
  } catch (const std::exception &) {
    return 0;
  }
}

int cgeographic_from_mgrs(const char *text, double *latitude, double *longitude, double *metres) {
  try {
    int zone, digits;
    bool is_north;
    double x, y;
    MGRS::Reverse(std::string(text), zone, is_north, x, y, digits);
    if (digits < 0) return 0;
    UTMUPS::Reverse(zone, is_north, x, y, *latitude, *longitude);
    *metres = std::pow(10.0, 5 - digits) / 2;
    return 1;
  } catch (const std::exception &) {
    return 0;
  }
}

namespace {

// Airy's ellipsoid of 1830, and the true origin of the grid: 49° N 2° W.
const double radius = 6377563.396, flattening = 1 / 299.3249646, scale = 0.9996012717;
const double false_easting = 400000, false_northing = -100000, latitude0 = 49, longitude0 = -2;

} // namespace

void cgeographic_from_british(double easting, double northing, double *latitude,
                              double *longitude) {
  static const TransverseMercator grid{radius, flattening, scale};
  static const Geocentric airy{radius, flattening};
  double x0, y0;
  grid.Forward(longitude0, latitude0, longitude0, x0, y0);
  grid.Reverse(longitude0, easting - false_easting + x0, northing - false_northing + y0, *latitude,
               *longitude);
  double x, y, z, height;
  airy.Forward(*latitude, *longitude, 0, x, y, z);
  // The Ordnance Survey's shift from OSGB36 to WGS 84: metres, seconds of arc, parts of a million.
  const double second = 4.84813681109536e-6, scaling = 1 - 20.4894e-6;
  const double rx = 0.1502 * second, ry = 0.2470 * second, rz = 0.8421 * second;
  const double u = 446.448 + x * scaling - rz * y + ry * z;
  const double v = -125.157 + rz * x + y * scaling - rx * z;
  const double w = 542.060 - ry * x + rx * y + z * scaling;
  Geocentric::WGS84().Reverse(u, v, w, *latitude, *longitude, height);
}
