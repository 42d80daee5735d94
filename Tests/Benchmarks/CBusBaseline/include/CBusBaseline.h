// A bare C sender of the messages that bench-bus sends, to measure Platform's part against.
#ifndef CBUSBASELINE_H
#define CBUSBASELINE_H

/// Connects, waiting for it; null where it fails.
void *cbus_open(void);
/// Sends one location to each, its body made once and copied.
void cbus_tell(void *bus, const char *const *names, int count, double number);
void cbus_close(void *bus);

#endif
