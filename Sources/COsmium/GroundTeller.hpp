// Hands on what makes the ground: what is drawn, and what lies around areas.
#ifndef GROUND_TELLER_HPP
#define GROUND_TELLER_HPP

#include "AreaMembers.hpp"
#include "COsmium.h"
#include "NodePlaces.hpp"

#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

class GroundTeller {
  const cosmium_ground *face;
  static constexpr size_t most_bytes = size_t{256} << 20;
  AreaMembers members;
  WayPieces pieces;
  osmium::memory::Buffer relations{1 << 16, osmium::memory::Buffer::auto_grow::yes};
  std::vector<size_t> offsets;
  std::vector<cosmium_tag> tags;

  static constexpr const char *drawn[] = {"aeroway", "amenity", "building", "highway", "landuse", "leisure",
                                          "man_made", "natural", "place", "railway", "tourism", "waterway"};
  // Names in the languages of PlaceCore's GroundName, too.
  static constexpr const char *said[] = {"area",    "bridge",  "covered", "name",    "name:de", "name:en",
                                         "name:es", "name:fr", "name:ja", "name:ko", "ref",     "tunnel"};

  template <size_t count> static bool is_among(const char *const (&keys)[count], const char *key) {
    return std::any_of(std::begin(keys), std::end(keys), [=](const char *each) { return std::strcmp(each, key) == 0; });
  }

  /// False where it is not drawn.
  bool take_tags(const osmium::TagList &list) {
    tags.clear();
    bool is_drawn = false;
    for (const auto &tag : list) {
      const bool is_kind = is_among(drawn, tag.key());
      is_drawn = is_drawn || is_kind;
      if (is_kind || is_among(said, tag.key())) tags.push_back({tag.key(), tag.value()});
    }
    return is_drawn;
  }

public:
  /// `face` may be NULL: nothing is handed on then.
  explicit GroundTeller(const cosmium_ground *face) : face{face} {}

  void keep(const osmium::Relation &relation) {
    if (!face || relations.committed() > most_bytes || !take_tags(relation.tags())) return;
    const char *type = relation.tags()["type"];
    if (!type || std::strcmp(type, "multipolygon") != 0) return;
    members.add(relation, offsets.size());
    offsets.push_back(relations.committed());
    relations.add_item(relation);
    relations.commit();
  }

  /// When all relations are known. These functions answer with false where the reading is to end.
  bool tell_box(const osmium::Box &box) {
    members.sort();
    if (!face || !box.valid()) return true;
    const auto low = box.bottom_left(), high = box.top_right();
    return face->box(face->context, {low.y(), low.x()}, {high.y(), high.x()});
  }

  bool tell_way(const osmium::Way &way, NodePlaces &all) {
    if (!face) return true;
    const bool is_drawn = take_tags(way.tags());
    if (!is_drawn && !members.has(way.id())) return true;
    return pieces.each(way, all, [&](const cosmium_shape &piece) {
      const cosmium_shape shape{is_drawn ? tags.data() : nullptr, is_drawn ? tags.size() : 0, piece.places,
                                piece.place_count, piece.first, piece.last};
      if (is_drawn && !face->way(face->context, &shape)) return false;
      return members.each(
          way.id(), [&](size_t area, bool is_inner) { return face->member(face->context, area, is_inner, &shape); });
    });
  }

  bool tell_areas() {
    for (size_t area = 0; area < offsets.size(); ++area) {
      take_tags(relations.get<osmium::Relation>(offsets[area]).tags());
      if (!face->area(face->context, area, tags.data(), tags.size())) return false;
    }
    return true;
  }
};

#endif
