#include "CGeographic.h"

#include <GeographicLib/Geocentric.hpp>
#include <GeographicLib/Geodesic.hpp>

#include <cmath>

using GeographicLib::Geocentric;
using GeographicLib::Geodesic;

double cgeographic_distance(double latitude1, double longitude1, double latitude2,
                            double longitude2) {
  double metres;
  Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, metres);
  return metres;
}

double cgeographic_direction(double latitude1, double longitude1, double latitude2,
                             double longitude2) {
  double start, end;
  Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, start, end);
  return start;
}

void cgeographic_direct(double latitude, double longitude, double direction, double metres,
                        double *latitude2, double *longitude2) {
  Geodesic::WGS84().Direct(latitude, longitude, direction, metres, *latitude2, *longitude2);
}

void cgeographic_to_geocentric(double latitude, double longitude, double *x, double *y, double *z) {
  Geocentric::WGS84().Forward(latitude, longitude, 0, *x, *y, *z);
}

void cgeographic_from_geocentric(double x, double y, double z, double *latitude,
                                 double *longitude) {
  double height;
  Geocentric::WGS84().Reverse(x, y, z, *latitude, *longitude, height);
}

double cgeographic_mercator(double latitude) {
  const double pi = 3.14159265358979323846;
  return 0.5 - std::atanh(std::sin(latitude * pi / 180)) / (2 * pi);
}
