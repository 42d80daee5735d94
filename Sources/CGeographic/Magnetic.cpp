#include "CGeographic.h"

#include <cmath>

namespace {

struct Coefficient {
  int degree, order;
  double g, h, gPerYear, hPerYear;
};

// The World Magnetic Model 2025 of NOAA and the British Geological Survey, as in WMM.COF of
// 2024-11-13, which is in the public domain. Nanotesla, and nanotesla a year.
constexpr double epoch = 2025.0;
constexpr double radius = 6371200.0;
constexpr int size = 12;
constexpr Coefficient model[] = {
    {1, 0, -29351.8, 0.0, 12.0, 0.0},
    {1, 1, -1410.8, 4545.4, 9.7, -21.5},
    {2, 0, -2556.6, 0.0, -11.6, 0.0},
    {2, 1, 2951.1, -3133.6, -5.2, -27.7},
    {2, 2, 1649.3, -815.1, -8.0, -12.1},
    {3, 0, 1361.0, 0.0, -1.3, 0.0},
    {3, 1, -2404.1, -56.6, -4.2, 4.0},
    {3, 2, 1243.8, 237.5, 0.4, -0.3},
    {3, 3, 453.6, -549.5, -15.6, -4.1},
    {4, 0, 895.0, 0.0, -1.6, 0.0},
    {4, 1, 799.5, 278.6, -2.4, -1.1},
    {4, 2, 55.7, -133.9, -6.0, 4.1},
    {4, 3, -281.1, 212.0, 5.6, 1.6},
    {4, 4, 12.1, -375.6, -7.0, -4.4},
    {5, 0, -233.2, 0.0, 0.6, 0.0},
    {5, 1, 368.9, 45.4, 1.4, -0.5},
    {5, 2, 187.2, 220.2, 0.0, 2.2},
    {5, 3, -138.7, -122.9, 0.6, 0.4},
    {5, 4, -142.0, 43.0, 2.2, 1.7},
    {5, 5, 20.9, 106.1, 0.9, 1.9},
    {6, 0, 64.4, 0.0, -0.2, 0.0},
    {6, 1, 63.8, -18.4, -0.4, 0.3},
    {6, 2, 76.9, 16.8, 0.9, -1.6},
    {6, 3, -115.7, 48.8, 1.2, -0.4},
    {6, 4, -40.9, -59.8, -0.9, 0.9},
    {6, 5, 14.9, 10.9, 0.3, 0.7},
    {6, 6, -60.7, 72.7, 0.9, 0.9},
    {7, 0, 79.5, 0.0, -0.0, 0.0},
    {7, 1, -77.0, -48.9, -0.1, 0.6},
    {7, 2, -8.8, -14.4, -0.1, 0.5},
    {7, 3, 59.3, -1.0, 0.5, -0.8},
    {7, 4, 15.8, 23.4, -0.1, 0.0},
    {7, 5, 2.5, -7.4, -0.8, -1.0},
    {7, 6, -11.1, -25.1, -0.8, 0.6},
    {7, 7, 14.2, -2.3, 0.8, -0.2},
    {8, 0, 23.2, 0.0, -0.1, 0.0},
    {8, 1, 10.8, 7.1, 0.2, -0.2},
    {8, 2, -17.5, -12.6, 0.0, 0.5},
    {8, 3, 2.0, 11.4, 0.5, -0.4},
    {8, 4, -21.7, -9.7, -0.1, 0.4},
    {8, 5, 16.9, 12.7, 0.3, -0.5},
    {8, 6, 15.0, 0.7, 0.2, -0.6},
    {8, 7, -16.8, -5.2, -0.0, 0.3},
    {8, 8, 0.9, 3.9, 0.2, 0.2},
    {9, 0, 4.6, 0.0, -0.0, 0.0},
    {9, 1, 7.8, -24.8, -0.1, -0.3},
    {9, 2, 3.0, 12.2, 0.1, 0.3},
    {9, 3, -0.2, 8.3, 0.3, -0.3},
    {9, 4, -2.5, -3.3, -0.3, 0.3},
    {9, 5, -13.1, -5.2, 0.0, 0.2},
    {9, 6, 2.4, 7.2, 0.3, -0.1},
    {9, 7, 8.6, -0.6, -0.1, -0.2},
    {9, 8, -8.7, 0.8, 0.1, 0.4},
    {9, 9, -12.9, 10.0, -0.1, 0.1},
    {10, 0, -1.3, 0.0, 0.1, 0.0},
    {10, 1, -6.4, 3.3, 0.0, 0.0},
    {10, 2, 0.2, 0.0, 0.1, -0.0},
    {10, 3, 2.0, 2.4, 0.1, -0.2},
    {10, 4, -1.0, 5.3, -0.0, 0.1},
    {10, 5, -0.6, -9.1, -0.3, -0.1},
    {10, 6, -0.9, 0.4, 0.0, 0.1},
    {10, 7, 1.5, -4.2, -0.1, 0.0},
    {10, 8, 0.9, -3.8, -0.1, -0.1},
    {10, 9, -2.7, 0.9, -0.0, 0.2},
    {10, 10, -3.9, -9.1, -0.0, -0.0},
    {11, 0, 2.9, 0.0, 0.0, 0.0},
    {11, 1, -1.5, 0.0, -0.0, -0.0},
    {11, 2, -2.5, 2.9, 0.0, 0.1},
    {11, 3, 2.4, -0.6, 0.0, -0.0},
    {11, 4, -0.6, 0.2, 0.0, 0.1},
    {11, 5, -0.1, 0.5, -0.1, -0.0},
    {11, 6, -0.6, -0.3, 0.0, -0.0},
    {11, 7, -0.1, -1.2, -0.0, 0.1},
    {11, 8, 1.1, -1.7, -0.1, -0.0},
    {11, 9, -1.0, -2.9, -0.1, 0.0},
    {11, 10, -0.2, -1.8, -0.1, 0.0},
    {11, 11, 2.6, -2.3, -0.1, 0.0},
    {12, 0, -2.0, 0.0, 0.0, 0.0},
    {12, 1, -0.2, -1.3, 0.0, -0.0},
    {12, 2, 0.3, 0.7, -0.0, 0.0},
    {12, 3, 1.2, 1.0, -0.0, -0.1},
    {12, 4, -1.3, -1.4, -0.0, 0.1},
    {12, 5, 0.6, -0.0, -0.0, -0.0},
    {12, 6, 0.6, 0.6, 0.1, -0.0},
    {12, 7, 0.5, -0.1, -0.0, -0.0},
    {12, 8, -0.1, 0.8, 0.0, 0.0},
    {12, 9, -0.4, 0.1, 0.0, -0.0},
    {12, 10, -0.2, -1.0, -0.1, -0.0},
    {12, 11, -1.3, 0.1, -0.0, 0.0},
    {12, 12, -0.7, 0.2, -0.1, -0.1},
};

constexpr double pi = 3.14159265358979323846;
// WGS 84.
constexpr double equator = 6378137.0;
constexpr double flattening = 1 / 298.257223563;
constexpr double eccentricity2 = flattening * (2 - flattening);

}  // namespace

// GeographicLib has this too, but with the C++ library behind it, which would cost the daemon 2 MB.
// As in the model's technical report: spherical harmonics, Schmidt's semi-normalisation.
double cgeographic_declination(double latitude, double longitude, double height, double year,
                               double *east, double *north, double *up) {
  // At the very poles east is nowhere.
  const double nearPole = 89.999999;
  const double phi = pi / 180 * std::fmax(-nearPole, std::fmin(nearPole, latitude));
  const double lambda = pi / 180 * longitude;

  // From the ellipsoid to the sphere.
  const double normal =
      equator / std::sqrt(1 - eccentricity2 * std::sin(phi) * std::sin(phi));
  const double fromAxis = (normal + height) * std::cos(phi);
  const double fromEquator = (normal * (1 - eccentricity2) + height) * std::sin(phi);
  const double distance = std::hypot(fromAxis, fromEquator);
  const double s = fromEquator / distance, c = fromAxis / distance;

  // Legendre's functions and what they change by towards the south.
  double p[size + 1][size + 1] = {{1}}, d[size + 1][size + 1] = {{0}};
  for (int n = 1; n <= size; n++) {
    const double f = n == 1 ? 1 : std::sqrt((2 * n - 1) / (2.0 * n));
    p[n][n] = f * c * p[n - 1][n - 1];
    d[n][n] = f * (s * p[n - 1][n - 1] + c * d[n - 1][n - 1]);
    for (int m = 0; m < n; m++) {
      const double k = n > 1 ? std::sqrt(double((n - 1) * (n - 1) - m * m)) : 0;
      const double norm = std::sqrt(double(n * n - m * m));
      const double before = n > 1 ? p[n - 2][m] : 0, changed = n > 1 ? d[n - 2][m] : 0;
      p[n][m] = ((2 * n - 1) * s * p[n - 1][m] - k * before) / norm;
      d[n][m] = ((2 * n - 1) * (s * d[n - 1][m] - c * p[n - 1][m]) - k * changed) / norm;
    }
  }

  const double years = year - epoch;
  double x = 0, y = 0, z = 0;
  for (const Coefficient &one : model) {
    const int n = one.degree, m = one.order;
    const double g = one.g + years * one.gPerYear, h = one.h + years * one.hPerYear;
    const double cosine = std::cos(m * lambda), sine = std::sin(m * lambda);
    const double fall = std::pow(radius / distance, n + 2);
    x += fall * (g * cosine + h * sine) * d[n][m];
    y += fall * m * (g * sine - h * cosine) * p[n][m] / c;
    z -= fall * (n + 1) * (g * cosine + h * sine) * p[n][m];
  }

  // And back.
  const double turn = std::atan2(s, c) - phi;
  *north = x * std::cos(turn) - z * std::sin(turn);
  *east = y;
  *up = -(x * std::sin(turn) + z * std::cos(turn));
  return 180 / pi * std::atan2(*east, *north);
}
