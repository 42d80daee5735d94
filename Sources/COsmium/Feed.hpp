// An open file, as libosmium can open it: it wants a name, and by its name the file may not be allowed to us any
// more. A thread writes the file into a pipe of ours, which has a name below /proc.
#ifndef FEED_HPP
#define FEED_HPP

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

class Feed {
  std::array<int, 2> ends{-1, -1};
  std::thread thread;
  size_t file_size = 0;

  std::atomic<bool> is_over{false};

  void feed(int file) {
    std::vector<char> bytes(1 << 16);
    off_t offset = 0;
    while (!is_over) {
      const ssize_t count = pread(file, bytes.data(), bytes.size(), offset);
      if (count <= 0) break;
      const ssize_t written = write(ends[1], bytes.data(), static_cast<size_t>(count));
      if (written > 0) {
        offset += written;
      } else if (errno == EAGAIN) {
        // libosmium leaves its end open where what it reads is no extract.
        const int milliseconds = 50;
        pollfd room{ends[1], POLLOUT, 0};
        poll(&room, 1, milliseconds);
      } else if (errno != EINTR) {
        break;
      }
    }
    close(ends[1]);
  }

public:
  explicit Feed(int file) {
    struct stat status;
    if (fstat(file, &status) == 0) file_size = static_cast<size_t>(status.st_size);
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    // The thread inherits the mask: a reader that leaves is an error there, no signal.
    sigset_t broken, before;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    thread = std::thread{&Feed::feed, this, file};
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  Feed(const Feed &) = delete;
  Feed &operator=(const Feed &) = delete;

  std::string name() const { return "/proc/self/fd/" + std::to_string(ends[0]); }
  size_t size() const { return file_size; }

  /// The reader has opened it.
  void is_open() {
    if (ends[0] >= 0) close(ends[0]);
    ends[0] = -1;
  }

  /// After the reader.
  ~Feed() {
    is_open();
    is_over = true;
    thread.join();
  }
};

#endif
