// SQLite, as far as Platform uses it.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// SQLite makes room for twenty pages with the first one, unless it is said before all else that it need not.
static inline int sqlite_take_pages_singly(void) {
  return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

// SQLITE_TRANSIENT is a cast that Swift cannot see: the value is copied.
static inline int sqlite_bind_text(sqlite3_stmt *statement, int place, const void *text, int size) {
  // Without an address it would be NULL, not empty.
  return sqlite3_bind_text(statement, place, size ? (const char *)text : "", size,
                           SQLITE_TRANSIENT);
}

static inline int sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int size) {
  return sqlite3_bind_blob(statement, place, size ? bytes : "", size, SQLITE_TRANSIENT);
}

#endif
