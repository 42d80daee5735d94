// The ways around areas: which relation's they are, and what of them the file has.
#ifndef AREA_MEMBERS_HPP
#define AREA_MEMBERS_HPP

#include "COsmium.h"
#include "NodePlaces.hpp"

#include <osmium/osm.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

class AreaMembers {
  // A way around an area: which relation's.
  struct Member {
    int64_t way;
    size_t area;
    bool is_inner;
    bool operator<(const Member &other) const { return std::tie(way, area) < std::tie(other.way, other.area); }
  };
  std::vector<Member> members;

  std::vector<Member>::const_iterator first(int64_t way) const {
    return std::lower_bound(members.begin(), members.end(), Member{way, 0, false});
  }

public:
  void add(const osmium::Relation &relation, size_t area) {
    for (const auto &member : relation.members())
      if (member.type() == osmium::item_type::way)
        members.push_back({member.ref(), area, std::strcmp(member.role(), "inner") == 0});
  }

  /// When all relations are known.
  void sort() { std::sort(members.begin(), members.end()); }

  bool has(int64_t way) const {
    const auto member = first(way);
    return member != members.end() && member->way == way;
  }

  /// `body` is given each area that the way lies around, and answers with false where that is enough.
  template <typename Body> bool each(int64_t way, const Body &body) const {
    for (auto member = first(way); member != members.end() && member->way == way; ++member)
      if (!body(member->area, member->is_inner)) return false;
    return true;
  }
};

/// A way as far as the file has its nodes.
class WayPieces {
  std::vector<cosmium_place> places;

  template <typename Body> bool end(int64_t first, int64_t last, const Body &body) {
    const bool goes_on = places.size() < 2 || body(cosmium_shape{nullptr, 0, places.data(), places.size(), first, last});
    places.clear();
    return goes_on;
  }

public:
  /// `body` is given each piece between two nodes that the file lacks, and answers with false where that is enough.
  template <typename Body> bool each(const osmium::Way &way, NodePlaces &all, const Body &body) {
    int64_t first = 0, last = 0;
    places.clear();
    for (const auto &node : way.nodes()) {
      size_t index = 0;
      const osmium::Location place = all.find(node.ref(), index);
      if (!place.valid()) {
        if (!end(first, last, body)) return false;
        continue;
      }
      if (places.empty()) first = node.ref();
      last = node.ref();
      places.push_back({place.y(), place.x()});
    }
    return end(first, last, body);
  }
};

#endif
