// The environment of a program that may have been given rights which its user lacks.
#ifndef CENVIRONMENT_SHIM_H
#define CENVIRONMENT_SHIM_H

// Declared in stdlib.h for _GNU_SOURCE only, which the Glibc module was not built with.
extern char *secure_getenv(const char *name);

#endif
