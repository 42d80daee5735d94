// The least that brings a receiver's epochs to programs: bare-relay DEVICE SOCKET
// At the end of each GGA on a terminal line, every client of its socket is written one text.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

static const char text[] =
    "{\"jsonrpc\":\"2.0\",\"method\":\"didUpdateLocations\",\"params\":{\"locations\":[{\"latitude\":45.000005,"
    "\"longitude\":7.0,\"altitude\":240.0,\"ellipsoidalAltitude\":288.0,\"horizontalAccuracy\":4.5,"
    "\"verticalAccuracy\":7.5,\"speed\":0.998,\"course\":0.0,\"timestamp\":\"2026-11-20T12:00:00.000Z\","
    "\"source\":\"nmea\",\"simulated\":false}],\"service\":\"standard\"}}\n";

int main(int count, char **arguments) {
  if (count != 3) return 2;
  signal(SIGPIPE, SIG_IGN);
  int line = open(arguments[1], O_RDONLY | O_NOCTTY);
  struct termios raw;
  if (line < 0 || tcgetattr(line, &raw)) return 1;
  cfmakeraw(&raw);
  tcsetattr(line, TCSANOW, &raw);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, arguments[2], sizeof address.sun_path - 1);
  unlink(arguments[2]);
  int door = socket(AF_UNIX, SOCK_STREAM, 0), clients[256], connected = 0;
  if (bind(door, (struct sockaddr *)&address, sizeof address) || listen(door, 256)) return 1;
  char sentence[128];
  size_t length = 0;
  for (;;) {
    struct pollfd ready[] = {{line, POLLIN, 0}, {door, POLLIN, 0}};
    if (poll(ready, 2, -1) < 0) return 1;
    if (ready[1].revents && connected < 256) clients[connected++] = accept(door, NULL, NULL);
    if (!ready[0].revents) continue;
    char bytes[4096];
    ssize_t size = read(line, bytes, sizeof bytes);
    if (size <= 0) return 1;
    for (ssize_t i = 0; i < size; i++) {
      if (length < sizeof sentence) sentence[length++] = bytes[i];
      if (bytes[i] != '\n') continue;
      int is_last = length > 6 && !memcmp(sentence + 3, "GGA", 3);
      length = 0;
      for (int client = 0; is_last && client < connected; client++) {
        // A client that is gone leaves its place to the last one.
        if (send(clients[client], text, sizeof text - 1, MSG_DONTWAIT) >= 0) continue;
        close(clients[client]);
        clients[client--] = clients[--connected];
      }
    }
  }
}
