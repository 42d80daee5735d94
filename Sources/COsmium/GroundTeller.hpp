// Hands on what makes the ground: what is drawn, and what lies around areas.
#ifndef GROUND_TELLER_HPP
#define GROUND_TELLER_HPP

#include "COsmium.h"
#include "NodePlaces.hpp"

#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <tuple>
#include <vector>

class GroundTeller {
  const cosmium_ground *face;
  static constexpr size_t most_bytes = size_t{256} << 20;
  // A way around an area: which relation's.
  struct Member {
    int64_t way;
    size_t area;
    bool is_inner;
    bool operator<(const Member &other) const { return std::tie(way, area) < std::tie(other.way, other.area); }
  };
  std::vector<Member> members;
  osmium::memory::Buffer relations{1 << 16, osmium::memory::Buffer::auto_grow::yes};
  std::vector<size_t> offsets;
  std::vector<cosmium_tag> tags;
  std::vector<cosmium_place> places;
  int64_t first = 0, last = 0;

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

  /// A piece of the way, between two nodes that the file lacks.
  bool end_piece(int64_t way, bool is_drawn) {
    if (places.size() < 2) return true;
    const cosmium_shape shape{is_drawn ? tags.data() : nullptr, is_drawn ? tags.size() : 0, places.data(),
                              places.size(), first, last};
    if (is_drawn && !face->way(face->context, &shape)) return false;
    auto member = std::lower_bound(members.begin(), members.end(), Member{way, 0, false});
    for (; member != members.end() && member->way == way; ++member)
      if (!face->member(face->context, member->area, member->is_inner, &shape)) return false;
    return true;
  }

public:
  /// `face` may be NULL: nothing is handed on then.
  explicit GroundTeller(const cosmium_ground *face) : face{face} {}

  void keep(const osmium::Relation &relation) {
    if (!face || relations.committed() > most_bytes || !take_tags(relation.tags())) return;
    const char *type = relation.tags()["type"];
    if (!type || std::strcmp(type, "multipolygon") != 0) return;
    for (const auto &member : relation.members())
      if (member.type() == osmium::item_type::way)
        members.push_back({member.ref(), offsets.size(), std::strcmp(member.role(), "inner") == 0});
    offsets.push_back(relations.committed());
    relations.add_item(relation);
    relations.commit();
  }

  /// When all relations are known. These functions answer with false where the reading is to end.
  bool tell_box(const osmium::Box &box) {
    std::sort(members.begin(), members.end());
    if (!face || !box.valid()) return true;
    const auto low = box.bottom_left(), high = box.top_right();
    return face->box(face->context, {low.y(), low.x()}, {high.y(), high.x()});
  }

  bool tell_way(const osmium::Way &way, NodePlaces &all) {
    if (!face) return true;
    const auto member = std::lower_bound(members.begin(), members.end(), Member{way.id(), 0, false});
    const bool is_drawn = take_tags(way.tags());
    if (!is_drawn && (member == members.end() || member->way != way.id())) return true;
    places.clear();
    for (const auto &node : way.nodes()) {
      size_t index = 0;
      const osmium::Location place = all.find(node.ref(), index);
      if (!place.valid()) {
        if (!end_piece(way.id(), is_drawn)) return false;
        places.clear();
        continue;
      }
      if (places.empty()) first = node.ref();
      last = node.ref();
      places.push_back({place.y(), place.x()});
    }
    return end_piece(way.id(), is_drawn);
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
