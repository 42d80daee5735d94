// What Linux gives and `import Glibc` lacks.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/types.h>

// EPOLL* are an enum and macros of the same names; Swift sees neither as a number.
static const uint32_t linux_epollin = EPOLLIN;
static const uint32_t linux_epollout = EPOLLOUT;
static const uint32_t linux_epollhup = EPOLLHUP;
static const uint32_t linux_epollerr = EPOLLERR;

// accept4 is declared only for _GNU_SOURCE, which the Glibc module was not built with.
static inline int linux_accept(int listener) {
  extern int accept4(int, struct sockaddr *, socklen_t *, int);
  return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

// struct ucred, for the same reason.
static inline bool linux_peer(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
  struct {
    pid_t pid;
    uid_t uid;
    gid_t gid;
  } peer;
  socklen_t size = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  *pid = peer.pid;
  *uid = peer.uid;
  *gid = peer.gid;
  return true;
}

// Whether the kernel has been told that its clock is right (by NTP, or whatever steers it).
static inline bool linux_clock_is_set(void) {
  struct timex state = {0};
  return adjtimex(&state) != -1 && !(state.status & STA_UNSYNC);
}

#endif
