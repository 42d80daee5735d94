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

/// A piece of a way that people travel on. A way of which the file lacks nodes comes in pieces, a very long one in
/// pieces that share a node.
struct cosmium_road {
  int64_t number;
  const struct cosmium_tag *tags;
  size_t tag_count;
  /// Where each node stands among all of the file, and its place; neighbours differ.
  const uint32_t *nodes;
  const struct cosmium_place *places;
  size_t node_count;
};

/// A node on which something may stand that matters to travellers.
struct cosmium_obstacle {
  uint32_t node;
  const struct cosmium_tag *tags;
  size_t tag_count;
};

struct cosmium_member {
  /// 'n', 'w' or 'r'.
  char kind;
  int64_t number;
  /// A node's place among all nodes of the file.
  uint32_t node;
  const char *role;
};

/// A relation of the type `restriction` or `restriction:…`. Nodes that the file lacks are left out.
struct cosmium_restriction {
  const struct cosmium_tag *tags;
  size_t tag_count;
  const struct cosmium_member *members;
  size_t member_count;
};

/// For those who want to know of roads: obstacles first, then the pieces of roads, at last restrictions. False ends
/// the reading.
struct cosmium_roads {
  void *context;
  bool (*obstacle)(void *context, const struct cosmium_obstacle *obstacle);
  bool (*road)(void *context, const struct cosmium_road *road);
  bool (*restriction)(void *context, const struct cosmium_restriction *restriction);
};

/// A way that is drawn, or lies around an area. A way of which the file lacks nodes comes in pieces.
struct cosmium_shape {
  /// The tags by which it is drawn; no tags where it only lies around an area.
  const struct cosmium_tag *tags;
  size_t tag_count;
  const struct cosmium_place *places;
  size_t place_count;
  /// The numbers of the nodes at its ends; equal where it is closed.
  int64_t first;
  int64_t last;
};

/// For those who want to draw the ground: the box that the file's header says, if it says one; ways, and those around
/// areas once more for each area; at last the tags of each area. False ends the reading.
struct cosmium_ground {
  void *context;
  bool (*box)(void *context, struct cosmium_place south_west, struct cosmium_place north_east);
  bool (*way)(void *context, const struct cosmium_shape *way);
  bool (*member)(void *context, size_t area, bool is_inner, const struct cosmium_shape *way);
  bool (*area)(void *context, size_t area, const struct cosmium_tag *tags, size_t tag_count);
};

/// For those who want to know districts. The tags of each area with a name that has a `place` or an administrative
/// border come first; `is_wanted` is set where it may be one. Then the ways around each that is wanted; a closed way comes
/// right behind its tags. Last come the numbers of the relations among them of which the file has each way, with the place
/// of the `admin_centre`; NULL where the file has none. False ends the reading.
struct cosmium_districts {
  void *context;
  bool (*area)(void *context, size_t area, const struct cosmium_tag *tags, size_t tag_count, bool *is_wanted);
  bool (*member)(void *context, size_t area, bool is_inner, const struct cosmium_shape *way);
  bool (*whole)(void *context, size_t area, const struct cosmium_place *centre);
};

/// Full: the disk that the folder lies on.
enum cosmium_result { cosmium_done, cosmium_ended, cosmium_failed, cosmium_full };

/// `file` is open to be read. `date` becomes the time that its header says it is of, as 2026-11-24T20:21:22Z; empty
/// where it says nothing. `folder` holds a nameless file of the nodes' places while it reads. `message` says why it
/// failed. `roads`, `ground` and `districts` may be NULL.
enum cosmium_result cosmium_read(int file, const char *folder, struct cosmium_face face,
                                 const struct cosmium_roads *roads, const struct cosmium_ground *ground,
                                 const struct cosmium_districts *districts, char *date, size_t date_size,
                                 char *message, size_t message_size);

/// Reads the date alone, as cosmium_read has it.
enum cosmium_result cosmium_date(int file, char *date, size_t date_size, char *message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
