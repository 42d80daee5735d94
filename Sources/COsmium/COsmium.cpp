#include "COsmium.h"

#include "DistrictTeller.hpp"
#include "Feed.hpp"
#include "GroundTeller.hpp"
#include "NodePlaces.hpp"
#include "Outline.hpp"
#include "RoadTeller.hpp"

#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Ended {};

/// A string with a NUL in it would have libosmium take the strings behind it for others, and read on behind the last.
void check(const osmium::TagList &tags) {
  const unsigned char *start = tags.data() + sizeof(osmium::TagList);
  const unsigned char *end = tags.data() + tags.byte_size();
  if (start < end && (end[-1] != 0 || std::count(start, end, 0) % 2 != 0))
    throw std::runtime_error("a tag in it has a NUL byte");
}

// A thing may have names in languages alone: name:fr without name.
bool has_name(const osmium::TagList &tags) {
  for (const osmium::Tag &tag : tags) {
    if (std::strncmp(tag.key(), "name", 4) == 0 && (tag.key()[4] == '\0' || tag.key()[4] == ':')) return true;
  }
  return false;
}

/// Things that somebody looks for: all others are never handed on.
bool is_wanted(const osmium::TagList &tags) {
  return !tags.empty() && (has_name(tags) || tags.has_key("addr:housenumber") || tags.has_key("amenity"));
}

/// Areas that the world's borders say.
const char *const other_boundaries[] = {"administrative", "political",   "postal_code",
                                        "census",         "statistical", "religious_administration"};

/// A relation of the ways around an area.
bool is_area(const osmium::TagList &tags) {
  const char *type = tags.get_value_by_key("type", "");
  if (std::strcmp(type, "multipolygon") == 0 || std::strcmp(type, "site") == 0) return true;
  if (std::strcmp(type, "boundary") != 0) return false;
  const char *boundary = tags.get_value_by_key("boundary", "");
  return std::none_of(std::begin(other_boundaries), std::end(other_boundaries),
                      [=](const char *other) { return std::strcmp(boundary, other) == 0; });
}

void take_date(const osmium::io::Header &header, char *date, size_t size) {
  std::string time = header.get("osmosis_replication_timestamp");
  if (time.empty()) time = header.get("timestamp");
  std::strncpy(date, time.c_str(), size - 1);
  date[size - 1] = 0;
}

class Reading {
  int file;
  cosmium_face face;
  RoadTeller roads;
  GroundTeller ground;
  DistrictTeller districts;
  std::vector<cosmium_tag> tags;
  std::vector<cosmium_place> places;
  // Houses whose street a relation says: the name's place in `streets`.
  struct House {
    char kind;
    int64_t number;
    size_t street;
    bool operator<(const House &other) const {
      return std::tie(kind, number) < std::tie(other.kind, other.number);
    }
  };
  std::vector<House> houses;
  std::vector<std::string> streets;
  // Relations that are areas, and which ways lie around them.
  osmium::memory::Buffer relations{1 << 16, osmium::memory::Buffer::auto_grow::yes};
  std::vector<size_t> offsets;
  std::vector<std::pair<int64_t, size_t>> outer;
  std::vector<Outline> outlines;

  void progress(const char *phase, size_t done, size_t all) {
    const int percent = all == 0 ? 0 : static_cast<int>(std::min<uint64_t>(100, done * uint64_t{100} / all));
    if (!face.progress(face.context, phase, percent)) throw Ended{};
  }

  void tell(char kind, const osmium::OSMObject &object, bool is_closed) {
    tags.clear();
    for (const auto &tag : object.tags()) tags.push_back({tag.key(), tag.value()});
    if (const char *street = street_of(kind, object)) tags.push_back({"addr:street", street});
    const cosmium_thing thing{kind,          object.id(),   tags.data(), tags.size(),
                              places.data(), places.size(), is_closed};
    if (!face.take(face.context, &thing)) throw Ended{};
  }

  /// For a house that does not say it itself.
  const char *street_of(char kind, const osmium::OSMObject &object) const {
    if (houses.empty() || !object.tags().has_key("addr:housenumber") || object.tags().has_key("addr:street"))
      return nullptr;
    const House wanted{kind, object.id(), 0};
    const auto house = std::lower_bound(houses.begin(), houses.end(), wanted);
    if (house == houses.end() || wanted < *house) return nullptr;
    return streets[house->street].c_str();
  }

  void take_street(const osmium::Relation &relation) {
    const char *name = relation.tags()["name"];
    if (!name || !*name) return;
    for (const auto &member : relation.members()) {
      if (std::strcmp(member.role(), "house") != 0 && std::strcmp(member.role(), "address") != 0) continue;
      houses.push_back({osmium::item_type_to_char(member.type()), member.ref(), streets.size()});
    }
    streets.emplace_back(name);
  }

  void take_relation(const osmium::Relation &relation) {
    ground.keep(relation);
    if (!districts.keep(relation)) throw Ended{};
    const char *type = relation.tags()["type"];
    if (!type) return;
    if (std::strcmp(type, "associatedStreet") == 0 || std::strcmp(type, "street") == 0)
      return take_street(relation);
    if (std::strncmp(type, "restriction", std::strlen("restriction")) == 0) return roads.keep(relation);
    if (!is_area(relation.tags()) || !is_wanted(relation.tags())) return;
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
    if (roads.is_road(way.tags()) && !roads.tell_way(way, nodes)) throw Ended{};
    if (!ground.tell_way(way, nodes) || !districts.tell_way(way, nodes)) throw Ended{};
    auto member = std::lower_bound(outer.begin(), outer.end(), std::make_pair(way.id(), size_t{0}));
    const bool is_member = member != outer.end() && member->first == way.id();
    const bool wanted = is_wanted(way.tags());
    if (!is_member && !wanted) return;
    places.clear();
    size_t index = 0;
    for (const auto &node : way.nodes()) {
      const osmium::Location place = nodes.find(node.ref(), index);
      if (place.valid()) places.push_back({place.y(), place.x()});
    }
    if (places.empty()) return;
    for (; member != outer.end() && member->first == way.id(); ++member)
      outlines[member->second].add(places, way.nodes().front().ref(), way.nodes().back().ref());
    if (wanted) tell('w', way, way.nodes().size() > 3 && way.is_closed());
  }

  void read_relations(char *date, size_t size) {
    Feed feed{file};
    osmium::io::Reader reader{osmium::io::File{feed.name(), "pbf"}, osmium::osm_entity_bits::relation};
    feed.is_open();
    const osmium::Box box = reader.header().joined_boxes();
    take_date(reader.header(), date, size);
    while (const auto buffer = reader.read()) {
      for (const auto &relation : buffer.select<osmium::Relation>()) {
        check(relation.tags());
        take_relation(relation);
      }
      progress("relations", reader.offset(), feed.size());
    }
    reader.close();
    std::sort(outer.begin(), outer.end());
    std::sort(houses.begin(), houses.end());
    outlines.resize(offsets.size());
    districts.sort();
    if (!ground.tell_box(box)) throw Ended{};
  }

  void read_others(const char *folder) {
    NodePlaces nodes{folder};
    bool has_ways = false;
    Feed feed{file};
    osmium::io::Reader reader{osmium::io::File{feed.name(), "pbf"},
                              osmium::osm_entity_bits::node | osmium::osm_entity_bits::way};
    feed.is_open();
    while (const auto buffer = reader.read()) {
      for (const auto &item : buffer) {
        if (item.type() == osmium::item_type::node) {
          const auto &node = static_cast<const osmium::Node &>(item);
          if (!node.location().valid()) continue;
          if (has_ways) throw std::runtime_error("its nodes are not in order: `osmium sort` puts them so");
          check(node.tags());
          nodes.add(node.id(), node.location());
          if (!roads.tell_node(node, nodes.size() - 1)) throw Ended{};
          if (!is_wanted(node.tags())) continue;
          places.assign(1, {node.location().y(), node.location().x()});
          tell('n', node, false);
        } else if (item.type() == osmium::item_type::way) {
          if (!has_ways) nodes.finish();
          has_ways = true;
          const auto &way = static_cast<const osmium::Way &>(item);
          check(way.tags());
          take_way(way, nodes);
        }
      }
      progress(has_ways ? "ways" : "nodes", reader.offset(), feed.size());
    }
    reader.close();
    nodes.finish();
    if (!roads.tell_restrictions(nodes) || !ground.tell_areas() || !districts.tell_whole(nodes)) throw Ended{};
  }

public:
  Reading(int file, cosmium_face face, const cosmium_roads *roads, const cosmium_ground *ground,
          const cosmium_districts *districts)
      : file{file}, face{face}, roads{roads}, ground{ground}, districts{districts} {}

  void run(const char *folder, char *date, size_t size) {
    read_relations(date, size);
    read_others(folder);
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (outlines[i].empty()) continue;
      places.assign(1, outlines[i].middle());
      tell('r', relations.get<osmium::Relation>(offsets[i]), false);
    }
  }
};

} // namespace

namespace {

/// The result of a reading, and why it failed.
template <typename Body> cosmium_result result_of(const Body &body, char *message, size_t message_size) {
  std::string reason;
  try {
    body();
    return cosmium_done;
  } catch (const Ended &) {
    return cosmium_ended;
  } catch (const std::system_error &error) {
    for (const int full : {ENOSPC, EDQUOT, EFBIG}) {
      if (error.code() == std::error_code{full, std::generic_category()}) return cosmium_full;
    }
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

} // namespace

cosmium_result cosmium_read(int file, const char *folder, cosmium_face face,
                            const cosmium_roads *roads, const cosmium_ground *ground,
                            const cosmium_districts *districts, char *date, size_t date_size, char *message,
                            size_t message_size) {
  const auto read = [&] { Reading{file, face, roads, ground, districts}.run(folder, date, date_size); };
  return result_of(read, message, message_size);
}

cosmium_result cosmium_date(int file, char *date, size_t date_size, char *message, size_t message_size) {
  const auto read = [&] {
    Feed feed{file};
    osmium::io::Reader reader{osmium::io::File{feed.name(), "pbf"}, osmium::osm_entity_bits::nothing};
    feed.is_open();
    take_date(reader.header(), date, date_size);
    reader.close();
  };
  return result_of(read, message, message_size);
}
