// A daemon that wakes once in a while finds nothing of itself in the caches: a fix would wait for a
// thousand lines, one after the other, three quarters of its time. Asked for all at once they are there in
// a fraction of that.
#include "CFixPath.h"

#include <stdint.h>

// Each in a section of its own, so that the linker can lay it anywhere.
#define ALONE(name) __attribute__((noinline, used, section(".text." #name)))

// What a line of the caches holds, on all processors that matter.
static const uintptr_t line = 64;
// Without a list of functions the two may be anywhere.
static const uintptr_t longest = 256 << 10;
// How deep a fix goes.
static const uintptr_t depth = 20 << 10;

ALONE(fix_path_begin) void fix_path_begin(void) { __asm__(""); }
ALONE(fix_path_end) void fix_path_end(void) { __asm__(""); }

ALONE(fix_path_fetch) void fix_path_fetch(void) {
  const uintptr_t begin = (uintptr_t)fix_path_begin, end = (uintptr_t)fix_path_end;
  if (end > begin && end - begin <= longest) {
    for (uintptr_t at = begin; at < end; at += line) __builtin_prefetch((const void *)at, 0, 2);
  }
  const uintptr_t top = (uintptr_t)__builtin_frame_address(0);
  for (uintptr_t below = 0; below < depth; below += line) {
    __builtin_prefetch((const void *)(top - below), 1, 2);
  }
}
