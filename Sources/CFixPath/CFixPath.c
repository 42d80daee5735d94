// A daemon that wakes once in a while finds nothing of itself in the caches: a fix would wait for a
// thousand lines, one after the other, most of its time. Asked for all at once they are there in a
// fraction of that.
#define _GNU_SOURCE
#include "CFixPath.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Each in a section of its own, so that the linker can lay it anywhere.
#define ALONE(name) __attribute__((noinline, used, section(".text." #name)))

// What a line of the caches holds, on all processors that matter.
static const uintptr_t line = 64;
// Without a list of functions they may be anywhere.
static const uintptr_t longest = 256 << 10;
// How deep a fix goes.
static const uintptr_t depth = 20 << 10;

// What a fix takes of the C library, and so much of the beginning of each.
typedef void (*function)(void);
static const function borrowed[] = {
    (function)memcpy, (function)malloc, (function)free,   (function)clock_gettime,
    (function)read,   (function)send,   (function)sincos,
};
static const uintptr_t beginning = 256;

ALONE(fix_path_begin) void fix_path_begin(void) { __asm__(""); }
ALONE(fix_path_end) void fix_path_end(void) { __asm__(""); }
ALONE(reading_path_end) void reading_path_end(void) { __asm__(""); }

static inline void fetch(uintptr_t begin, uintptr_t end) {
  if (end <= begin || end - begin > longest) return;
  for (uintptr_t at = begin; at < end; at += line) __builtin_prefetch((const void *)at, 0, 2);
}

ALONE(fix_path_fetch) void fix_path_fetch(void) {
  fetch((uintptr_t)fix_path_begin, (uintptr_t)fix_path_end);
  for (size_t i = 0; i < sizeof borrowed / sizeof *borrowed; i++) {
    fetch((uintptr_t)borrowed[i], (uintptr_t)borrowed[i] + beginning);
  }
  const uintptr_t top = (uintptr_t)__builtin_frame_address(0);
  for (uintptr_t below = 0; below < depth; below += line) {
    __builtin_prefetch((const void *)(top - below), 1, 2);
  }
}

ALONE(reading_path_fetch) void reading_path_fetch(void) {
  fetch((uintptr_t)fix_path_end, (uintptr_t)reading_path_end);
}
