#pragma once

#include <stddef.h>
#include <stdint.h>

/// The plainest C that reads NMEA: for every line its checksum summed and its commas counted,
/// and nothing kept of it but a number that depends on all of them.
uint64_t cbaseline_count(const char *bytes, size_t count);
