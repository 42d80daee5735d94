// Hands on what makes a network of roads: ways, what stands on their nodes, restrictions.
#ifndef ROAD_TELLER_HPP
#define ROAD_TELLER_HPP

#include "COsmium.h"
#include "NodePlaces.hpp"

#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

class RoadTeller {
  const cosmium_roads *face;
  // OpenStreetMap lets no way have more than 2,000 nodes, and restrictions of more members say nothing.
  static constexpr size_t longest = 4096;
  static constexpr size_t most_members = 64;
  static constexpr size_t most_bytes = size_t{256} << 20;
  std::vector<cosmium_tag> tags;
  std::vector<uint32_t> nodes;
  std::vector<cosmium_place> places;
  std::vector<cosmium_member> members;
  osmium::memory::Buffer restrictions{1 << 12, osmium::memory::Buffer::auto_grow::yes};

  static bool has(const osmium::TagList &tags, const char *key, const char *value) {
    const char *found = tags[key];
    return found && std::strcmp(found, value) == 0;
  }

  void take_tags(const osmium::TagList &list) {
    tags.clear();
    for (const auto &tag : list) tags.push_back({tag.key(), tag.value()});
  }

  bool end_piece(int64_t number) {
    const size_t count = nodes.size();
    if (count < 2) return true;
    const cosmium_road road{number, tags.data(), tags.size(), nodes.data(), places.data(), count};
    return face->road(face->context, &road);
  }

public:
  /// `face` may be NULL: nothing is handed on then.
  explicit RoadTeller(const cosmium_roads *face) : face{face} {}

  /// People travel on it, or wait on it for what takes them along.
  bool is_road(const osmium::TagList &list) const {
    if (!face || list.empty()) return false;
    return list.has_key("highway") || has(list, "route", "ferry") || has(list, "route", "shuttle_train") ||
           has(list, "man_made", "pier") || has(list, "railway", "platform");
  }

  /// The functions below answer with false where the reading is to end.
  bool tell_node(const osmium::Node &node, size_t index) {
    if (!face || node.tags().empty()) return true;
    static const char *const keys[] = {"barrier", "access", "vehicle", "motor_vehicle", "motorcar", "foot", "bicycle"};
    bool matters = has(node.tags(), "highway", "traffic_signals") || has(node.tags(), "highway", "stop") ||
                   has(node.tags(), "highway", "give_way");
    for (const char *key : keys) matters = matters || node.tags().has_key(key);
    if (!matters) return true;
    take_tags(node.tags());
    const cosmium_obstacle obstacle{static_cast<uint32_t>(index), tags.data(), tags.size()};
    return face->obstacle(face->context, &obstacle);
  }

  bool tell_way(const osmium::Way &way, NodePlaces &all) {
    if (all.size() >= UINT32_MAX) throw std::runtime_error("it has too many nodes");
    take_tags(way.tags());
    nodes.clear(), places.clear();
    for (const auto &node : way.nodes()) {
      size_t index = 0;
      const osmium::Location place = all.find(node.ref(), index);
      if (place.valid()) {
        const auto number = static_cast<uint32_t>(index);
        if (!nodes.empty() && nodes.back() == number) continue;
        nodes.push_back(number), places.push_back({place.y(), place.x()});
        if (nodes.size() < longest) continue;
      }
      if (!end_piece(way.id())) return false;
      const size_t kept = place.valid() ? nodes.size() - 1 : nodes.size();
      nodes.erase(nodes.begin(), nodes.begin() + kept), places.erase(places.begin(), places.begin() + kept);
    }
    return end_piece(way.id());
  }

  /// Keeps it until the nodes are known.
  void keep(const osmium::Relation &relation) {
    if (!face || relation.members().size() > most_members || restrictions.committed() > most_bytes)
      return;
    restrictions.add_item(relation);
    restrictions.commit();
  }

  bool tell_restrictions(NodePlaces &all) {
    for (const auto &relation : restrictions.select<osmium::Relation>()) {
      take_tags(relation.tags());
      members.clear();
      for (const auto &member : relation.members()) {
        size_t index = 0;
        if (member.type() == osmium::item_type::node && !all.find(member.ref(), index).valid()) continue;
        members.push_back(
            {osmium::item_type_to_char(member.type()), member.ref(), static_cast<uint32_t>(index), member.role()});
      }
      const cosmium_restriction restriction{tags.data(), tags.size(), members.data(), members.size()};
      if (!face->restriction(face->context, &restriction)) return false;
    }
    return true;
  }
};

#endif
