// A C face for the few things we ask of GeographicLib.
#ifndef CGEOGRAPHIC_H
#define CGEOGRAPHIC_H

#ifdef __cplusplus
extern "C" {
#endif

/// Metres along the WGS 84 geodesic between two places given in degrees.
double cgeographic_distance(double latitude1, double longitude1, double latitude2,
                            double longitude2);

// Degrees from north, from -180 to 180, in which the geodesic to the second place begins.
double cgeographic_direction(double latitude1, double longitude1, double latitude2,
                             double longitude2);

/// The place so many metres along the geodesic that begins in a direction, degrees from north.
void cgeographic_direct(double latitude, double longitude, double direction, double metres,
                        double *latitude2, double *longitude2);

/// Metres from the Earth's centre: towards 0° E on the equator, towards 90° E, towards the north pole.
void cgeographic_to_geocentric(double latitude, double longitude, double *x, double *y, double *z);

/// The degrees of the place on or above the ellipsoid.
void cgeographic_from_geocentric(double x, double y, double z, double *latitude,
                                 double *longitude);

/// Where a latitude lies on web maps' square, by the sphere's Mercator projection: 0 at its northern edge, 1 at its
/// southern one.
double cgeographic_mercator(double latitude);

/// Degrees from true to magnetic north at a place (degrees, metres above the ellipsoid) in a year,
/// and the field there in nanotesla.
double cgeographic_declination(double latitude, double longitude, double height, double year,
                               double *east, double *north, double *up);

/// The place of a UTM zone's metres; 0 where there is none.
int cgeographic_from_utm(int zone, int is_north, double easting, double northing, double *latitude,
                         double *longitude);

/// The middle of a square of MGRS, and the metres from there to its sides; 0 for a text that is none.
int cgeographic_from_mgrs(const char *text, double *latitude, double *longitude, double *metres);

/// The place of the metres of Great Britain's national grid, to five metres.
void cgeographic_from_british(double easting, double northing, double *latitude,
                              double *longitude);

#ifdef __cplusplus
}
#endif

#endif
