// The places of all nodes in a nameless file, in the order of their numbers: a country's are more than a small
// board's memory. They are written and read by calls that answer, not mapped: a full disk is an error then,
// not a signal.
#ifndef NODE_PLACES_HPP
#define NODE_PLACES_HPP

#include <osmium/osm/location.hpp>
#include <osmium/osm/types.hpp>

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

class NodePlaces {
  struct Entry {
    int64_t number;
    int32_t x;
    int32_t y;
  };
  static constexpr size_t block_size = 256;
  static constexpr size_t cache_size = 1024;
  struct Block {
    size_t index = SIZE_MAX;
    std::vector<Entry> entries;
  };

  int file;
  std::vector<Entry> waiting;
  std::vector<int64_t> firsts;
  int64_t last = INT64_MIN;
  size_t count = 0;
  std::vector<Block> cache{cache_size};

  void write_block() {
    const char *bytes = reinterpret_cast<const char *>(waiting.data());
    size_t rest = waiting.size() * sizeof(Entry);
    while (rest > 0) {
      const ssize_t written = ::write(file, bytes, rest);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw std::system_error(errno, std::generic_category(), "nodes");
      bytes += written;
      rest -= static_cast<size_t>(written);
    }
    waiting.clear();
  }

  const std::vector<Entry> &block(size_t index) {
    Block &place = cache[index % cache_size];
    if (place.index == index) return place.entries;
    place.index = SIZE_MAX;
    const size_t start = index * block_size;
    place.entries.resize(count - start < block_size ? count - start : block_size);
    char *bytes = reinterpret_cast<char *>(place.entries.data());
    size_t rest = place.entries.size() * sizeof(Entry);
    off_t offset = static_cast<off_t>(start * sizeof(Entry));
    while (rest > 0) {
      const ssize_t got = ::pread(file, bytes, rest, offset);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw std::system_error(errno, std::generic_category(), "nodes");
      if (got == 0) throw std::runtime_error("the file of nodes has become shorter");
      bytes += got;
      offset += got;
      rest -= static_cast<size_t>(got);
    }
    place.index = index;
    return place.entries;
  }

public:
  explicit NodePlaces(const std::string &folder) {
    file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0) {
      std::string name = folder + "/.nodes-XXXXXX";
      file = ::mkstemp(&name[0]);
      if (file >= 0) ::unlink(name.c_str());
    }
    if (file < 0) throw std::system_error(errno, std::generic_category(), folder);
    waiting.reserve(block_size);
  }
  ~NodePlaces() { ::close(file); }
  NodePlaces(const NodePlaces &) = delete;
  NodePlaces &operator=(const NodePlaces &) = delete;

  void add(int64_t number, osmium::Location place) {
    if (number <= last) throw std::runtime_error("its nodes are not in order: `osmium sort` puts them so");
    last = number;
    if (count % block_size == 0) firsts.push_back(number);
    waiting.push_back({number, place.x(), place.y()});
    ++count;
    if (waiting.size() == block_size) write_block();
  }

  void finish() {
    if (!waiting.empty()) write_block();
  }

  size_t size() const { return count; }

  /// Undefined for a node that the file does not have; else `index` becomes where it stands among all.
  osmium::Location find(int64_t number, size_t &index) {
    size_t low = 0, high = firsts.size();
    while (low < high) {
      const size_t middle = (low + high) / 2;
      if (firsts[middle] <= number) low = middle + 1; else high = middle;
    }
    if (low == 0) return osmium::Location{};
    const auto &entries = block(low - 1);
    size_t a = 0, b = entries.size();
    while (a < b) {
      const size_t middle = (a + b) / 2;
      if (entries[middle].number < number) a = middle + 1; else b = middle;
    }
    if (a == entries.size() || entries[a].number != number) return osmium::Location{};
    index = (low - 1) * block_size + a;
    return osmium::Location{entries[a].x, entries[a].y};
  }
};

#endif
