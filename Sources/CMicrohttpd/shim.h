// libmicrohttpd: its variadic functions with one kind of value each, which is all that Swift can call.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

// It logs nothing: statuses, and connections that end, tell of what is wrong.
static inline void mhd_say_nothing(void *context, const char *format, va_list words) {
  (void)context, (void)format, (void)words;
}

// Enumerations whose names Swift would change.
static const enum MHD_Result mhd_yes = MHD_YES;
static const enum MHD_Result mhd_no = MHD_NO;
static const enum MHD_ValueKind mhd_headers = MHD_HEADER_KIND;

struct mhd_limits {
  unsigned connections;
  unsigned seconds;
  size_t bytes;
};

// A socket that listens on 127.0.0.1; a port of 0 is any that is free. -1 where it cannot.
static inline int mhd_listen(uint16_t port) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // The port of a server that has just ended is free at once.
  int yes = 1;
  if (listener >= 0 && (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
                        bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 64))) {
    int reason = errno;
    close(listener);
    errno = reason;
    return -1;
  }
  return listener;
}

// A server on that socket, which is closed with it, without a thread of its own.
static inline struct MHD_Daemon *mhd_start(
    int listener, struct mhd_limits limits, MHD_AcceptPolicyCallback accept,
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, accept, context, handle, context,
      MHD_OPTION_EXTERNAL_LOGGER, mhd_say_nothing, NULL,
      MHD_OPTION_LISTEN_SOCKET, listener,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.bytes,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}

// The descriptor that is ready whenever there is something to do; -1 where there is none.
static inline int mhd_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

static inline uint16_t mhd_port(int listener) {
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  return getsockname(listener, (struct sockaddr *)&address, &size) ? 0 : ntohs(address.sin_port);
}

static inline unsigned mhd_connections(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
  return info ? info->num_connections : 0;
}

// Milliseconds until it wants to run again; -1 where only its descriptor says so.
static inline int64_t mhd_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
  return milliseconds > 60000 ? 60000 : (int64_t)milliseconds;
}

// An IPv4 peer, in this machine's order of bytes.
static inline int mhd_peer(const struct sockaddr *address, uint32_t *host, uint16_t *port) {
  if (!address || address->sa_family != AF_INET) return 0;
  const struct sockaddr_in *inet = (const struct sockaddr_in *)address;
  *host = ntohl(inet->sin_addr.s_addr);
  *port = ntohs(inet->sin_port);
  return 1;
}

// The bytes are copied.
static inline struct MHD_Response *mhd_bytes(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline struct MHD_Response *mhd_stream(
    ssize_t (*fill)(void *, uint64_t, char *, size_t), void *context, void (*end)(void *)) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 65536, fill, context, end);
}

static const ssize_t mhd_stream_has_ended = -1;

#endif
