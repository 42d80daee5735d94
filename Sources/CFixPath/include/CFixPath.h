#ifndef CFIXPATH_H
#define CFIXPATH_H

// Has the processor bring near what the way of a fix needs: the code between the first two functions
// below, what it takes of the C library, and the stack. It does not wait for that.
void fix_path_fetch(void);

// And what it takes besides to answer who reads the location: the code between the last two.
void reading_path_fetch(void);

// Between them the linker lays what is run (config/functions.order).
void fix_path_begin(void);
void fix_path_end(void);
void reading_path_end(void);

#endif
