#include "CGeographic.h"

#include <GeographicLib/MGRS.hpp>
#include <GeographicLib/UTMUPS.hpp>
#include <cmath>
#include <exception>
#include <string>

using GeographicLib::MGRS;
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
