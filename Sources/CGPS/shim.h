// What LocationCore uses of libgps.
#ifndef CGPS_SHIM_H
#define CGPS_SHIM_H

#include <gps.h>

#endif
