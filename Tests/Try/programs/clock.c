// The wall clock that the programs of a machine are told, set forwards and back: the machine's own is its host's, which
// is not to be touched. The seconds of /usr/lib/soak-clock are added, but for programs with TRUE_CLOCK in their environment.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const long none;
static const volatile long *ahead = &none;

__attribute__((constructor)) static void begin(void) {
  int file = getenv("TRUE_CLOCK") ? -1 : open("/usr/lib/soak-clock", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *there = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
  if (there != MAP_FAILED) ahead = there;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *ahead;
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  int result = syscall(SYS_gettimeofday, now, zone);
  if (result == 0) now->tv_sec += *ahead;
  return result;
}

time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}
