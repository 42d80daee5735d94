#include "CVersion.h"

// Weak: tree.c replaces it, and a new commit compiles that file alone.
__attribute__((weak)) const char *locationdVersion(void) { return "0.2.0"; }
