#ifndef CVERSION_H
#define CVERSION_H

/// The version of this tree. `make` writes tree.c beside this, which git ignores; without it, it is the
/// changelog's.
const char *locationdVersion(void);

#endif
