// Hands on the areas that may be districts: their tags, and the ways around them.
#ifndef DISTRICT_TELLER_HPP
#define DISTRICT_TELLER_HPP

#include "AreaMembers.hpp"
#include "COsmium.h"
#include "NodePlaces.hpp"

#include <osmium/osm.hpp>

#include <cstring>
#include <vector>

/// Each way of a relation takes 24 bytes: some megabytes for a country.
class DistrictTeller {
  const cosmium_districts *face;
  AreaMembers members;
  WayPieces pieces;
  std::vector<cosmium_tag> tags;
  // Areas that are wanted.
  size_t count = 0;
  // Relations of them, in their order: how many of their ways have not been read, and the node of their centre, or 0.
  struct Whole {
    size_t missing;
    int64_t centre;
  };
  std::vector<Whole> relations;

  static bool is_named_area(const osmium::TagList &list) {
    const char *boundary = list["boundary"];
    return (list.has_key("place") || (boundary && std::strcmp(boundary, "administrative") == 0)) && list.has_key("name");
  }

  bool ask(const osmium::TagList &list, bool &is_wanted) {
    tags.clear();
    for (const auto &tag : list) tags.push_back({tag.key(), tag.value()});
    return face->area(face->context, count, tags.data(), tags.size(), &is_wanted);
  }

  bool tell(size_t area, bool is_inner, const cosmium_shape &way) {
    return face->member(face->context, area, is_inner, &way);
  }

public:
  /// `face` may be NULL: nothing is handed on then.
  explicit DistrictTeller(const cosmium_districts *face) : face{face} {}

  /// The functions below answer with false where the reading is to end.
  bool keep(const osmium::Relation &relation) {
    const char *type = relation.tags()["type"];
    if (!face || !type || (std::strcmp(type, "boundary") != 0 && std::strcmp(type, "multipolygon") != 0) ||
        !is_named_area(relation.tags()))
      return true;
    bool is_wanted = false;
    if (!ask(relation.tags(), is_wanted)) return false;
    if (!is_wanted) return true;
    members.add(relation, count++);
    Whole whole{0, 0};
    for (const auto &member : relation.members()) {
      if (member.type() == osmium::item_type::way) ++whole.missing;
      if (member.type() == osmium::item_type::node && std::strcmp(member.role(), "admin_centre") == 0)
        whole.centre = member.ref();
    }
    relations.push_back(whole);
    return true;
  }

  /// When all relations are known.
  void sort() { members.sort(); }

  bool tell_way(const osmium::Way &way, NodePlaces &all) {
    if (!face) return true;
    bool is_area = false;
    if (way.nodes().size() > 3 && way.is_closed() && is_named_area(way.tags()) && !ask(way.tags(), is_area))
      return false;
    if (!is_area && !members.has(way.id())) return true;
    const size_t own = is_area ? count++ : 0;
    members.each(way.id(), [&](size_t area, bool) { return --relations[area].missing, true; });
    return pieces.each(way, all, [&](const cosmium_shape &piece) {
      if (is_area && !tell(own, false, piece)) return false;
      return members.each(way.id(), [&](size_t area, bool is_inner) { return tell(area, is_inner, piece); });
    });
  }

  bool tell_whole(NodePlaces &all) {
    for (size_t area = 0; area < relations.size(); ++area) {
      if (relations[area].missing > 0) continue;
      size_t index = 0;
      const osmium::Location place = all.find(relations[area].centre, index);
      const cosmium_place centre{place.valid() ? place.y() : 0, place.valid() ? place.x() : 0};
      if (!face->whole(face->context, area, place.valid() ? &centre : nullptr)) return false;
    }
    return true;
  }
};

#endif
