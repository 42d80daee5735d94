// libmicrohttpd: its variadic functions with one kind of value each, which is all that Swift can call.
#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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
static const enum MHD_ConnectionNotificationCode mhd_closed = MHD_CONNECTION_NOTIFY_CLOSED;
static const enum MHD_ValueKind mhd_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind mhd_parameters = MHD_GET_ARGUMENT_KIND;

struct mhd_limits {
  unsigned connections;
  unsigned seconds;
  size_t bytes;
};

// A server without a listening socket or a thread of its own: connections are added to it.
static inline struct MHD_Daemon *mhd_start(
    struct mhd_limits limits, MHD_NotifyConnectionCallback came, MHD_AccessHandlerCallback handle,
    MHD_RequestCompletedCallback completed, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, handle,
      context,
      MHD_OPTION_EXTERNAL_LOGGER, mhd_say_nothing, NULL,
      MHD_OPTION_NOTIFY_CONNECTION, came, context,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.bytes,
      MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_END);
}

// Takes a connected socket, and closes it in the end, or at once where it does not.
static inline _Bool mhd_add(struct MHD_Daemon *daemon, int number) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getpeername(number, (struct sockaddr *)&address, &size)) {
    close(number);
    return 0;
  }
  return MHD_add_connection(daemon, number, (struct sockaddr *)&address, size) == MHD_YES;
}

// The socket of a connection; -1 where it has none.
static inline int mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      connection ? MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD) : NULL;
  return info ? info->connect_fd : -1;
}

// The client reads and says no more: the server closes the socket.
static inline void mhd_cut(int number) { shutdown(number, SHUT_RDWR); }

// The descriptor that is ready whenever there is something to do; -1 where there is none.
static inline int mhd_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

// Milliseconds until it wants to run again; -1 where only its descriptor says so.
static inline int64_t mhd_timeout(struct MHD_Daemon *daemon) {
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
  return milliseconds > 60000 ? 60000 : (int64_t)milliseconds;
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
