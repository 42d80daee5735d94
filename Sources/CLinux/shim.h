// Linux's functions that `import Glibc` lacks.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// EPOLL* are an enum and macros of the same names; Swift sees neither as a number.
static const uint32_t linux_epollin = EPOLLIN;
static const uint32_t linux_epollout = EPOLLOUT;
static const uint32_t linux_epollhup = EPOLLHUP;
static const uint32_t linux_epollrdhup = EPOLLRDHUP;
static const uint32_t linux_epollerr = EPOLLERR;
static const int linux_epoll_cloexec = EPOLL_CLOEXEC;

// A macro that computes its value. False where it is no terminal.
static inline bool linux_is_exclusive(int terminal) {
  int is_exclusive = 0;
  return ioctl(terminal, TIOCGEXCL, &is_exclusive) == 0 && is_exclusive != 0;
}

// The numbers of a device; macros.
static inline bool linux_is_pseudo_terminal(dev_t device) {
  return major(device) >= 136 && major(device) <= 143;
}

// A user's rights by the access list of a path, under its mask; -1 where the list does not name the user. The list is
// a header and records of one size.
static inline int linux_listed_rights(const char *path, uid_t user) {
  char list[4096];
  struct posix_acl_xattr_entry entry;
  ssize_t size = getxattr(path, "system.posix_acl_access", list, sizeof list);
  int rights = -1, mask = 7;
  for (ssize_t at = sizeof(struct posix_acl_xattr_header); at + (ssize_t)sizeof entry <= size; at += sizeof entry) {
    memcpy(&entry, list + at, sizeof entry);
    if (le16toh(entry.e_tag) == ACL_MASK) mask = le16toh(entry.e_perm);
    if (le16toh(entry.e_tag) == ACL_USER && le32toh(entry.e_id) == user) rights = le16toh(entry.e_perm);
  }
  return rights < 0 ? -1 : rights & mask;
}

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

// The peer's label by a security module, with or without a NUL at its end; -1 where there is none.
static inline ssize_t linux_peer_label(int socket, char *label, size_t most) {
  socklen_t size = (socklen_t)most;
  return getsockopt(socket, SOL_SOCKET, SO_PEERSEC, label, &size) == 0 ? (ssize_t)size : -1;
}

// Newer than the C library's headers.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

// A descriptor that stands for the process that connected; -1 where there is none.
static inline int linux_peer_process(int socket) {
  int process = -1;
  socklen_t size = sizeof process;
  return getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) == 0 ? process : -1;
}

// getaddrinfo_a resolves a name without making the caller wait; struct gaicb and it are declared
// only for _GNU_SOURCE.
struct linux_lookup {
  struct {
    const char *name;
    const char *service;
    const struct addrinfo *request;
    struct addrinfo *result;
    int answer;
    int reserved[5];
  } block;
  void *list[1];
  struct addrinfo hints;
  char name[256];
  char service[8];
};

// The signal is sent when there is an answer. NULL where it could not be asked.
static inline struct linux_lookup *linux_lookup_start(const char *name, const char *service,
                                                      int signal_number) {
  extern int getaddrinfo_a(int, void *[], int, struct sigevent *);
  if (strlen(name) >= 256 || strlen(service) >= 8) return NULL;
  struct linux_lookup *lookup = (struct linux_lookup *)calloc(1, sizeof *lookup);
  if (!lookup) return NULL;
  strcpy(lookup->name, name);
  strcpy(lookup->service, service);
  lookup->hints.ai_socktype = SOCK_STREAM;
  lookup->block.name = lookup->name;
  lookup->block.service = lookup->service;
  lookup->block.request = &lookup->hints;
  lookup->list[0] = &lookup->block;
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = signal_number;
  const int no_wait = 1;
  if (getaddrinfo_a(no_wait, lookup->list, 1, &event) != 0) {
    free(lookup);
    return NULL;
  }
  return lookup;
}

// EAI_INPROGRESS while there is no answer yet, 0 when there is one.
static inline int linux_lookup_state(struct linux_lookup *lookup) {
  extern int gai_error(void *);
  return gai_error(&lookup->block);
}

static const int linux_lookup_in_progress = -100;

static inline struct addrinfo *linux_lookup_result(struct linux_lookup *lookup) {
  return lookup->block.result;
}

static inline void linux_lookup_free(struct linux_lookup *lookup) {
  if (lookup->block.result) freeaddrinfo(lookup->block.result);
  free(lookup);
}

// EFD_* are an enum and macros of the same names.
static inline int linux_event_counter(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// An array that is as long as the name, whatever its type says.
static inline const char *linux_name(const struct dirent *entry) { return entry->d_name; }

// A macro that calls a function.
static inline int linux_first_realtime_signal(void) { return SIGRTMIN; }

// Whether the kernel has been told that its clock is right (by NTP, or whatever steers it); -1 where
// it may not be asked.
static inline int linux_clock_is_set(void) {
  struct timex state = {0};
  return adjtimex(&state) == -1 ? -1 : !(state.status & STA_UNSYNC);
}

// Becomes the program. Only what may be called between fork and exec.
static inline int linux_become(const char *path, char *const *arguments, char *const *environment, int output,
                               int errors, int *told, pid_t parent) {
  // The kernel ends it with the thread that started it, unless that is gone already.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
  if (getppid() != parent) return ECANCELED;
  if (setpgid(0, 0) != 0) return errno;
  for (int number = 1; number <= SIGRTMAX; ++number) signal(number, SIG_DFL);
  // Out of the way of the first three.
  output = fcntl(output, F_DUPFD_CLOEXEC, 4);
  errors = fcntl(errors, F_DUPFD_CLOEXEC, 4);
  if (output < 0 || errors < 0 || (*told != 3 && dup2(*told, 3) != 3)) return errno;
  *told = 3;
  fcntl(3, F_SETFD, FD_CLOEXEC);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, 0) != 0 || dup2(output, 1) != 1 || dup2(errors, 2) != 2) return errno;
  // Before Linux 5.9 those are closed that were not opened as ours are: close-on-exec.
  syscall(SYS_close_range, 4, ~0U, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
  if (chdir("/") != 0) return errno;
  execve(path, arguments, environment);
  return errno;
}

// pipe2 is declared only for _GNU_SOURCE.
static inline int linux_pipe(int *ends) {
  extern int pipe2(int *, int);
  return pipe2(ends, O_CLOEXEC);
}

// A child in a process group of its own, that has no descriptor of ours but the two that it writes to, no signal's
// disposition and no environment but what it is given. Where it cannot be started: -1, and errno says why.
static inline pid_t linux_start(const char *path, char *const *arguments, char *const *environment, int output,
                                int errors) {
  int ends[2];
  if (linux_pipe(ends) != 0) return -1;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    int told = ends[1];
    const int reason = linux_become(path, arguments, environment, output, errors, &told, parent);
    if (write(told, &reason, sizeof reason) < 0) _exit(126);
    _exit(127);
  }
  int reason = child < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  close(ends[1]);
  // Nothing comes once it has become the program.
  if (child > 0 && read(ends[0], &reason, sizeof reason) == sizeof reason) waitpid(child, 0, 0);
  close(ends[0]);
  if (reason == 0) return child;
  errno = reason;
  return -1;
}

// Not in every C library: a descriptor that tells when the process has ended.
static inline int linux_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

// Ends a connection at once, whoever else holds it: what has not left yet is thrown away.
static inline void linux_cut(int number) {
  struct sockaddr none;
  memset(&none, 0, sizeof none);
  none.sa_family = AF_UNSPEC;
  if (connect(number, &none, sizeof none) != 0) shutdown(number, SHUT_RDWR);
  shutdown(number, SHUT_RDWR);
}

// A message of one part, with room for what goes beside it.
static inline struct msghdr linux_message(struct iovec *part, void *control, size_t size) {
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = size;
  return message;
}

// Bytes with a descriptor, which stays the sender's, too. CMSG_* are macros.
static inline ssize_t linux_send_descriptor(int number, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {(void *)bytes, count};
  char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
  memset(control, 0, sizeof control);
  struct msghdr message = linux_message(&part, control, sizeof control);
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  return sendmsg(number, &message, MSG_NOSIGNAL);
}

// Bytes, and the descriptors that came with them, which are the reader's from then on.
static inline ssize_t linux_receive_descriptors(int number, void *bytes, size_t count, int *descriptors, int most,
                                                int *received) {
  struct iovec part = {bytes, count};
  // The kernel takes so many descriptors at a time.
  char control[CMSG_SPACE(253 * sizeof(int))] __attribute__((aligned(8)));
  struct msghdr message = linux_message(&part, control, sizeof control);
  *received = 0;
  const ssize_t result = recvmsg(number, &message, MSG_CMSG_CLOEXEC);
  if (result < 0) return result;
  for (struct cmsghdr *head = CMSG_FIRSTHDR(&message); head; head = CMSG_NXTHDR(&message, head)) {
    if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
    const size_t amount = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < amount; ++i) {
      int one;
      memcpy(&one, CMSG_DATA(head) + i * sizeof one, sizeof one);
      if (*received < most) descriptors[(*received)++] = one;
      else close(one);
    }
  }
  return result;
}

// A pseudo-terminal's two ends, raw; false where there is none. openpty is in a library of its own.
static inline bool linux_pseudo_terminal(int *leader, char *name, size_t most) {
  extern int posix_openpt(int), grantpt(int), unlockpt(int), ptsname_r(int, char *, size_t);
  *leader = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (*leader < 0) return false;
  if (grantpt(*leader) == 0 && unlockpt(*leader) == 0 && ptsname_r(*leader, name, most) == 0) return true;
  close(*leader);
  return false;
}

// Variadic.
static inline void linux_end_with_parent(int signal_number) {
  prctl(PR_SET_PDEATHSIG, (unsigned long)signal_number);
}

#endif
