// A C face for the reading of OpenStreetMap's PBF files by libosmium.
#ifndef COSMIUM_H
#define COSMIUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct cosmium_tag {
  const char *key;
  const char *value;
};

/// Degrees times ten million.
struct cosmium_place {
  int32_t latitude;
  int32_t longitude;
};

/// A thing with a name or an address. What is pointed to lives as long as the call.
struct cosmium_thing {
  /// 'n', 'w' or 'r'.
  char kind;
  int64_t number;
  const struct cosmium_tag *tags;
  size_t tag_count;
  /// One for a node; the nodes of a way in order; the middle of a relation's area.
  const struct cosmium_place *places;
  size_t place_count;
  bool is_closed;
};

struct cosmium_face {
  void *context;
  /// False ends the reading.
  bool (*take)(void *context, const struct cosmium_thing *thing);
  /// Called every few thousand objects; false ends the reading.
  bool (*progress)(void *context, const char *phase, int percent);
};

/// Full: the disk that the folder lies on.
enum cosmium_result { cosmium_done, cosmium_ended, cosmium_failed, cosmium_full };

/// `file` is open to be read. `date` becomes the time that its header says it is of, as 2026-11-24T20:21:22Z; empty
/// where it says nothing. `folder` holds a nameless file of the nodes' places while it reads. `message` says why it
/// failed.
enum cosmium_result cosmium_read(int file, const char *folder, struct cosmium_face face,
                                 char *date, size_t date_size, char *message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
