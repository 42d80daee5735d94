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

// Geocentric::Forward on the ellipsoid, as each fix needs it: exact quadrants, for which that pays, are a
// nanometre here.
void cgeographic_to_geocentric(double latitude, double longitude, double *x, double *y, double *z) {
  constexpr double degree = M_PI / 180, a = 6378137, f = 1 / 298.257223563, e2 = f * (2 - f);
  double sine, cosine, east, north;
  sincos(latitude * degree, &sine, &cosine);
  sincos(longitude * degree, &east, &north);
  const double normal = a / std::sqrt(1 - e2 * sine * sine);
  *x = normal * cosine * north;
  *y = normal * cosine * east;
  *z = normal * (1 - e2) * sine;
}

void cgeographic_from_geocentric(double x, double y, double z, double *latitude,
                                 double *longitude) {
  double height;
  Geocentric::WGS84().Reverse(x, y, z, *latitude, *longitude, height);
}
