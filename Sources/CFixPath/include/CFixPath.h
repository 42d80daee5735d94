#ifndef CFIXPATH_H
#define CFIXPATH_H

// Has the processor bring near what the way of a fix needs: the code between the two functions below, and
// the stack. It does not wait for that.
void fix_path_fetch(void);

// Between them the linker lays what a fix runs through (config/functions.order).
void fix_path_begin(void);
void fix_path_end(void);

#endif
