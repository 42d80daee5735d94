// The ways around an area, as what is needed of them to find its middle: a country's ways are more than a small
// board's memory.
#ifndef OUTLINE_HPP
#define OUTLINE_HPP

#include "COsmium.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

class Outline {
  struct Part {
    int64_t first;
    int64_t last;
    // Integrals along the way, from the first place of the outline: twice the area, and six times it times its middle.
    double area;
    double y;
    double x;
  };
  std::vector<Part> parts;
  cosmium_place origin{0, 0};
  // Where the ways make no ring, the mean of their nodes.
  double latitudes = 0;
  double longitudes = 0;
  double count = 0;

  cosmium_place place(double latitude, double longitude) const {
    const auto whole = [](double degrees) {
      return static_cast<int32_t>(std::min(std::max(std::round(degrees), -1.8e9), 1.8e9));
    };
    return {whole(origin.latitude + latitude), whole(origin.longitude + longitude)};
  }

public:
  bool empty() const { return count == 0; }

  void add(const std::vector<cosmium_place> &places, int64_t first, int64_t last) {
    if (empty()) origin = places.front();
    Part part{first, last, 0, 0, 0};
    double y0 = 0, x0 = 0;
    bool is_first = true;
    for (const auto &place : places) {
      const double y = static_cast<double>(place.latitude) - origin.latitude;
      const double x = static_cast<double>(place.longitude) - origin.longitude;
      latitudes += y, longitudes += x, count += 1;
      if (!is_first) {
        const double cross = x0 * y - x * y0;
        part.area += cross, part.y += (y0 + y) * cross, part.x += (x0 + x) * cross;
      }
      y0 = y, x0 = x, is_first = false;
    }
    parts.push_back(part);
  }

  /// The middle of the rings that the ways make.
  cosmium_place middle() const {
    std::multimap<int64_t, size_t> ends;
    for (size_t i = 0; i < parts.size(); ++i) ends.emplace(parts[i].first, i), ends.emplace(parts[i].last, i);
    std::vector<bool> used(parts.size(), false);
    double area = 0, y = 0, x = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (used[i]) continue;
      used[i] = true;
      Part ring = parts[i];
      while (ring.first != ring.last) {
        auto next = ends.find(ring.last);
        while (next != ends.end() && next->first == ring.last && used[next->second]) next = ends.erase(next);
        if (next == ends.end() || next->first != ring.last) break;
        const Part &part = parts[next->second];
        used[next->second] = true;
        const double sign = part.first == ring.last ? 1 : -1;
        ring.last = part.first == ring.last ? part.last : part.first;
        ring.area += sign * part.area, ring.y += sign * part.y, ring.x += sign * part.x;
      }
      if (ring.first != ring.last) continue;
      const double sign = ring.area < 0 ? -1 : 1;
      area += sign * ring.area, y += sign * ring.y, x += sign * ring.x;
    }
    if (area > 0) return place(y / (3 * area), x / (3 * area));
    return place(latitudes / count, longitudes / count);
  }
};

#endif
