/* Texts that people wrote: read whole, and refused whole, with all that is wrong with them. */
#ifndef FSLOAD_TEXT_H
#define FSLOAD_TEXT_H

#include <stdbool.h>

/* The whole file; free it. NULL, with a message on stderr, where it is unreadable, over 1 MiB or has a NUL in it. */
char *text_read(const char *path);

/* What is wrong with a file. Begin with its path alone. */
struct faults {
    const char *path;
    unsigned count;
};

/* Count a fault and, if it is among the first hundred, say on stderr what is wrong. Line 0: in the whole file. */
void faults_add(struct faults *faults, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* True if there is none; otherwise prints on stderr how many were omitted. */
bool faults_none(const struct faults *faults);

#endif
