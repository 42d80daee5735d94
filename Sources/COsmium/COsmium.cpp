#include "COsmium.h"

#include "NodePlaces.hpp"

#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Ended {};

const char *const kinds[] = {"highway", "amenity",  "shop",     "tourism", "leisure",  "railway",
                             "place",   "historic", "aeroway",  "office",  "healthcare",
                             "natural", "public_transport", "building", "boundary", "station"};

/// Whether it is one of the things that somebody looks for: all others are never handed on.
bool is_wanted(const osmium::TagList &tags) {
  if (tags.empty()) return false;
  if (tags.has_key("addr:housenumber")) return true;
  if (tags.has_key("amenity")) return true;
  if (!tags.has_key("name")) return false;
  for (const char *kind : kinds) {
    if (tags.has_key(kind)) return true;
  }
  return false;
}

class Reading {
  const char *path;
  cosmium_face face;
  std::vector<cosmium_tag> tags;
  std::vector<cosmium_place> places;
  // Relations that are areas, and which ways lie around them.
  osmium::memory::Buffer relations{1 << 16, osmium::memory::Buffer::auto_grow::yes};
  std::vector<size_t> offsets;
  std::vector<std::pair<int64_t, size_t>> outer;
  std::vector<std::vector<cosmium_place>> middles;

  void progress(const char *phase, size_t done, size_t all) {
    const int percent = all == 0 ? 0 : static_cast<int>(std::min<uint64_t>(100, done * uint64_t{100} / all));
    if (!face.progress(face.context, phase, percent)) throw Ended{};
  }

  void tell(char kind, const osmium::OSMObject &object, bool is_closed) {
    tags.clear();
    for (const auto &tag : object.tags()) tags.push_back({tag.key(), tag.value()});
    const cosmium_thing thing{kind,          object.id(),   tags.data(), tags.size(),
                              places.data(), places.size(), is_closed};
    if (!face.take(face.context, &thing)) throw Ended{};
  }

  void take_relation(const osmium::Relation &relation) {
    const char *type = relation.tags()["type"];
    if (!type || std::strcmp(type, "multipolygon") != 0 || !is_wanted(relation.tags())) return;
    const size_t index = offsets.size();
    for (const auto &member : relation.members()) {
      if (member.type() == osmium::item_type::way && std::strcmp(member.role(), "inner") != 0)
        outer.emplace_back(member.ref(), index);
    }
    offsets.push_back(relations.committed());
    relations.add_item(relation);
    relations.commit();
  }

  void take_way(const osmium::Way &way, NodePlaces &nodes) {
    auto member = std::lower_bound(outer.begin(), outer.end(), std::make_pair(way.id(), size_t{0}));
    const bool is_member = member != outer.end() && member->first == way.id();
    const bool wanted = is_wanted(way.tags());
    if (!is_member && !wanted) return;
    places.clear();
    for (const auto &node : way.nodes()) {
      const osmium::Location place = nodes.find(node.ref());
      if (place.valid()) places.push_back({place.y(), place.x()});
    }
    if (places.empty()) return;
    if (is_member) {
      int64_t latitude = 0, longitude = 0;
      for (const auto &place : places) latitude += place.latitude, longitude += place.longitude;
      const auto count = static_cast<int64_t>(places.size());
      const cosmium_place middle{static_cast<int32_t>(latitude / count),
                                 static_cast<int32_t>(longitude / count)};
      for (; member != outer.end() && member->first == way.id(); ++member)
        middles[member->second].push_back(middle);
    }
    if (wanted) tell('w', way, way.nodes().size() > 3 && way.is_closed());
  }

  void read_relations(char *date, size_t size) {
    osmium::io::Reader reader{osmium::io::File{path, "pbf"}, osmium::osm_entity_bits::relation};
    std::string time = reader.header().get("osmosis_replication_timestamp");
    if (time.empty()) time = reader.header().get("timestamp");
    std::strncpy(date, time.c_str(), size - 1);
    date[size - 1] = 0;
    while (const auto buffer = reader.read()) {
      for (const auto &relation : buffer.select<osmium::Relation>()) take_relation(relation);
      progress("relations", reader.offset(), reader.file_size());
    }
    reader.close();
    std::sort(outer.begin(), outer.end());
    middles.resize(offsets.size());
  }

  void read_others(const char *folder) {
    NodePlaces nodes{folder};
    bool has_ways = false;
    osmium::io::Reader reader{osmium::io::File{path, "pbf"},
                              osmium::osm_entity_bits::node | osmium::osm_entity_bits::way};
    while (const auto buffer = reader.read()) {
      for (const auto &item : buffer) {
        if (item.type() == osmium::item_type::node) {
          const auto &node = static_cast<const osmium::Node &>(item);
          if (!node.location().valid()) continue;
          if (has_ways) throw std::runtime_error("its nodes are not in order: `osmium sort` puts them so");
          nodes.add(node.id(), node.location());
          if (!is_wanted(node.tags())) continue;
          places.assign(1, {node.location().y(), node.location().x()});
          tell('n', node, false);
        } else if (item.type() == osmium::item_type::way) {
          if (!has_ways) nodes.finish();
          has_ways = true;
          take_way(static_cast<const osmium::Way &>(item), nodes);
        }
      }
      progress(has_ways ? "ways" : "nodes", reader.offset(), reader.file_size());
    }
    reader.close();
  }

public:
  Reading(const char *path, cosmium_face face) : path{path}, face{face} {}

  void run(const char *folder, char *date, size_t size) {
    read_relations(date, size);
    read_others(folder);
    for (size_t i = 0; i < offsets.size(); ++i) {
      places = std::move(middles[i]);
      if (!places.empty()) tell('r', relations.get<osmium::Relation>(offsets[i]), false);
    }
  }
};

} // namespace

cosmium_result cosmium_read(const char *path, const char *folder, cosmium_face face, char *date,
                            size_t date_size, char *message, size_t message_size) {
  std::string reason;
  try {
    Reading{path, face}.run(folder, date, date_size);
    return cosmium_done;
  } catch (const Ended &) {
    return cosmium_ended;
  } catch (const std::system_error &error) {
    reason = error.code().message();
  } catch (const std::exception &error) {
    reason = error.what();
  } catch (...) {
    reason = "it cannot be read";
  }
  std::strncpy(message, reason.c_str(), message_size - 1);
  message[message_size - 1] = 0;
  return cosmium_failed;
}
