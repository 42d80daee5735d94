#include "CGeographic.h"

#include <GeographicLib/Geodesic.hpp>

double cgeographic_distance(double latitude1, double longitude1, double latitude2,
                            double longitude2) {
  double metres;
  GeographicLib::Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, metres);
  return metres;
}
