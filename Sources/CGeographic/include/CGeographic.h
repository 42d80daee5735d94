// A C face for the few things we ask of GeographicLib.
#ifndef CGEOGRAPHIC_H
#define CGEOGRAPHIC_H

#ifdef __cplusplus
extern "C" {
#endif

/// Metres along the WGS 84 geodesic between two places given in degrees.
double cgeographic_distance(double latitude1, double longitude1, double latitude2,
                            double longitude2);

#ifdef __cplusplus
}
#endif

#endif
